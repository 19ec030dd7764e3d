package summarizer

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
)

// anthropic uses the Messages API (POST /v1/messages), without streaming: a partial summary is useless.
type anthropic struct {
	url, model string
	key        Key
	post       poster
	loop       loop
}

type anthropicBody struct {
	Model     string    `json:"model"`
	MaxTokens int       `json:"max_tokens"`
	System    string    `json:"system,omitempty"`
	Messages  []message `json:"messages"`
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func (a *anthropic) Summarize(ctx context.Context, r Request) (string, error) {
	if err := r.check(Anthropic); err != nil {
		return "", err
	}
	key, err := r.keyOf(Anthropic, a.key)
	if err != nil {
		return "", err
	}
	if key == "" {
		return "", &Error{Code: NoKey, Provider: Anthropic}
	}
	// No sampling parameters such as temperature: the newest models refuse them.
	body := encode(anthropicBody{Model: a.model, MaxTokens: r.MaxTokens, System: r.System,
		Messages: []message{{"user", r.User}}})
	return a.loop.run(ctx, func(ctx context.Context) (string, *Error) {
		header := http.Header{}
		header.Set("X-Api-Key", string(key))
		header.Set("Anthropic-Version", "2023-06-01")
		answer, err := a.post.send(ctx, a.url, header, body)
		if err != nil {
			return "", err
		}
		return readAnthropic(answer)
	})
}

// readAnthropic returns the text of a Message. It ignores other blocks, such as thinking; a tool call is an error.
func readAnthropic(answer []byte) (string, *Error) {
	var m struct {
		Error   json.RawMessage `json:"error"`
		Content *[]struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		StopReason *string `json:"stop_reason"`
	}
	if json.Unmarshal(answer, &m) != nil {
		return "", &Error{Code: Malformed}
	}
	if isSet(m.Error) {
		return "", errorInBody(m.Error)
	}
	if m.Content == nil || m.StopReason == nil {
		return "", &Error{Code: Malformed}
	}
	text, called := "", *m.StopReason == "tool_use"
	for _, block := range *m.Content {
		if block.Type == "text" {
			text += block.Text
		}
		called = called || strings.HasSuffix(block.Type, "tool_use") // its own tools, and those of servers
	}
	switch *m.StopReason {
	case "refusal":
		return "", &Error{Code: Refusal}
	case "max_tokens", "model_context_window_exceeded":
		return "", &Error{Code: Cut}
	}
	if called {
		return "", &Error{Code: ToolCall}
	}
	return requireText(text)
}
