package pass

import "unicode/utf8"

// longer reports whether text has more than n code points. It does not read a long text to its end.
func longer(text string, n int) bool {
	return len(text) > n && (len(text) > 4*n || utf8.RuneCountInString(text) > n)
}

// Shrinks reports whether a placeholder is shorter than the text that it replaces, in bytes or in code points. Every
// edit of the passes and every edit of a plan from the caller must satisfy it: limits are in bytes for outputs and in
// code points for clearing.
func Shrinks(text, placeholder string) bool {
	return len(placeholder) < len(text) || longer(text, utf8.RuneCountInString(placeholder))
}
