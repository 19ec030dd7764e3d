package policy

import "tamp/core/msg"

// didYouMean names the known word that is nearest to an unknown one.
func didYouMean(word string, known []string) string {
	best, distance := "", 1<<30
	for _, k := range known {
		if d := editDistance(clip(word), k); d < distance {
			best, distance = k, d
		}
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
