package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// content is one of the contents of a request to Gemini.
type content struct {
	Role  string            `json:"role"`
	Parts []json.RawMessage `json:"parts"`
}

// part is the members of a part that the rules are about.
type part struct {
	Call      *function `json:"functionCall"`
	Response  *function `json:"functionResponse"`
	Signature string    `json:"thoughtSignature"`
}

type function struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// geminiMembers are the members that the API knows; it refuses any other.
var geminiMembers = map[string]string{
	"": "contents tools toolConfig safetySettings systemInstruction generationConfig cachedContent labels " +
		"serviceTier store",
	"part": "text thought thoughtSignature functionCall functionResponse inlineData fileData executableCode " +
		"codeExecutionResult videoMetadata mediaResolution partMetadata toolCall toolResponse",
	"functionCall":     "id name args partialArgs willContinue",
	"functionResponse": "id name response parts scheduling willContinue",
}

// unknownMember returns the error for a member that the API does not know, at a path; "" if there is none.
func unknownMember(kind, at string, raw json.RawMessage) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return "Invalid value at '" + at + "'"
	}
	for name, value := range members {
		if !strings.Contains(" "+geminiMembers[kind]+" ", " "+name+" ") {
			return fmt.Sprintf("Invalid JSON payload received. Unknown name %q at '%s': Cannot find field.", name, at)
		}
		if _, inner := geminiMembers[name]; inner && kind == "part" {
			if problem := unknownMember(name, at+"."+name, value); problem != "" {
				return problem
			}
		}
	}
	return ""
}

// isGemini reports a path of Gemini's API: /v1beta/models/{model}:generateContent, or the same with a stream.
func isGemini(path string) bool {
	_, method, ok := strings.Cut(path, ":")
	return ok && strings.Contains(path, "/models/") && (method == "generateContent" || method == "streamGenerateContent")
}

// readGemini reads the members of Gemini's API: each content becomes a message with its parts as blocks.
func (in *input) readGemini() {
	_, name, _ := strings.Cut(in.path, "/models/")
	name, method, _ := strings.Cut(name, ":")
	in.Model, in.Stream = name, method == "streamGenerateContent"
	var system content
	if raw := in.fields["systemInstruction"]; len(raw) > 0 && json.Unmarshal(raw, &system) == nil {
		in.System = marshal(system.Parts)
	}
	if in.err = json.Unmarshal(in.fields["contents"], &in.contents); in.err != nil {
		return
	}
	for _, c := range in.contents {
		role := map[string]string{"model": "assistant"}[c.Role]
		if role == "" {
			role = "user"
		}
		in.Messages = append(in.Messages, inputMessage{Role: role, Content: marshal(c.Parts)})
	}
	var generation struct {
		Thinking struct {
			Include bool `json:"includeThoughts"`
		} `json:"thinkingConfig"`
	}
	if json.Unmarshal(in.fields["generationConfig"], &generation) == nil && generation.Thinking.Include {
		in.Thinking.Type = "enabled"
	}
}

const (
	callOrder = "Please ensure that function call turn comes immediately after a user turn or after a function response " +
		"turn."
	callCount = "Please ensure that the number of function response parts is equal to the number of function call parts " +
		"of the function call turn."
	noSignature = "Function call is missing a thought_signature in functionCall parts. This is required for tools to " +
		"work correctly, and missing thought_signature may lead to degraded model performance."
)

// refusedContents returns why Gemini refuses the contents, in its words.
func (in *input) refusedContents() []string {
	if len(in.contents) == 0 {
		return []string{"* GenerateContentRequest.contents: contents is not specified"}
	}
	turn, all := 0, make([][]part, len(in.contents)) // turn: the first content of the current turn
	for i, c := range in.contents {
		at := fmt.Sprintf("contents[%d]", i)
		if c.Role != "user" && c.Role != "model" && (c.Role != "" || len(in.contents) > 1) {
			return []string{"Please use a valid role: user, model."}
		}
		if len(c.Parts) == 0 {
			return []string{"* GenerateContentRequest." + at + ".parts: contents.parts must not be empty."}
		}
		for k, raw := range c.Parts {
			path := fmt.Sprintf("%s.parts[%d]", at, k)
			if problem := unknownMember("part", path, raw); problem != "" {
				return []string{problem}
			}
			var p part
			if json.Unmarshal(raw, &p) != nil {
				return []string{"Invalid value at '" + path + "'"}
			}
			if string(raw) == "{}" {
				return []string{"* GenerateContentRequest." + path + ".data: required oneof field 'data' must have one " +
					"initialized field"}
			}
			if all[i] = append(all[i], p); c.Role != "model" && p.Response == nil {
				turn = i
			}
		}
	}
	var open []function
	for i, parts := range all {
		calls, responses := functions(parts)
		if len(calls) > 0 && (i == 0 || in.contents[i].Role != "model" || in.contents[i-1].Role == "model") {
			return []string{callOrder}
		}
		next := i + 1
		if len(open) > len(responses) && len(responses) == len(parts) && next < len(all) &&
			in.contents[next].Role != "model" {
			if more, rest := functions(all[next]); len(more) == 0 && len(rest) == len(all[next]) {
				all[next] = append(parts[:len(parts):len(parts)], all[next]...) // parallel responses may be apart
				continue
			}
		}
		if !answers(open, responses) {
			return []string{callCount}
		}
		if open = calls; len(calls) > 0 && i > turn && strings.HasPrefix(in.Model, "gemini-3") && !isSigned(parts) {
			return []string{noSignature}
		}
	}
	if len(open) > 0 {
		return []string{callCount}
	}
	return nil
}

