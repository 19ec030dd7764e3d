package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/provenance"
)

// This file finds the question that a short answer answers.

const (
	maxAnswer = 40  // code points: a longer text says by itself what it is about
	maxAsked  = 600 // code points of the question, with its options
)

// questionBefore returns the message with the question that a short answer in message m can answer: the one before it,
// without those that a program wrote; -1 if it is not the assistant's.
func questionBefore(c *msg.Conversation, m int) int {
	for m--; m >= 0 && c.Messages[m].Role == msg.User && !provenance.IsPrompt(&c.Messages[m]); {
		if c.Messages[m].Any(func(b *msg.Block) bool { return b.IsSummary() || b.Kind != msg.KindText }) {
			return -1
		}
		m--
	}
	if m < 0 || c.Messages[m].Role != msg.Assistant {
		return -1
	}
	return m
}

// asked returns the question at the end of a message of the assistant, with the list of options next to it; "" if the
// text is no short answer, or if the message asks nothing. A question that is as short as an answer has the sentences
// or lines before it, and a list the line that introduces it. The items at the end of a message are a question, too, if
// the answer is the mark of one.
func asked(before *msg.Message, text string) string {
	if isQuestion(text) || strings.Contains(text, "\n") || utf8.RuneCountInString(text) > maxAnswer {
		return ""
	}
	var lines []string
	for b := range before.Blocks {
		if block := &before.Blocks[b]; block.Kind == msg.KindText && !block.IsSummary() {
			for line, rest := provenance.NextLine(block.Text); line != ""; line, rest = provenance.NextLine(rest) {
				if line = strings.TrimSpace(line); line != "" {
					lines = append(lines, line)
				}
			}
		}
	}
	last := len(lines) - 1
	for last >= 0 && questionEnd(lines[last]) == 0 {
		last--
	}
	if last < 0 {
		if last = len(lines) - 1; !slices.ContainsFunc(lines, func(line string) bool { return isMarkOf(line, text) }) {
			return ""
		}
	}
	first, end := last, last+1
	for first > 0 && isOption(lines[first-1]) {
		first--
	}
	for end < len(lines) && isOption(lines[end]) {
		end++
	}
	if first < last || isOption(lines[first]) {
		if first > 0 && isIntroduction(lines[first-1]) {
			first--
		}
	} else if lines[first] = lastQuestion(lines[first]); end == last+1 {
		for first > 0 && utf8.RuneCountInString(strings.Join(lines[first:end], " ")) <= maxAnswer {
			first--
			lines[first] = lines[first][lastStart(lines[first], len(lines[first])):]
		}
		return clip(strings.Join(lines[first:end], " "))
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

// questionEnd returns the end of the last question of a line, 0 if it has none. A mark within a word, as in an address,
// ends none. Japanese, which writes questions without a mark, ends them with か before its full stop.
func questionEnd(line string) int {
	for end, next := len(line), rune(0); end > 0; {
		r, size := utf8.DecodeLastRuneInString(line[:end])
		inWord := next > 0 && next < utf8.RuneSelf && (unicode.IsLetter(next) || unicode.IsDigit(next) ||
			next == '=' || next == '/')
		switch {
		case strings.ContainsRune(questionMarks, r) && !(r == '?' && inWord), r == 'か' && next == 0:
			return end
		case r == 'か' && next == '。':
			return end + len("。")
		}
		end, next = end-size, r
	}
	return 0
}

// isIntroduction reports a line that introduces a list: it ends with a colon.
func isIntroduction(line string) bool {
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, " *_"))
	return end == ':' || end == '：'
}

// isOption reports an item of a list: a line with a mark, a number or a letter before its text.
func isOption(line string) bool {
	runes := []rune(strings.TrimLeft(line, "*_([（"))
	n := 0
	for n < len(runes) && n < 2 && unicode.IsDigit(runes[n]) {
		n++
	}
	if n == 0 && len(runes) > 0 && unicode.IsLetter(runes[0]) {
		n = 1
	}
	switch {
	case len(runes) > n && n > 0:
		return strings.ContainsRune(".):]．、）：", runes[n])
	case len(runes) < 2 || n > 0:
		return false
	}
	return unicode.Is(unicode.No, runes[0]) || runes[1] == ' ' && strings.ContainsRune("-–—•·▪◦‣", runes[0]) ||
		runes[0] == ' '
}

// isMarkOf reports an item of a list whose mark is the answer.
func isMarkOf(line, answer string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, "*_([（"), strings.Trim(answer, ".):]"))
	return ok && isOption(line) && (rest == "" || !unicode.IsLetter([]rune(rest)[0]) && !unicode.IsDigit([]rune(rest)[0]))
}

// lastQuestion returns the last question of a line, with the sentences before it as long as it is no longer than an
// answer.
func lastQuestion(line string) string {
	end := questionEnd(line)
	start := lastStart(line, end)
	for start > 0 && utf8.RuneCountInString(line[start:end]) <= maxAnswer {
		start = lastStart(line, start)
	}
	return strings.TrimSpace(line[start:end])
}

// lastStart returns the start of the last sentence of a line before an offset.
func lastStart(line string, before int) (start int) {
	head := strings.TrimRight(line[:before], " ")
	_, size := utf8.DecodeLastRuneInString(head)
	head = head[:len(head)-size]
	for _, mark := range [...]string{". ", "? ", "! ", "。", "？", "！", "؟ "} {
		if i := strings.LastIndex(head, mark); i >= 0 {
			start = max(start, i+len(mark))
		}
	}
	return start
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
