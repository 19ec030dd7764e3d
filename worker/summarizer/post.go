package summarizer

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// poster sends and receives JSON. It uses a transport rather than an http.Client: a client would follow redirects,
// which no provider sends, and would send x-api-key to their targets. A client is also large; see transport_js.go.
type poster struct {
	transport http.RoundTripper
	maxAnswer int
	now       func() time.Time
}

func newPoster(c Config, h Host) poster {
	return poster{transport: h.Transport, maxAnswer: c.MaxAnswer, now: h.Now}
}

// send posts once. It returns the body if the status is 200, and an error otherwise.
func (p poster) send(ctx context.Context, url string, header http.Header, body []byte) ([]byte, *Error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil || p.transport == nil {
		return nil, &Error{Code: Failed} // cannot happen after Validate
	}
	request.Header = header
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "application/json")
	header.Set("User-Agent", "tamp")
	response, err := p.transport.RoundTrip(request)
	if err != nil {
		return nil, &Error{Code: Connection, retry: true} // the text of err is dropped, since it contains the URL
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

// reasons are the known error names of the providers. Other names are dropped, since a server may write any text there.
var reasons = map[string]bool{
	"invalid_request_error": true, "authentication_error": true, "permission_error": true, "not_found_error": true,
	"request_too_large": true, "rate_limit_error": true, "api_error": true, "overloaded_error": true,
	"billing_error":   true,
	"timeout_error":   true, // Anthropic
	"invalid_api_key": true, "insufficient_quota": true, "model_not_found": true, "context_length_exceeded": true,
	"rate_limit_exceeded": true, "server_error": true, "unsupported_parameter": true, // OpenAI
}

// upstream returns the error for a provider's error response. body may be anything.
func upstream(status int, body []byte) *Error {
	e := &Error{Code: Upstream, Status: status, retry: retryable[status]}
	var answer struct{ Error struct{ Type, Code any } }
	if json.Unmarshal(body, &answer) == nil {
		for _, name := range []any{answer.Error.Code, answer.Error.Type} { // OpenAI's code is more specific than its type
			if s, ok := name.(string); ok && reasons[s] {
				e.Reason = s
				break
			}
		}
	}
	// A used-up quota does not come back within a minute.
	if e.Reason == "insufficient_quota" {
		e.retry = false
	}
	return e
}

// errorInBody returns the error of a response with status 200, as routers between this program and the provider send
// it.
func errorInBody(err json.RawMessage) *Error {
	var inner struct{ Code any }
	_ = json.Unmarshal(err, &inner)
	status := http.StatusOK
	if n, ok := inner.Code.(float64); ok && n >= 400 && n < 600 {
		status = int(n)
	}
	return upstream(status, append(append([]byte(`{"error":`), err...), '}'))
}

func isSet(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// encode writes JSON without escapes for < and &: prompts contain many of them, and the log of a proxy should be
// readable.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("tamp: internal error: " + err.Error()) // strings and ints only
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// requireText returns the error Empty for a text of white space only.
func requireText(text string) (string, *Error) {
	if len(bytes.TrimSpace([]byte(text))) == 0 {
		return "", &Error{Code: Empty}
	}
	return text, nil
}
