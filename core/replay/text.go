package replay

import "strconv"

// times is a ratio with one decimal: "4.1 times".
func times(a, b int) string {
	tenths := (a*10 + b/2) / b
	return strconv.Itoa(tenths/10) + "." + strconv.Itoa(tenths%10) + " times"
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return number(n) + " " + what
}

// number groups thousands: 200,000.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
