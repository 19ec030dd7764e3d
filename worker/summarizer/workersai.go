package summarizer

import (
	"context"
	"encoding/json"
	"strings"
)

// AI runs a model through the AI binding of a Worker: env.AI.run(model, JSON.parse(input)), and its answer as JSON. An
// error's text is what JavaScript threw; the numbers in it tell whether to try again.
type AI func(ctx context.Context, model string, input []byte) ([]byte, error)

// workersAI asks a text model of Cloudflare's. There is no key: the binding is one.
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
			return "", thrown(err.Error())
		case len(answer) > w.maxAnswer:
			return "", &Error{Code: TooLarge}
		}
		return readWorkersAI(answer, r.MaxTokens)
	})
}

// HTTP statuses of the numbers in the binding's errors, from Cloudflare's table of Workers AI errors.
var thrownStatus = map[string]int{
	"3003": 400, "3039": 400, "5004": 400, "5007": 400, "3023": 403, "3041": 403, "5016": 403, "5018": 403, "3042": 404,
	"5005": 405, "5019": 405, "3007": 408, "3008": 408, "3006": 413, "3036": 429, "3040": 429,
}

// thrown names an error of the binding. One without a known number is taken for a broken connection.
func thrown(text string) *Error {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < '0' || r > '9' }) {
		if status := thrownStatus[word]; status != 0 {
			// 3036: the day's free allocation is spent.
			return &Error{Code: Upstream, Status: status, retry: retryable[status] && word != "3036"}
		}
	}
	return &Error{Code: Connection, retry: true}
}

// readWorkersAI reads both shapes that the binding answers in: its own, and for newer models a chat completion. Its own has no
// finish reason; a count of tokens at the limit stands for it.
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
	case present(a.Choices):
		return readChat(answer)
	case len(a.ToolCalls) > 0:
		return "", &Error{Code: ToolCall}
	case a.Response == nil:
		return "", &Error{Code: Malformed}
	case a.Usage.CompletionTokens >= maxTokens:
		return "", &Error{Code: Cut}
	}
	return finish(*a.Response)
}
