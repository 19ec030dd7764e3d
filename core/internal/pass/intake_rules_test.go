package pass_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/pass"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// charCounter counts what one can count by hand: four bytes are a token.
var charCounter = tokens.Chars4

func archived(string) string { return "0123456789abcdef" }

// Only texts over a limit are cut.
func TestIntake(t *testing.T) {
	call := `{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"bash","input":{}}]},`
	result := func(content string) string {
		return call + `{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":` + content + `}]}`
	}
	user := func(text string) string { return `{"role":"user","content":` + strconv.Quote(text) + `}` }
	of := func(n int) string { return strings.Repeat("x", n) }
	output, text := pass.Intake{MaxBytes: 300}, pass.Intake{MaxChars: 300}
	rows := []struct {
		why      string
		policy   pass.Intake
		messages string
		reason   string // "" where nothing is cut
	}{
		{"an output over the limit", output, result(strconv.Quote(of(301))), "301 bytes of output, over maxBytes 300"},
		{"an output at the limit", output, result(strconv.Quote(of(300))), ""},
		{"bytes are counted, not characters", pass.Intake{MaxBytes: 1500}, result(strconv.Quote(strings.Repeat("é", 1000))),
			"2000 bytes of output, over maxBytes 1500"},
		{"a user's text is no output", output, user(of(400)), ""},
		{"an output with an image", output, result(`[{"type":"text","text":"` + of(400) +
			`"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}]`), ""},
		{"an output of the provider itself", output,
			`{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"server_tool_use","id":"s",` +
				`"name":"bash","input":{}},{"type":"bash_code_execution_tool_result","tool_use_id":"s","content":{"stdout":"` +
				of(400) + `"}}]}`, ""},
		{"no limit for outputs", text, result(strconv.Quote(of(400))), ""},
		{"a limit that is not worth its note", pass.Intake{MaxBytes: 40}, result(strconv.Quote(of(41))), ""},
		{"a text over the limit", text, user(of(301)), "301 characters of input, over maxChars 300"},
		{"a text at the limit", text, user(of(300)), ""},
		{"characters are counted, not bytes", text, user(strings.Repeat("é", 300)), ""},
		{"injected text", text, user("<system-reminder>" + of(400) + "</system-reminder>"), ""},
		{"the assistant's text", text, user("Go.") + `,{"role":"assistant","content":"` + of(400) + `"}`, ""},
		{"no limit for texts", output, user(of(400)), ""},
		{"a limit that the note's name would pass", pass.Intake{MaxChars: 20}, user(of(21)), ""},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			c := parse(t, []byte("["+row.messages+"]"))
			decisions := row.policy.Run(input(c, charCounter), archived)
			if row.reason == "" {
				require.Empty(t, decisions)
				return
			}
			require.Len(t, decisions, 1)
			d := decisions[0]
			require.Equal(t, pass.Truncated, d.Fate)
			require.Equal(t, row.reason, d.Reason)
			require.Equal(t, row.reason, d.Edit.Reason)
			require.Equal(t, d.Ref, d.Edit.Ref())
			require.Equal(t, len(c.Messages)-1, d.Ref.Message)
			require.Less(t, d.Edit.After, d.Edit.Tokens)
			if d.Edit.Kind == pass.LimitOutput {
				require.Equal(t, "bash", d.Tool)
				require.Contains(t, d.Edit.Text, "; original 0123456789abcdef]")
			} else {
				require.Empty(t, d.Tool)
				require.Equal(t, "[Large input saved to 0123456789abcdef, 301 chars. Use the recall tool to read it.]", d.Edit.Text)
			}
		})
	}
}

// A limited output keeps as many whole lines at both ends as fit, reports the omitted size, and is not limited again.
func TestLimitKeepsHeadAndTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"one line\n", "\n", "é and more é\n", "endless é ",
			strings.Repeat("wide ", 40) + "\n"})
		text := strings.Join(rapid.SliceOfN(line, 20, 90).Draw(t, "lines"), "") +
			rapid.SampledFrom([]string{"", "end"}).Draw(t, "end")
		limit := rapid.IntRange(1, 700).Draw(t, "limit")
		result := fmt.Sprintf(`[{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"bash","input":{}}]},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":%q}]}]`, text)
		c := parse(t, []byte(result))
		decisions := pass.Intake{MaxBytes: limit}.Run(input(c, charCounter), archived)
		if len(text) <= limit {
			require.Empty(t, decisions)
			return
		}
		half := max(0, limit-100) / 2
		head := text[:strings.LastIndexByte(text[:half], '\n')+1]
		tail := text[len(text)-half:]
		tail = tail[strings.IndexByte(tail, '\n')+1:]
		if !strings.Contains(text[len(text)-half:], "\n") {
			tail = ""
		}
		between := ""
		if head == "" && tail == "" { // no line ends within: cut between characters, never into one
			from, to := half, len(text)-half
			for from > 0 && !utf8.ValidString(text[:from]) {
				from--
			}
			for to < len(text) && to > 0 && !utf8.ValidString(text[to:]) {
				to--
			}
			head, tail = text[:from], text[to:]
			if head != "" && !strings.HasSuffix(head, "\n") {
				between = "\n"
			}
		}
		gone := text[len(head) : len(text)-len(tail)]
		lines := len(strings.Split(strings.TrimSuffix(gone, "\n"), "\n"))
		want := head + between + fmt.Sprintf("[… %d bytes, %d lines omitted; original 0123456789abcdef]", len(gone), lines)
		if tail != "" {
			want += "\n" + tail
		}
		if len(want) >= len(text) {
			require.Empty(t, decisions)
			return
		}
		require.Len(t, decisions, 1)
		require.Equal(t, want, decisions[0].Edit.Text)
		if limit >= 100 {
			require.LessOrEqual(t, len(want), limit)
		}
		block := c.At(msg.Ref{Message: 1}).WithText(want)
		again := c.WithMessages(append(c.Messages[:1:1], msg.Message{Role: msg.User, Blocks: []msg.Block{block}}))
		if limit >= 100 {
			require.Empty(t, pass.Intake{MaxBytes: limit}.Run(input(again, charCounter), archived))
		}
	})
}
