package marker

import (
	"strconv"
	"strings"
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

// NeedsCall reports whether a template names the file or the command of the call.
func NeedsCall(template string) bool { return strings.Contains(template, aboutField) }

// Expand returns the template with the fields. {about} becomes a space and the first line of About, cut to 40 code
// points. {tokens} is rounded to two significant digits, so that it stays the same if a counter is calibrated.
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
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(text); len(r) > maxAbout {
		if strings.Contains(text, "/") && !strings.Contains(text, " ") {
			return " …" + string(r[len(r)-maxAbout:])
		}
		text = string(r[:maxAbout]) + "…"
	}
	if text == "" {
		return ""
	}
	return " " + text
}

// rounded returns a number with two significant digits.
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

// CutPlaceholder reports whether a result of tool was cleared: it begins with a placeholder of this policy's template,
// or of any preset's, since an earlier turn may have used another preset. kept are the lines below it.
func CutPlaceholder(text, template, tool string) (kept string, ok bool) {
	if line, below, more := strings.Cut(text, "\n"); more && below != "" && strings.HasPrefix(line, "[") {
		if ref, closed := strings.CutSuffix(line, "]"); closed && IsRef(ref[max(len(ref)-16, 0):]) {
			text, kept = line, below
		}
	}
	for _, t := range [...]string{template, PlaceholderUsed, PlaceholderOld, PlaceholderCleared, PlaceholderLeftOut} {
		if t != "" && t[0] != '{' && (text == "" || text[0] != t[0]) {
			continue // as most texts
		}
		if matches(text, expandTool(t, tool)) {
			return kept, true
		}
	}
	return "", false
}

// matches reports whether text is the template with any fields: one line with its beginning, its end and its ref.
func matches(text, template string) bool {
	head, tail := template, template
	for _, field := range [...]string{aboutField, tokensField, refField} {
		head, _, _ = strings.Cut(head, field)
		if i := strings.LastIndex(tail, field); i >= 0 {
			tail = tail[i+len(field):]
		}
	}
	if head == template {
		return text == template
	}
	inner, begins := strings.CutPrefix(text, head)
	inner, ends := strings.CutSuffix(inner, tail)
	return begins && ends && !strings.Contains(text, "\n") &&
		(!strings.HasSuffix(template, refField+tail) || IsRef(inner[max(len(inner)-16, 0):]))
}
