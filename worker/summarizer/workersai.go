package summarizer

import (
	"context"
	"encoding/json"
	"strings"
)

// AI runs a model with the AI binding of a Worker: it returns the result of env.AI.run(model, JSON.parse(input)) as
// JSON. The text of an error is that of the JavaScript exception; the number in it decides about a retry.
type AI func(ctx context.Context, model string, input []byte) ([]byte, error)

// workersAI uses a text model of Cloudflare's. It needs no key, since the binding belongs to an account.
type workersAI struct {
	model     string
	run       AI
	maxAnswer int
	loop      loop
}

type workersAIBody struct {
	Messages  []message `json:"messages"`
	MaxTokens int       `json:"max_tokens"`
}

func (w *workersAI) Summarize(ctx context.Context, r Request) (string, error) {
	if err := r.check(WorkersAI); err != nil {
		return "", err
	}
	if w.run == nil {
		return "", &Error{Code: Failed, Provider: WorkersAI}
	}
	input := encode(workersAIBody{Messages: chat(r), MaxTokens: r.MaxTokens})
	return w.loop.run(ctx, func(ctx context.Context) (string, *Error) {
		answer, err := w.run(ctx, w.model, input)
		switch {
		case err != nil:
			return "", bindingError(err.Error())
		case len(answer) > w.maxAnswer:
			return "", &Error{Code: TooLarge}
		}
		return readWorkersAI(answer, r.MaxTokens)
	})
}

// bindingErrorStatus maps the numbers in the binding's errors to HTTP statuses, from Cloudflare's table of Workers AI
// errors.
var bindingErrorStatus = map[string]int{
	"3003": 400, "3039": 400, "5004": 400, "5007": 400, "3023": 403, "3041": 403, "5016": 403, "5018": 403, "3042": 404,
	"5005": 405, "5019": 405, "3007": 408, "3008": 408, "3006": 413, "3036": 429, "3040": 429,
}

// bindingError returns the error for an exception of the binding. Without a known number it counts as a broken
// connection.
func bindingError(text string) *Error {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < '0' || r > '9' }) {
		if status := bindingErrorStatus[word]; status != 0 {
			// 3036: the free allocation of the day is used up.
			return &Error{Code: Upstream, Status: status, retry: retryable[status] && word != "3036"}
		}
	}
	return &Error{Code: Connection, retry: true}
}

// readWorkersAI reads both formats of the binding: its own, and the chat completions of newer models. Its own format
// has no finish reason; an answer that reaches the token limit counts as cut.
func readWorkersAI(answer []byte, maxTokens int) (string, *Error) {
	var a struct {
		Choices   json.RawMessage   `json:"choices"`
		Response  *string           `json:"response"`
		ToolCalls []json.RawMessage `json:"tool_calls"`
		Usage     struct {
			CompletionTokens int `json:"completion_tokens"`
		} `json:"usage"`
	}
	if json.Unmarshal(answer, &a) != nil {
		return "", &Error{Code: Malformed}
	}
	switch {
	case isSet(a.Choices):
		return readChat(answer)
	case len(a.ToolCalls) > 0:
		return "", &Error{Code: ToolCall}
	case a.Response == nil:
		return "", &Error{Code: Malformed}
	case a.Usage.CompletionTokens >= maxTokens:
		return "", &Error{Code: Cut}
	}
	return requireText(*a.Response)
}
