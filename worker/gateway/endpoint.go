package gateway

import (
	"net/http"
	"net/url"
	"strings"

	"tamp/core/msg"
)

// endpoint is a path whose body has a history.
type endpoint struct {
	suffix, format string
	counts         bool   // counts tokens instead of calling a model
	plain          bool   // of plain upstreams only
	under          string // the path names the model, which this part precedes

	model, key string // of this request: the model of its path, and the key of its query (Gemini)
}

const compactPath = "/responses/compact"

var endpoints = [...]endpoint{
	{suffix: "/v1/messages", format: msg.Anthropic},
	{suffix: "/messages/count_tokens", format: msg.Anthropic, counts: true},
	{suffix: "/chat/completions", format: msg.OpenAIChat},
	{suffix: "/responses", format: msg.OpenAIResponses},
	{suffix: "/responses/input_tokens", format: msg.OpenAIResponses, counts: true},
	{suffix: compactPath, format: msg.OpenAIResponses, plain: true},
	{suffix: ":generateContent", format: msg.Gemini, under: "/"},
	{suffix: ":streamGenerateContent", format: msg.Gemini, under: "/"},
	{suffix: "/interactions", format: msg.Interactions},
	{suffix: ":countTokens", format: msg.Gemini, counts: true, under: "/"},
	{suffix: ":rawPredict", format: msg.Anthropic, under: "/publishers/anthropic/models/"},
	{suffix: ":streamRawPredict", format: msg.Anthropic, under: "/publishers/anthropic/models/"},
	{suffix: "/invoke", format: msg.Anthropic, under: bedrockModels},
	{suffix: "/invoke-with-response-stream", format: msg.Anthropic, under: bedrockModels},
}

// bedrockModels precedes the model in a path of Bedrock's InvokeModel, which has no header for values of
// anthropic-beta: its body has them. Models of other vendors have other bodies there.
const bedrockModels = "/model/"

// endpointOf returns the endpoint of a request, nil if its body is forwarded unread.
func endpointOf(method, rest string, plain bool) *endpoint {
	if method != http.MethodPost {
		return nil
	}
	for _, e := range endpoints {
		path, found := strings.CutSuffix(rest, e.suffix)
		if !found || e.plain && !plain {
			continue
		}
		if e.under != "" { // …/models/{model}:generateContent
			start := strings.LastIndexByte(path, '/') + 1
			if !strings.HasSuffix(path[:start], e.under) {
				continue
			}
			if model, err := url.PathUnescape(path[start:]); err == nil {
				e.model = model
			}
			if e.model == "count-tokens" { // of Vertex: the body names the model
				e.model, e.counts = "", true
			}
		}
		return &e
	}
	return nil
}

// with returns the endpoint with the key that a query has.
func (e *endpoint) with(query url.Values) *endpoint {
	if e != nil {
		e.key = query.Get("key")
	}
	return e
}

// unread is why a request to a path without an endpoint is forwarded unread.
func unread(method string) string {
	if method == http.MethodPost {
		return reasonUnknown
	}
	return reasonNoHistory
}
