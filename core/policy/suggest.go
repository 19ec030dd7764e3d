package policy

import (
	"strings"

	"tamp/core/msg"
)

// suggest returns "did you mean X?" for the known word with the least edit distance to an unknown one, if at most about
// a third of the unknown word differs: two swapped letters of five are a slip, "foo" is no misspelled "s06". Else it
// returns the list of all known words, introduced by list.
func suggest(word string, known []string, list string) string {
	word = clip(word)
	best, distance := "", (len(word)+1)/3+1
	for _, k := range known {
		if d := editDistance(word, k); d < distance {
			best, distance = k, d
		}
	}
	if best == "" {
		return list + " \"" + strings.Join(known, "\", \"") + "\""
	}
	return "did you mean " + best + "?"
}

// editDistance is Levenshtein's, in bytes, with one row of memory.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// clip shortens a word of the caller's for an error message.
func clip(word string) string { return msg.Shorten(word, 60) }
