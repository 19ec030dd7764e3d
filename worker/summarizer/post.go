package summarizer

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// poster sends JSON and takes JSON back. It uses a transport rather than an http.Client: a client would follow redirects, which
// no provider sends and which would carry x-api-key to wherever they point; and see transport_js.go for what it weighs.
type poster struct {
	transport http.RoundTripper
	maxAnswer int
	now       func() time.Time
}

func newPoster(c Config, h Host) poster {
	return poster{transport: h.Transport, maxAnswer: c.MaxAnswer, now: h.Now}
}

// send posts once. The answer is the body of a 200; everything else is an error.
func (p poster) send(ctx context.Context, url string, header http.Header, body []byte) ([]byte, *Error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil || p.transport == nil {
		return nil, &Error{Code: Failed} // Validate lets no such URL pass
	}
	request.Header = header
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "application/json")
	header.Set("User-Agent", "tamp")
	response, err := p.transport.RoundTrip(request)
	if err != nil {
		return nil, &Error{Code: Connection, retry: true} // its text has the URL and is not ours to tell
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, int64(p.maxAnswer)+1))
	if response.StatusCode != http.StatusOK {
		e := upstream(response.StatusCode, answer)
		e.RetryAfter = retryAfter(response.Header, p.now())
		return nil, e
	}
	if len(answer) > p.maxAnswer {
		return nil, &Error{Code: TooLarge}
	}
	if err != nil {
		return nil, &Error{Code: Connection, retry: true}
	}
	return answer, nil
}

// Names that providers have for their errors. Others are not passed on: what a server writes there may be anything.
var reasons = map[string]bool{
	"invalid_request_error": true, "authentication_error": true, "permission_error": true, "not_found_error": true,
	"request_too_large": true, "rate_limit_error": true, "api_error": true, "overloaded_error": true, "billing_error": true,
	"timeout_error":   true, // Anthropic
	"invalid_api_key": true, "insufficient_quota": true, "model_not_found": true, "context_length_exceeded": true,
	"rate_limit_exceeded": true, "server_error": true, "unsupported_parameter": true, // OpenAI
}

// upstream names an error that a provider answered with. body may be anything.
func upstream(status int, body []byte) *Error {
	e := &Error{Code: Upstream, Status: status, retry: retryable[status]}
	var answer struct{ Error struct{ Type, Code any } }
	if json.Unmarshal(body, &answer) == nil {
		for _, name := range []any{answer.Error.Code, answer.Error.Type} { // OpenAI's code says more than its type
			if s, ok := name.(string); ok && reasons[s] {
				e.Reason = s
				break
			}
		}
	}
	// No money comes back within a minute.
	if e.Reason == "insufficient_quota" {
		e.retry = false
	}
	return e
}

// inside names an error that came with status 200, as routers between us and the provider send it.
func inside(err json.RawMessage) *Error {
	var inner struct{ Code any }
	_ = json.Unmarshal(err, &inner)
	status := http.StatusOK
	if n, ok := inner.Code.(float64); ok && n >= 400 && n < 600 {
		status = int(n)
	}
	return upstream(status, append(append([]byte(`{"error":`), err...), '}'))
}

func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// encode writes JSON as it is, without turning < and & into escapes: prompts are full of them, and a log of a proxy should be readable.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("tamp: internal error: " + err.Error()) // strings and ints only
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// finish is the last look at a text.
func finish(text string) (string, *Error) {
	if len(bytes.TrimSpace([]byte(text))) == 0 {
		return "", &Error{Code: Empty}
	}
	return text, nil
}
