package summarizer

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// openai uses the Chat Completions API (POST …/chat/completions), without streaming, of OpenAI or a compatible server.
type openai struct {
	url, model string
	key        Key
	limitName  string
	post       poster
	loop       loop
}

// limitName is the field with the token limit of the answer. OpenAI's newer models refuse the deprecated max_tokens;
// Ollama and other compatible servers silently ignore its successor and would write without a limit.
func limitName(base string) string {
	if u, err := url.Parse(base); err == nil && u.Hostname() == "api.openai.com" {
		return "max_completion_tokens"
	}
	return "max_tokens"
}

func (o *openai) Summarize(ctx context.Context, r Request) (string, error) {
	if err := r.check(OpenAI); err != nil {
		return "", err
	}
	key, err := r.keyOf(OpenAI, o.key)
	if err != nil {
		return "", err
	}
	body := encode(map[string]any{"model": o.model, o.limitName: r.MaxTokens, "messages": chat(r)})
	return o.loop.run(ctx, func(ctx context.Context) (string, *Error) {
		header := http.Header{}
		if key != "" { // a local server may need none; one that needs a key answers 401
			header.Set("Authorization", "Bearer "+string(key))
		}
		answer, err := o.post.send(ctx, o.url, header, body)
		if err != nil {
			return "", err
		}
		return readChat(answer)
	})
}

// chat returns the prompt as messages. All servers accept the role "system"; OpenAI converts it to "developer" if
// necessary.
func chat(r Request) []message {
	if r.System == "" {
		return []message{{"user", r.User}}
	}
	return []message{{"system", r.System}, {"user", r.User}}
}

// readChat returns the text of a chat completion. An absent finish reason is no failure: some compatible servers send
// none.
func readChat(answer []byte) (string, *Error) {
	var c struct {
		Error   json.RawMessage `json:"error"`
		Choices []struct {
			Error   json.RawMessage `json:"error"` // sent by a router if its provider failed
			Message *struct {
				Content      *string           `json:"content"`
				Refusal      *string           `json:"refusal"`
				ToolCalls    []json.RawMessage `json:"tool_calls"`
				FunctionCall json.RawMessage   `json:"function_call"`
			} `json:"message"`
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
	}
	if json.Unmarshal(answer, &c) != nil {
		return "", &Error{Code: Malformed}
	}
	if isSet(c.Error) {
		return "", errorInBody(c.Error)
	}
	if len(c.Choices) == 0 || c.Choices[0].Message == nil {
		return "", &Error{Code: Malformed}
	}
	choice := c.Choices[0]
	m := choice.Message
	if isSet(choice.Error) {
		return "", errorInBody(choice.Error)
	}
	switch {
	case choice.FinishReason == "content_filter" || m.Refusal != nil && *m.Refusal != "":
		return "", &Error{Code: Refusal}
	case choice.FinishReason == "length":
		return "", &Error{Code: Cut}
	case len(m.ToolCalls) > 0 || isSet(m.FunctionCall) ||
		choice.FinishReason == "tool_calls" || choice.FinishReason == "function_call":
		return "", &Error{Code: ToolCall}
	case m.Content == nil:
		return "", &Error{Code: Empty}
	}
	return requireText(*m.Content)
}
