package responses

import (
	"slices"
	"strings"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// itemType describes a type of call or output by the members that differ between them.
type itemType struct {
	suffix   string // of the type
	id       string // the member that has the id of the call
	body     string // the member that has the input or the output
	isOutput bool
}

// itemTypes are matched in order. A type that no row names but that ends alike, and has a call_id, is read alike: the
// API gains such pairs often.
var itemTypes = [...]itemType{
	{"mcp_approval_request", "id", "arguments", false},
	{"mcp_approval_response", "approval_request_id", "reason", true},
	{"local_shell_call_output", "id", "output", true},
	{"tool_search_output", "call_id", "tools", true},
	{"program_output", "call_id", "result", true},
	{"_output", "call_id", "output", true},
	{"program", "call_id", "code", false},
	{"tool_search_call", "call_id", "arguments", false},
	{"custom_tool_call", "call_id", "input", false},
	{"function_call", "call_id", "arguments", false},
	{"apply_patch_call", "call_id", "operation", false},
	{"_call", "call_id", "action", false},
}

// The types of the items with a program, which calls tools of the client, and with its result: a call that the provider
// runs, and that spans the rounds of its calls (openai 7.57.0, ResponseInputItem.Program).
const program, programOutput = "program", "program_output"

const screenshot = "computer_screenshot" // the type of the output of a computer_call

// Link marks the asynchronous calls of messages, also those whose tool is, and the outputs that a program reads: no
// text can take their place. before are the messages before them, which were linked already.
func Link(before, messages []msg.Message, tools []msg.Block) {
	async := map[string]bool{} // by the name of a tool
	for i := range tools {
		if isAsync(&tools[i]) {
			async[tools[i].Name] = true
		}
	}
	called := map[string]bool{} // by a program
	link := func(m *msg.Message) (calls bool) {
		for i := range m.Blocks {
			switch b := &m.Blocks[i]; {
			case b.Kind == msg.KindToolUse && !b.Server:
				calls, called[b.ID] = true, b.Caller != ""
			case b.Kind == msg.KindToolResult && called[b.ID]:
				b.Server = true
			}
		}
		return calls
	}
	isResult := func(m msg.Message) bool { return m.Role == msg.Tool }
	for m := len(before) - 1; m >= 0 && slices.ContainsFunc(messages, isResult) && !link(&before[m]); m-- {
	}
	for m := range messages {
		link(&messages[m])
		for i := range messages[m].Blocks {
			if b := &messages[m].Blocks[i]; b.Kind == msg.KindToolUse {
				b.Async = async[b.Name] || isAsync(b)
			}
		}
	}
}

func isAsync(b *msg.Block) bool { return b.Raw.Member("async").IsTrue() }

// typeOf returns the row of a call or an output; nil for any other type.
func typeOf(kind string) *itemType {
	for i := range itemTypes {
		if strings.HasSuffix(kind, itemTypes[i].suffix) {
			return &itemTypes[i]
		}
	}
	return nil
}

// call reads a call. Its tool is its name, or its type where the type is the tool.
func (t *itemType) call(b *msg.Block, raw rawjson.Value, f *fields) (err error) {
	b.Kind = msg.KindToolUse
	if b.ID, err = document.Text(raw.Member(t.id), b.Path, t.id); err != nil {
		return err
	}
	if b.ID == "" && b.Type == "local_shell_call" { // older logs of Codex have it under its id only
		b.ID = raw.Member("id").Text()
	}
	if b.Name, err = document.Text(f.name, b.Path, "name"); err != nil {
		return err
	}
	if b.Name == "" {
		b.Name = strings.TrimSuffix(b.Type, "_call")
	}
	b.Bound, b.Server = b.Type != "function_call" && b.Type != "custom_tool_call", b.Type == program
	if f.caller.Kind() == '{' && !b.Server {
		b.Caller = f.caller.Member("caller_id").Text()
	}
	b.Text = block.Value(raw.Member(t.body))
	return nil
}

// result reads an output: a string, an array of parts, or any other value as its JSON.
func (t *itemType) result(b *msg.Block, raw rawjson.Value, f *fields, room *document.Room) (err error) {
	b.Kind = msg.KindToolResult
	id := f.callID
	if id.IsNull() { // older items of local_shell_call_output, and others, name the call in another member
		id = raw.Member(t.id)
	}
	if b.ID, err = document.Text(id, b.Path, "call_id"); err != nil {
		return err
	}
	body := raw.Member(t.body)
	// Only a string and an array of parts can become a text: not a screenshot, and not the streams of a shell.
	b.Server = t.body != "output" || body.Kind() != '"' && (body.Kind() != '[' || !IsParts(body))
	path := b.Path + "/" + t.body
	switch {
	case body.Member("type").Text() == screenshot:
		b.Parts = make([]msg.Block, 1)
		b.Parts[0], err = part(body, path)
		return err
	case body.Kind() == '"' || body.IsNull():
		b.Text = body.Text()
		return nil
	case t.body != "output" || body.Kind() != '[' || !IsParts(body):
		b.Text, b.Sealed = document.Legible(body)
		return nil
	}
	b.Parts, err = content(body, path, room)
	b.Text = document.Joined(b.Parts)
	return err
}

// IsParts reports whether each element of an array has a type, as the parts of an output have.
func IsParts(list rawjson.Value) bool {
	for _, e := range list.List() {
		if e.Member("type").Kind() != '"' {
			return false
		}
	}
	return true
}
