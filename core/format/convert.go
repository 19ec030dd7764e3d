package format

import (
	"strconv"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Loss is one thing that the target format of Convert cannot hold.
type Loss struct {
	Path   string `json:"path"`   // JSON Pointer into the input
	What   string `json:"what"`   // "cache_control", "thinking", "the name of a member"
	Became string `json:"became"` // "dropped", "text", or the type of the new part
}

// maxLosses bounds the report: no reader needs more.
const maxLosses = 1000

// target describes how a request format holds what the formats have in common.
type target struct {
	name   Name
	system string // the member for the system prompt; "" if it is a message of role system
	tools  string // the member for the tools; "" if there is none
	schema string // the member of a tool for the schema of its input
	text   string // the type of a text among the parts of a tool result
	// Tool results are messages of their own, and the input of a call must be a JSON object.
	toolMessages, objects bool
}

var targets = [...]target{
	{msg.Anthropic, "system", "tools", "input_schema", "text", false, true},
	{msg.OpenAIChat, "", "tools", "parameters", "text", true, false},
	{msg.OpenAIResponses, "instructions", "tools", "parameters", "input_text", true, false},
	{msg.Gemini, "systemInstruction", "tools", "parameters", "", false, true},
	{msg.AISDK, "", "", "", "text", false, true},
}

// messageMembers and blockMembers are the members that Convert reads, or reports in another way.
const messageMembers = "role|content|parts|type|tool_calls|tool_call_id|function_call|reasoning_content|reasoning|" +
	"refusal|audio"
const blockMembers = "role|content|parts|type|text|id|call_id|tool_call_id|tool_use_id|toolCallId|toolName|name|" +
	"input|args|arguments|function|custom|functionCall|functionResponse|output|result|source|image|image_url|" +
	"inlineData|inline_data|is_error|isError|cache_control|action"

// mediaMembers are those of images and files, which are read or lost as a whole.
const mediaMembers = "|mediaType|mimeType|data|url|detail|file|filename|file_data|file_url|file_id|fileData|title|" +
	"input_audio"

// Convert returns c as a request in another format, and the losses: all that the target cannot hold. Nothing without an
// equal is guessed, and thinking and encrypted content never cross providers. The log of an agent becomes the request
// that the agent would send next; in the format of its own provider it keeps every block. At most 1,000 losses are in
// the report. If c is in the format already, the result is c.
//
// The error is unknown_format if to is not the format of a request that Convert writes.
func Convert(c *msg.Conversation, to Name) (*msg.Conversation, []Loss, error) {
	for i := range targets {
		if targets[i].name != to {
			continue
		}
		if c.Format == to {
			return c, nil, nil
		}
		v := converter{c: c, to: &targets[i], own: isOwn(c.Format, to), pairs: msg.Pair(c), ids: map[msg.Ref]string{},
			used: map[string]bool{}, joined: map[int]bool{}}
		out, err := v.convert()
		return out, v.losses, err
	}
	var names []string
	for i := range targets {
		names = append(names, targets[i].name)
	}
	return nil, nil, msg.NewError(msg.UnknownFormat, "/to", "cannot convert to "+clip(to)+": accepted are "+
		strings.Join(names, ", "))
}

// isOwn reports a log whose blocks are those of its provider's format.
func isOwn(log, to Name) bool {
	return log == msg.ClaudeCode && to == msg.Anthropic || log == msg.Codex && to == msg.OpenAIResponses
}

// converter is a Convert under way.
type converter struct {
	c      *msg.Conversation
	to     *target
	own    bool // a log whose provider takes the target format
	losses []Loss
	pairs  msg.Pairing
	ids    map[msg.Ref]string // of calls, in the target
	used   map[string]bool
	joined map[int]bool // messages that belong to the round of the message before them; see order
	system []string
	out    []msg.Message
}

func (v *converter) lose(path, what, became string) {
	if len(v.losses) < maxLosses {
		v.losses = append(v.losses, Loss{path, what, became})
	}
}

func (v *converter) convert() (*msg.Conversation, error) {
	for b := range v.c.System {
		v.system = append(v.system, v.c.System[b].Text)
		v.around(&v.c.System[b])
	}
	open := v.open()
	all, round := v.order(), 0
	for k, m := range all {
		v.message(m, &v.c.Messages[m])
		if k+1 < len(all) && v.joined[all[k+1]] {
			continue // its results follow the whole round
		}
		for ; round <= k; round++ {
			at := all[round]
			v.interrupted(at, &v.c.Messages[at], at >= open)
		}
	}
	v.opening()
	if v.to.name == msg.Anthropic {
		v.placeSystem()
	}
	made, err := Parse(v.body(), v.to.name)
	if err != nil {
		return nil, err
	}
	return made.WithMessages(append(made.Messages, v.out...)), nil
}

// body returns the request without messages: the bare list if there is nothing next to it.
func (v *converter) body() rawjson.Value {
	row := findRow(v.to.name)
	v.fields()
	system := strings.Join(v.system, "\n\n")
	if system != "" && v.to.system == "" {
		first := msg.TextMessage(msg.System, system)
		v.out = append([]msg.Message{first}, v.out...)
	}
	if v.to.tools == "" {
		for i := range v.c.Tools {
			v.lose(v.c.Tools[i].Path, "the tool "+v.c.Tools[i].Name, "dropped")
		}
	}
	if v.to.system == "" && (v.to.tools == "" || len(v.c.Tools) == 0) || system == "" && len(v.c.Tools) == 0 {
		return rawjson.Value("[]")
	}
	body := rawjson.Value("{}")
	if system != "" && v.to.system != "" {
		prompt := rawjson.Quote(system)
		if v.to.name == msg.Gemini {
			prompt = fill(`{"parts":[{"text":$0}]}`, system)
		}
		body = body.With(v.to.system, prompt)
	}
	if tools := v.tools(); len(tools) > 0 {
		body = body.With(v.to.tools, tools)
	}
	return body.With(row.list, rawjson.Value("[]"))
}

// fields reports the members of a request body that the result does not have.
func (v *converter) fields() {
	d, ok := v.c.Origin.(*document.Document)
	if !ok || d.Bare() {
		return
	}
	for it := d.Top.Walk(); it.Next(); {
		name, value := it.Name, it.Value
		switch name {
		case d.Prefix[1:], "system", "instructions", "systemInstruction", "system_instruction", "tools":
		default:
			if !value.IsNull() {
				v.lose("/"+name, name, "dropped")
			}
		}
	}
}

// tools returns the definitions of the functions. Tools that the provider runs have no equal.
func (v *converter) tools() rawjson.Value {
	var list []rawjson.Value
	for i := range v.c.Tools {
		tool := &v.c.Tools[i]
		raw := tool.Raw
		if inner := raw.Member("function"); inner.Kind() == '{' {
			raw = inner
		}
		var schema rawjson.Value
		for _, name := range [...]string{"input_schema", "parameters", "inputSchema", "parametersJsonSchema"} {
			if value := raw.Member(name); value.Kind() == '{' {
				schema = value
			}
		}
		if schema == nil || tool.Name == "" {
			v.lose(tool.Path, "the tool "+tool.Name, "dropped")
			continue
		}
		made := fill(`{"name":$0}`, v.name(tool.Path, tool.Name))
		if about := raw.Member("description"); about.Kind() == '"' {
			made = made.With("description", about)
		}
		made = made.With(v.to.schema, schema)
		switch v.to.name {
		case msg.OpenAIChat:
			made = rawjson.Value(`{"type":"function"}`).With("function", made)
		case msg.OpenAIResponses:
			made = made.With("type", rawjson.Value(`"function"`))
		}
		list = append(list, made)
	}
	if len(list) == 0 {
		return nil
	}
	all := rawjson.Value("[]").WithElements(list)
	if v.to.name == msg.Gemini {
		return append(append(rawjson.Value(`[{"functionDeclarations":`), all...), `}]`...)
	}
	return all
}

// ownMessage returns the message of a log as the provider gets it: the same blocks, without the line around them.
func ownMessage(m *msg.Message) msg.Message {
	if isRun(m) {
		made := *m
		made.Raw, made.Lines, made.Blocks = unmarked(m.Raw), nil, append([]msg.Block(nil), m.Blocks...)
		for _, line := range m.Lines {
			made.Lines = append(made.Lines, unmarked(line))
		}
		for b := range made.Blocks {
			made.Blocks[b].Raw = unmarked(made.Blocks[b].Raw)
		}
		return made
	}
	made := msg.Message{Role: m.Role, Changed: true}
	for _, b := range m.Blocks {
		if b.Path = ""; b.Kind != msg.KindText || strings.TrimSpace(b.Text) != "" { // Claude Code leaves out white space
			made.Blocks = append(made.Blocks, b)
		}
	}
	return made
}

// unmarked returns an item of Codex without what Codex notes in it for itself: no request has this.
func unmarked(item rawjson.Value) rawjson.Value {
	if item.Kind() != '{' {
		return item
	}
	return item.Without("internal_chat_message_metadata_passthrough")
}

// around reports what a block has next to its content.
func (v *converter) around(b *msg.Block) {
	v.members(b.Path, blockMembers, b)
	if b.Cache != nil {
		v.lose(b.Path, "cache_control", "dropped")
	}
}

// ofClient reports a result of a call that the client runs, which only has a form of its own.
func (v *converter) ofClient(at msg.Ref, b *msg.Block) bool {
	call, paired := v.pairs.Call(at)
	return b.Kind == msg.KindToolResult && paired && !v.c.At(call).Server
}

// id returns the id of a call in the target. An id that is only the name of the tool, has characters or a length that a
// provider refuses or is another call's too becomes a new one.
func (v *converter) id(call msg.Ref, b *msg.Block) string {
	longest := 64
	if v.to.name == msg.OpenAIChat {
		longest = 40
	}
	valid := b.ID != "" && len(b.ID) <= longest && strings.IndexFunc(b.ID, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	}) < 0
	made, found := v.ids[call]
	if !found && valid && !v.used[b.ID] {
		v.used[b.ID], v.ids[call] = true, b.ID
		return b.ID
	}
	if !found {
		made = "call_made_" + strconv.Itoa(len(v.ids)+1)
		v.ids[call] = made
		v.lose(b.Path, "the id", made)
	}
	return made
}

