package forward

import (
	"strconv"

	"tamp/core"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Checkpoint is the state of a fold after a compaction. It only saves time: a fold from the beginning has the same
// result, unless the compaction was forced. It contains text of the conversation.
type Checkpoint struct {
	Messages  int        // number of messages of the history that the prefix replaces
	State     core.State // after the compaction
	Prefix    []byte     // the compacted messages, a JSON array without cache_control
	Origins   []int      // for each message of Prefix, the original message that it is or that it follows; -1: none
	Boundary  int        // the last message of Prefix that Tamp wrote; -1: none
	Kept      int        // the last message up to the Boundary before this compaction that is still the same; -1: none
	Tokens    int        // of the Messages, before compaction
	Cleared   int        // see Result
	Summaries int
	Failed    int
	OpenCut   int
	Lost      int
	ReadAgain int
	DropBlock int // 1: see Options
	// The number of messages up to which the policy could compact nothing further, although the history is over its hard
	// limit: no plan is tried there again. 0: none. Only of Result.Passed, in which Messages may be 0: no compaction.
	Passed int
}

// At is the number of messages from which a fold goes on.
func (p *Checkpoint) At() int { return max(p.Messages, p.Passed) }

// Encode writes the checkpoint as a JSON object.
func (p *Checkpoint) Encode() []byte {
	out := []byte(`{"v":6`)
	for i, n := range p.numbers() {
		out = append(out, `,"`+numberNames[i]+`":`...)
		out = strconv.AppendInt(out, int64(*n), 10)
	}
	out = append(out, `,"origins":[`...)
	for i, n := range p.Origins {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, int64(n), 10)
	}
	out = rawjson.AppendQuote(append(out, `],"state":`...), string(p.State))
	prefix := p.Prefix
	if p.Messages == 0 {
		prefix = []byte("[]")
	}
	return append(append(append(out, `,"prefix":`...), prefix...), '}')
}

var numberNames = [...]string{"messages", "boundary", "kept", "tokens", "cleared", "summaries", "failed",
	"open_cut", "lost", "read_again", "drop_block", "passed"}

func (p *Checkpoint) numbers() [len(numberNames)]*int {
	return [...]*int{&p.Messages, &p.Boundary, &p.Kept, &p.Tokens, &p.Cleared, &p.Summaries, &p.Failed,
		&p.OpenCut, &p.Lost, &p.ReadAgain, &p.DropBlock, &p.Passed}
}

// DecodeCheckpoint reads what Encode wrote. The error is bad_request; the host goes on without the checkpoint then.
func DecodeCheckpoint(data []byte) (*Checkpoint, error) {
	bad := msg.NewError(msg.BadRequest, "", "cannot use the checkpoint: it was not written by this version of tamp")
	if msg.Validate(data) != nil {
		return nil, bad
	}
	members := map[string]rawjson.Value{}
	for name, value := range rawjson.Value(data).Members() {
		members[name] = value
	}
	if string(members["v"]) != "6" {
		return nil, bad
	}
	p := &Checkpoint{State: core.State(members["state"].Text()), Prefix: members["prefix"].Clip()}
	for i, n := range p.numbers() {
		var err error
		if *n, err = strconv.Atoi(string(members[numberNames[i]])); err != nil {
			return nil, bad
		}
	}
	for _, e := range members["origins"].List() {
		n, err := strconv.Atoi(string(e))
		if err != nil {
			return nil, bad
		}
		p.Origins = append(p.Origins, n)
	}
	n := len(p.Origins)
	if p.Messages == 0 && p.Passed > 0 && n == 0 {
		p.Prefix = nil
		return p, nil
	}
	if n == 0 || !isIndex(p.Boundary, n) || !isIndex(p.Kept, n) || p.Messages < 1 {
		return nil, bad
	}
	return p, nil
}

// isIndex reports a message of n, or -1.
func isIndex(i, n int) bool { return i >= -1 && i < n }
