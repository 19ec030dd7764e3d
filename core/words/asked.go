package words

import (
	"strings"
	"unicode/utf8"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// This file finds the question that a short answer answers.

const (
	maxAnswer = 40  // code points: a longer text says by itself what it is about
	maxAsked  = 600 // code points of the question, with its options
)

// asked returns the question at the end of a message of the assistant, with the list of options next to it; "" if the
// text is no short answer, or if the message asks nothing.
func asked(before *msg.Message, text string) string {
	if before.Role != msg.Assistant || isQuestion(text) || strings.Contains(text, "\n") ||
		utf8.RuneCountInString(text) > maxAnswer {
		return ""
	}
	var lines []string
	for b := range before.Blocks {
		if block := &before.Blocks[b]; block.Kind == msg.KindText && !block.IsSummary() {
			for line := range strings.Lines(block.Text) {
				if line = strings.TrimSpace(line); line != "" {
					lines = append(lines, line)
				}
			}
		}
	}
	last := len(lines) - 1
	for last >= 0 && !strings.ContainsAny(lines[last], questionMarks) {
		last--
	}
	if last < 0 {
		return ""
	}
	first := last
	for first > 0 && isOption(lines[first-1]) {
		first--
	}
	end := last + 1
	for end < len(lines) && isOption(lines[end]) {
		end++
	}
	if first == last && end == last+1 {
		return clip(lastQuestion(lines[last]))
	}
	return clip(strings.Join(lines[first:end], " / "))
}

// questionMarks end a question, in the scripts that have such a mark.
const questionMarks = "?？؟"

// isQuestion reports a sentence that ends with a question mark.
func isQuestion(sentence string) bool {
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(sentence, " \t\r\n*_`\"'”’»」』)）]"))
	return strings.ContainsRune(questionMarks, end)
}

// isOption reports an item of a list: a line with a mark, a number or a letter before its text.
func isOption(line string) bool {
	line = strings.TrimLeft(line, "*_(")
	if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "• ") || strings.HasPrefix(line, " ") {
		return true
	}
	n := 0
	for n < len(line) && n < 2 && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n == 0 && len(line) > 1 && (line[0]|0x20) >= 'a' && (line[0]|0x20) <= 'z' {
		n = 1
	}
	return n > 0 && n < len(line) && strings.IndexByte(".):", line[n]) >= 0
}

// lastQuestion returns the last question of a line, without the sentences before it.
func lastQuestion(line string) string {
	end := strings.LastIndexAny(line, questionMarks)
	_, size := utf8.DecodeRuneInString(line[end:])
	head, start := line[:end], 0
	for _, mark := range [...]string{". ", "? ", "! ", "。", "？", "！"} {
		if i := strings.LastIndex(head, mark); i >= 0 {
			start = max(start, i+len(mark))
		}
	}
	return strings.TrimSpace(line[start : end+size])
}

// questionOf returns the question in the input of a call that asks the user.
func questionOf(input string) string {
	raw := rawjson.Value(input)
	if raw.Kind() != '{' || msg.Validate(raw) != nil {
		return ""
	}
	question := raw.Member("question")
	if list := raw.Member("questions"); list.Kind() == '[' {
		var all []string
		for _, q := range list.List() {
			if q.Kind() == '{' && q.Member("question").Kind() == '"' {
				all = append(all, q.Member("question").Text())
			}
		}
		return clip(strings.Join(all, " / "))
	}
	if question.Kind() != '"' {
		return ""
	}
	return clip(question.Text())
}

// clip returns a text in one line, without the quotation mark that ends it in a section, and at most maxAsked long.
func clip(text string) string {
	return msg.Shorten(strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "\"", "'"), maxAsked)
}
