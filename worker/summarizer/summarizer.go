// Package summarizer answers summary requests of the core with a model: Anthropic's Messages API, any server with
// OpenAI's Chat Completions API, Cloudflare's Workers AI, or, without a model, the extractive summarizer of the core.
// It is not a client library: it sends one prompt and returns one text or an Error. Start with New.
//
// It is not a part of the API (see package core).
package summarizer

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"
)

// Summarizer writes one summary. Implementations are safe for concurrent use, retain nothing of a request, and return
// at once when ctx ends. Every error they return is an *Error.
type Summarizer interface {
	Summarize(ctx context.Context, r Request) (string, error)
}

// Request is a SummaryRequest of the core, with the key that pays for it.
type Request struct {
	ID           string // of the core's request; only Extract reads it, it is never sent to a provider
	System, User string // the prompt; System may be empty, User may not
	MaxTokens    int    // of the answer; at least 1
	Key          Key    // of the caller; "" for the configured one. It is sent to the provider only
}

// Key is the API key of a provider. It prints and marshals as "[key]", or as "" if it is empty, so it cannot be logged
// by mistake.
type Key string

func (k Key) String() string {
	if k == "" {
		return ""
	}
	return "[key]"
}

// GoString hides the key from %#v.
func (k Key) GoString() string { return k.String() }

// MarshalText hides the key from JSON.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Host has the functions of the platform. The zero value works natively, except that the provider's AI or Extract must
// be set.
type Host struct {
	// Transport sends the requests; nil is http.DefaultTransport, except under js, where it must be set. It must not
	// follow redirects, which would send the key to another server. If it ignores the context, the summarizer stops
	// waiting when the context ends.
	Transport http.RoundTripper

	AI      AI      // for the provider workers-ai
	Extract Extract // for the provider extractive

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

// New returns the summarizer that c selects, or the error of c.Validate.
func New(c Config, h Host) (Summarizer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	c, h = c.withDefaults(), h.withDefaults()
	loop := loop{provider: c.Provider, deadline: c.Deadline, host: h}
	switch c.Provider {
	case Anthropic:
		return &anthropic{url: c.BaseURL + "/v1/messages", model: c.Model, key: c.APIKey,
			post: newPoster(c, h), loop: loop}, nil
	case OpenAI:
		return &openai{url: c.BaseURL + "/chat/completions", model: c.Model, key: c.APIKey,
			limitName: limitName(c.BaseURL), post: newPoster(c, h), loop: loop}, nil
	case WorkersAI:
		return &workersAI{model: c.Model, run: h.AI, maxAnswer: c.MaxAnswer, loop: loop}, nil
	}
	return &extractive{run: h.Extract, maxAnswer: c.MaxAnswer}, nil
}

// check refuses requests that every provider would refuse, before anything is sent.
func (r *Request) check(provider string) *Error {
	if r.User == "" || r.MaxTokens < 1 {
		return &Error{Code: BadRequest, Provider: provider}
	}
	return nil
}

// keyOf returns the key for a request; a key of the caller must be valid in a header.
func (r *Request) keyOf(provider string, configured Key) (Key, *Error) {
	if r.Key == "" {
		return configured, nil // checked by Validate
	}
	if !headerSafe(r.Key) {
		return "", &Error{Code: BadKey, Provider: provider}
	}
	return r.Key, nil
}
