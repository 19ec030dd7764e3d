// Package summarizer answers a summary request of the core by a model: Anthropic's Messages API, any server that speaks
// OpenAI's Chat Completions, Cloudflare's Workers AI, or, without a model, the extractive summarizer of the core.
// It is not a client library: it sends one prompt, takes one text back, and gives every other ending a name (Error).
// Start with New.
package summarizer

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"
)

// Summarizer writes one summary. Implementations are safe for concurrent use, keep nothing of a request, and return at
// once when ctx ends. Every error they return is an *Error.
type Summarizer interface {
	Summarize(ctx context.Context, r Request) (string, error)
}

// Request is what a SummaryRequest of the core asks, and on whose account.
type Request struct {
	ID           string // of the core's request; only Extract reads it, it is never sent to a provider
	System, User string // the prompt; System may be empty, User may not
	MaxTokens    int    // of the answer; at least 1
	Key          Key    // the caller's own; "" for the configured one. It goes to the provider and nowhere else
}

// Key is a secret of a provider. It prints, and marshals, as "[key]" where there is one and as nothing where there is none.
type Key string

func (k Key) String() string {
	if k == "" {
		return ""
	}
	return "[key]"
}

// GoString keeps %#v from telling it.
func (k Key) GoString() string { return k.String() }

// MarshalText keeps JSON from telling it.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Host is what a summarizer may not look up for itself. The zero value is right natively, for all but the functions that
// its provider calls.
type Host struct {
	// Transport sends the requests; nil is http.DefaultTransport, but under js, where it must be set. Where it cannot be made
	// to obey a context, the answer is not waited for once the context has ended. It must not follow redirects, which
	// would carry the key elsewhere.
	Transport http.RoundTripper

	AI      AI      // of the provider workers-ai
	Extract Extract // of the provider extractive

	Now    func() time.Time
	Sleep  func(ctx context.Context, d time.Duration) error // returns early with an error when ctx ends
	Jitter func(limit time.Duration) time.Duration          // between 0 and limit
}

func (h Host) withDefaults() Host {
	if h.Transport == nil {
		h.Transport = defaultTransport()
	}
	if h.Now == nil {
		h.Now = time.Now
	}
	if h.Sleep == nil {
		h.Sleep = sleep
	}
	if h.Jitter == nil {
		h.Jitter = func(limit time.Duration) time.Duration { return rand.N(limit + 1) }
	}
	return h
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// New returns the summarizer that c chooses, or what is wrong with c.
func New(c Config, h Host) (Summarizer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	c, h = c.withDefaults(), h.withDefaults()
	loop := loop{provider: c.Provider, deadline: c.Deadline, host: h}
	switch c.Provider {
	case Anthropic:
		return &anthropic{url: c.BaseURL + "/v1/messages", model: c.Model, key: c.APIKey, post: newPoster(c, h), loop: loop}, nil
	case OpenAI:
		return &openai{url: c.BaseURL + "/chat/completions", model: c.Model, key: c.APIKey, limitName: limitName(c.BaseURL),
			post: newPoster(c, h), loop: loop}, nil
	case WorkersAI:
		return &workersAI{model: c.Model, run: h.AI, maxAnswer: c.MaxAnswer, loop: loop}, nil
	}
	return &extractive{run: h.Extract, maxAnswer: c.MaxAnswer}, nil
}

// check refuses what no provider would answer, before anything is sent.
func (r *Request) check(provider string) *Error {
	if r.User == "" || r.MaxTokens < 1 {
		return &Error{Code: BadRequest, Provider: provider}
	}
	return nil
}

// keyOf chooses the key of a request and makes sure that it can stand in a header.
func (r *Request) keyOf(provider string, configured Key) (Key, *Error) {
	if r.Key == "" {
		return configured, nil // Validate has looked at it
	}
	if !headerSafe(r.Key) {
		return "", &Error{Code: BadKey, Provider: provider}
	}
	return r.Key, nil
}
