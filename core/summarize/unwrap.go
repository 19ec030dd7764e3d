package summarize

import (
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/provenance"
)

// This file takes the frame off the results of MCP servers, so that their text is read and not its quotation.

// unwrapped returns a block without the frame around the text of an MCP result: the JSON object of the protocol,
// `{"content":[{"type":"text","text":"…"}],"isError":false}`, or the way in which the Python SDK prints it, or both. It
// returns b itself if there is no such frame. The result is an error if the frame says so.
func unwrapped(b *msg.Block) *msg.Block {
	text, failed := b.Text, b.IsError
	if inner, found := strings.CutPrefix(text, "<tool_use_error>"); found { // Claude Code writes it
		text = strings.TrimSuffix(inner, "</tool_use_error>")
	}
	if head, ok := strings.CutSuffix(text, "</usage>"); ok { // of another agent
		if end := strings.LastIndex(head, "<usage>"); end >= 0 {
			text = text[:end]
		}
	}
	text = fileContent(commandOutput(text))
	for range 2 {
		inner, isError, ok := printedResult(text)
		if !ok {
			inner, isError, ok = protocolResult(text)
		}
		if !ok {
			break
		}
		text, failed = inner, failed || isError
	}
	if len(text) == len(b.Text) {
		return b
	}
	plain := *b
	plain.Text, plain.IsError = text, failed
	return &plain
}

// commandOutput returns the output of a command without the lines or the object that Codex puts around it (exec_command
// and apply_patch), but with how it ended if it runs or failed.
func commandOutput(text string) string {
	if strings.HasPrefix(text, `{"output":"`) && msg.Validate(rawjson.Value(text)) == nil {
		raw := rawjson.Value(text)
		code, output := raw.Member("metadata").Member("exit_code"), raw.Member("output").Text()
		switch {
		case code.Kind() != '0':
		case string(code) == "0":
			return output
		default:
			return "Exit code: " + string(code) + "\n" + output
		}
	}
	if !strings.HasPrefix(text, "Chunk ID: ") && !strings.HasPrefix(text, "Exit code: ") {
		return text
	}
	frame, output, found := strings.Cut(text, "\nOutput:\n")
	if !found || len(frame) > maxCommandFrame {
		return text
	}
	for line, rest := provenance.NextLine(frame); line != ""; line, rest = provenance.NextLine(rest) {
		state := strings.HasPrefix(line, "Process ") || strings.HasPrefix(line, "Exit code: ")
		if line = strings.TrimSpace(line); state && !strings.HasSuffix(line, " 0") {
			return line + "\n" + output
		}
	}
	return output
}

const maxCommandFrame = 300 // bytes

// fileContent returns the lines of a file without the tags that opencode puts around them.
func fileContent(text string) string {
	frame, lines, found := strings.Cut(text, "\n<content>")
	lines, closed := strings.CutSuffix(lines, "\n</content>")
	if !found || !closed || len(frame) > maxCommandFrame+maxPathLength || !strings.HasPrefix(frame, "<path>") {
		return text
	}
	end := strings.LastIndex(lines, "\n\n(") // of "(End of file - total 9 lines)"
	if end >= 0 && !strings.Contains(lines[end+2:], "\n") {
		return lines[:end]
	}
	return lines
}

// protocolResult reads the JSON object of an MCP result with text only. Its end may be missing.
func protocolResult(text string) (inner string, isError, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' || !strings.Contains(text[:min(len(text), maxLead)], `"content"`) {
		return "", false, false
	}
	raw := rawjson.Value(text)
	if msg.Validate(raw) != nil {
		inner, ok = cutResult(text)
		return inner, false, ok
	}
	if raw.Member("content").Kind() != '[' {
		return "", false, false
	}
	var lines []string
	for _, part := range raw.Member("content").List() {
		if part.Kind() != '{' || part.Member("type").Kind() != '"' || part.Member("type").Text() != "text" ||
			part.Member("text").Kind() != '"' {
			return "", false, false
		}
		lines = append(lines, part.Member("text").Text())
	}
	return strings.Join(lines, "\n"), raw.Member("isError").IsTrue(), len(lines) > 0
}

// cutResult reads the texts of an MCP result whose end is missing. In these texts, quotation marks are escaped.
func cutResult(text string) (inner string, ok bool) {
	var lines []string
	for {
		_, after, found := strings.Cut(text, `"text"`)
		if !found {
			return strings.Join(lines, "\n"), len(lines) > 0
		}
		text = after
		if value, isKey := strings.CutPrefix(strings.TrimLeft(after, " \t\r\n"), ":"); isKey { // not the value of "type"
			if line, rest, ok := cutString(strings.TrimLeft(value, " \t\r\n")); ok {
				lines, text = append(lines, line), rest
			}
		}
	}
}

// cutString decodes the JSON string at the start of a text, whose end may be missing.
func cutString(text string) (value, rest string, ok bool) {
	if end := stringEnd(text); end < len(text) {
		if raw := rawjson.Value(text[:end+1]); msg.Validate(raw) == nil {
			return raw.Text(), text[end+1:], true
		}
		return "", "", false
	}
	for n := range min(len(text), maxEscape) {
		if raw := rawjson.Value(text[:len(text)-n] + `"`); msg.Validate(raw) == nil {
			return raw.Text(), "", true
		}
	}
	return "", "", false
}

// stringEnd returns the position of the quotation mark that ends the JSON string at the start of a text; the length of
// the text if the end is missing.
func stringEnd(text string) int {
	end := 1
	for end < len(text) && text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	return min(end, len(text))
}

const maxEscape = len(`\u0000`)

const maxLead = 64 // bytes before the content of a frame

// printedResult reads a result as the Python SDK prints it: `meta=None content=[TextContent(type='text', text='…',
// annotations=None)] isError=False`.
func printedResult(text string) (inner string, isError, ok bool) {
	const part, lead = "TextContent(type='text', text=", "content=["
	at := strings.Index(text[:min(len(text), maxLead)], lead+part)
	if at < 0 {
		return "", false, false
	}
	var lines []string
	rest := text[at+len(lead):]
	for {
		quoted, found := strings.CutPrefix(rest, part)
		if !found {
			break
		}
		line, after, ok := pythonString(quoted)
		if !ok {
			return "", false, false
		}
		lines = append(lines, line)
		if _, rest, found = strings.Cut(after, "), "); !found {
			rest = after
		}
	}
	return strings.Join(lines, "\n"), strings.HasSuffix(rest, "isError=True"), len(lines) > 0
}

// pythonString decodes the string literal at the start of a text, whose end may be missing. Escapes of code points stay
// as they are.
func pythonString(text string) (value, rest string, ok bool) {
	if text == "" || text[0] != '\'' && text[0] != '"' {
		return "", "", false
	}
	out := make([]byte, 0, len(text))
	for i := 1; i < len(text); i++ {
		c := text[i]
		if c == text[0] {
			return string(out), text[i+1:], true
		}
		if c == '\\' && i+1 < len(text) {
			i++
			switch text[i] {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			case '\\', '\'', '"':
				c = text[i]
			default:
				out = append(out, '\\')
				c = text[i]
			}
		}
		out = append(out, c)
	}
	return string(out), "", true
}
