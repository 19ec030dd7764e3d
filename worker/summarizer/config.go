package summarizer

import (
	"errors"
	"net/url"
	"strings"
	"time"
)

// The providers.
const (
	Anthropic  = "anthropic"
	OpenAI     = "openai" // and every server with the Chat Completions API
	WorkersAI  = "workers-ai"
	Extractive = "extractive" // no model, no key; the default
)

// Config selects a summarizer. It has the operator's settings: no value may come from a request.
type Config struct {
	Provider string // "" is Extractive
	Model    string // "" is the default of Anthropic; OpenAI and WorkersAI need one
	// BaseURL is the base URL as the vendors' clients define it: for Anthropic without /v1, for OpenAI with it. "" is
	// the vendor's.
	BaseURL string
	APIKey  Key // may be empty: callers may send their own, and a server such as Ollama needs none

	Deadline  time.Duration // of one summary, its retries and waits included; 0 is 60 s
	MaxAnswer int           // bytes of an answer's body; 0 is 1 MiB
}

const (
	// The smallest model of the family is good enough for summaries, and fast and cheap.
	defaultModel = "claude-haiku-4-5"

	anthropicURL = "https://api.anthropic.com"
	openAIURL    = "https://api.openai.com/v1"

	// Longer than a model needs for a few thousand tokens, and about as long as callers wait.
	defaultDeadline = 60 * time.Second

	// A summary of 8,000 tokens has 40 KB; the response may contain the model's thinking as well.
	defaultMaxAnswer = 1 << 20
)

func (c Config) withDefaults() Config {
	if c.Provider == "" {
		c.Provider = Extractive
	}
	if c.Model == "" && c.Provider == Anthropic {
		c.Model = defaultModel
	}
	if c.BaseURL == "" {
		c.BaseURL = map[string]string{Anthropic: anthropicURL, OpenAI: openAIURL}[c.Provider]
	}
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	if c.Deadline == 0 {
		c.Deadline = defaultDeadline
	}
	if c.MaxAnswer == 0 {
		c.MaxAnswer = defaultMaxAnswer
	}
	return c
}

// Defaults returns c with defaults for its zero fields, as New uses it.
func (c Config) Defaults() Config { return c.withDefaults() }

// NeedsKey reports whether callers must send a key: none is configured, and the base URL is the vendor's. Another
// server may need none.
func (c Config) NeedsKey() bool {
	c = c.withDefaults()
	return c.APIKey == "" && (c.BaseURL == anthropicURL || c.BaseURL == openAIURL)
}

// Validate returns an error that joins all wrong settings of c. It does not quote the key or the URL, which may contain
// a password.
func (c Config) Validate() error {
	c = c.withDefaults()
	var errs []error
	wrong := func(text string) { errs = append(errs, errors.New("cannot use the summarizer: "+text)) }
	http := c.Provider == Anthropic || c.Provider == OpenAI
	switch {
	case !http && c.Provider != WorkersAI && c.Provider != Extractive:
		wrong("its provider is not one of " + strings.Join([]string{Anthropic, OpenAI, WorkersAI, Extractive}, ", "))
		return errs[0] // the other settings depend on the provider
	case c.Provider == OpenAI && c.Model == "":
		wrong("openai needs a model, such as gpt-5-mini")
	case c.Provider == WorkersAI && c.Model == "":
		wrong("workers-ai needs a model, such as @cf/meta/llama-3.3-70b-instruct-fp8-fast")
	}
	if len(c.Model) > 200 || strings.ContainsFunc(c.Model, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		wrong("its model is not a name of up to 200 characters without spaces")
	}
	if http {
		if reason := badURL(c.BaseURL); reason != "" {
			wrong("its base URL " + reason)
		}
	} else if c.BaseURL != "" {
		wrong(c.Provider + " has no base URL")
	}
	if c.APIKey != "" && !headerSafe(c.APIKey) {
		wrong("its key has characters that a key cannot have, such as a line break")
	}
	if c.Deadline < 0 || c.MaxAnswer < 0 {
		wrong("its limits are below zero")
	}
	return errors.Join(errs...)
}

func badURL(text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return "is not an absolute http or https URL"
	case u.User != nil:
		return "contains a user or a password; set the key separately"
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "has a query or a fragment"
	}
	return ""
}

// Sendable reports whether k can be sent in a header: printable ASCII without spaces, at most 1,000 bytes.
func (k Key) Sendable() bool { return headerSafe(k) }

// headerSafe implements Key.Sendable.
func headerSafe(k Key) bool {
	return len(k) <= 1000 && !strings.ContainsFunc(string(k), func(r rune) bool { return r <= ' ' || r > '~' })
}
