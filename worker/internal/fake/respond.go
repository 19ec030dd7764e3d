package fake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// respond returns the answer of the model.
func (s Step) respond(in *input, r reply) reply {
	r.model, r.text, r.usage = in.Model, s.Text, in.StreamOptions.IncludeUsage
	r.reports, r.dropped = in.reports, append([]transformation{}, in.dropped...)
	if r.text == "" && len(s.Calls) == 0 {
		r.text = Answer(in.prompt())
	}
	switch s.Do {
	case "refusal":
		r.ending, r.text = refused, ""
	case "empty":
		r.text = ""
	case "length":
		r.ending = tooLong
	case "huge":
		r.text = strings.Repeat("x", 2<<20)
	case "tool", "agent":
		r.text = in.filled(r.text)
		if r.calls = s.calls(in); len(r.calls) > 0 {
			r.ending = called
		}
		// Models that bind thinking think adaptively if the request does not say otherwise.
		on := in.Thinking.Type != "" || bindsThinking(in.Model) || in.asksReasoning()
		if s.Thinking != "" && on && in.Thinking.Type != "disabled" {
			r.thinking, r.signature = s.Thinking, in.signed.sign(s.Thinking)
			if r.routed = in.asksReasoning(); r.routed {
				bare, _ := in.chatMessages()
				r.signature = signChat(bare)
			}
		}
	}
	r.out = (len(r.text)+len(r.thinking))/4 + 1
	for _, c := range r.calls {
		r.out += len(c.Input) / 4
	}
	return r
}

// calls returns the calls of a step, with {ref} replaced by the newest ref of the conversation.
func (s Step) calls(in *input) []ToolCall {
	list := s.Calls
	if s.Do == "tool" {
		list = []ToolCall{{s.Tool, s.Input}}
	}
	var calls []ToolCall
	for _, c := range list {
		if c.Tool == "" {
			c.Tool = "search"
		}
		if c.Input == nil {
			c.Input = json.RawMessage(`{}`)
		}
		if text := string(c.Input); strings.Contains(text, "{ref}") {
			c.Input = json.RawMessage(strings.ReplaceAll(text, "{ref}", in.newestRef()))
		}
		calls = append(calls, c)
	}
	return calls
}

// filled replaces each "{after some words}" of a text by the word that follows these words in the prompt, as a model
// would know it; by "forgotten" if the prompt does not have them.
func (in *input) filled(text string) string {
	for {
		before, rest, found := strings.Cut(text, "{after ")
		words, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return text
		}
		word := "forgotten"
		for i := range in.Messages {
			if _, next, found := strings.Cut(string(in.Messages[i].Content), words+" "); found {
				word, _, _ = strings.Cut(next, " ")
				break
			}
		}
		text = before + word + after
	}
}

// newestRef returns the last word of 16 hexadecimal digits in a user message, "" if there is none.
func (in *input) newestRef() string {
	for i := len(in.Messages) - 1; i >= 0; i-- {
		if in.Messages[i].Role == "user" {
			if ref := lastRef(string(in.Messages[i].Content)); ref != "" {
				return ref
			}
		}
	}
	return ""
}

func lastRef(text string) string {
	ref := ""
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !('0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || r == '-' || r == '.')
	})
	for _, word := range words {
		word = strings.TrimRight(word, ".") // a word with inner dots is a signature
		if len(word) == 16 && strings.Trim(word, "0123456789abcdef") == "" {
			ref = word
		}
	}
	return ref
}

// Answer is the text that an "ok" step gives to a prompt: the last user message, as text.
func Answer(user string) string {
	sum := sha256.Sum256([]byte(user))
	return Summary(user, "The summary of "+hex.EncodeToString(sum[:6])+".")
}

// Summary returns a text with some words of the conversation in the prompt of a summary behind it, since an answer that
// has none is no summary.
func Summary(user, text string) string {
	_, data, found := strings.Cut(user, "\n<conversation-")
	if end := strings.LastIndex(data, "\n</conversation-"); found && end >= 0 {
		data = data[:end]
	}
	var names, words, lines []string
	for line := range strings.Lines(data) {
		if !strings.HasPrefix(line, "[") && len(lines) < 200 { // no heading of the transcript
			lines = append(lines, line)
		}
	}
	data = strings.Join(lines, "")
	isMark := func(r rune) bool { return strings.ContainsRune(" \n\t\"'`,:;()[]{}<>\\", r) }
	for _, word := range strings.FieldsFunc(data, isMark) {
		switch word = strings.Trim(word, ".-"); {
		case !found || len(word) < 4 || len(word) > 40 || slices.Contains(names, word) || slices.Contains(words, word):
		case strings.ContainsAny(word, "_./0123456789") && !strings.HasPrefix(word, "tool_") && len(names) < 20:
			names = append(names, word)
		case len(words) < 4:
			words = append(words, word)
		}
	}
	return strings.TrimSpace(text + " " + strings.Join(append(names, words...), " "))
}
