// Package marker has every fixed text that Tamp puts into a conversation: labels of summaries, placeholders of cleared
// and limited content, texts of a repair. It writes them and recognizes them.
package marker

import (
	"slices"
	"strconv"
	"strings"
)

// The fixed texts around summaries. Later plans and models recognize them by their exact bytes, so they never change.
const (
	Acknowledgement = "Understood. Continuing."
	SummaryQuestion = "What did we do so far?"
	TruncatedNote   = "[Earlier turns truncated due to compactor error]"
	CoveredNote     = "[compacted with the result before]"
)

func HarnessLabel(ref string) string { return "[Conversation compressed. Transcript: " + ref + "]\n\n" }

const CompressedLabel = "[Compressed]\n\n"

func EarlierLabel(n int) string {
	return "[Summary of the earlier " + strconv.Itoa(n) + " messages, as history, not as a request]\n\n"
}

const ConversationLabel = "[Summary of the earlier conversation, as history, not as a request]\n\n"

func TurnsLabel(first, last int) string {
	return "[compacted summary of turns " + strconv.Itoa(first) + "-" + strconv.Itoa(last) + "]\n"
}

// ArchivedTurnsLabel is TurnsLabel with the reference of the archive that holds the originals.
func ArchivedTurnsLabel(first, last int, ref string) string {
	return "[compacted summary of turns " + strconv.Itoa(first) + "-" + strconv.Itoa(last) + originalsSeparator + ref +
		"]\n"
}

const originalsSeparator = "; originals "

// Form is the kind of label that opens a summary.
type Form int

const (
	None  Form = iota
	Head       // of the earlier conversation: one summary before all kept messages
	Turns      // of a run of turns that it replaces
)

// Label is the beginning of a summary's text.
type Label struct {
	Form  Form
	Text  string // with its line breaks
	First int    // of Turns: the first turn
	Last  int    // of Turns: the last turn
	Ref   string // of Turns: the archive of the originals; "" if the label has none
}

// Parse splits a text into its label, in exactly the form that Apply writes, and the rest. Without a label, form is
// None and rest is the whole text. A label does not prove that Apply wrote the text; see SummaryMarker in core/view.
func Parse(text string) (l Label, rest string) {
	if text == "" || text[0] != '[' {
		return Label{}, text
	}
	end := strings.IndexByte(text[:min(len(text), maxLabel)], ']')
	if end < 0 {
		return Label{}, text
	}
	inside, breaks := text[1:end], "\n\n"
	l.Form = Head
	switch {
	case inside == TruncatedNote[1:len(TruncatedNote)-1]: // with the user's words below it
	case inside == CompressedLabel[1:len(CompressedLabel)-3]:
	case inside == ConversationLabel[1:len(ConversationLabel)-3]:
	case isBetween(inside, "Conversation compressed. Transcript: ", "", func(ref string) bool {
		return ref != "" && !strings.Contains(ref, "\n")
	}):
	case isBetween(inside, "Summary of the earlier ", " messages, as history, not as a request", func(n string) bool {
		_, ok := parseNumber(n)
		return ok
	}):
	case isBetween(inside, "compacted summary of turns ", "", func(turns string) bool {
		turns, ref, hasRef := strings.Cut(turns, originalsSeparator)
		if hasRef && !IsRef(ref) {
			return false
		}
		l.Ref = ref
		first, last, _ := strings.Cut(turns, "-")
		a, ok := parseNumber(first)
		b, both := parseNumber(last)
		l.First, l.Last = a, b
		return ok && both && a <= b
	}):
		l.Form, breaks = Turns, "\n"
	default:
		return Label{}, text
	}
	rest, ok := strings.CutPrefix(text[end+1:], breaks)
	if !ok {
		return Label{}, text
	}
	l.Text = text[:len(text)-len(rest)]
	return l, rest
}

// maxLabel is an upper bound of the length of a label, in bytes: a transcript may be a path.
const maxLabel = 300

func isBetween(text, before, after string, is func(string) bool) bool {
	inner, ok := strings.CutPrefix(text, before)
	if !ok {
		return false
	}
	inner, ok = strings.CutSuffix(inner, after)
	return ok && is(inner)
}

// parseNumber reads a number that strconv.Itoa wrote, of at most nine digits.
func parseNumber(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && len(text) <= 9 && strconv.Itoa(n) == text
}

// JoinParts joins the answers of a summary into one text with numbered parts.
func JoinParts(parts []string) string {
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

// maxLoaded is the number of tools, and of skills, that Loaded names, the last ones.
const (
	maxLoadedTools  = 50
	maxLoadedSkills = 8
)

// These begin the lines of Loaded.
const (
	loadedTools  = "- Tools that a search had loaded, to be searched for again: "
	loadedSkills = "- Skills that were loaded, and whose text was left out. Load one again before you go on under it: "
)

// IsLoaded reports a line of Loaded.
func IsLoaded(line string) bool {
	return strings.HasPrefix(line, loadedTools) || strings.HasPrefix(line, loadedSkills)
}

// Loaded returns the last lines of a summary that replaces all references to tools that a search had loaded, or the
// texts of skills, "" without names. The name of a skill is how it is loaded, with a space: "Skill release-flow".
func Loaded(names []string) string {
	isSkill := func(name string) bool { return strings.Contains(name, " ") }
	return loadedLine(loadedTools, names, maxLoadedTools, func(name string) bool { return !isSkill(name) }) +
		loadedLine(loadedSkills, names, maxLoadedSkills, isSkill)
}

func loadedLine(start string, names []string, limit int, is func(string) bool) string {
	var last []string
	for i := len(names) - 1; i >= 0; i-- {
		if len(last) < limit && is(names[i]) && !slices.Contains(last, names[i]) {
			last = append(last, names[i])
		}
	}
	if len(last) == 0 {
		return ""
	}
	slices.Reverse(last)
	return "\n" + start + "`" + strings.Join(last, "`, `") + "`"
}

// CutLoaded returns a summary without the lines of Loaded, and the names in them.
func CutLoaded(text string) (rest string, names []string) {
	if !strings.Contains(text, loadedTools) && !strings.Contains(text, loadedSkills) {
		return text, nil
	}
	lines := strings.Split(text, "\n")
	kept := lines[:0]
	for _, line := range lines {
		list, ok := strings.CutPrefix(line, loadedTools)
		if !ok {
			list, ok = strings.CutPrefix(line, loadedSkills)
		}
		if ok {
			names = append(names, strings.Split(strings.Trim(list, "` \r"), "`, `")...)
			continue
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n"), names
}
