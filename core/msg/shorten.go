package msg

// Shorten returns the first n code points of s, followed by "…" if anything was cut; a text of at most n code points is
// returned as it is. A byte that is not part of valid UTF-8 counts as one code point and is kept. n below 1 keeps nothing.
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
