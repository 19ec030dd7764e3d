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
	OpenAI     = "openai" // and every server that speaks its Chat Completions
	WorkersAI  = "workers-ai"
	Extractive = "extractive" // no model, no key; the default
)

// Config chooses a summarizer. All of it is the operator's: nothing in it may come from a request.
type Config struct {
	Provider string // "" is Extractive
	Model    string // "" is the default of Anthropic; OpenAI and WorkersAI need one
	// BaseURL is what the vendors' own clients call so: for Anthropic without /v1, for OpenAI with it. "" is the vendor's.
	BaseURL string
	APIKey  Key // may be empty: then callers bring theirs, and a server such as Ollama needs none

	Deadline  time.Duration // of one summary, its retries and waits included; 0 is 60 s
	MaxAnswer int           // bytes of an answer's body; 0 is 1 MiB
}

const (
	// A summary is quick, cheap work: the smallest of the family does it.
	defaultModel = "claude-haiku-4-5"

	anthropicURL = "https://api.anthropic.com"
	openAIURL    = "https://api.openai.com/v1"

	// A minute is what callers wait at most, and longer than any model takes for a few thousand tokens.
	defaultDeadline = 60 * time.Second

	// A summary of 8,000 tokens is 40 KB, and the JSON around it may carry a model's thinking.
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

// Defaults returns c with what it leaves out: what New would use.
func (c Config) Defaults() Config { return c.withDefaults() }

// NeedsKey reports that callers have to bring a key: the vendors want one and none is set. A server of one's own may do without.
func (c Config) NeedsKey() bool {
	c = c.withDefaults()
	return c.APIKey == "" && (c.BaseURL == anthropicURL || c.BaseURL == openAIURL)
}

// Validate names all that is wrong with c. It never repeats the key or the URL, which may hold a password.
func (c Config) Validate() error {
	c = c.withDefaults()
	var errs []error
	wrong := func(text string) { errs = append(errs, errors.New("cannot use the summarizer: "+text)) }
	http := c.Provider == Anthropic || c.Provider == OpenAI
	switch {
	case !http && c.Provider != WorkersAI && c.Provider != Extractive:
		wrong("its provider is none of " + strings.Join([]string{Anthropic, OpenAI, WorkersAI, Extractive}, ", "))
		return errs[0] // nothing else can be judged
	case c.Provider == OpenAI && c.Model == "":
		wrong("openai needs a model, such as gpt-5-mini")
	case c.Provider == WorkersAI && c.Model == "":
		wrong("workers-ai needs a model, such as @cf/meta/llama-3.3-70b-instruct-fp8-fast")
	}
	if len(c.Model) > 200 || strings.ContainsFunc(c.Model, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		wrong("its model is no name")
	}
	if http {
		if reason := badURL(c.BaseURL); reason != "" {
			wrong("its base URL " + reason)
		}
	} else if c.BaseURL != "" {
		wrong(c.Provider + " has no base URL")
	}
	if c.APIKey != "" && !headerSafe(c.APIKey) {
		wrong("its key has characters that no key has; is there a line end in it?")
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
		return "holds a user or a password; give the key on its own"
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "has a query or a fragment"
	}
	return ""
}

// Sendable reports that k can be sent in a header: printable ASCII without a space, at most 1,000 bytes.
func (k Key) Sendable() bool { return headerSafe(k) }

// headerSafe reports that a key can be sent in a header, and is no mistake of another kind.
func headerSafe(k Key) bool {
	return len(k) <= 1000 && !strings.ContainsFunc(string(k), func(r rune) bool { return r <= ' ' || r > '~' })
}
