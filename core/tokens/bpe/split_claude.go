package bpe

// claude is the pattern of claude:
//
//	's|'t|'re|'ve|'m|'ll|'d
//	 ?\p{L}+
//	 ?\p{N}+
//	 ?[^\s\p{L}\p{N}]+
//	\s+(?!\S)
//	\s+
func (c *classes) claude(s string, i int) int {
	if n := contraction(s, i); n > 0 && s[i+1] >= 'a' && s[i+n-1] >= 'a' {
		return i + n
	}
	word := i
	if s[i] == ' ' && i+1 < len(s) {
		word++
	}
	class, size := c.at(s, word)
	switch {
	case class&letter != 0:
		return c.run(s, word+size, letter)
	case class == number:
		return c.run(s, word+size, number)
	case class&(other|mark) != 0:
		return c.run(s, word+size, other|mark)
	}
	end, last := i, i
	for end < len(s) {
		class, size := c.at(s, end)
		if class&white == 0 {
			break
		}
		last = end
		end += size
	}
	if end == len(s) || last == i {
		return end
	}
	return last
}
