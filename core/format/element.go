package format

import "tamp/core/internal/rawjson"

// element is what the signs of an element of the list are read from.
type element struct {
	role, kind, id string // id: the name of the last member that names a call
	other          shapes // whose member it has, if it has a role

	content, parts, calls, inner, data, text                            rawjson.Value
	named, images, toolName, info, camelCase, hasID, isTimed, isRequest bool
}

// memberSigns are members of one shape: decisive ones, and those that are so only next to a role. kind is that of the
// value, 0 for any.
var memberSigns = [...]struct {
	name     string
	kind     byte
	of       shapes
	withRole bool
}{
	{name: "toolInvocations", of: isAISDKUI},
	{name: "blocks", of: isLlamaIndex},
	{name: "segments", of: isZed},
	{name: "contents", kind: '[', of: isMicrosoft},
	{name: "payload", kind: '{', of: isCodex},
	{name: "additional_kwargs", of: isLlamaIndex, withRole: true},
	{name: "items", of: isMicrosoft, withRole: true},
	{name: "content_type", of: isMicrosoft, withRole: true},
	{name: "tool_responses", of: isMicrosoft, withRole: true},
	{name: "tool_results", of: isCohere, withRole: true},
}

// element reads the members of an element, and their signs.
func (s *signs) element(m rawjson.Value, index *rawjson.Index) (e element) {
	for it := index.Walk(m); it.Next(); {
		switch value := it.Value; it.Name {
		case "role":
			e.role, s.messages = value.Text(), true
		case "ts": // Cline, Roo Code
			e.isTimed = value.Kind() == '0'
		case "type":
			e.kind = value.Text()
		case "content":
			e.content = value
		case "parts":
			e.parts = value
		case "id":
			e.hasID = true
		case "tool_call_id", "tool_call_ids", "toolCallId", "toolName", "callId":
			e.id = it.Name
		case "name":
			e.named = true
		case "tool_calls":
			e.calls = value
		case "function_call":
			if !value.IsNull() {
				s.addShapes(isOpenAI)
			}
		case "message":
			e.inner = value
		case "requestId":
			e.isRequest = true
		case "text":
			e.text = value
		case "data", "kwargs":
			e.data = value
		case "tool_name":
			e.toolName = true
		case "images":
			e.images = value.Kind() == '['
		case "info":
			e.info = value.Kind() == '{'
		case "toolCalls":
			e.camelCase = value.Kind() == '['
		case "options":
			if value.Member("toolCall") != nil || value.Member("toolResult") != nil {
				e.other = isLlamaIndex
			}
		default:
			s.member(&e, it.Name, value.Kind())
		}
	}
	return e
}

func (s *signs) member(e *element, name string, kind byte) {
	for i := range memberSigns {
		switch row := &memberSigns[i]; {
		case row.kind != 0 && row.kind != kind || row.name != name:
		case row.withRole:
			e.other = row.of
		default:
			s.addShapes(row.of)
		}
	}
}

// elementSigns are the shapes of elements, in the order in which they are tried: the first that fits is that of the
// element.
var elementSigns = [...]struct {
	of   shapes
	fits func(e *element) bool
}{
	{isLangChain, func(e *element) bool { return e.role == "human" || e.role == "ai" }},
	{isMisnamed, func(e *element) bool {
		return e.role != "" && e.text.Kind() == '"' && e.content == nil && e.parts == nil && e.calls == nil
	}},
	{isMistral, func(e *element) bool {
		return oneOf("message.input|message.output|function.call|function.result|tool.execution", e.kind)
	}},
	{isCohere, func(e *element) bool { return e.role != "" && e.inner.Kind() == '"' && e.content == nil }},
	{isSmolagents, func(e *element) bool { return oneOf("tool-call|tool-response", e.role) }},
	{isGenkit, func(e *element) bool { return e.role == "model" && e.content != nil && e.parts == nil }},
	{isInteractions, func(e *element) bool { return oneOf("user_input|model_output|function_result|thought", e.kind) }},
	{isAgentsSDK, func(e *element) bool {
		return e.role == "" && (e.id == "callId" || e.kind == "function_call_result")
	}},
	{isResponses, func(e *element) bool { return e.role == "" && oneOf(itemTypes, e.kind) }},
	{isLangChain, func(e *element) bool {
		return e.role == "" && oneOf("human|ai|system|tool|constructor|function", e.kind) &&
			(e.data != nil || e.content != nil)
	}},
	{isClaudeCode, func(e *element) bool {
		return e.role == "" && oneOf("user|assistant", e.kind) && e.inner.Kind() == '{'
	}},
	{isVSCode, func(e *element) bool { return e.role == "" && e.isRequest && e.inner != nil }},
	{isGeminiCLI, func(e *element) bool { return e.role == "" && oneOf("user|gemini", e.kind) && e.content != nil }},
	{isOpenCode, func(e *element) bool { return e.info && e.parts.Kind() == '[' }},
	{isPi, func(e *element) bool {
		return oneOf("toolResult|bashExecution|branchSummary|compactionSummary", e.role)
	}},
	{isGemini, func(e *element) bool { return e.role == "model" }},
	{isMistral, func(e *element) bool {
		return e.role != "" && e.camelCase || e.role == "tool" && e.id == "toolCallId" && e.content.Kind() == '"'
	}},
	{isOpenAI, func(e *element) bool {
		return e.role == "function" && e.parts == nil || e.role == "tool" && (e.id == "tool_call_id" || e.named)
	}},
}

// shape returns that of an element, 0 if none fits.
func (e *element) shape() shapes {
	for i := range elementSigns {
		if elementSigns[i].fits(e) {
			return elementSigns[i].of
		}
	}
	return 0
}
