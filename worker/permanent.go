package main

import (
	"errors"
	"strconv"

	"tamp/core/wire"
	"tamp/worker/summarizer"
)

// Permanent failures of the summarizer end a compaction with an error: nothing is removed, and nothing is returned but the
// error. Only failures that may pass (429, 5xx, timeouts, broken connections) take the engine's failure path, which may drop
// messages. The codes tell the caller who can act:
//   - bad_key: the caller, whose x-api-key cannot be sent or was refused.
//   - summarizer_failed: the operator, by the setting that the message names.
//   - summarizer_refused: either; the provider refuses this request, as one that is too long for the model.

const nothingChanged = "; nothing was changed"

// checkAccess finds what would make every request fail, before anything is saved or sent.
func (c *compaction) checkAccess() error {
	config := c.s.config.Summarizer
	switch {
	case config.Provider == summarizer.WorkersAI && c.s.host.Summarizer.AI == nil:
		return refusal(summarizerFailed, "", "cannot summarize: this server has no binding AI, which SUMMARIZER=workers-ai needs")
	case c.usesOwnKey() && !c.key.Sendable():
		return c.permanent(&summarizer.Error{Code: summarizer.BadKey})
	case config.NeedsKey() && c.key == "":
		return c.permanent(&summarizer.Error{Code: summarizer.NoKey})
	}
	return nil
}

// usesOwnKey reports that requests go out with the caller's own key.
func (c *compaction) usesOwnKey() bool {
	provider := c.s.config.Summarizer.Provider
	return c.key != "" && (provider == summarizer.Anthropic || provider == summarizer.OpenAI)
}

// permanent returns the answer to a permanent failure of the summarizer, nil for every other error. It quotes no key, no
// content, and nothing that the provider wrote but its status and a known name of its error.
func (c *compaction) permanent(err error) error {
	e := (*summarizer.Error)(nil)
	if !errors.As(err, &e) || !e.Permanent() {
		return nil
	}
	config := c.s.config.Summarizer
	status := " with status " + strconv.Itoa(e.Status)
	if e.Reason != "" {
		status += " (" + e.Reason + ")"
	}
	say := func(code, sentence string) *wire.Error {
		return refusal(code, "", "cannot summarize: "+sentence+nothingChanged)
	}
	switch {
	case e.Code == summarizer.BadKey:
		return say(badKey, "the key in x-api-key has characters that no key has, such as a tab")
	case e.Code == summarizer.NoKey:
		return say(summarizerFailed, "this server has no key for its summarizer; send yours in x-api-key")
	case e.Code == summarizer.BadRequest:
		return say(internal, "a request has no prompt, or no room for an answer; please report it")
	case e.KeyRefused() && c.usesOwnKey():
		return say(badKey, "the provider refused the key in x-api-key"+status)
	case e.KeyRefused() && config.Provider == summarizer.WorkersAI:
		return say(summarizerFailed, "the binding AI refused the request"+status+"; SUMMARIZER_MODEL needs another plan or model")
	case e.KeyRefused() && config.APIKey != "":
		return say(summarizerFailed, "the provider refused the key in SUMMARIZER_API_KEY"+status)
	case e.KeyRefused():
		return say(summarizerFailed, "the provider wants a key"+status+"; send yours in x-api-key, or set SUMMARIZER_API_KEY")
	case e.Status != 200 && e.Status < 400 || e.Status == 404 || e.Status == 405 || e.Reason == "model_not_found" || e.Reason == "not_found_error":
		return say(summarizerFailed, "the provider does not know the model or the address"+status+"; check SUMMARIZER_MODEL and SUMMARIZER_BASE_URL")
	}
	return say(refusedRequest, "the provider refused the request"+status+
		"; its text may be too long for SUMMARIZER_MODEL, or the model may not accept it")
}
