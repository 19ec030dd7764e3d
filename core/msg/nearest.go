package msg

// Nearest returns the known word with the least edit distance to an unknown one, if at most about a third of the
// unknown word differs: two swapped letters of five are a slip, "foo" is no misspelled "s06". It is "" if there is
// none.
func Nearest(word string, known []string) string {
	word = Shorten(word, 60)
	best, distance := "", (len(word)+1)/3+1
	for _, k := range known {
		if d := editDistance(word, k); d < distance {
			best, distance = k, d
		}
	}
	return best
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
