package rawjson

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"tamp/core/internal/swar"
)

// Text decodes a JSON string. A lone surrogate or invalid UTF-8 becomes U+FFFD in the result; the Value keeps its
// bytes. The text of a value that is not a string is "".
func (r Value) Text() string {
	if r.Kind() != '"' {
		return ""
	}
	body := r[1 : len(r)-1]
	if plainEnd(body, 0) == len(body) {
		return valid(string(body))
	}
	var text strings.Builder
	text.Grow(len(body)) // an escape is longer than its character
	var chunk [512]byte  // buffers the runs between escapes, which are short
	n := 0
	for i := 0; i < len(body); {
		room := len(chunk) - 8 - n // copyPlain writes up to 8 bytes more
		end := copyPlain(chunk[n:], body[:min(len(body), i+room)], i)
		n += end - i
		full := end-i == room
		if i = end; full || i == len(body) {
			text.Write(chunk[:n])
			n = 0
			continue
		}
		size := 1
		switch c := body[i+1]; c {
		case 'n':
			chunk[n] = '\n'
		case 't':
			chunk[n] = '\t'
		case 'r':
			chunk[n] = '\r'
		case 'b':
			chunk[n] = '\b'
		case 'f':
			chunk[n] = '\f'
		case 'u':
			u, _ := hex4(body, i+2)
			if utf16.IsSurrogate(u) {
				low, ok := rune(0), false
				if i+7 < len(body) && body[i+6] == '\\' && body[i+7] == 'u' {
					low, ok = hex4(body, i+8)
				}
				if u = utf16.DecodeRune(u, low); ok && u != utf8.RuneError {
					i += 6
				}
			}
			size = utf8.EncodeRune(chunk[n:], u)
			i += 4
		default: // quote, backslash, slash
			chunk[n] = c
		}
		n += size
		i += 2
	}
	text.Write(chunk[:n])
	return valid(text.String())
}

// valid returns s with invalid UTF-8 replaced by U+FFFD.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// Quote returns text as a JSON string with the fewest escapes that JSON allows.
func Quote(text string) Value { return AppendQuote(make([]byte, 0, len(text)+2), text) }

// AppendQuote appends text as a JSON string. Invalid UTF-8 becomes U+FFFD, since JSON cannot carry it.
func AppendQuote(out []byte, text string) []byte {
	const digits = "0123456789abcdef"
	out = append(slices.Grow(out, len(text)+2), '"')
	from := 0
	for i := 0; i < len(text); {
		if i+8 <= len(text) {
			x := swar.Load(text, i)
			found := special(x) | x&swar.Highs
			if found == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(found) / 8
		}
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		size := 1
		if c >= utf8.RuneSelf {
			var u rune
			if u, size = utf8.DecodeRuneInString(text[i:]); u != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		}
		out = append(out, text[from:i]...)
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, '\\', 'n')
		case c == '\t':
			out = append(out, '\\', 't')
		case c == '\r':
			out = append(out, '\\', 'r')
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			out = append(out, "\uFFFD"...)
		}
		i += size
		from = i
	}
	out = append(out, text[from:]...)
	return append(out, '"')
}

// hex4 reads four hexadecimal digits at offset i.
func hex4(b []byte, i int) (rune, bool) {
	if i+4 > len(b) {
		return 0, false
	}
	var u rune
	for _, c := range b[i : i+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		u = u<<4 | rune(c)
	}
	return u, true
}

// describe returns a text for the input at an offset. It quotes one character at most.
func describe(b []byte, i int) string {
	if i >= len(b) {
		return "end of input"
	}
	u, _ := utf8.DecodeRune(b[i:])
	return strconv.QuoteRune(u)
}
