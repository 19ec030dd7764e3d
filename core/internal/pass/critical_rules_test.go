package pass_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// The rule by sentences of its own, with the library's expressions for the words.
var (
	demandWords  = regexp.MustCompile(`(?i)(^|[^a-z0-9_])(must not|must|required|constraint|never|do not)($|[^a-z0-9_])|不能|必须|禁止|要求|约束`)
	failureWords = regexp.MustCompile(`(?i)error|exception`)
)

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
				case msg.KindText:
					want[m] = want[m] || message.Role == msg.User && !b.IsInjected() && demandWords.MatchString(b.Text)
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
		{"injected text next to a prompt", `{"role":"user","content":[{"type":"text","text":"Hi"},` +
			`{"type":"text","text":"<system-reminder>never stop</system-reminder>"}]}`, []bool{false}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			in := input(parse(t, []byte("["+row.messages+"]")), charCounter)
			require.Equal(t, row.want, pass.Critical{Tools: []string{"edit"}}.Mark(in))
		})
	}
}

// Demands finds what the expression finds, with every sign before and behind a word.
func TestDemandsAgreesWithItsSlowTwin(t *testing.T) {
	signs := append(strings.Split("a z A Z 0 9 _ ` { / : @ . é 不", " "), "", " ")
	words := []string{"must", "must not", "required", "constraint", "never", "do not", "不能", "必须", "禁止", "要求", "约束", "do",
		"not"}
	for _, word := range words {
		for _, before := range signs {
			for _, behind := range signs {
				text := before + word + behind
				require.Equal(t, demandWords.MatchString(text), pass.Demands(text), "%q", text)
				require.Equal(t, demandWords.MatchString("never2"+text), pass.Demands("never2"+text), "never2%q", text)
			}
		}
	}
}
