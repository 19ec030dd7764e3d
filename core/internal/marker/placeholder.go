package marker

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The placeholders of the published designs, and our own. The fields of Placeholder take the place of their names.
const (
	PlaceholderUsed    = "[Previous: used {tool}]"
	PlaceholderOld     = "[Old tool result content cleared]"
	PlaceholderCleared = "[cleared to save context]"
	PlaceholderLeftOut = "[{tool}{about}" + leftOut + "{tokens} tokens; ref {ref}]"

	leftOut = ": left out, "
)

// Placeholder has the fields of a placeholder.
type Placeholder struct {
	Tool   string
	About  string // the file, the command or the search of its call; "" if it has none
	Tokens int
	Ref    string
}

// The names of the fields other than {tool}, which is known when a placeholder is recognized.
const (
	aboutField  = "{about}"
	tokensField = "{tokens}"
	refField    = "{ref}"
)

// NeedsRef reports whether a template names the original, which has a text then.
func NeedsRef(template string) bool { return strings.Contains(template, refField) }

// Expand returns the template with the fields. {about} becomes the first line of About, cut to 40 code points, with a
// space before. {tokens} has at most two digits that are not zero, so that it stays the same if a counter is calibrated.
func (p *Placeholder) Expand(template string) string {
	if strings.Contains(template, tokensField) {
		template = strings.ReplaceAll(template, tokensField, rounded(p.Tokens))
	}
	template = expandTool(strings.ReplaceAll(template, refField, p.Ref), p.Tool)
	if strings.Contains(template, aboutField) {
		template = strings.ReplaceAll(template, aboutField, about(p.About))
	}
	return template
}

func expandTool(template, tool string) string { return strings.ReplaceAll(template, "{tool}", tool) }

const maxAbout = 40

// about cuts a text. A path keeps its end, which has the name of the file; another text keeps its beginning.
func about(text string) string {
	text, _, more := strings.Cut(strings.TrimSpace(text), "\n")
	n := utf8.RuneCountInString(text)
	isPath := !strings.Contains(text, " ") && strings.Contains(text, "/")
	for ; n > maxAbout; n-- {
		more = true
		_, first := utf8.DecodeRuneInString(text)
		_, last := utf8.DecodeLastRuneInString(text)
		if isPath {
			text = text[first:]
		} else {
			text = text[:len(text)-last]
		}
	}
	switch {
	case text == "":
		return ""
	case more && isPath:
		return " …" + text
	case more:
		return " " + text + "…"
	}
	return " " + text
}

// rounded returns a number with at most two digits that are not zero.
func rounded(n int) string {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	text := strconv.Itoa((n + unit/2) / unit * unit)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// IsPlaceholder reports whether a result of tool is a placeholder: of this policy's template, or of any preset's, since
// an earlier turn may have used another preset.
func IsPlaceholder(text, template, tool string) bool {
	for _, t := range [...]string{template, PlaceholderUsed, PlaceholderOld, PlaceholderCleared, PlaceholderLeftOut} {
		if matches(text, expandTool(t, tool)) {
			return true
		}
	}
	return false
}

// matches reports whether text is the template with any fields.
func matches(text, template string) bool {
	before, field, template := cutField(template)
	for field != "" {
		var ok bool
		if text, ok = strings.CutPrefix(text, before); !ok {
			return false
		}
		var next string
		end := len(text)
		if before, next, template = cutField(template); next != "" {
			end = strings.Index(text, before)
		} else if end -= len(before); !strings.HasSuffix(text, before) {
			return false
		}
		if end < 0 || !isField(text[:end], field) {
			return false
		}
		text, field = text[end:], next
	}
	return text == before
}

// cutField cuts a template at its first field, which is "" if it has none.
func cutField(template string) (before, field, after string) {
	at := len(template)
	for _, f := range [...]string{aboutField, tokensField, refField} {
		if i := strings.Index(template, f); i >= 0 && i < at {
			at, field = i, f
		}
	}
	return template[:at], field, template[at+len(field):]
}

func isField(text, field string) bool {
	switch field {
	case refField:
		return IsRef(text)
	case tokensField:
		return isNumber(strings.ReplaceAll(text, ",", ""))
	}
	return text == "" || text[0] == ' ' && len(text) < 4*maxAbout+8 && !strings.Contains(text, "\n")
}
