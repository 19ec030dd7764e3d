package summarize

import (
	"strings"
	"unicode/utf8"
)

// clipAtSpace shortens s to at most n code points, "…" included, at a space if there is one in the last quarter.
func clipAtSpace(s string, n int) string {
	if len(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count == n-1 {
			cut := s[:i]
			if space := strings.LastIndexByte(cut, ' '); space > i*3/4 {
				cut = cut[:space]
			}
			return strings.TrimRight(cut, " ") + "…"
		}
		count++
	}
	return s
}

// oneLine joins lines and runs of white space by single spaces.
func oneLine(s string) string {
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\t') < 0 && !strings.Contains(s, "  ") {
		return strings.TrimSpace(s)
	}
	return strings.Join(strings.Fields(s), " ")
}

// shortLine is clipAtSpace(oneLine(s), n), but reads at most 8n bytes of s, since a line can have megabytes.
func shortLine(s string, n int) string {
	if limit := 8 * n; len(s) > limit {
		for limit > 0 && !utf8.RuneStart(s[limit]) {
			limit--
		}
		s = s[:limit]
	}
	return clipAtSpace(oneLine(s), n)
}
