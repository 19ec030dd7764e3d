package tokens

import (
	"unicode/utf8"

	"tamp/core/internal/swar"
)

type ratio int

// Chars4 and Chars3 count code points / 4 and code points / 3, rounded down. A byte that is not part of valid UTF-8 is
// one code point.
const (
	Chars4 = ratio(4)
	Chars3 = ratio(3)
)

func (r ratio) Name() string {
	if r == Chars3 {
		return "chars3"
	}
	return "chars4"
}

func (r ratio) Count(text string) int { return utf8.RuneCountInString(text) / int(r) }

type cjk string

// CJK counts (6 × the code points in U+4E00–U+9FFF + the other code points) / 4, rounded half to even.
const CJK = cjk("cjk")

func (c cjk) Name() string { return string(c) }

func (cjk) Count(text string) int {
	quarters := 0
	for i := 0; i < len(text); {
		if i+8 <= len(text) && swar.Load(text, i)&swar.Highs == 0 {
			quarters += 8
			i += 8
			continue
		}
		if text[i] < utf8.RuneSelf {
			quarters++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if 0x4E00 <= r && r <= 0x9FFF {
			quarters += 6
		} else {
			quarters++
		}
		i += size
	}
	return halfToEven(quarters)
}

// halfToEven returns quarters / 4, rounded to the nearest integer, and halves to the even one.
func halfToEven(quarters int) int {
	n, rest := quarters/4, quarters%4
	if rest > 2 || rest == 2 && n%2 == 1 {
		n++
	}
	return n
}
