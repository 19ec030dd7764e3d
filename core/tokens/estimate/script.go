package estimate

// The script of a rune beyond ASCII. Scripts before units write words of letters; of the others each rune is weighed by
// itself or with the next one, because their runs have no words that the vocabulary could hold (Chinese) or are
// not letters at all (emoji).
const (
	latin = iota
	greek
	cyrillic
	hebrew // and Armenian, Georgian: an alphabet with little room in the vocabulary
	arabic
	indic
	alphabet // any other
	units    // the scripts below are weighed by the rune
)

const (
	han = units + iota
	hiragana
	katakana
	hangul
	thai // and Lao, Khmer, Burmese: no spaces between words
	latinSign
	generalSign // dashes, quotes, bullets, zero-width marks
	letterlike
	arrow
	technical
	box
	geometric
	dingbat
	otherSign
	cjkSign
	variation
	emoji
	astral
	private
	bad // a byte that is not valid UTF-8
	scripts
)

func scriptOf(r rune) int {
	switch {
	case r < 0x0370:
		if r < 0xC0 && r != 0xAA && r != 0xB5 && r != 0xBA || r == 0xD7 || r == 0xF7 {
			return latinSign
		}
		return latin
	case r < 0x0400:
		return greek
	case r < 0x0530:
		return cyrillic
	case r < 0x0600:
		return hebrew
	case r < 0x0780:
		return arabic
	case r < 0x0900:
		return alphabet
	case r < 0x0E00:
		return indic
	case r < 0x1100:
		if r >= 0x10A0 {
			return hebrew
		}
		return thai
	case r < 0x1200:
		return hangul
	case r < 0x1E00:
		if 0x1780 <= r && r < 0x1800 {
			return thai
		}
		return alphabet
	case r < 0x1F00:
		return latin
	case r < 0x2000:
		return greek
	case r < 0x3000:
		return signOf(r)
	}
	return eastOf(r)
}

// eastOf is scriptOf from U+3000 on.
func eastOf(r rune) int {
	switch {
	case r < 0x3040:
		return cjkSign
	case r < 0x30A0:
		return hiragana
	case r < 0x3100:
		return katakana
	case r < 0xA000:
		if r < 0x3400 {
			return cjkSign
		}
		return han
	case 0xAC00 <= r && r < 0xD7B0:
		return hangul
	case r < 0xAC00:
		return alphabet
	case r < 0xF900:
		return private
	case r < 0xFB00:
		return han
	case r < 0xFE00:
		return arabic
	case r < 0xFE10:
		return variation
	case 0xFE70 <= r && r < 0xFEFF:
		return arabic
	case r < 0x10000:
		return cjkSign
	case 0x1F000 <= r && r < 0x1FB00:
		return emoji
	case 0x20000 <= r && r < 0x40000:
		return han
	}
	return astral
}

// signOf splits U+2000–U+2FFF by how common its blocks are in sessions: box drawing and arrows are, the rest is rare.
func signOf(r rune) int {
	switch {
	case r < 0x2070:
		return generalSign
	case r < 0x2190:
		return letterlike
	case r < 0x2300:
		return arrow
	case r < 0x2500:
		return technical
	case r < 0x2580:
		return box
	case r < 0x2600:
		return geometric
	case r < 0x27C0:
		return dingbat
	}
	return otherSign
}
