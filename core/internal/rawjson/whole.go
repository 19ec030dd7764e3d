package rawjson

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Whole returns JSON, or lines of it, with U+FFFD for each escape that is half of a surrogate pair and for each run of
// invalid UTF-8, as Text reads them. All other bytes stay; data itself is returned if it has neither.
func Whole(data []byte) []byte {
	out := data
	if !utf8.Valid(data) {
		out = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	if !mayHaveHalf(data) {
		return out
	}
	for i := half(out, 0); i >= 0; i = half(out, i+6) {
		if IsSame(out, data) {
			out = bytes.Clone(data)
		}
		copy(out[i:], `\ufffd`)
	}
	return out
}

// IsWhole reports whether Whole returns data itself.
func IsWhole(data []byte) bool { return (!mayHaveHalf(data) || half(data, 0) < 0) && utf8.Valid(data) }

// mayHaveHalf reports an escape that may be of a surrogate. Most documents have none, and many of other characters.
func mayHaveHalf(data []byte) bool {
	for {
		at := bytes.Index(data, []byte(`\u`))
		if at < 0 || at+2 >= len(data) {
			return false
		}
		if c := data[at+2]; c == 'd' || c == 'D' {
			return true
		}
		data = data[at+2:]
	}
}

// IsSame reports whether two slices are the same memory.
func IsSame(a, b []byte) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// half returns the offset of the first escape at or after i that is half of a surrogate pair, -1 if there is none. In
// JSON, a backslash is always inside a string.
func half(b []byte, i int) int {
	for i < len(b) {
		next := bytes.IndexByte(b[i:], '\\')
		if i += next; next < 0 || i+1 >= len(b) {
			break
		}
		u, ok := rune(0), false
		if b[i+1] == 'u' {
			u, ok = hex4(b, i+2)
		}
		if !ok || !utf16.IsSurrogate(u) {
			i += 2
			continue
		}
		low := rune(0)
		if i+7 < len(b) && b[i+6] == '\\' && b[i+7] == 'u' {
			low, _ = hex4(b, i+8)
		}
		if utf16.DecodeRune(u, low) == utf8.RuneError {
			return i
		}
		i += 12
	}
	return -1
}
