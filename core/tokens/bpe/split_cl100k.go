package bpe

// cl100k is the pattern of cl100k_base:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	[^\r\n\p{L}\p{N}]?\p{L}+
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func (c *classes) cl100k(s string, i int) int {
	if n := contraction(s, i); n > 0 {
		return i + n
	}
	class, size := c.at(s, i)
	if class&letter != 0 {
		return c.run(s, i+size, letter)
	}
	if class == number {
		return c.numbers(s, i)
	}
	next, after := uint8(0), i+size
	if after < len(s) {
		next, _ = c.at(s, after)
	}
	switch {
	case class != newline && next&letter != 0:
		return c.run(s, after, letter)
	case class&(other|mark) != 0 || s[i] == ' ' && next&(other|mark) != 0:
		end := c.run(s, after, other|mark)
		for end < len(s) && (s[end] == '\n' || s[end] == '\r') {
			end++
		}
		return end
	}
	return c.blanks(s, i)
}
