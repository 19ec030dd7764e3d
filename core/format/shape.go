package format

import (
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// The signs by which a shape of history is recognized. A shape is a format of the table, or one that has no codec and
// is refused by name.
//
//   - A sign is decisive if no other shape has it: a role, a member or a part type. Any decisive sign of a shape
//     without a codec, or of a format other than the requested one, refuses the input: one foreign message is enough to
//     make the pairs of the others wrong.
//   - A sign is a hint if other shapes can have it too. Hints decide only where nothing is decisive.
//   - Content is never read for signs, only roles, member names and types.

// shapes is a set of shapes, by their place in the table.
type shapes uint64

const (
	isAnthropic shapes = 1 << iota
	isOpenAI
	isResponses
	isGemini
	isAISDK
	isAISDKUI
	isClaudeCode
	isCodex
	isPi
	isGeminiCLI
	isOpenCode
	isCline
	isQwen
	isKimi
	isCopilot
	isAider
	isVSCode
	isKimiCode
	isGrok
	isCrush
	isInteractions
	isBedrock
	isLangChain
	isOllama
	isAgentsSDK
	isGoose
	isAmp
	isLlamaIndex
	isZed
	isPydantic
	isCrushRows
	isDroid
	isMistral
	isMicrosoft
	isCohere
	isSmolagents
	isGenkit
	isHaystack
	isA2A
	isVSCodeLog
	isCursor
	isSpans
	isLetta
	isOpenHands
	isFlatCalls
	isMisnamed // the text of its messages is not in content
	isMixed

	anyShape = ^shapes(0)
)

// signs are the signs found in one input.
type signs struct {
	messages bool   // at least one element looks like a message
	first    shapes // the first decisive sign
	decisive shapes
	hints    shapes
	isCline  bool // a message has a time
}

func (s *signs) addShapes(of shapes) {
	if s.decisive |= of; s.first == 0 {
		s.first = of
	}
}

// foreign returns the shapes that are neither Anthropic's nor OpenAI's, with isMixed if there are signs of several
// shapes with a codec and none of another one: calls of the one would not be seen in the format of the other.
func (s *signs) foreign() shapes {
	if s.isCline && s.decisive&^isAnthropic == 0 {
		return isCline
	}
	found := s.decisive &^ (isAnthropic | isOpenAI)
	if s.decisive < isBedrock && s.decisive&(s.decisive-1) != 0 {
		found |= isMixed
	}
	return found
}

// partSigns has the decisive part types of content arrays but those of Anthropic (msg.BlockTypeOf), and, after the
// slash, the names of members that stand for a type in shapes without one.
var partSigns = [...]struct {
	of    shapes
	types string
}{
	{isResponses, "input_text|output_text|input_image|input_file|summary_text|reasoning_text"},
	{isAISDK, "tool-call|tool-result|tool-approval-request|tool-approval-response|reasoning|redacted-reasoning"},
	{isPi, "toolCall"},
	{isBedrock, "toolUse|toolResult|/toolUse|/toolResult|/cachePoint|/reasoningContent|/text|/image|/document|/video|" +
		"/guardContent|/citationsContent"},
	{isGemini, "/functionCall|/functionResponse|/inlineData"},
	{isGoose, "toolRequest|toolResponse|frontendToolRequest"},
	{isGenkit, "function_call|function_result|/toolRequest|/toolResponse"},
	{isLangChain, "tool_call|invalid_tool_call"},
	{isHaystack, "/tool_call|/tool_call_result"},
}

// openAIHints are the part types that OpenAI has and others could have.
const openAIHints = "image_url|input_audio|file|refusal"

// itemTypes are the types of the elements of a Responses input that have no role.
const itemTypes = "reasoning|function_call|function_call_output|custom_tool_call|custom_tool_call_output|" +
	"item_reference|local_shell_call|local_shell_call_output|shell_call|shell_call_output|apply_patch_call|" +
	"apply_patch_call_output|computer_call|computer_call_output|mcp_call|mcp_list_tools|mcp_approval_request|" +
	"mcp_approval_response|web_search_call|file_search_call|code_interpreter_call|image_generation_call|" +
	"tool_search_call|tool_search_output|compaction|context_compaction|compaction_summary|program|program_output|" +
	"configuration_update|additional_tools|compaction_trigger"

// oneOf reports whether list, names with "|" between them, has name.
func oneOf(list, name string) bool {
	for more := true; more; {
		var entry string
		if entry, list, more = strings.Cut(list, "|"); entry == name {
			return name != ""
		}
	}
	return false
}

// signsOf reads the signs of a document: its members, and each element of its list.
func signsOf(d *document.Document, list rawjson.Value) (s signs) {
	if d.Top.Kind() == '{' {
		s.body(d)
	}
	for it := d.Index.Items(list); it.Next(); {
		s.message(it.Value, d.Index)
	}
	if s.decisive&isInteractions != 0 { // its input and its calls have names of Responses
		if s.decisive &^= isResponses; s.first == isResponses {
			s.first = isInteractions
		}
	}
	return s
}

// body reads the members next to the list of messages.
func (s *signs) body(d *document.Document) {
	switch f := &d.Fields; {
	case f.Messages != nil:
		members, info := 0, false
		for it := d.Index.Walk(d.Top); it.Next(); { // with the index: each lookup by name would read all messages
			members++
			switch it.Name {
			case "agent_type", "message_ids", "core_memory":
				s.addShapes(isLetta)
			case "model":
				if isOpenAIModel(it.Value.Text()) { // a hint: its messages can be those of any API
					s.hints |= isOpenAI
				}
			case "inferenceConfig", "toolConfig", "modelId", "additionalModelRequestFields":
				s.addShapes(isBedrock)
			case "info":
				info = it.Value.Kind() == '{'
				if it.Value.Member("id") != nil { // else mini-swe-agent's, next to Chat Completions
					s.hints |= isOpenCode
				}
			}
		}
		if info && members == 2 && f.Messages.Kind() == '[' {
			s.hints |= isOpenCode // before its first message; else a message decides
			if it := f.Messages.Items(); it.Next() {
				s.hints &^= isOpenCode
			}
		}
		if f.Tools.Kind() == '{' {
			s.addShapes(isAISDK) // the others have a list
		}
		if !f.System.IsNull() {
			s.hints |= isAnthropic
		}
		if tools := f.Tools.List(); len(tools) > 0 {
			if tools[0].Member("input_schema") != nil {
				s.hints |= isAnthropic
			} else if tools[0].Member("function") != nil || tools[0].Member("custom") != nil {
				s.hints |= isOpenAI
			}
		}
	case f.Input != nil:
		it := f.Input.Items()
		if it.Next() && oneOf("text|image|audio|video|document", it.Value.Member("type").Text()) {
			s.addShapes(isInteractions)
		}
		s.addShapes(isResponses)
	case f.Contents != nil:
		s.addShapes(isGemini)
	case f.Requests != nil:
		s.addShapes(isVSCode)
	}
}

// message reads the signs of one element of the list.
func (s *signs) message(m rawjson.Value, index *rawjson.Index) {
	s.log(m, index)
	e := s.element(m, index)
	if oneOf("user|assistant", e.role) && e.inner.Kind() == '{' && e.content == nil && e.parts == nil {
		s.addShapes(isCursor)
		return
	}
	switch s.isCline = s.isCline || e.isTimed && e.role != ""; {
	case e.isTimed && e.role == "" && e.kind == "reasoning": // of OpenAI, sealed
	case e.role != "" && e.other != 0:
		s.addShapes(e.other)
	default:
		if of := e.shape(); of == isInteractions {
			s.addShapes(of)
			return
		} else if of == isGeminiCLI { // whose parts are Gemini's, and whose messages have no role
			s.addShapes(of)
			s.messages = true
			return
		} else if of != 0 {
			s.addShapes(of)
		} else if e.parts.Kind() == '[' && (e.content == nil || e.role != "") { // with content: UIMessage[] of version 4
			s.parts(e.parts, e.hasID || e.role == "assistant")
		} else if e.images || e.role == "tool" && e.toolName && e.id == "" {
			s.addShapes(isOllama)
		}
	}
	s.calls(e.calls)
	s.content(e.content, index, e.isTimed)
	if e.role == "tool" { // a result without an id, which some logs have; the AI SDK has this role, too
		s.hints |= isOpenAI
	}
}

// calls reads the signs of tool_calls. A call whose arguments are an object and which has no id is Ollama's, one with
// args LangChain's.
func (s *signs) calls(calls rawjson.Value) {
	if calls.IsNull() {
		return
	}
	for _, call := range calls.List() {
		switch {
		case call.Member("id") == nil && call.Member("function").Member("arguments").Kind() == '{':
			s.addShapes(isOllama)
			return
		case call.Member("args") != nil:
			s.addShapes(isLangChain)
			return
		case call.Member("function").Kind() == '"',
			call.Member("function") == nil && call.Member("name") != nil && call.Member("arguments") != nil:
			s.addShapes(isFlatCalls)
			return
		}
	}
	s.addShapes(isOpenAI)
}

// parts reads the member parts of a message without content: Gemini's parts have no type. isUI says whose an empty list
// is.
func (s *signs) parts(parts rawjson.Value, isUI bool) {
	list := parts.List()
	if isUI && len(list) == 0 {
		s.addShapes(isAISDKUI)
		return
	}
	for _, part := range list {
		switch kind := part.Member("type"); {
		case part.Member("data").Kind() == '{' && kind != nil && !strings.HasPrefix(kind.Text(), "data-"):
			s.addShapes(isCrushRows)
		case kind != nil && list[len(list)-1].Member("type").Text() == "finish": // the end of a message of Crush
			s.addShapes(isCrush)
		case part.Member("part_kind") != nil:
			s.addShapes(isPydantic)
		case kind == nil && part.Member("kind") != nil, part.Member("content") != nil && part.Member("text") == nil,
			oneOf("tool_call|tool_call_response", kind.Text()) && part.Member("data") == nil:
			s.addShapes(isA2A)
		case kind == nil:
			continue
		default:
			s.addShapes(isAISDKUI)
		}
		return
	}
	s.addShapes(isGemini)
}

// content reads the types of the parts of a content array. Roo Code has the AI SDK's reasoning in messages with a time.
func (s *signs) content(content rawjson.Value, index *rawjson.Index, isTimed bool) {
	for items := index.Items(content); items.Next(); {
		part, kind, media := items.Value, "", ""
		for it := index.Walk(part); it.Next(); {
			name, value := it.Name, it.Value
			switch name {
			case "type":
				kind = value.Text()
			case "image", "data":
				media = name
			case "toolUseID":
				s.addShapes(isAmp)
			case "providerOptions":
				s.addShapes(isAISDK)
			}
		}
		switch {
		case media == "image" && kind == "image" || media != "" && kind == "file":
			s.addShapes(isAISDK)
		case media != "" && kind == "image":
			s.addShapes(isPi)
		}
		if kind == "" {
			s.untyped(part, index)
			continue
		}
		for i := range partSigns {
			if oneOf(partSigns[i].types, kind) && !(isTimed && kind == "reasoning") {
				s.addShapes(partSigns[i].of)
			}
		}
		switch t, _ := msg.BlockTypeOf(kind); {
		case oneOf(openAIHints, kind):
			s.hints |= isOpenAI
		case !t.Server && (t.Kind == msg.KindToolUse || t.Kind == msg.KindToolResult):
			s.addShapes(isAnthropic)
		case t.Kind != msg.KindOther && t.Kind != msg.KindText: // a type that others could have
			s.hints |= isAnthropic
		}
	}
}

// untyped reads the signs of a part without a type: the names of its members.
func (s *signs) untyped(part rawjson.Value, index *rawjson.Index) {
	for it := index.Walk(part); it.Next(); {
		name := it.Name
		for i := range partSigns {
			if oneOf(partSigns[i].types, "/"+name) {
				s.addShapes(partSigns[i].of)
			}
		}
	}
}

// log reads the signs of an element that is a record of a program, not a message.
func (s *signs) log(m rawjson.Value, index *rawjson.Index) {
	source, event, span := "", false, 0
	for it := index.Walk(m); it.Next(); {
		switch it.Name {
		case "role":
			return
		case "traceId", "spanId", "trace_id", "span_id":
			span++
		case "message_type":
			if strings.HasSuffix(it.Value.Text(), "_message") {
				s.addShapes(isLetta)
			}
		case "source":
			source = it.Value.Text()
		case "action", "observation":
			event = event || it.Value.Kind() == '"'
		case "kind":
			event = event || strings.HasSuffix(it.Value.Text(), "Event")
		}
	}
	switch {
	case span >= 2:
		s.addShapes(isSpans)
	case event && oneOf("user|agent|environment", source):
		s.addShapes(isOpenHands)
	}
}
