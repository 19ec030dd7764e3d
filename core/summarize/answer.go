package summarize

import (
	"strings"

	"tamp/core/msg"
	"tamp/core/provenance"
)

// Answers of the user to questions of the agent, which decide them.

// addAnswer adds what the user has chosen with an answer that says little alone: "c", "yes", "2, but no tests". It is a
// sentence of the assistant, since it has the assistant's words.
func addAnswer(d *draft, m int, answer string, turn int) {
	answer = strings.TrimSpace(answer)
	if m == 0 || answer == "" || !isShortPrompt(answer) || d.x.c.Messages[m-1].Role != msg.Assistant {
		return
	}
	asked := ""
	for b := range d.x.c.Messages[m-1].Blocks {
		if block := &d.x.c.Messages[m-1].Blocks[b]; block.Kind == msg.KindText {
			asked = block.Text
		}
	}
	worth := worthTask
	option := optionOf(asked, answer)
	if option == "" && isShort(answer) {
		worth, option = worthDecision, lastQuestion(asked)
	}
	if option != "" {
		option = shortLine(strings.ReplaceAll(option, "**", ""), maxSentenceLength)
		if d.addUnit(d.newSaidGroup(turn), partSaid, turn, worth, 0, option+" "+answered+answer) {
			d.dropTask(answer, turn)
		}
	}
}

// dropTask drops the last line of the task if it is an answer that is listed with its question.
func (d *draft) dropTask(answer string, turn int) {
	for i := len(d.units) - 1; i > 0 && d.units[i].turn == int32(turn); i-- {
		if u := &d.units[i]; u.part == partTask && u.text == answer {
			u.part = partDropped
			delete(d.seen, answer) // the same answer may be given to another question
		}
	}
}

const answered = "The user answered: "

// optionOf returns the line of a text that an answer chooses by its label, its first word, or "".
func optionOf(text, answer string) (option string) {
	first, _, _ := strings.Cut(answer, " ")
	label := strings.Trim(first, labelMarks+",")
	if len(label) == 1 || len(label) == 2 && isDigit(label[0]) {
		for line := range strings.Lines(text) {
			rest := strings.TrimLeft(line, labelMarks)
			if len(rest) > len(label) && strings.EqualFold(rest[:len(label)], label) && endsLabel(rest[len(label):]) {
				option = rest
			}
		}
	}
	return option
}

// lastQuestion returns the last question of a text, or "".
func lastQuestion(text string) (question string) {
	provenance.Sentences(text, func(s string) {
		if strings.HasSuffix(strings.TrimRight(s, labelMarks), "?") || strings.HasSuffix(s, "？") {
			question = s
		}
	})
	return question
}

// labelMarks are the characters around the label of an option.
const labelMarks = " \t\r\n*_-#>(`\"'."

// endsLabel reports whether a label ends before rest: "A) …", "1. …", "B (the default)", "**C** — …".
func endsLabel(rest string) bool {
	for _, mark := range []string{")", ".", ":", "*", "）", "、", "：", " (", " -", " –", " —"} {
		if strings.HasPrefix(rest, mark) {
			return true
		}
	}
	return false
}

// maxAnswer is the length of an answer of the user to the agent's question, in code points.
const maxAnswer = 600

// answerOf is the result of a tool that asks the user, without the words that Claude Code puts around the answers.
func answerOf(text string) string {
	rest, ok := strings.CutPrefix(text, "User has answered your questions: ")
	if !ok {
		return text
	}
	return strings.TrimSuffix(strings.TrimSpace(rest), " You can now continue with the user's answers in mind.")
}

// dropQuestion drops the call of a question with its options, if the answer repeats the question.
func (d *draft) dropQuestion(call callGroup, input, answer string) {
	question := first(fields(input), "question")
	if call.to == 0 || question == "" || !strings.Contains(answer, question) {
		return
	}
	for i := call.from; i < call.to; i++ {
		d.units[i].part = partDropped
	}
	g := &d.groups[call.group]
	g.kind = groupSaid // it gets no head
	delete(d.runs, g.tool+" "+g.title)
}

// questionTools have the user's answer to a question of the agent as their result: it decides the question.
const questionTools = " askuserquestion askuser askfollowupquestion requestuserinput question "
