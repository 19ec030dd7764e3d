package kimicli_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest/codecs"
	"tamp/core/msg"
)

func TestCodec(t *testing.T) { codecs.OfFormat(t, msg.KimiCLI) }

// The lines of wire.jsonl, behind those of the context, have the usage of its calls: of the answers from the newest one
// on, and of calls that are no longer in the context, or of subagents.
func TestUsageOfTheWire(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answers, before := rapid.IntRange(0, 4).Draw(t, "answers"), rapid.IntRange(0, 3).Draw(t, "before")
		if answers == 0 {
			before = 0
		}
		context := []string{`{"role":"_checkpoint","id":0}`, `{"role":"user","content":"x"}`}
		wire := []string{`{"type":"metadata","protocol_version":"1.3"}`}
		status := func(input int) string {
			return `{"type":"StatusUpdate","payload":{"token_usage":{"input_other":` + strconv.Itoa(input) +
				`,"input_cache_read":7,"input_cache_creation":1,"output":2}}}`
		}
		line := func(event string) {
			wire = append(wire, `{"timestamp":1770000000.25,"message":`+event+`}`)
		}
		side := 0
		for i := range before + answers {
			if i >= before {
				context = append(context, `{"role":"assistant","content":"a"}`, `{"role":"user","content":"x"}`)
			}
			for range rapid.IntRange(0, 2).Draw(t, "events") {
				line(rapid.SampledFrom([]string{`{"type":"TurnBegin","payload":{"user_input":"x"}}`,
					`{"type":"StatusUpdate","payload":{"token_usage":null}}`, `{"type":"StatusUpdate","payload":{}}`}).Draw(t, "event"))
			}
			if rapid.Bool().Draw(t, "side") {
				side++
				line(`{"type":"SubagentEvent","payload":{"event":` + status(1000) + `}}`)
			}
			line(status(i + 1))
		}
		data := strings.Join(append(context, wire...), "\n")
		c, err := format.Parse([]byte(data), "")
		require.NoError(t, err)
		n := before
		for i := range c.Messages {
			if m := &c.Messages[i]; m.Role == msg.Assistant {
				n++
				require.Equal(t, &msg.Usage{Input: n, CacheRead: 7, CacheWrite: 1, Output: 2}, m.Usage)
				require.Equal(t, "1770000000250", string(m.Time))
			}
		}
		require.Equal(t, before+answers, n)
		subagents, earlier := 0, 0
		for _, o := range format.SegmentsOf(c).Others {
			if o.Side {
				subagents++
				require.Equal(t, 1000, o.Usage.Input)
			} else {
				earlier++
				require.Equal(t, earlier, o.Usage.Input, "the oldest ones")
			}
		}
		require.Equal(t, [2]int{side, before}, [2]int{subagents, earlier})
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, data, string(out))
	})
}
