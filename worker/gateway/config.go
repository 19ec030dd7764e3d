package gateway

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"tamp/core/policy"
)

// This file reads the operator's settings.

// DefaultMaxStreams is the default of Config.MaxStreams: each may hold a body and its conversation in memory.
const DefaultMaxStreams = 256

// DefaultBodyTimeout is enough for a body of 4 MB on a line of 0.3 Mbit/s.
const DefaultBodyTimeout = 2 * time.Minute

// Config has the operator's settings. docs/gateway.md documents their names and defaults.
type Config struct {
	Upstreams  []Upstream
	Policy     policy.Policy
	Observe    bool   // forward everything unchanged, and report what compaction would do
	Secret     []byte // key of the checkpoints' names; nil: no checkpoints
	MaxStreams int    // requests at the same time, whose bodies are in memory
	// for the body of a request to arrive; 0: DefaultBodyTimeout
	BodyTimeout time.Duration
	// for which a client may read nothing of a response that has arrived; 0: 30 seconds
	ReadTimeout time.Duration
	Work        int      // limit on the work of one request before it is forwarded, in the unit of forward.Options.Spend
	Token       string   // callers must send it, or WireToken, in x-tamp-token; "": none
	WireToken   string   // opens the gateway only; "": none
	Origins     []string // of pages that may call; "*": all
	Keep        bool     // keep the last request of each session in memory for the page
}

// ReadConfig reads the settings. The error joins all wrong ones, without their values. getenv returns "" for a variable
// that is not set.
func ReadConfig(getenv func(string) string) (Config, error) {
	var c Config
	var errs []error
	wrong := func(name, reason string) {
		errs = append(errs, fmt.Errorf("cannot use %s: %s", name, reason))
	}
	var err error
	if c.Upstreams, err = ParseUpstreams(getenv("UPSTREAMS")); err != nil {
		errs = append(errs, err)
	}
	if c.Policy, err = policy.Parse("", []byte(getenv("GATEWAY_POLICY"))); err != nil {
		errs = append(errs, fmt.Errorf("cannot use GATEWAY_POLICY: %w", err))
	}
	switch getenv("GATEWAY_MODE") {
	case "", "compact":
	case "observe":
		c.Observe = true
	default:
		wrong("GATEWAY_MODE", "want compact or observe")
	}
	switch getenv("GATEWAY_KEEP") {
	case "", "1":
		c.Keep = true
	case "0":
	default:
		wrong("GATEWAY_KEEP", "want 1 or 0")
	}
	if secret := getenv("GATEWAY_SECRET"); secret != "" {
		if len(secret) < 16 {
			wrong("GATEWAY_SECRET", "want at least 16 characters")
		}
		c.Secret = []byte(secret)
	}
	number := func(name string, fallback, high int) int {
		n, err := fallback, error(nil)
		if text := getenv(name); text != "" {
			n, err = strconv.Atoi(text)
		}
		if err != nil || n < 1 || n > high {
			wrong(name, "want a whole number from 1 to "+strconv.Itoa(high))
		}
		return n
	}
	c.MaxStreams = number("GATEWAY_MAX_STREAMS", DefaultMaxStreams, 100_000)
	c.Work = number("GATEWAY_WORK", DefaultWork, 1_000_000_000)
	c.BodyTimeout = time.Duration(number("GATEWAY_BODY_TIMEOUT", int(DefaultBodyTimeout.Seconds()), 86_400)) * time.Second
	return c, errors.Join(errs...)
}
