package replay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
)

// The bill of an outline is that of the whole log, also of one line, of a log with lines that are cut or have several
// records, with halves of surrogate pairs and invalid UTF-8, and with images.
func TestTheBillOfAnOutlineIsThatOfTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := drawClaudeCode(t)
		o, _, err := format.Outline([]byte(log), "")
		whole, wholeErr := format.Parse([]byte(log), "")
		require.Equal(t, wholeErr, err, "%q", log)
		if err != nil {
			return
		}
		got, err := Billed(o, Options{})
		want, wantErr := Billed(whole, Options{})
		require.Equal(t, wantErr, err)
		require.Equal(t, want, got, "%q", log)
	})
}

// A log without faults is not read whole, also if it is one line.
func TestALogWithoutFaultsIsAnOutline(t *testing.T) {
	line := `{"uuid":"u","parentUuid":null,"type":"assistant","message":{"id":"m","content":"Yes","usage":{"input_tokens":9}}}`
	for _, log := range []string{line, line + "\n", line + "\n" + line} {
		_, hasTexts, err := format.Outline([]byte(log), "")
		require.NoError(t, err)
		require.False(t, hasTexts, log)
	}
}

// drawClaudeCode draws a log of Claude Code, often with damaged lines.
func drawClaudeCode(t *rapid.T) string {
	text := func() string {
		return rapid.SampledFrom([]string{"plain", `a \"quoted\" \\ part\n`, `\ud83d\ude00`, `half \ud83d of a pair`, "\xff",
			"é😀", `{\"usage\":{\"input_tokens\":9}}`, `\\ud83d`}).Draw(t, "text")
	}
	var lines []string
	parent := "null"
	add := func(kind, message string) {
		id := fmt.Sprintf("u%d", len(lines))
		side := rapid.IntRange(0, 7).Draw(t, "side") == 7
		space := rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "space")
		lines = append(lines, fmt.Sprintf(`{"parentUuid":%s,"isSidechain":%v,"cwd":"/p%s",%s"type":"%s","message":%s,`+
			`"requestId":"r%d","uuid":"%s","timestamp":"2026-10-0%dT10:00:00Z"}`, parent, side, text(), space, kind, message,
			len(lines)/2, id, 1+len(lines)%9))
		if rapid.IntRange(0, 5).Draw(t, "leave") > 0 {
			parent = `"` + id + `"`
		}
	}
	for range rapid.IntRange(1, 6).Draw(t, "lines") {
		content := rapid.SampledFrom([]string{`"%s"`, `[{"type":"text","text":"%s"}]`,
			`[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"%s"}}]`,
			`[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"%s"}]}]`,
			`[{"type":"tool_use","id":"c","name":"f","input":{"x":"%s"}}]`}).Draw(t, "content")
		content = fmt.Sprintf(content, text())
		if rapid.Bool().Draw(t, "answer") {
			usage := rapid.SampledFrom([]string{`{"input_tokens":7,"output_tokens":3}`,
				`{"input_tokens":1,"input_tokens":8,"cache_creation_input_tokens":5,"cache_creation":{"ephemeral_1h_input_tokens":2}}`,
				`{"input_tokens":7,"service_tier":"batch","speed":"fast"}`, "null", `{"output_tokens":3}`}).Draw(t, "usage")
			model := rapid.SampledFrom([]string{"claude-opus-4-5", "<synthetic>", ""}).Draw(t, "model")
			add("assistant", fmt.Sprintf(`{"id":"m%d","role":"assistant","model":"%s","content":%s,"us\u0061ge":%s}`,
				len(lines)/2, model, content, usage))
		} else {
			add("user", `{"role":"user","content":`+content+`}`)
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "faults") {
		i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		n, faults := len(lines[i]), []string{"cut", "joined", "zeros", "control", "words"}
		switch rapid.SampledFrom(faults).Draw(t, "fault") {
		case "cut":
			lines[i] = lines[i][:rapid.IntRange(1, n).Draw(t, "at")]
		case "joined":
			lines[i] += lines[rapid.IntRange(0, len(lines)-1).Draw(t, "other")]
		case "zeros":
			lines[i] = strings.Repeat("\x00", 1+n/2)
		case "control":
			lines[i] = strings.Replace(lines[i], "plain", "pl\tain\nmore", 1)
		case "words":
			lines[i] = "not JSON"
		}
	}
	return strings.Join(lines, "\n") + rapid.SampledFrom([]string{"", "\n", "\n\n"}).Draw(t, "end")
}
