package assemble

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Injection is a text that the agent puts before the user's text. The model reads it in the tag of its source.
type Injection struct {
	Source  string `json:"source"` // see Sources
	Content string `json:"content"`
}

// tag is the tag of one source, and its tier.
type tag struct {
	source, name string
	tier         Tier
}

// tags: a reminder is text of the agent; the editor and the prompt hook add text that the user configured; the text of
// a hook before a tool call is derived from the call.
var tags = [...]tag{
	{"reminder", "system-reminder", TierSystem},
	{"ide_selection", "ide_selection", TierUser},
	{"ide_opened", "ide_opened_file", TierUser},
	{"hook_prompt", "user-prompt-submit-hook", TierUser},
	{"hook_pre_tool", "pre-tool-use-hook", TierTools},
}

// Sources lists the sources that an Injection may have.
func Sources() []string {
	names := make([]string, len(tags))
	for i := range tags {
		names[i] = tags[i].source
	}
	return names
}

func tagOf(source string, index int) (tag, error) {
	for _, t := range tags {
		if t.source == source {
			return t, nil
		}
	}
	return tag{}, badRequest("/injections/"+strconv.Itoa(index)+"/source",
		"the source "+strconv.Quote(clip(source))+" is unknown; there are "+
			strings.Join(Sources(), ", "))
}

// wrap encloses content in the tag, on lines of its own. A closing tag inside is escaped, so that content cannot close
// its tag.
func (t tag) wrap(content string) string {
	return "<" + t.name + ">\n" + escape(content, t.name) + "\n</" + t.name + ">"
}

// escape writes the < of every closing tag of that name as &lt;. A model does not parse strictly: it reads </NAME > and
// a tag with invisible characters as the same tag, so these are escaped too.
func escape(content, name string) string {
	var out strings.Builder
	from := 0
	for i := 0; i < len(content); i++ {
		if content[i] == '<' && closes(content[i:], "</"+name) {
			out.WriteString(content[from:i])
			out.WriteString("&lt;")
			from = i + 1
		}
	}
	if from == 0 {
		return content
	}
	out.WriteString(content[from:])
	return out.String()
}

// closes reports that text starts with the pattern, in any case and with any white space and invisible characters in
// between, and that the name ends there.
func closes(text, pattern string) bool {
	for p := 0; p < len(pattern); {
		r, size := utf8.DecodeRuneInString(text)
		if size == 0 {
			return false
		}
		text = text[size:]
		switch {
		case unicode.ToLower(r) == rune(pattern[p]):
			p++
		case !isInvisible(r) || p == 0:
			return false
		}
	}
	for {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case size == 0:
			return true
		case isInvisible(r) && !unicode.IsSpace(r):
			text = text[size:] // an invisible character does not end the name
		default:
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_'
		}
	}
}

// isInvisible reports white space and invisible characters.
func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Mn, r) ||
		r == utf8.RuneError
}
