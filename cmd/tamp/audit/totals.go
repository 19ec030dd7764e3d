package audit

import (
	"sort"
	"strconv"
	"strings"
)

// Total is what the calls of a period or a project cost, in millionths of a dollar.
type Total struct {
	Sum
	Saved int `json:"saved"` // by compaction; negative if it would have cost more
}

// Sum is Total without what compaction would have saved.
type Sum struct {
	Name     string `json:"name"`
	Sessions int    `json:"sessions"`
	Calls    int    `json:"calls"`
	Cost     int    `json:"cost"`
}

const (
	hour   = 3_600_000 // in milliseconds
	day    = 24 * hour
	noDate = "no date"
)

// nameOfDay is the date of a time in UTC, in milliseconds since 1970; 0 is unknown.
func nameOfDay(time int) string {
	if time == 0 {
		return noDate
	}
	// Days since 0000-03-01, in eras of 400 years of 146,097 days (the Gregorian calendar).
	days := floor(time, day) + 719_468
	era := floor(days, 146_097)
	of := days - era*146_097
	year := (of - of/1460 + of/36_524 - of/146_096) / 365
	of -= 365*year + year/4 - year/100
	month := (5*of + 2) / 153 // from March on
	d := of - (153*month+2)/5 + 1
	m := (month+2)%12 + 1
	if m <= 2 {
		year++
	}
	return padded(year+era*400, 4, '0') + "-" + padded(m, 2, '0') + "-" + padded(d, 2, '0')
}

func floor(n, by int) int {
	if n < 0 {
		n -= by - 1
	}
	return n / by
}

// padded writes a number with at least n characters.
func padded(number, n int, fill byte) string { return pad(strconv.Itoa(number), n, fill) }

func pad(text string, n int, fill byte) string {
	return strings.Repeat(string(fill), max(0, n-len(text))) + text
}

// nameOfWeek is the date of the Monday before.
func nameOfWeek(time int) string {
	if time == 0 {
		return noDate
	}
	days := floor(time, day)
	return nameOfDay(time - (days+3-floor(days+3, 7)*7)*day) // 1970 began on a Thursday
}

// namesOfBlocks names the blocks of five hours that the subscriptions of Claude count in: one begins with the full hour
// of the first call that is in none.
func namesOfBlocks(calls []call) []string {
	names := make([]string, len(calls))
	var sorted []int
	for i := range calls {
		names[i] = noDate
		if calls[i].time != 0 {
			sorted = append(sorted, i)
		}
	}
	sort.SliceStable(sorted, func(i, j int) bool { return calls[sorted[i]].time < calls[sorted[j]].time })
	start, name := 0, ""
	for _, i := range sorted {
		if time := calls[i].time; name == "" || time >= start+5*hour {
			start = floor(time, hour) * hour
			name = nameOfDay(start) + " " + padded((start-floor(start, day)*day)/hour, 2, '0') + ":00"
		}
		names[i] = name
	}
	return names
}

// totals sums calls up, which are those of one session after the other.
type totals struct {
	all []Total
	at  map[string]int // by name
	of  []int          // the session of the last call, by the index of the total
}

func (t *totals) add(name string, c call, calls int) {
	at, found := t.at[name]
	if !found {
		at = len(t.all)
		t.at[name] = at
		t.all, t.of = append(t.all, Total{Sum: Sum{Name: name}}), append(t.of, -1)
	}
	sum := &t.all[at]
	if t.of[at] != c.session {
		t.of[at] = c.session
		sum.Sessions++
	}
	sum.Calls += calls
	sum.Cost += c.cost
	sum.Saved += c.saved
}

// totalsBy sums the calls up by a name of each.
func totalsBy(calls []call, name func(i int) string) *totals {
	t := &totals{at: map[string]int{}}
	for i, c := range calls {
		t.add(name(i), c, 1)
	}
	return t
}

// sorted returns the totals by their names.
func (t *totals) sorted() []Total {
	sort.SliceStable(t.all, func(i, j int) bool { return t.all[i].Name < t.all[j].Name })
	return append([]Total{}, t.all...)
}
