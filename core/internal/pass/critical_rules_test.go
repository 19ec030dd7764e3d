package pass_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// The rule by sentences of its own, with the library's expressions for the words.
var failureWords = regexp.MustCompile(`(?i)error|exception`)

// A message is critical because of its own blocks, or of the other half of one of its pairs.
func TestCriticalAgreesWithItsSlowTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := work(t)
		in := input(c, charCounter)
		p := pass.Critical{Tools: rapid.SampledFrom([][]string{nil, {"edit"}, {"bash", "web_search"}}).Draw(t, "tools")}
		want := make([]bool, len(c.Messages))
		for m, message := range c.Messages {
			for _, b := range message.Blocks {
				switch b.Kind {
				case msg.KindToolUse:
					want[m] = want[m] || slices.Contains(p.Tools, b.Name)
				case msg.KindToolResult:
					want[m] = want[m] || b.IsError || failureWords.MatchString(b.Text)
				}
			}
		}
		for range c.Messages {
			for ref := range c.Blocks() {
				if call, ok := in.Pairing.Call(ref); ok {
					either := want[ref.Message] || want[call.Message]
					want[ref.Message], want[call.Message] = either, either
				}
			}
		}
		require.Equal(t, want, p.Mark(in))
	})
}

func TestCritical(t *testing.T) {
	call := func(name string) string {
		return `{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"` + name + `","input":{}}]}`
	}
	result := func(rest string) string {
		return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"1",` + rest + `}]}`
	}
	rows := []struct {
		why, messages string
		want          []bool
	}{
		{"a tool that changes the world, with its result", call("edit") + "," + result(`"content":"ok"`), []bool{true, true}},
		{"another tool", call("read") + "," + result(`"content":"ok"`), []bool{false, false}},
		{"a failed result, with its call", call("read") + "," + result(`"content":"x","is_error":true`), []bool{true, true}},
		{"a result that is the word alone", call("read") + "," + result(`"content":"Error"`), []bool{true, true}},
		{"the word at the end", call("read") + "," + result(`"content":"an EXCEPTION"`), []bool{true, true}},
		{"a word cut short", call("read") + "," + result(`"content":"exceptio erro"`), []bool{false, false}},
		{"the assistant's own demand is none",
			`{"role":"user","content":"Hi"},{"role":"assistant","content":"You must wait."}`, []bool{false, false}},
		{"the word error in a prompt, which is not a result", `{"role":"user","content":"an error"}`, []bool{false}},
		{"a demand of the user: the summary has it", `{"role":"user","content":"You must wait."}`, []bool{false}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			in := input(parse(t, []byte("["+row.messages+"]")), charCounter)
			require.Equal(t, row.want, pass.Critical{Tools: []string{"edit"}}.Mark(in))
		})
	}
}
