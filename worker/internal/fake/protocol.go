package fake

import (
	"net/http"
	"strconv"
	"strings"
)

// protocol is what differs from one API to the other.
type protocol struct {
	key    func(http.Header) string
	verify func(r *http.Request, key string, in *input, keyless bool) (status int, problems []string)
	err    func(status int, message string) any // an error's body
	answer func(reply) any
	stream func(reply) []event // its end included
}

// reply is what a model says, in neither API's words.
type reply struct {
	model, text string
	thinking    string
	signature   string
	id          string // of this reply only: a conversation may not have one twice
	calls       []ToolCall
	ending      ending
	in, out     int
	read, wrote int  // of in: what the prompt cache had, and what it keeps from now on
	usage       bool // the client wants it in the stream
}

// callID is unlike that of any other call.
func (r *reply) callID(i int) string { return r.id + "_" + strconv.Itoa(i) }

type ending int

const (
	finished ending = iota
	refused
	called
	tooLong
)

// event is one of a stream's. Chat Completions do not name theirs.
type event struct {
	name string
	data any
}

var protocols = map[string]protocol{
	"/v1/messages":         messagesAPI,
	"/v1/chat/completions": chatAPI,
	"/chat/completions":    chatAPI, // a base URL without /v1, as some servers have it
}

func bearer(h http.Header) string {
	if key, ok := strings.CutPrefix(h.Get("Authorization"), "Bearer "); ok {
		return key
	}
	return ""
}

// verifyBoth checks what both APIs ask for. A key that begins with "bad" is a wrong one.
func verifyBoth(r *http.Request, key string, in *input, keyless bool) (int, []string) {
	switch {
	case r.Method != http.MethodPost:
		return http.StatusMethodNotAllowed, []string{"Method Not Allowed"}
	case key == "" && !keyless:
		return http.StatusUnauthorized, []string{"the key is missing"}
	case strings.HasPrefix(key, "bad"):
		return http.StatusUnauthorized, []string{"invalid x-api-key"}
	case !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json"):
		return http.StatusUnsupportedMediaType, []string{"content-type: must be application/json"}
	case in.err != nil:
		return http.StatusBadRequest, []string{"the body is not valid JSON of this API"}
	}
	var problems []string
	if in.Model == "" {
		problems = append(problems, "model: Field required")
	}
	if len(in.Messages) == 0 {
		problems = append(problems, "messages: at least one message is required")
	}
	return http.StatusBadRequest, problems
}

// errorTypes are the names that the Messages API gives to statuses.
var errorTypes = map[int]string{400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
	404: "not_found_error", 405: "invalid_request_error", 408: "timeout_error", 413: "request_too_large", 415: "invalid_request_error",
	429: "rate_limit_error", 504: "timeout_error", 529: "overloaded_error"}

func errorType(status int) string {
	if name := errorTypes[status]; name != "" {
		return name
	}
	return "api_error"
}
