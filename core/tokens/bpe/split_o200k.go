package bpe

// o200k is the pattern of o200k_base:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func (c *classes) o200k(s string, i int) int {
	class, size := c.at(s, i)
	if class&(letter|mark) != 0 {
		return c.wordO200k(s, i)
	}
	if class == number {
		return c.numbers(s, i)
	}
	next, after := uint8(0), i+size
	if after < len(s) {
		next, _ = c.at(s, after)
	}
	switch {
	case class != newline && next&(letter|mark) != 0:
		return c.wordO200k(s, after)
	case class == other || s[i] == ' ' && next == other:
		end := c.run(s, after, other|mark)
		for end < len(s) && (s[end] == '\n' || s[end] == '\r' || s[end] == '/') {
			end++
		}
		return end
	}
	return c.blanks(s, i)
}

// wordO200k is one of the first two lines without the optional first character: capitals, then lower case; uncased
// letters and marks count as both. If no lower-case letter follows the capitals, the pattern backtracks to the last
// uncased letter or mark, and takes all capitals if there is none.
func (c *classes) wordO200k(s string, i int) int {
	both, class := 0, uint8(0)
	for i < len(s) {
		var size int
		class, size = c.at(s, i)
		if class&(upper|uncased|mark) == 0 {
			break
		}
		i += size
		if class != upper {
			both = i
		}
	}
	switch {
	case i < len(s) && class == lower:
		i = c.run(s, i, lower|uncased|mark)
	case both > 0:
		i = both
	}
	return i + contraction(s, i)
}