func functions(parts []part) (calls, responses []function) {
	for _, p := range parts {
		if p.Call != nil {
			calls = append(calls, *p.Call)
		}
		if p.Response != nil {
			responses = append(responses, *p.Response)
		}
	}
	return calls, responses
}

// answers reports whether each call has one response, by its id, or by its name if the response has no id.
func answers(calls, responses []function) bool {
	if len(calls) != len(responses) {
		return false
	}
	left := append([]function(nil), calls...)
	for _, r := range responses {
		found := -1
		for i, c := range left {
			if c.Name == r.Name && (r.ID == "" || c.ID == r.ID) {
				found = i
				break
			}
		}
		if found < 0 {
			return false
		}
		left = append(left[:found], left[found+1:]...)
	}
	return true
}

// isSigned reports whether the first call of a step has a signature.
func isSigned(parts []part) bool {
	for _, p := range parts {
		if p.Call != nil {
			return p.Signature != ""
		}
	}
	return true
}

var geminiStatuses = map[int]string{400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED",
	404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED"}

// geminiAPI is Google's generateContent and streamGenerateContent.
var geminiAPI = protocol{
	automatic: true,
	key:       func(h http.Header) string { return h.Get("X-Goog-Api-Key") },
	read:      (*input).readGemini,
	verify: func(r *http.Request, key string, in *input, keyless bool) (int, []string) {
		status, problems := verifyCommon(r, key, in, keyless)
		if status != http.StatusBadRequest || in.err != nil {
			return status, problems
		}
		if problem := unknownMember("", "", marshal(in.fields)); problem != "" {
			return status, []string{problem}
		}
		return status, in.refusedContents()
	},
	tooLong: func(size, window int) string {
		return fmt.Sprintf("The input token count (%d) exceeds the maximum number of tokens allowed (%d).", size, window)
	},
	err: func(status int, message string) any {
		name := geminiStatuses[status]
		if name == "" {
			name = "INTERNAL"
		}
		return object{"error": object{"code": status, "message": message, "status": name}}
	},
	answer: func(r reply) any { return geminiBody(&r, r.parts(), true) },
	stream: func(r reply) []event {
		if r.failed != "" {
			return []event{{data: object{"error": object{"code": 400, "message": r.failed, "status": "INVALID_ARGUMENT"}}}}
		}
		parts := r.parts()
		var events []event
		for i, p := range parts {
			events = append(events, event{data: geminiBody(&r, []any{p}, i == len(parts)-1)})
		}
		if len(parts) == 0 {
			events = append(events, event{data: geminiBody(&r, nil, true)})
		}
		return events
	},
}

// parts are those of the answer: thinking, text, calls. The first call is signed, a text without calls too.
func (r *reply) parts() []any {
	parts := []any{}
	if r.thinking != "" {
		parts = append(parts, object{"text": r.thinking, "thought": true})
	}
	sign := func(p object, signed bool) {
		if signed {
			p["thoughtSignature"] = "c2ln"
		}
		parts = append(parts, p)
	}
	if r.text != "" {
		sign(object{"text": r.text}, len(r.calls) == 0)
	}
	for i, c := range r.calls {
		sign(object{"functionCall": object{"id": "call_" + r.callID(i), "name": c.Tool, "args": c.Input}}, i == 0)
	}
	return parts
}

func geminiBody(r *reply, parts []any, last bool) object {
	candidate := object{"index": 0}
	if r.ending != refused && len(parts) > 0 {
		candidate["content"] = object{"role": "model", "parts": parts}
	}
	if last {
		candidate["finishReason"] = [...]string{finished: "STOP", refused: "SAFETY", called: "STOP",
			tooLong: "MAX_TOKENS"}[r.ending]
	}
	return object{"candidates": []any{candidate}, "modelVersion": r.model, "responseId": "resp_" + r.id,
		"usageMetadata": object{"promptTokenCount": r.in, "cachedContentTokenCount": r.read,
			"candidatesTokenCount": r.out, "totalTokenCount": r.in + r.out}}
}
