package promptcache

import "strings"

// hasTimestamp reports a line that contains a date, a time of day, or seconds since 1970: the usual reason why a system
// prompt differs in each request.
func hasTimestamp(line string) bool {
	for i := 0; i < len(line); i++ {
		if !isDigit(line, i) || isDigit(line, i-1) {
			continue
		}
		n := 1
		for isDigit(line, i+n) {
			n++
		}
		switch {
		case n == 4 && isDate(line[i:]), n <= 2 && isClock(line[i:], n), n == 4 && hasMonth(line),
			(n == 10 || n == 13) && line[i] == '1': // seconds or milliseconds, from 2001 to 2033
			return true
		}
		i += n
	}
	return false
}

// isDate reports a text that starts with a date like 2026-11-21 or 2026/11/21.
func isDate(s string) bool {
	return len(s) >= 10 && (s[4] == '-' || s[4] == '/') && s[7] == s[4] && isDigit(s, 5) && isDigit(s, 6) && isDigit(s,
		8) && isDigit(s, 9)
}

// isClock reports a text that starts with a time like 9:05 or 23:59:01; n is the number of digits of the hour.
func isClock(s string, n int) bool {
	hour := 0
	for k := range n {
		hour = hour*10 + int(s[k]-'0')
	}
	return hour < 24 && len(s) >= n+3 && s[n] == ':' && s[n+1] >= '0' && s[n+1] <= '5' && isDigit(s, n+2) &&
		!isDigit(s, n+3)
}

// hasMonth reports a line with the English name of a month; together with a year it is a date.
func hasMonth(line string) bool {
	for _, name := range [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov",
		"Dec"} {
		if strings.Contains(line, name) {
			return true
		}
	}
	return false
}

func isDigit(s string, i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
