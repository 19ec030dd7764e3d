package summarizer

import (
	"context"
	"strconv"
	"time"
)

// Code is the kind of failure of a summary. Codes are stable: hosts switch on them.
type Code string

const (
	Refusal    Code = "refusal"     // the model or a content filter refused
	Empty      Code = "empty"       // the answer has no text
	Cut        Code = "cut"         // the answer reached MaxTokens or the context window, so its end is missing
	Malformed  Code = "malformed"   // the answer is not JSON of the protocol
	ToolCall   Code = "tool_call"   // the answer calls a tool, though none was offered
	TooLarge   Code = "too_large"   // the answer has more than MaxAnswer bytes
	Timeout    Code = "timeout"     // the deadline passed while a provider was answering
	Canceled   Code = "canceled"    // the caller canceled the context
	Upstream   Code = "upstream"    // the provider answered with an error; see Status
	Connection Code = "connection"  // no answer, or an incomplete one
	NoKey      Code = "no_key"      // the provider needs a key and none is configured
	BadKey     Code = "bad_key"     // the caller's key cannot be sent in a header
	BadRequest Code = "bad_request" // the host sent a request without a prompt or a token limit
	Failed     Code = "failed"      // a function of the host is missing, or panicked
)

// Error is a failure of a summary. It contains nothing of the prompt, the answer or a key, so it may be logged and
// shown.
type Error struct {
	Code     Code
	Provider string
	Status   int    // of Upstream: the HTTP status
	Reason   string // of Upstream: the provider's name of the error, "" if it is not a known one
	Attempts int    // number of requests to the provider

	// RetryAfter is how long the provider asks clients to wait; 0: it did not say.
	RetryAfter time.Duration

	retry bool
}

var sentences = map[Code]string{
	Refusal:    "the model refused",
	Empty:      "the answer has no text",
	Cut:        "the answer was cut at the token limit",
	Malformed:  "the answer is not valid in the protocol",
	ToolCall:   "the model called a tool instead of writing text",
	TooLarge:   "the answer is too large",
	Timeout:    "the answer did not come in time",
	Canceled:   "the caller disconnected",
	Upstream:   "the provider answered with an error",
	Connection: "the connection broke",
	NoKey:      "no key is configured for the provider",
	BadKey:     "the key has characters that a key cannot have",
	BadRequest: "the request has no prompt or no token limit",
	Failed:     "the summarizer is not available here",
}

// Error returns one line for people; it may change.
func (e *Error) Error() string {
	text := "cannot summarize: " + sentences[e.Code]
	if e.Status != 0 {
		text += " " + strconv.Itoa(e.Status)
	}
	if e.Reason != "" {
		text += " (" + e.Reason + ")"
	}
	if e.Provider != "" {
		text += "; provider " + e.Provider
	}
	if e.Attempts > 1 {
		text += ", after " + strconv.Itoa(e.Attempts) + " attempts"
	}
	return text
}

// transient4xx are the statuses from 400 to 499 after which the same request may succeed later.
var transient4xx = map[int]bool{408: true, 409: true, 425: true, 429: true}

// permanentReasons are the reasons that make an error with status 200 (errorInBody) permanent.
var permanentReasons = map[string]bool{
	"invalid_request_error": true, "authentication_error": true, "permission_error": true, "not_found_error": true,
	"request_too_large": true, "billing_error": true, "invalid_api_key": true, "insufficient_quota": true,
	"model_not_found": true, "context_length_exceeded": true, "unsupported_parameter": true,
}

// Permanent reports whether the same request fails again until a key, a setting or the request changes. Every other
// failure is temporary: rate limits, 5xx, timeouts, broken connections, and answers without a usable text.
func (e *Error) Permanent() bool {
	switch {
	case e.Code == NoKey || e.Code == BadKey || e.Code == BadRequest:
		return true
	case e.Code != Upstream:
		return false
	case e.Status == 200:
		return permanentReasons[e.Reason]
	}
	return e.Status < 500 && !transient4xx[e.Status] || e.Reason == "insufficient_quota"
}

// KeyRefused reports whether the provider refused the key, or its account has no credit.
func (e *Error) KeyRefused() bool {
	switch e.Reason {
	case "authentication_error", "permission_error", "billing_error", "invalid_api_key", "insufficient_quota":
		return true
	}
	return e.Status == 401 || e.Status == 402 || e.Status == 403
}

// Unwrap makes errors.Is(err, context.Canceled) and errors.Is(err, context.DeadlineExceeded) work.
func (e *Error) Unwrap() error {
	switch e.Code {
	case Canceled:
		return context.Canceled
	case Timeout:
		return context.DeadlineExceeded
	}
	return nil
}

// contextError returns the error for a context that has ended.
func contextError(ctx context.Context) *Error {
	if ctx.Err() == context.Canceled {
		return &Error{Code: Canceled}
	}
	return &Error{Code: Timeout}
}
