package summarizer

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// farOff stands for every wait that nobody waits for, so that no header can overflow a duration.
const farOff = 24 * time.Hour

// retryAfter reads how long a provider wants to be left alone: retry-after-ms, which is finer, before retry-after in seconds or
// as an HTTP date. 0 where it says nothing, nothing that can be read, or a time that has passed.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if d, ok := number(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	text := h.Get("Retry-After")
	if d, ok := number(text, time.Second); ok {
		return d
	}
	if date, err := http.ParseTime(strings.TrimSpace(text)); err == nil {
		return min(max(date.Sub(now), 0), farOff)
	}
	return 0
}

// number reads a count of units, which some providers write with a fraction. It rounds up: never early.
func number(text string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case err != nil || n != n: // not a number, in either sense
		return 0, false
	case n <= 0:
		return 0, true
	case n >= float64(farOff/unit):
		return farOff, true
	}
	d := time.Duration(n * float64(unit))
	if float64(d) < n*float64(unit) {
		d++
	}
	return d, true
}
