package replay

import (
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// clock is the time of a replay. It starts at the first call and never decreases.
type clock struct {
	now   int  // time of the last call, in milliseconds since the first
	epoch int  // time at which now was 0, in milliseconds since 1970; 0 before the first timestamp
	timed bool // a call has a timestamp
}

// tick sets the time of a call: the timestamp of the last message of its prompt, else of the answer, else idle seconds
// after the previous call.
func (k *clock) tick(call *Call, messages []msg.Message, idle int) {
	if call.Message > 0 {
		call.Time = timeOf(&messages[call.Message-1])
	}
	if call.Time == 0 {
		call.Time = timeOf(&messages[call.Message])
	}
	k.timed = k.timed || call.Time > 0
	now := k.now + 1000*idle
	if call.Number == 1 {
		now = k.now
	}
	switch {
	case call.Time > 0 && k.epoch > 0:
		now = max(call.Time-k.epoch, k.now)
	case call.Time > 0:
		k.epoch = call.Time - now
	}
	call.IdleSec, k.now = (now-k.now)/1000, now
}

// timeOf is the timestamp of a message, in milliseconds since 1970, or 0 if the log has none. Of a message over
// several lines the latest counts: the request after it cannot start earlier.
func timeOf(m *msg.Message) int {
	if m.Time != nil {
		return stamp(m.Time)
	}
	if len(m.Lines) == 0 {
		return stamp(m.Raw.Member("timestamp"))
	}
	latest := 0
	for _, at := range m.Times {
		latest = max(latest, stamp(at))
	}
	for _, line := range m.Lines[len(m.Times):] {
		latest = max(latest, stamp(line.Member("timestamp")))
	}
	return latest
}

// stamp reads a timestamp; 0 if the value is not one.
func stamp(value rawjson.Value) int {
	if value.Kind() == '0' && len(value) == len("1700000000000") { // milliseconds
		return max(0, decimal(string(value)))
	}
	if value.Kind() != '"' {
		return 0
	}
	return parseTime(value.Text())
}

// parseTime reads RFC 3339, "2025-11-17T23:50:06.046Z", in milliseconds since 1970, and returns 0 for any other text.
func parseTime(s string) int {
	// The positions are fixed up to the seconds.
	if len(s) < 20 || s[4] != '-' || s[7] != '-' || s[10]|0x20 != 't' && s[10] != ' ' || s[13] != ':' || s[16] != ':' {
		return 0
	}
	year, month, day := decimal(s[0:4]), decimal(s[5:7]), decimal(s[8:10])
	hour, minute, second := decimal(s[11:13]), decimal(s[14:16]), decimal(s[17:19])
	if year < 1970 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 23 || minute < 0 ||
		minute > 59 || second < 0 || second > 60 {
		return 0
	}
	ms, rest := 0, s[19:]
	if rest[0] == '.' {
		scale := 100
		for rest = rest[1:]; rest != "" && rest[0] >= '0' && rest[0] <= '9'; rest = rest[1:] {
			ms += int(rest[0]-'0') * scale
			scale /= 10
		}
	}
	offset, ok := zone(rest)
	if !ok {
		return 0
	}
	return ((daysTo(year, month, day)*24+hour)*60+minute-offset)*60_000 + second*1000 + ms
}

// zone reads a time zone, "Z" or "+02:00", in minutes.
func zone(s string) (minutes int, ok bool) {
	switch {
	case s == "Z" || s == "z":
		return 0, true
	case len(s) != 6 || s[0] != '+' && s[0] != '-' || s[3] != ':':
		return 0, false
	}
	hours, rest := decimal(s[1:3]), decimal(s[4:6])
	if hours < 0 || hours > 23 || rest < 0 || rest > 59 {
		return 0, false
	}
	if s[0] == '-' {
		return -hours*60 - rest, true
	}
	return hours*60 + rest, true
}

// decimal reads a number that has only digits; -1 for any other text.
func decimal(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// daysTo returns the days since 1970-01-01. The computation starts years in March, so that a leap day is the last of
// its year.
func daysTo(year, month, day int) int {
	if month <= 2 {
		year, month = year-1, month+12
	}
	return year*365 + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - 719_468
}
