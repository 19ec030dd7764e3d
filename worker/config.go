package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tamp/worker/summarizer"
)

// config is what an operator sets, by the names in README.md. Nothing of it ever comes from a request.
type config struct {
	Summarizer  summarizer.Config
	Concurrency int           // requests to the summarizer at once, for one compaction
	SummaryTTL  time.Duration // how long a summary may be used again; 0: it is made each time
	Token       string        // what a caller has to show; "": nothing of the operator's is used for strangers
	Origins     []string      // of pages elsewhere that may call; "*" is every one
	OpenReplay  bool          // strangers may replay sessions, too
	ReplayWork  int           // limit on the work of one replay, as replay.Options.MaxWork counts it
	Trusted     bool          // only this machine can connect: the store is open without a token
}

const (
	// What providers let a small account do.
	defaultConcurrency = 4
	mostConcurrency    = 64

	// A day is longer than any session waits for its next compaction, and short enough that nobody need ever clean up.
	defaultSummaryTTL = 24 * time.Hour

	// A real session of 471 calls with 1.7 MB takes 1.3 million with the preset balanced and, of all presets, at most 51 million.
	defaultReplayWork = 60_000_000

	// Long enough for a token that nobody guesses.
	shortestToken = 16
)

// readConfig reads the environment, and says all that is wrong with it at once. getenv returns "" for what is not set.
func readConfig(getenv func(string) string, trusted bool) (config, error) {
	var errs []error
	whole := func(name string, fallback, least, most int) int {
		text := getenv(name)
		if text == "" {
			return fallback
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			errs = append(errs, fmt.Errorf("cannot use %s: want a whole number from %d to %d", name, least, most))
		}
		return n
	}
	c := config{
		Summarizer: summarizer.Config{
			Provider: getenv("SUMMARIZER"),
			Model:    getenv("SUMMARIZER_MODEL"),
			BaseURL:  getenv("SUMMARIZER_BASE_URL"),
			APIKey:   summarizer.Key(getenv("SUMMARIZER_API_KEY")),
			Deadline: time.Duration(whole("SUMMARIZER_TIMEOUT", 60, 1, 600)) * time.Second,
		},
		Concurrency: whole("SUMMARIZER_CONCURRENCY", defaultConcurrency, 1, mostConcurrency),
		SummaryTTL:  time.Duration(whole("SUMMARY_TTL", int(defaultSummaryTTL.Seconds()), 0, 365*24*60*60)) * time.Second,
		Token:       getenv("TAMP_TOKEN"),
		Trusted:     trusted,
	}
	c.ReplayWork = whole("REPLAY_WORK", defaultReplayWork, 1, 1_000_000_000)
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
	if c.Token != "" && len(c.Token) < shortestToken {
		errs = append(errs, fmt.Errorf("cannot use TAMP_TOKEN: want at least %d characters", shortestToken))
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

// spends reports whether a summary costs the operator something: a key, or the account that the Worker runs on.
func (c *config) spends() bool {
	return c.Summarizer.APIKey != "" || c.Summarizer.Provider == summarizer.WorkersAI
}
