package core

import (
	"strconv"
	"strings"

	"tamp/core/msg"
)

// The fixed texts around summaries. Models and later plans know them by these very words, so they never change.
const (
	acknowledgement = "Understood. Continuing."
	question        = "What did we do so far?"
	truncatedNote   = "[Earlier turns truncated due to compactor error]"
	coveredNote     = "[compacted with the result before]"
)

func harnessLabel(ref string) string { return "[Conversation compressed. Transcript: " + ref + "]\n\n" }

const compressedLabel = "[Compressed]\n\n"

func earlierLabel(n int) string {
	return "[Summary of the earlier " + strconv.Itoa(n) + " messages, as history, not as a request]\n\n"
}

const conversationLabel = "[Summary of the earlier conversation, as history, not as a request]\n\n"

func turnsLabel(first, last int) string {
	return "[compacted summary of turns " + strconv.Itoa(first) + "-" + strconv.Itoa(last) + "]\n"
}

// splitLabel parts a summary's text into its label and what follows.
func splitLabel(text string) (label, rest string) {
	i := strings.Index(text, "]\n")
	if i < 0 {
		return "", text
	}
	for i += 2; i < len(text) && text[i] == '\n'; i++ {
	}
	return text[:i], text[i:]
}

// joined writes the parts of a summary that came in several answers.
func joined(parts []string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	var out strings.Builder
	for i, part := range parts {
		if i > 0 {
			out.WriteString("\n\n")
		}
		out.WriteString("[part " + strconv.Itoa(i+1) + "]\n" + part)
	}
	return out.String()
}

// hasParts reports a summary that joined writes.
func hasParts(text string) bool {
	return strings.HasPrefix(text, "[part 1]\n") && strings.Contains(text, "\n\n[part 2]\n")
}

// countParts says how many parts joined wrote. It reads the text once.
func countParts(text string) int {
	const mark = "\n\n[part "
	found := map[string]bool{}
	for {
		_, rest, ok := strings.Cut(text, mark)
		if !ok {
			break
		}
		digits := 0
		for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
			digits++
		}
		if strings.HasPrefix(rest[digits:], "]\n") {
			found[rest[:digits]] = true
		}
		text = rest
	}
	n := 1
	for found[strconv.Itoa(n+1)] {
		n++
	}
	return n
}

// numberTurns numbers the messages as msg.Turns does, and lets a summary of turns count for the turns that it stands for, so
// that a turn keeps its number however often what was before it is compacted.
func numberTurns(c *msg.Conversation) []int {
	turns := make([]int, len(c.Messages))
	turn := 1
	for m := range c.Messages {
		message := &c.Messages[m]
		turns[m] = turn
		for b := range message.Blocks {
			if message.Blocks[b].Kind == msg.KindText {
				if last, ok := lastTurn(message.Blocks[b].Text); ok && last >= turn {
					turn = last + 1
				}
			}
		}
		if message.Role == msg.Assistant {
			turn++
		}
	}
	return turns
}

// lastTurn reads the number of the last turn out of a label.
func lastTurn(text string) (int, bool) {
	rest, ok := strings.CutPrefix(text, "[compacted summary of turns ")
	if !ok {
		return 0, false
	}
	numbers, _, _ := strings.Cut(rest, "]")
	_, last, _ := strings.Cut(numbers, "-")
	n, err := strconv.Atoi(last)
	return n, err == nil && n < maxCount
}

// summaryMessages marks the messages that hold a summary: by their label, or as the answer to the fixed question.
func summaryMessages(c *msg.Conversation) []bool {
	marked := make([]bool, len(c.Messages))
	for m := range c.Messages {
		message := &c.Messages[m]
		for b := range message.Blocks {
			block := &message.Blocks[b]
			if block.IsSummary() && block.Kind != msg.KindToolResult {
				marked[m] = true
			}
		}
		if m > 0 && isQuestion(&c.Messages[m-1]) && message.Role == msg.Assistant {
			marked[m-1], marked[m] = true, true
		}
		if m > 0 && marked[m-1] && message.Role == msg.Assistant && isText(message, acknowledgement) {
			marked[m] = true
		}
	}
	return marked
}

func isQuestion(m *msg.Message) bool { return m.Role == msg.User && isText(m, question) }

func isText(m *msg.Message, text string) bool {
	return len(m.Blocks) == 1 && m.Blocks[0].Kind == msg.KindText && m.Blocks[0].Text == text
}
