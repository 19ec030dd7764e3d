package fake

import (
	"net/http"
	"strconv"
	"strings"
)

// protocol has the differences between the APIs.
type protocol struct {
	automatic bool         // the prompt cache needs no breakpoints
	late      bool         // a stream begins before the prompt is found too long
	threads   bool         // the provider keeps conversations
	frames    bool         // streams have AWS's encoding
	read      func(*input) // reads the members that only this API has; may be nil
	key       func(http.Header) string
	verify    func(r *http.Request, key string, in *input, keyless bool) (status int, problems []string)
	err       func(status int, message string) any // body of an error
	// message of the error for a prompt over the window
	tooLong func(size, window int) string
	answer  func(reply) any
	stream  func(reply) []event // with the end of the stream
}

// reply is the answer of a model, independent of the API.
type reply struct {
	model, text string
	thinking    string
	signature   string
	id          string // unique, since a conversation must not have the same ID twice
	calls       []ToolCall
	ending      ending
	in, out     int
	read, wrote int    // of in: tokens read from the prompt cache, and tokens written to it
	routed      bool   // of Chat Completions: thinking in OpenRouter's members
	usage       bool   // the client requested usage in the stream
	failed      string // of Responses: the error in the stream
	compacts    bool   // of Responses: the answer of a compaction_trigger is one compaction item
	reports     bool   // of Messages: input_transformations, which has dropped
	dropped     []transformation
}

// callID is unique for each call.
func (r *reply) callID(i int) string { return r.id + "_" + strconv.Itoa(i) }

type ending int

const (
	finished ending = iota
	refused
	called
	tooLong
)

// event is one event of a stream. Those of Chat Completions have no name.
type event struct {
	name string
	data any
}

func bearer(h http.Header) string {
	if key, ok := strings.CutPrefix(h.Get("Authorization"), "Bearer "); ok {
		return key
	}
	return ""
}

// verifyCommon checks the rules of both APIs. A key that begins with "bad" is a wrong one.
func verifyCommon(r *http.Request, key string, in *input, keyless bool) (int, []string) {
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
		return http.StatusBadRequest, []string{"The request body is not valid JSON: " + in.err.Error()}
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

// errorTypes are the names of the Messages API for statuses.
var errorTypes = map[int]string{400: "invalid_request_error", 401: "authentication_error", 402: "billing_error",
	403: "permission_error",
	404: "not_found_error", 405: "invalid_request_error", 408: "timeout_error", 413: "request_too_large",
	415: "invalid_request_error",
	429: "rate_limit_error", 504: "timeout_error", 529: "overloaded_error"}

func errorType(status int) string {
	if name := errorTypes[status]; name != "" {
		return name
	}
	return "api_error"
}
