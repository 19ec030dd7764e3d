package convtest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tamp/core/msg"
)

// Class is a kind of content that some sessions have, and that a caller of NewSession can leave out.
type Class string

const (
	LoneSurrogates Class = "half a surrogate pair, as its JSON escape"
	Wrapped        Class = "a text in the frame that a framework or a person puts around it"
	Commands       Class = "prompts behind a slash command"
	RepeatedIDs    Class = "ids of calls that come again in each round"
	AbsentIDs      Class = "calls and results without an id"
)

// has rolls whether the session has a class, one case in n.
func (s *Session) has(class Class, n int) bool {
	return !slices.Contains(s.without, class) && s.d.One(n)
}

// frames are put around a text: by frameworks that send results in the role user, by clients, and by people who paste.
var frames = [...][2]string{
	{"<document>\n", "\n</document>"},
	{"<document index=\"1\">\n<source>notes.md</source>\n<document_content>\n", "\n</document_content>\n</document>"},
	{"<untrusted_content>", "</untrusted_content>"},
	{"<tool_output>\n", "\n</tool_output>"},
	{"Observation: ", ""},
	{"Tool output:\n", ""},
	{"Summarize this page:\n\n", ""},
	{"Here is the log:\n```\n", "\n```"},
	{"-----BEGIN MESSAGE-----\n", "\n-----END MESSAGE-----"},
	{"From: ann@example.org\nTo: bob@example.org\nSubject: the release\n\n", "\n\n-- \nAnn"},
	{"> ", "\n\nWhat do you say to that?"},
	{"<local-command-stdout>", "</local-command-stdout>"},
	{"<task-notification>\n", "\n</task-notification>"},
}

// framed puts a text into a frame, now and then with the user's own words after it.
func (s *Session) framed(text string) string {
	frame := Of(s.d, frames[:]...)
	text = frame[0] + text + frame[1]
	if s.d.One(2) {
		text += "\n\n" + s.words(1)
	}
	return text
}

// command is a prompt that the user typed behind a slash command, as Claude Code writes it.
func (s *Session) command(text string) string {
	name := Of(s.d, "review", "fix", "init")
	return "<command-message>" + name + " is running…</command-message>\n<command-name>/" + name +
		"</command-name>\n<command-args>" + text + "</command-args>"
}

// No encoder writes half a surrogate pair, so a text has a character for private use in its place until the message
// is written.
const (
	highHalf = "\ue0d8"
	lowHalf  = "\ue0dc"
)

var halves = strings.NewReplacer(highHalf, `\ud83d`, lowHalf, `\udc00`)

// half rolls half a pair, or nothing.
func (s *Session) half() string {
	if !s.has(LoneSurrogates, 40) {
		return ""
	}
	return Of(s.d, highHalf, lowHalf)
}

var (
	callID   = regexp.MustCompile(`"(?:toolu|call)_(?:[0-9]+|last)"`)
	idMember = regexp.MustCompile(`"(?:id|call_id|tool_use_id|tool_call_id|toolCallId|callID)":"(?:toolu|call)_(?:[0-9]+|last)",?`)
)

// RepeatIDs gives the calls of each message the ids that those of the message before have, as servers do that count the
// calls of an answer. some reports that an id of the session came again.
func (s *Session) RepeatIDs() (some bool) {
	names := map[string]string{} // new ids, by the old ones
	for i, m := range s.Messages {
		n := 0 // ids that this message has first
		s.Messages[i] = callID.ReplaceAllStringFunc(m, func(id string) string {
			if names[id] == "" {
				names[id] = `"call_again_` + strconv.Itoa(n) + `"`
				n++
				some = some || len(names) > n
			}
			return names[id]
		})
	}
	return some
}

// DropIDs removes the ids of calls and results.
func (s *Session) DropIDs() (some bool) {
	for i, m := range s.Messages {
		s.Messages[i] = strings.ReplaceAll(idMember.ReplaceAllString(m, ""), ",}", "}")
		some = some || s.Messages[i] != m
	}
	return some
}

// changeIDs rolls ids that the provider of the format takes.
func (s *Session) changeIDs() {
	switch s.Format {
	case msg.Anthropic, msg.ClaudeCode: // an id is unique
		return
	case msg.OpenAIChat: // see openAIRound
		return
	case msg.Gemini, msg.GeminiCLI:
		if s.has(AbsentIDs, 4) {
			s.DropIDs()
			return
		}
	}
	if s.has(RepeatedIDs, 4) {
		s.RepeatIDs()
	}
}
