package worker

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tamp/worker/summarizer"
)

// config has the operator's settings; README.md documents their names. No value comes from a request.
type config struct {
	Summarizer  summarizer.Config
	Concurrency int           // requests to the summarizer at once, for one compaction
	SummaryTTL  time.Duration // how long a summary may be reused; 0: never
	Token       string        // the bearer token of trusted callers; "": no caller may use the operator's key or store
	WireToken   string        // opens the gateway, and nothing else; "": none
	Origins     []string      // origins whose pages may call; "*": every origin
	OpenReplay  bool          // callers without the token may replay sessions, too
	ReplayWork  int           // limit on the work of one replay, in the unit of replay.Options.MaxWork
	Trusted     bool          // only this machine can connect: the store is open without a token
}

const (
	// Rate limits of small provider accounts allow this many.
	defaultConcurrency = 4
	maxConcurrency     = 64

	// A day is longer than the time between two compactions of a session, and short enough that no cleanup is needed.
	defaultSummaryTTL = 24 * time.Hour

	// A real session of 471 calls and 1.7 MB needs 1.3 million with the preset balanced, and at most 51 million with
	// any preset.
	defaultReplayWork = 60_000_000

	// Long enough that a token cannot be guessed.
	minTokenLength = 16
)

// readConfig reads the settings. The error joins all wrong settings, without their values. getenv returns "" for a
// variable that is not set. trusted is config.Trusted.
func readConfig(getenv func(string) string, trusted bool) (config, error) {
	var errs []error
	wholeNumber := func(name string, fallback, low, high int) int {
		text := getenv(name)
		if text == "" {
			return fallback
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < low || n > high {
			errs = append(errs, fmt.Errorf("cannot use %s: want a whole number from %d to %d", name, low, high))
		}
		return n
	}
	c := config{
		Summarizer: summarizer.Config{
			Provider: getenv("SUMMARIZER"),
			Model:    getenv("SUMMARIZER_MODEL"),
			BaseURL:  getenv("SUMMARIZER_BASE_URL"),
			APIKey:   summarizer.Key(getenv("SUMMARIZER_API_KEY")),
			Deadline: time.Duration(wholeNumber("SUMMARIZER_TIMEOUT", 60, 1, 600)) * time.Second,
		},
		Concurrency: wholeNumber("SUMMARIZER_CONCURRENCY", defaultConcurrency, 1, maxConcurrency),
		SummaryTTL: time.Duration(wholeNumber("SUMMARY_TTL", int(defaultSummaryTTL.Seconds()), 0,
			365*24*60*60)) * time.Second,
		Token:     getenv("TAMP_TOKEN"),
		WireToken: getenv("TAMP_WIRE_TOKEN"),
		Trusted:   trusted,
	}
	c.ReplayWork = wholeNumber("REPLAY_WORK", defaultReplayWork, 1, 1_000_000_000)
	switch getenv("OPEN_REPLAY") {
	case "", "0":
	case "1":
		c.OpenReplay = true
	default:
		errs = append(errs, errors.New("cannot use OPEN_REPLAY: want 1 or 0"))
	}
	c.Summarizer = c.Summarizer.Defaults()
	if err := c.Summarizer.Validate(); err != nil {
		errs = append(errs, err)
	}
	if c.Token != "" && len(c.Token) < minTokenLength {
		errs = append(errs, fmt.Errorf("cannot use TAMP_TOKEN: want at least %d characters", minTokenLength))
	}
	if c.WireToken != "" && (len(c.WireToken) < minTokenLength || c.WireToken == c.Token) {
		errs = append(errs, fmt.Errorf("cannot use TAMP_WIRE_TOKEN: want at least %d characters, and another token than "+
			"TAMP_TOKEN", minTokenLength))
	}
	if c.WireToken != "" && c.Token == "" {
		errs = append(errs, errors.New("cannot use TAMP_WIRE_TOKEN: without TAMP_TOKEN, sessions, originals and metrics "+
			"would be open; set both"))
	}
	origins := getenv("ALLOWED_ORIGINS")
	if origins == "" && !trusted {
		origins = "*"
	}
	for origin := range strings.FieldsFuncSeq(origins, func(r rune) bool { return r == ',' || r == ' ' }) {
		c.Origins = append(c.Origins, strings.TrimRight(origin, "/"))
	}
	return c, errors.Join(errs...)
}

// costsOperator reports whether a summary is paid by the operator: by a key, or by the account that the Worker runs on.
func (c *config) costsOperator() bool {
	return c.Summarizer.APIKey != "" || c.Summarizer.Provider == summarizer.WorkersAI
}
