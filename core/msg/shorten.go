package msg

// Shorten returns the first n code points of s, followed by "…" if s is longer; else it returns s. A byte that is not
// part of valid UTF-8 counts as one code point and is kept. If n is below 1, the result of a text that is not empty is
// "…".
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count >= n {
			return s[:i] + "…"
		}
		count++
	}
	return s
}