// name returns the name of a tool as the target takes it; path is that of its block.
func (v *converter) name(path, name string) string {
	made := v.toolName(name)
	if made != name {
		v.lose(path, "the name "+clip(name), made)
	}
	return made
}

// toolName returns a name of at most 64 characters, which every API takes. Gemini takes more, the AI SDK all.
func (v *converter) toolName(name string) string {
	if name == "" || v.to.name == msg.Gemini || v.to.name == msg.AISDK {
		return name
	}
	return msg.ToolName(name, 64)
}

// input returns the input of a call as the target takes it. An object of a log becomes a text without white space, as
// its client writes it; a text stays as it is.
func (v *converter) input(b *msg.Block) string {
	text := string(rawjson.Whole([]byte(b.Text))) // as quoted
	value, err := document.Value([]byte(text))
	isObject := err == nil && value.Kind() == '{'
	switch {
	case b.Text == "":
		return "{}"
	case isObject && msg.IsLog(v.c.Format) && v.c.Format != msg.Codex:
		return string(value.Compact())
	case isObject:
		return text
	case !v.to.objects && b.Type != "custom_tool_call" && b.Type != "custom":
		return b.Text
	}
	v.lose(b.Path, "an input that is no JSON object", `{"input": the text}`)
	return string(fill(`{"input":$0}`, b.Text))
}

// members reports the members of a message or a block that are not among the known ones. Those of a client's own parts
// are no loss: no provider receives them.
func (v *converter) members(path, known string, b *msg.Block) {
	if msg.IsLog(v.c.Format) && !isOwn(v.c.Format, msg.API(v.c.Format)) {
		return
	}
	if b.Kind == msg.KindOther || b.Kind == msg.KindThinking || b.Raw.Kind() != '{' {
		return // reported as a whole
	}
	if b.Kind == msg.KindImage || b.Kind == msg.KindDocument {
		known += mediaMembers
	}
	for it := b.Raw.Walk(); it.Next(); {
		name, value := it.Name, it.Value
		if !value.IsNull() && !oneOf(known, name) && string(value) != "[]" {
			v.lose(path+"/"+name, name, "dropped")
		}
	}
}
