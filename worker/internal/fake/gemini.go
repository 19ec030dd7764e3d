package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"tamp/core/msg"
)

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

// badParts returns errors for parts with a member that the API does not know.
func (in *input) badParts() (problems []string) {
	for i, c := range in.contents {
		for k, raw := range c.Parts {
			path := fmt.Sprintf("contents[%d].parts[%d]", i, k)
			if problem := unknownMember("part", path, raw); problem != "" {
				problems = append(problems, problem)
			}
		}
	}
	return problems
}

var geminiStatuses = map[int]string{400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED",
	404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED"}

// geminiAPI is Google's generateContent and streamGenerateContent.
var geminiAPI = protocol{
	automatic: true,
	late:      true,
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
		return status, append(in.badParts(), in.broken(msg.Gemini)...)
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
