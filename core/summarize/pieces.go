package summarize

import (
	"strings"
	"unicode/utf8"
)

// pieces calls visit for the parts of a line of at most n code points each, in order. It cuts after a comma, a
// semicolon or a bracket if one is in the second half of a part, else at a space, else after n code points.
func pieces(line string, n int, visit func(string)) {
	for len(line) > n {
		end, cut, space := 0, 0, 0
		for count := 0; count < n && end < len(line); count++ {
			switch line[end] {
			case ',', ';', '}', ']':
				if count > n/2 {
					cut = end + 1
				}
			case ' ', '\t':
				if count > n/2 {
					space = end + 1
				}
			}
			_, size := utf8.DecodeRuneInString(line[end:])
			end += size
		}
		if end == len(line) {
			break
		}
		if cut == 0 {
			cut = space
		}
		if cut == 0 {
			cut = end
		}
		visit(oneLine(line[:cut]))
		line = strings.TrimLeft(line[cut:], " \t,;")
	}
	visit(oneLine(line))
}
