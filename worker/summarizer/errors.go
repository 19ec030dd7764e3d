package summarizer

import (
	"context"
	"strconv"
	"time"
)

// Code names how a summary failed. The names are stable; hosts switch on them.
type Code string

const (
	Refusal    Code = "refusal"     // the model would not, or a filter would not let it
	Empty      Code = "empty"       // an answer without text
	Cut        Code = "cut"         // the answer reached MaxTokens, or the window: its end is missing
	Malformed  Code = "malformed"   // not the JSON that the protocol has
	ToolCall   Code = "tool_call"   // a call of a tool that was never offered, instead of text
	TooLarge   Code = "too_large"   // more than MaxAnswer bytes
	Timeout    Code = "timeout"     // the deadline passed while a provider was answering
	Canceled   Code = "canceled"    // by the caller
	Upstream   Code = "upstream"    // the provider answered with an error; Status has it
	Connection Code = "connection"  // no answer, or one that broke off
	NoKey      Code = "no_key"      // the provider needs one and there is none
	BadKey     Code = "bad_key"     // the caller's key cannot be one
	BadRequest Code = "bad_request" // our own host asked without a prompt or without a budget
	Failed     Code = "failed"      // a function of the host is missing, or broke
)

// Error is how a summary failed. It holds nothing of the prompt, of the answer or of a key, so it may be logged and shown.
type Error struct {
	Code     Code
	Provider string
	Status   int    // of Upstream: the HTTP status
	Reason   string // of Upstream: the provider's own name for it, where it is a known one
	Attempts int    // how often the provider was asked

	// RetryAfter is how long the provider wants to be left alone, where it said so.
	RetryAfter time.Duration

	retry bool
}

var sentences = map[Code]string{
	Refusal:    "the model refused",
	Empty:      "the answer has no text",
	Cut:        "the answer was cut at the token limit",
	Malformed:  "the answer is not what the protocol says",
	ToolCall:   "the model called a tool instead of writing text",
	TooLarge:   "the answer is too large",
	Timeout:    "the answer did not come in time",
	Canceled:   "the caller went away",
	Upstream:   "the provider answered with an error",
	Connection: "the connection broke",
	NoKey:      "there is no key for the provider",
	BadKey:     "the key has characters that no key has",
	BadRequest: "there is no prompt, or no room for an answer",
	Failed:     "the summarizer is not available here",
}

// Error says it in one line, for people.
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
		text += ", asked " + strconv.Itoa(e.Attempts) + " times"
	}
	return text
}

// passing4xx are the statuses from 400 to 499 that the same request may not meet a moment later.
var passing4xx = map[int]bool{408: true, 409: true, 425: true, 429: true}

// permanentReasons are those of an error that came with status 200 (inside), which says nothing by itself.
var permanentReasons = map[string]bool{
	"invalid_request_error": true, "authentication_error": true, "permission_error": true, "not_found_error": true,
	"request_too_large": true, "billing_error": true, "invalid_api_key": true, "insufficient_quota": true,
	"model_not_found": true, "context_length_exceeded": true, "unsupported_parameter": true,
}

// Permanent reports a failure that the same request meets again until a key, a setting or the request changes. Every other
// failure may pass: rate limits, 5xx, timeouts, broken connections, and answers without a usable text.
func (e *Error) Permanent() bool {
	switch {
	case e.Code == NoKey || e.Code == BadKey || e.Code == BadRequest:
		return true
	case e.Code != Upstream:
		return false
	case e.Status == 200:
		return permanentReasons[e.Reason]
	}
	return e.Status < 500 && !passing4xx[e.Status] || e.Reason == "insufficient_quota"
}

// KeyRefused reports that the provider does not accept the key, or that its account has no credit.
func (e *Error) KeyRefused() bool {
	switch e.Reason {
	case "authentication_error", "permission_error", "billing_error", "invalid_api_key", "insufficient_quota":
		return true
	}
	return e.Status == 401 || e.Status == 402 || e.Status == 403
}

// Unwrap makes errors.Is(err, context.Canceled) and its like true.
func (e *Error) Unwrap() error {
	switch e.Code {
	case Canceled:
		return context.Canceled
	case Timeout:
		return context.DeadlineExceeded
	}
	return nil
}

// ended names why a context has ended.
func ended(ctx context.Context) *Error {
	if ctx.Err() == context.Canceled {
		return &Error{Code: Canceled}
	}
	return &Error{Code: Timeout}
}
