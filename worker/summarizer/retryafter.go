package summarizer

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter limits the values of the headers, so that none can overflow a duration. No caller waits that long.
const maxRetryAfter = 24 * time.Hour

// retryAfter returns how long a provider asks clients to wait: retry-after-ms, which is more precise, else retry-after
// in seconds or as an HTTP date. It is 0 if there is no valid value or the time has passed.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if d, ok := parseDelay(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	text := h.Get("Retry-After")
	if d, ok := parseDelay(text, time.Second); ok {
		return d
	}
	if date, err := http.ParseTime(strings.TrimSpace(text)); err == nil {
		return min(max(date.Sub(now), 0), maxRetryAfter)
	}
	return 0
}

// parseDelay parses a number of units; some providers send fractions. It rounds up, so that a retry is never too early.
func parseDelay(text string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case err != nil || n != n: // text is not a number, or is "NaN"
		return 0, false
	case n <= 0:
		return 0, true
	case n >= float64(maxRetryAfter/unit):
		return maxRetryAfter, true
	}
	d := time.Duration(n * float64(unit))
	if float64(d) < n*float64(unit) {
		d++
	}
	return d, true
}
