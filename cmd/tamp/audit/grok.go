package audit

import (
	"bytes"
	"encoding/json"
	"slices"
)

// WithUsage gives the answers in a history of Grok CLI (chat_history.jsonl) their usage, as a member. It is in
// updates.jsonl next to it: the sums of the calls for a prompt, and the tokens of each call that ended in calls of
// tools. The sums are those of the log, the sizes of the prompts those that it names, and the cache that of a prompt
// that only grows.
func WithUsage(history, updates []byte) []byte {
	lines := bytes.Split(history, []byte("\n"))
	var turns [][]int // the answers to each prompt, by their lines
	for i, text := range lines {
		var line struct {
			Type   string `json:"type"`
			Prompt *int   `json:"prompt_index"`
		}
		if json.Unmarshal(text, &line) != nil {
			continue // the engine says what is wrong with it
		}
		switch {
		case line.Type == "user" && line.Prompt != nil:
			turns = append(turns, nil)
		case line.Type == "assistant" && len(turns) > 0:
			turns[len(turns)-1] = append(turns[len(turns)-1], i)
		}
	}
	sums := grokSums(updates)
	for k := 1; k <= min(len(sums), len(turns)); k++ { // the newest first: a compaction removes older prompts
		answers := turns[len(turns)-k]
		for i, usage := range sums[len(sums)-k].split(len(answers)) {
			line := answers[i]
			member, _ := json.Marshal(usage) // four integers
			end := bytes.LastIndexByte(lines[line], '}')
			lines[line] = slices.Concat(lines[line][:end], []byte(`,"usage":`), member, []byte("}"))
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

// grokTurn are the sums of the calls for a prompt.
type grokTurn struct {
	All    int   `json:"inputTokens"` // of the prompts
	Read   int   `json:"cachedReadTokens"`
	Write  int   `json:"cacheCreationTokens"`
	Output int   `json:"outputTokens"`
	sizes  []int // of the calls but the last one: prompt and answer
}

func grokSums(updates []byte) (turns []grokTurn) {
	var sizes []int
	started := map[int]bool{} // calls, by the time at which they began: two calls of tools can be of one
	for _, text := range bytes.Split(updates, []byte("\n")) {
		var line struct {
			Params struct {
				Update struct {
					Kind  string    `json:"sessionUpdate"`
					Usage *grokTurn `json:"usage"`
				} `json:"update"`
				About struct {
					Start int `json:"streamStartMs"`
					Total int `json:"totalTokens"`
				} `json:"_meta"`
			} `json:"params"`
		}
		if json.Unmarshal(text, &line) != nil {
			continue
		}
		switch update, about := &line.Params.Update, &line.Params.About; {
		case update.Kind == "tool_call" && !started[about.Start]:
			started[about.Start] = true
			sizes = append(sizes, about.Total)
		case update.Kind == "user_message_chunk":
			sizes, started = nil, map[int]bool{}
		case update.Kind == "turn_completed" && update.Usage != nil:
			update.Usage.sizes = sizes
			turns = append(turns, *update.Usage)
			sizes, started = nil, map[int]bool{}
		}
	}
	return turns
}

// grokUsage is the usage of a call.
type grokUsage struct {
	Input  int `json:"input"`
	Read   int `json:"read"`
	Write  int `json:"write"`
	Output int `json:"output"`
}

// split returns the usage of each of n calls.
func (t *grokTurn) split(n int) []grokUsage {
	if n == 0 {
		return nil
	}
	calls, prompts, named, last := make([]grokUsage, n), make([]int, n), make([]int, n), t.All
	fits := len(t.sizes) == n-1
	for i := range calls {
		calls[i].Output = t.Output*(i+1)/n - t.Output*i/n
		prompts[i] = t.All*(i+1)/n - t.All*i/n
		if fits && i < n-1 {
			named[i] = t.sizes[i] - calls[i].Output
			last -= named[i]
			fits = named[i] > 0
		}
	}
	if named[n-1] = last; fits && last > 0 {
		prompts = named
	}
	// Each call has room for a part of a sum; the last call takes first.
	take := func(sum int, of func(c *grokUsage) *int, room func(i int) int) int {
		for i := n - 1; i >= 0; i-- {
			part := max(min(room(i)-*of(&calls[i]), sum), 0)
			*of(&calls[i]) += part
			sum -= part
		}
		return sum
	}
	read, write := func(c *grokUsage) *int { return &c.Read }, func(c *grokUsage) *int { return &c.Write }
	before := append([]int{0}, prompts...) // the prompt of the call before
	rest := take(t.Read, read, func(i int) int { return min(before[i], prompts[i]) })
	take(rest, read, func(i int) int { return prompts[i] })
	take(t.Write, write, func(i int) int { return prompts[i] - calls[i].Read })
	for i := range calls {
		calls[i].Input = prompts[i] - calls[i].Read - calls[i].Write
	}
	return calls
}
