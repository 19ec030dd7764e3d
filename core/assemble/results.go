package assemble

import (
	"bytes"
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// resultOfCall is a result with its call; the call is nil if there is no conversation.
type resultOfCall struct {
	result int
	call   *msg.Block
}

// order sorts the results by their calls and returns an error for a missing, unknown or repeated result.
func (p *Parts) order() ([]resultOfCall, error) {
	index := map[string]int{}
	for i := range p.Results {
		id := p.Results[i].ToolUseID
		at := "/results/" + strconv.Itoa(i) + "/toolUseId"
		if id == "" {
			return nil, badRequest(at, "the result names no call")
		}
		if _, twice := index[id]; twice {
			return nil, badRequest(at, "the call "+clip(id)+" has a second result")
		}
		index[id] = i
	}
	if p.Conversation == nil {
		all := make([]resultOfCall, len(p.Results))
		for i := range all {
			all[i].result = i
		}
		return all, nil
	}
	var all []resultOfCall
	var missing []string
	for _, call := range Pending(p.Conversation) {
		id := call.ID
		if _, ok := index[id]; !ok && call.Type == "function_call" {
			id = call.Name // OpenAI's deprecated calls have no id
		}
		i, ok := index[id]
		if !ok && call.Async {
			continue
		}
		if !ok {
			missing = append(missing, clip(call.ID)+" ("+clip(call.Name)+")")
			continue
		}
		all = append(all, resultOfCall{i, call})
		delete(index, id)
	}
	if len(missing) > 0 {
		return nil, badRequest("/results", "no result for the call "+strings.Join(missing, ", "))
	}
	for i := range p.Results {
		if _, left := index[p.Results[i].ToolUseID]; left {
			return nil, badRequest("/results/"+strconv.Itoa(i)+"/toolUseId",
				"no pending call has the id "+clip(p.Results[i].ToolUseID))
		}
	}
	return all, nil
}

// Pending returns the calls without a result, in order, of the last run of assistant messages, and asynchronous ones
// before it. If a prompt of the user follows the run, only the latter: the conversation went on without the results.
func Pending(c *msg.Conversation) []*msg.Block {
	end, prompted := len(c.Messages), false
	for end > 0 && c.Messages[end-1].Role != msg.Assistant {
		end--
		prompted = prompted || c.Messages[end].EndsTurn()
	}
	start := end
	for !prompted && start > 0 && c.Messages[start-1].Role == msg.Assistant {
		start--
	}
	pairs := msg.Pair(c)
	var calls []*msg.Block
	for it := c.WalkIn(msg.Span{End: end}); it.Next(); {
		at, block := it.Ref, it.Block
		if block.Kind != msg.KindToolUse || block.Server || at.Message < start && !block.Async {
			continue
		}
		if _, answered := pairs.Result(at); !answered {
			calls = append(calls, block)
		}
	}
	return calls
}

// roleOf is the role of the OpenAI message for the result of a call.
func roleOf(format string, call *msg.Block) msg.Role {
	if call != nil && call.Type == "function_call" && format == msg.OpenAIChat {
		return msg.Function
	}
	return msg.Tool
}

// resultBlock makes the block of a result. String content becomes a plain block, which the codec writes; an array is
// kept as the provider's own JSON.
func resultBlock(format string, o resultOfCall, r Result) (msg.Block, error) {
	call := msg.Block{ID: r.ToolUseID} // an unknown call has only its id
	if o.call != nil {
		call = *o.call
	}
	path := "/results/" + strconv.Itoa(o.result) + "/content"
	if len(r.Content) > 0 {
		if err := msg.Validate(r.Content); err != nil {
			return msg.Block{}, badRequest(path, "the content is not JSON")
		}
	}
	content := rawjson.Value(bytes.TrimSpace(r.Content))
	switch {
	case content.IsNull():
		return msg.ResultBlock(&call, "", r.IsError), nil
	case content.Kind() == '"':
		return msg.ResultBlock(&call, content.Text(), r.IsError), nil
	case format == msg.AISDK:
		b := msg.ResultBlock(&call, string(content), r.IsError)
		b.Type, b.Raw = "tool-result", rawjson.Value(`{"type":"tool-result"}`).With("toolCallId", rawjson.Quote(call.ID)).
			With("toolName", rawjson.Quote(call.Name)).
			With("output", rawjson.Value(`{"type":"json"}`).With("value", content))
		return b, nil
	case format == msg.Gemini:
		return response(&call, content, path, r.IsError)
	case content.Kind() != '[':
		return msg.Block{}, badRequest(path, "the content must be a string or an array of blocks")
	}
	b := msg.ResultBlock(&call, "", r.IsError)
	b.Parts = []msg.Block{}
	var texts []string
	for i, element := range content.List() {
		at := path + "/" + strconv.Itoa(i)
		if element.Kind() != '{' || element.Member("type").Kind() != '"' {
			return msg.Block{}, badRequest(at, "a block of the content must be an object with a type")
		}
		part := partBlock(element)
		if part.Kind == msg.KindText {
			texts = append(texts, part.Text)
		} else if format == msg.OpenAIChat {
			return msg.Block{}, badRequest(at, "a tool message takes text only")
		}
		b.Parts = append(b.Parts, part)
	}
	b.Text = strings.Join(texts, "\n")
	b.Raw = rawResult(format, &call, content, r.IsError)
	if format == msg.OpenAIChat {
		b.Type = string(roleOf(format, o.call))
	}
	return b, nil
}

// response makes the block of a Gemini function response from an object.
func response(call *msg.Block, object rawjson.Value, path string, isError bool) (msg.Block, error) {
	if object.Kind() != '{' {
		return msg.Block{}, badRequest(path, "the content must be a string or an object")
	}
	value := rawjson.Value("{}")
	if !strings.HasPrefix(call.ID, msg.NoID) {
		value = value.With("id", rawjson.Quote(call.ID))
	}
	value = value.With("name", rawjson.Quote(call.Name)).With("response", object)
	b := msg.ResultBlock(call, string(object), isError)
	b.Raw = rawjson.Value("{}").With("functionResponse", value)
	b.Type = "functionResponse"
	return b, nil
}

// partBlock reads the members of a part that counting needs. tokens.Meter estimates an image without a known size.
func partBlock(raw rawjson.Value) msg.Block {
	b := msg.Block{Kind: msg.KindOther, Type: raw.Member("type").Text(), Raw: raw}
	switch b.Type {
	case "text", "input_text":
		b.Kind, b.Text = msg.KindText, raw.Member("text").Text()
	case "image", "input_image":
		b.Kind = msg.KindImage
	case "document", "search_result", "input_file":
		b.Kind = msg.KindDocument
	default:
		b.Text = string(raw)
	}
	return b
}

// outputType is the type of the Responses item for the result of a call.
func outputType(call *msg.Block) string {
	if b := msg.ResultBlock(call, "", false); b.Type != "tool_result" {
		return b.Type
	}
	return "function_call_output"
}

// rawResult writes a result whose content is an array.
func rawResult(format string, call *msg.Block, content rawjson.Value, isError bool) rawjson.Value {
	switch format {
	case msg.OpenAIResponses:
		return rawjson.Value("{}").With("type", rawjson.Quote(outputType(call))).With("call_id", rawjson.Quote(call.ID)).
			With("output", content)
	case msg.OpenAIChat:
		raw := rawjson.Value("{}").With("role", rawjson.Quote(string(roleOf(format, call))))
		if call.Type == "function_call" {
			raw = raw.With("name", rawjson.Quote(call.Name))
		} else {
			raw = raw.With("tool_call_id", rawjson.Quote(call.ID))
		}
		return raw.With("content", content)
	}
	raw := rawjson.Value(`{"type":"tool_result"}`).With("tool_use_id", rawjson.Quote(call.ID)).With("content", content)
	if isError {
		raw = raw.With("is_error", rawjson.Value("true"))
	}
	return raw
}
