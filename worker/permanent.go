package worker

import (
	"errors"
	"strconv"

	"tamp/core/wire"
	"tamp/worker/summarizer"
)

// A permanent failure of the summarizer ends a compaction with an error, and the conversation stays unchanged.
// Temporary failures (429, 5xx, timeouts, broken connections) go to the engine instead, which may drop messages. The
// code shows who can act:
//   - bad_key: the caller, whose x-api-key cannot be sent or was refused.
//   - summarizer_failed: the operator, by the setting that the message names.
//   - summarizer_refused: either; the provider refuses this request, for example because it is too long for the model.

const nothingChanged = "; nothing was changed"

// checkAccess returns the error of a setting or key with which every request would fail, before anything is saved or
// sent.
func (c *compaction) checkAccess() error {
	config := c.s.config.Summarizer
	switch {
	case config.Provider == summarizer.WorkersAI && c.s.host.Summarizer.AI == nil:
		return newError(summarizerFailed, "",
			"cannot summarize: this server has no binding AI, which SUMMARIZER=workers-ai needs")
	case c.usesOwnKey() && !c.key.Sendable():
		return c.permanentError(&summarizer.Error{Code: summarizer.BadKey})
	case config.NeedsKey() && c.key == "":
		return c.permanentError(&summarizer.Error{Code: summarizer.NoKey})
	}
	return nil
}

// usesOwnKey reports whether requests are sent with the caller's key.
func (c *compaction) usesOwnKey() bool {
	provider := c.s.config.Summarizer.Provider
	return c.key != "" && (provider == summarizer.Anthropic || provider == summarizer.OpenAI)
}

// permanentError returns the error of the response for a permanent failure of the summarizer, nil for every other
// error. It quotes no key and no content; of the provider's response only the status and a known error name.
func (c *compaction) permanentError(err error) error {
	e := (*summarizer.Error)(nil)
	if !errors.As(err, &e) || !e.Permanent() {
		return nil
	}
	config := c.s.config.Summarizer
	status := " with status " + strconv.Itoa(e.Status)
	if e.Reason != "" {
		status += " (" + e.Reason + ")"
	}
	failed := func(code, sentence string) *wire.Error {
		return newError(code, "", "cannot summarize: "+sentence+nothingChanged)
	}
	switch {
	case e.Code == summarizer.BadKey:
		return failed(badKey, "the key in x-api-key has characters that a key cannot have, such as a tab")
	case e.Code == summarizer.NoKey:
		return failed(summarizerFailed, "this server has no key for its summarizer; send yours in x-api-key")
	case e.Code == summarizer.BadRequest:
		return failed(internal, "a request has no prompt or no token limit; please report it")
	case e.KeyRefused() && c.usesOwnKey():
		return failed(badKey, "the provider refused the key in x-api-key"+status)
	case e.KeyRefused() && config.Provider == summarizer.WorkersAI:
		return failed(summarizerFailed,
			"the binding AI refused the request"+status+"; SUMMARIZER_MODEL needs another plan or model")
	case e.KeyRefused() && config.APIKey != "":
		return failed(summarizerFailed, "the provider refused the key in SUMMARIZER_API_KEY"+status)
	case e.KeyRefused():
		return failed(summarizerFailed,
			"the provider wants a key"+status+"; send yours in x-api-key, or set SUMMARIZER_API_KEY")
	case e.Status != 200 && e.Status < 400 || e.Status == 404 || e.Status == 405 ||
		e.Reason == "model_not_found" || e.Reason == "not_found_error":
		return failed(summarizerFailed, "the provider does not have the model or the address"+status+
			"; check SUMMARIZER_MODEL and SUMMARIZER_BASE_URL")
	}
	return failed(refusedRequest, "the provider refused the request"+status+
		"; its text may be too long for SUMMARIZER_MODEL, or the model may not accept it")
}
