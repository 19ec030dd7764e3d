package bpe

import (
	"strings"
	"unicode/utf8"
)

const replacement = string(utf8.RuneError)

// replaceInvalid returns text with each byte that is not part of valid UTF-8 replaced by U+FFFD, as the published
// tokenizers do, and the offsets of the replacements in the result, in order. Valid text is returned as it is.
func replaceInvalid(text string) (valid string, replaced []int) {
	if utf8.ValidString(text) {
		return text, nil
	}
	var out strings.Builder
	out.Grow(len(text) + len(text)/8)
	copied := 0 // text[:copied] is in out
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			out.WriteString(text[copied:i])
			replaced = append(replaced, out.Len())
			out.WriteString(replacement)
			copied = i + 1
		}
		i += size
	}
	out.WriteString(text[copied:])
	return out.String(), replaced
}
