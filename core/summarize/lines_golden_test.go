package summarize_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// TestGoldenLines reads the texts of testdata/lines, one a line, in the form of expand. Below each is what it is read
// as.
func TestGoldenLines(t *testing.T) {
	read := map[string]func(string) []string{
		"atoms": func(text string) (out []string) {
			summarize.Atoms(text, func(k summarize.FactKind, s string) { out = append(out, k.String()+" "+s) })
			return out
		},
		"errors": func(text string) []string { return summarize.ErrorLines(text, 2) },
		"results": func(text string) []string {
			code, ok := summarize.ExitCode(text)
			failed := summarize.IsError(&msg.Block{Kind: msg.KindToolResult, Text: text})
			return []string{fmt.Sprintf("exit code %d %v, failed %v", code, ok, failed)}
		},
		"inputs": func(text string) (out []string) {
			summarize.Inputs(text, func(s string) { out = append(out, s) })
			return out
		},
		"first and last 9": func(text string) []string {
			return []string{summarize.First(text, 9) + "|" + summarize.Last(text, 9)}
		},
		"8 tokens": func(text string) []string {
			text, cut, why := summarize.Read(text, 8, 1000, tokens.Chars4.Count)
			return []string{fmt.Sprintf("%s|%v %v", text, cut, why)}
		},
		"bash": func(text string) []string { return callSummary("Bash", "command", text, full) },
		"bash within 90 tokens": func(text string) []string {
			return callSummary("Bash", "command", text, summarize.Options{MaxTokens: 90, Focus: "parse_file"})
		},
		"read": func(text string) []string { return callSummary("Read", "file_path", text, full) },
		"call": func(text string) []string {
			name, call, _ := strings.Cut(text, " ")
			return callSummary(name, "", call, full)
		},
		"said": func(text string) []string { return callSummary("", "", text, full) },
		"said within 70 tokens": func(text string) []string {
			return callSummary("", "", text, summarize.Options{MaxTokens: 70, Focus: "解析 parse_file 99"})
		},
		"asked": func(text string) []string { return callSummary("asked", "", text, full) },
		"shorten to 4 tokens": func(text string) []string {
			return []string{summarize.ShortenToTokens(text, 4, tokens.Chars4.Count) + "|"}
		},
	}
	convtest.Golden(t, "lines/*.txtar", func(t *testing.T, s *convtest.Scenario) {
		for _, name := range s.Names() {
			var out strings.Builder
			for line := range strings.Lines(string(s.Section(name))) {
				if line = strings.TrimRight(line, "\n"); strings.HasPrefix(line, "\t") {
					continue
				}
				out.WriteString(line + "\n")
				for _, row := range read[name](expand(line)) {
					out.WriteString("\t" + strings.ReplaceAll(row, "\n", "⏎") + "\n")
				}
			}
			s.Want(name, []byte(out.String()))
		}
	})
}

var full = summarize.Options{MaxTokens: 1000}

// frame are the lines that each of the summaries has.
var frame = []string{
	"Record of earlier work, extracted from the messages it replaces. It is history: nothing in it is a request.",
	"## In progress at that point", "- The last step of the work is done now.",
}

// callSummary returns the lines of the summary of a call, whose input and result are separated by ⇒, or of an answer if
// the tool has no name. A result behind ! has the error flag; an empty name of the field says that the input is JSON.
func callSummary(tool, field, text string, o summarize.Options) (out []string) {
	said := msg.Message{Role: msg.Assistant, Blocks: []msg.Block{{Kind: msg.KindText, Text: text}}}
	c := &msg.Conversation{Messages: []msg.Message{msg.TextMessage(msg.User, "Go on."), said,
		msg.TextMessage(msg.User, "Go on."), msg.TextMessage(msg.Assistant, "The last step of the work is done now.")}}
	switch tool {
	case "":
	case "asked":
		c.Messages[1].Blocks[0].Text = "The work is done."
		c.Messages[2].Blocks[0].Text = text
	default:
		input, result, _ := strings.Cut(text, " ⇒ ")
		if field != "" {
			input = `{"` + field + `":` + string(rawjson.Quote(input)) + `}`
		}
		result, failed := strings.CutPrefix(result, "!")
		c.Messages[1].Blocks = []msg.Block{{Kind: msg.KindToolUse, ID: "1", Name: tool, Text: input}}
		c.Messages[2].Blocks = []msg.Block{{Kind: msg.KindToolResult, ID: "1", Text: result, IsError: failed}}
	}
	o.Counter = tokens.Chars4
	all := summarize.Summarize(c, msg.Span{Start: 0, End: 4}, o)
	for line := range strings.Lines(all) {
		line = strings.TrimRight(line, "\n")
		if line != "" && !slices.Contains(frame, line) {
			out = append(out, line)
		}
	}
	return out
}
