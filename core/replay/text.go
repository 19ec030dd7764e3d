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

// finish sets what follows from the sums, with the calls and the cost of the session.
func (m *Misses) finish(t *Totals) {
	if m.Permille = 1000; m.Names > 0 {
		m.Permille = (m.Names - m.Missed) * 1000 / m.Names
	}
	m.Cost = t.Cost + m.ReadCost
	if m.Text = m.sentence(t.Calls); m.Text != "" {
		m.Text += "."
	}
}

// sentence is Text without its end.
func (m *Misses) sentence(calls int) string {
	if m.Names+m.Edits == 0 {
		return ""
	}
	edits := ""
	if m.Edits > 0 {
		edits = "; " + number(m.Lost) + " of " + count(m.Edits, "edit") + " would have had to read again"
	}
	return "Of " + count(m.Names, "name") + " that the agent used later, " + number(m.Names-m.Missed) +
		" were in the context (" + percent(m.Permille) + "); " + number(m.Calls) + " of " + count(calls, "call") +
		" missed something" + edits
}
