// Package format reads and writes conversations in the formats that providers and agents use.
//
//	c, err := format.Parse(data, "") // "": the format is detected
//	data, err = format.Render(c)     // messages without a change byte for byte
//
// It is a part of the API (see package core).
//
// The package is a table over the codecs below it; each keeps every byte that it does not change. Start with Parse and
// Render.
package format

import (
	"maps"
	"math/bits"
	"strconv"
	"strings"

	"tamp/core/format/aider"
	"tamp/core/format/aisdk"
	"tamp/core/format/aisdkui"
	"tamp/core/format/anthropic"
	"tamp/core/format/claudecode"
	"tamp/core/format/cline"
	"tamp/core/format/codex"
	"tamp/core/format/copilotcli"
	"tamp/core/format/crush"
	"tamp/core/format/gemini"
	"tamp/core/format/geminicli"
	"tamp/core/format/grokcli"
	"tamp/core/format/interactions"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/format/kimicli"
	"tamp/core/format/kimicode"
	"tamp/core/format/openaichat"
	"tamp/core/format/opencode"
	"tamp/core/format/pi"
	"tamp/core/format/qwencode"
	"tamp/core/format/responses"
	"tamp/core/format/vscodechat"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Name is the name of a format: msg.Anthropic, msg.OpenAIChat, msg.ClaudeCode …
type Name = string

// row is one shape of history: a format with its codec, or a shape that is recognized and refused.
type row struct {
	name  Name
	title string // for people
	list  string // the member of a request body that holds the messages; "" for a log
	hint  string // without a codec, or of a log that is given as an array: what the caller can do
	// read reads a document with its list opened, parse reads lines: one of them is set. Without a codec, none is.
	read   func(*document.Document) (*msg.Conversation, error)
	parse  func([]byte) (*msg.Conversation, error)
	render func(*msg.Conversation) ([]byte, error)
	// interrupted is the result that an agent sends for a call without one, "" for a request; fails marks it as an error.
	interrupted string
	fails       bool
}

// table has a row for each shape, in the order of the constants in shape.go. To add a codec, fill read or parse, and
// render; to add a shape, add its constant and its signs too.
var table = [...]row{
	{name: msg.Anthropic, title: "an Anthropic Messages body or its messages array", list: "messages",
		read: anthropic.Read, render: anthropic.Render},
	{name: msg.OpenAIChat, title: "an OpenAI Chat Completions body or its messages array", list: "messages",
		read: openaichat.Read, render: openaichat.Render},
	{name: msg.OpenAIResponses, title: "an OpenAI Responses body or its input array", list: "input",
		read: responses.Read, render: responses.Render},
	{name: msg.Gemini, title: "a Gemini request or its contents array", list: gemini.List, read: gemini.Read,
		render: gemini.Render},
	{name: msg.AISDK, title: "messages of the Vercel AI SDK (ModelMessage[])", list: "messages", read: aisdk.Read,
		render: aisdk.Render},
	{name: msg.AISDKUI, title: "messages of the Vercel AI SDK (UIMessage[])", list: "messages",
		read: aisdkui.Read, render: aisdkui.Render},
	{name: msg.ClaudeCode, title: "a Claude Code session log (JSONL)", parse: claudecode.Parse, render: claudecode.Render,
		interrupted: claudecode.Interrupted, fails: true,
		hint: "give one object a line, also of the messages of the Claude Agent SDK: " +
			`messages.map((m) => JSON.stringify(m)).join("\n")`},
	{name: msg.Codex, title: "a Codex session log (JSONL)", parse: codex.Parse, render: codex.Render,
		interrupted: codex.Interrupted,
		hint:        "give one object a line"},
	{name: msg.Pi, title: "a pi session log (JSONL)", parse: pi.Parse, render: pi.Render,
		interrupted: pi.Interrupted, fails: true,
		hint: "give the lines of the session file, not only its messages"},
	{name: msg.GeminiCLI, title: "a Gemini CLI session file (JSONL, older ones JSON)", parse: geminicli.Parse,
		render: geminicli.Render, hint: "give the session file, not only its messages"},
	{name: msg.OpenCode, title: "an opencode export", list: "messages", read: opencode.Read, render: opencode.Render,
		interrupted: opencode.Interrupted, fails: true},
	{name: msg.Cline, title: "a history of Cline or Roo Code (api_conversation_history.json)", list: "messages",
		read: cline.Read, render: cline.Render},
	{name: msg.QwenCode, title: "a Qwen Code session log (JSONL)", parse: qwencode.Parse, render: qwencode.Render,
		hint: "give one object a line"},
	{name: msg.KimiCLI, title: "a context of Kimi CLI (context.jsonl)", parse: kimicli.Parse, render: kimicli.Render,
		hint: "give one object a line"},
	{name: msg.CopilotCLI, title: "a Copilot CLI session log (events.jsonl)", parse: copilotcli.Parse,
		render: copilotcli.Render, hint: "give one object a line"},
	{name: msg.Aider, title: "a chat history of aider (Markdown)", parse: aider.Parse, render: aider.Render},
	{name: msg.VSCodeChat, title: "a chat of VS Code (Chat: Export Chat..., chatSessions/*.json)", list: vscodechat.List,
		read: vscodechat.Read, render: vscodechat.Render},
	{name: msg.KimiCode, title: "a session log of Kimi Code (wire.jsonl)", parse: kimicode.Parse, render: kimicode.Render,
		hint: "give one object a line"},
	{name: msg.GrokCLI, title: "a history of Grok CLI (chat_history.jsonl)", parse: grokcli.Parse, render: grokcli.Render,
		hint: "give one object a line"},
	{name: msg.Crush, title: "a session of Crush (crush session show ID --json)", list: "messages", read: crush.Read,
		render: crush.Render},
	{name: msg.Interactions, title: "a request to Gemini's Interactions API or its input array", list: "input",
		read: interactions.Read, render: interactions.Render},
	{name: "bedrock", title: "messages of Amazon Bedrock's Converse", list: "messages",
		hint: "Bedrock's InvokeModel takes Anthropic Messages: give those"},
	{name: "langchain", title: "LangChain's serialized messages", list: "messages",
		hint: "convert them with convert_to_openai_messages first"},
	{name: "ollama", title: "messages of Ollama's own API", list: "messages",
		hint: "use its endpoint /v1/chat/completions, which takes OpenAI Chat Completions"},
	{title: "items of OpenAI's Agents SDK", hint: toOpenAI},
	{title: "messages of Goose", hint: toOpenAI},
	{title: "a thread of Amp", hint: toOpenAI},
	{title: "messages of LlamaIndex", hint: toOpenAI},
	{title: "a thread of Zed", hint: toOpenAI},
	{title: "messages of Pydantic AI", hint: toOpenAI},
	{title: "rows of the database of Crush", hint: "give what crush session show ID --json writes"},
	{title: "a session of Factory's Droid", hint: toOpenAI},
	{title: "messages of Mistral's TypeScript SDK or Conversations API",
		hint: "write their members as its Chat Completions have them, tool_calls and tool_call_id"},
	{title: "messages of Microsoft.Extensions.AI, Semantic Kernel or AutoGen", hint: toOpenAI},
	{title: "messages of version 1 of Cohere's API", hint: toOpenAI},
	{title: "messages of smolagents", hint: toOpenAI},
	{title: "turns of Gemini's Interactions API or messages of Genkit",
		hint: "give the contents of a request to generateContent"},
	{title: "messages of Haystack", hint: toOpenAI},
	{title: "messages of the protocol A2A or of OpenTelemetry", hint: toOpenAI},
	{title: "a log of changes of a chat of VS Code (chatSessions/*.jsonl)",
		hint: "give what its command Chat: Export Chat... writes"},
	{title: "a transcript of Cursor's agent", hint: "it has no results: " + toOpenAI},
	{title: "spans of OpenTelemetry", hint: toOpenAI},
	{title: "an agent file or messages of Letta", hint: toOpenAI},
	{title: "events of OpenHands", hint: toOpenAI},
	{title: "calls without their member function, as in logs of τ²-bench, or with a name as it, as in those of Inspect AI",
		hint: `write each as {"id", "type": "function", "function": {"name", "arguments"}}`},
	{title: "messages with their text in the member text", hint: "name it content"},
	{title: "messages with parts of two formats", hint: "give those of one, as the provider gets them"},
}

const toOpenAI = "convert them to the messages of a provider's API first, such as OpenAI Chat Completions"

// rowOf returns the row of the first shape of a set that is not empty, or of the last one without a codec: several of
// those have parts like Bedrock's.
func rowOf(of shapes) *row {
	if of >= isBedrock {
		return &table[bits.Len64(uint64(of))-1]
	}
	return &table[bits.TrailingZeros64(uint64(of))]
}

// findRow returns the row of a format that has a codec, or nil.
func findRow(name Name) *row {
	for i := range table {
		if table[i].name == name && table[i].render != nil {
			return &table[i]
		}
	}
	return nil
}

// Names lists the formats, in the order in which surfaces show them.
func Names() []Name {
	var names []Name
	for i := range table {
		if table[i].render != nil {
			names = append(names, table[i].name)
		}
	}
	return names
}

// Parse reads a conversation; an empty name means the format that Detect returns.
// The conversation shares memory with data, which must not change as long as the conversation is used. No provider
// takes half of a surrogate pair or invalid UTF-8: both are read as U+FFFD, and Conversation.Lone has their places.
//
// Errors are *msg.Error: bad_json with line and column, unknown_format with a description of the input and the accepted
// formats, also if the input is clearly in another format than the named one, bad_message with a JSON Pointer,
// too_large.
func Parse(data []byte, name Name) (*msg.Conversation, error) { return parseAfter(data, name, 0) }

// Outline is Parse for callers that need no texts. It leaves them out if that saves time, and reports whether they are
// there: the blocks of a log without them have their other members and Raw, and the conversation has no Agent. A log
// that Parse repairs is not read so.
func Outline(data []byte, name Name) (c *msg.Conversation, hasTexts bool, err error) {
	if name == "" && document.Size(data) == nil && isClaudeCodeLog(data) {
		c, whole, err := claudecode.Outline(data)
		if err == nil && whole && faultyLines(c.Warnings) == nil {
			return c, false, nil
		}
	}
	c, err = Parse(data, name)
	return c, true, err
}

// isClaudeCodeLog reports a log of Claude Code that begins with a line of it, or is one.
func isClaudeCodeLog(data []byte) bool {
	h := firstLines(data)
	if h.isOne {
		d, err := document.Read(data)
		return err == nil && logOf(d) == isClaudeCode
	}
	return h.log == isClaudeCode
}

// Reparse is Parse of a document that Render wrote. It does not look for signs of other formats: after a compaction, a
// message with the blocks of another format can be the only one left that has any.
func Reparse(data []byte, name Name) (*msg.Conversation, error) {
	return parseAfter(data, name, anyShape)
}

// ParseAgain is Parse of a body of Anthropic's Messages or of Chat Completions that an agent sends at each call with
// more messages. known gets the first message, and returns the messages of an earlier body: those that are the same are
// taken, not read. spend is called with each text before it is read; its error is returned. The members of the document
// are returned, too, without the messages. The result is nil if nothing is known, or the body has to be parsed whole.
func ParseAgain(data []byte, name Name, known func(first rawjson.Value) []msg.Message, spend func(text []byte) error) (
	*msg.Conversation, map[string]rawjson.Value, error) {
	d, err := document.Again(data, known, spend)
	if d == nil {
		return nil, nil, err
	}
	c, err := read(data, d, name)
	return c, maps.Collect(d.Rest.Members()), err
}

// parseAfter is Parse of messages that follow others. before has the shapes of those, or anyShape.
func parseAfter(data []byte, name Name, before shapes) (*msg.Conversation, error) {
	if err := document.Size(data); err != nil {
		return nil, err
	}
	if name == "" {
		name, d, err := recognize(data)
		if err != nil {
			return nil, err
		}
		return parse(data, d, name)
	}
	row := findRow(name)
	switch {
	case row == nil:
		return nil, unknownName(name)
	case row.read == nil:
		switch h := firstLines(data); {
		case h.log != 0 && rowOf(h.log) != row:
			return nil, mismatch(rowOf(h.log), name, "a log")
		case h.log == 0 && h.isLines && before == 0:
			return nil, unrecognized("JSON Lines that begin with "+describe(h.first), h.first)
		case h.log == 0 && before == 0:
			if err := checkForcedLog(data, name); err != nil {
				return nil, err
			}
		}
		return parse(data, nil, name)
	}
	d, err := document.Read(data)
	if err != nil && name == msg.OpenCode {
		if cut := document.ReadCut(data); cut != nil {
			d, err = cut, nil
		}
	}
	if err != nil {
		if log := firstLines(data).log; log != 0 {
			err = mismatch(rowOf(log), name, "a log")
		}
		return nil, err
	}
	if before != anyShape {
		if err := checkForced(d, name, before); err != nil {
			return nil, err
		}
	}
	return parse(data, d, name)
}

// Other is an answer of a session log that is in no segment.
type Other = jsonl.Other

// Segments are the parts of a session log before its last compaction.
type Segments = jsonl.Segments

// SegmentsOf returns the parts of a session log before the last compaction of its agent, and the answers of calls that
// are in no segment: those of subagents, and of branches that the user left, in logs of Claude Code and pi. c is the
// last segment, as Parse returned it. Formats without compactions have neither.
func SegmentsOf(c *msg.Conversation) Segments {
	switch c.Format {
	case msg.Codex:
		return codex.Segments(c)
	case msg.Pi:
		return pi.Segments(c)
	case msg.QwenCode:
		return qwencode.Segments(c)
	case msg.KimiCLI:
		return kimicli.Segments(c)
	case msg.CopilotCLI:
		return copilotcli.Segments(c)
	case msg.OpenCode:
		return opencode.Segments(c)
	case msg.KimiCode:
		return kimicode.Segments(c)
	case msg.GeminiCLI:
		return geminicli.Segments(c)
	case msg.Aider:
		return aider.Segments(c)
	}
	return claudecode.Segments(c)
}

// Request is what a session log says of the request of a call.
type Request = jsonl.Request

// RequestsOf returns what a log says of its requests, by the path of the answer: nothing for most.
func RequestsOf(c *msg.Conversation) map[string]Request {
	if c.Format != msg.ClaudeCode {
		return nil
	}
	return claudecode.Requests(c)
}

// SentOf returns the parts of a conversation of a log as its requests had them, which are those of the whole log: see
// claudecode.Sent. For most logs, that is c.
func SentOf(c *msg.Conversation, requests map[string]Request) []*msg.Conversation {
	if len(requests) == 0 {
		return []*msg.Conversation{c}
	}
	return claudecode.Sent(c, requests)
}

// ParseValid is Parse of a JSON value of a validated document. It does not validate value again. index is that of the
// document, or nil.
func ParseValid(value rawjson.Value, name Name, index *rawjson.Index) (*msg.Conversation, error) {
	d := document.ReadValid(value, index)
	if _, list := d.ListMember(); value.Kind() != '[' && list.Kind() != '[' {
		return Parse(value, name) // a line of a log, or an error
	}
	if row := findRow(name); row != nil && row.read == nil {
		return Parse(value, name)
	}
	var err error
	if name == "" {
		name, err = recognizeDocument(d)
	} else if findRow(name) != nil {
		err = checkForced(d, name, 0)
	}
	if err != nil {
		return nil, err
	}
	return parse(value, d, name)
}

// parse reads data in the named format; d is the document if it was read already, or nil. The records of a log that
// are not lines of their own are read as lines.
func parse(data []byte, d *document.Document, name Name) (*msg.Conversation, error) {
	c, err := parseWhole(data, d, name)
	if row := findRow(name); row == nil || row.read != nil || name == msg.Aider {
		return c, err
	}
	var faulty map[int]bool
	if err == nil {
		if faulty = faultyLines(c.Warnings); faulty == nil {
			return c, nil
		}
	}
	repaired, faults := jsonl.Repair(data, faulty)
	if repaired == nil {
		return c, err
	}
	again, errRepaired := parseWhole(repaired, nil, name)
	if errRepaired != nil {
		return c, err
	}
	again.Input, again.Repaired, again.Warnings = data, repaired, append(faults, again.Warnings...)
	return again, nil
}

// faultyLines returns the lines that cannot be read, nil if there are none.
func faultyLines(warnings []msg.Warning) (faulty map[int]bool) {
	for _, w := range warnings {
		if n, err := strconv.Atoi(strings.TrimPrefix(w.Path, "/")); err == nil &&
			(w.Code == msg.OddLine || w.Code == msg.CutLine) {
			if faulty == nil {
				faulty = map[int]bool{}
			}
			faulty[n] = true
		}
	}
	return faulty
}

// parseWhole reads data without halves of surrogate pairs and invalid UTF-8.
func parseWhole(data []byte, d *document.Document, name Name) (*msg.Conversation, error) {
	c, err := read(data, d, name)
	if err != nil {
		return nil, err
	}
	c.Agent = agentOf(c)
	wholeOf, places := rawjson.Whole, []msg.Place(nil)
	if _, isDocument := c.Origin.(*document.Document); !isDocument {
		wholeOf = jsonl.Whole
	}
	whole := wholeOf(data)
	if !rawjson.IsSame(whole, data) {
		places = lone(c)
	}
	if len(places) == 0 { // none, or only in lines of a log that its agent does not send
		return c, nil
	}
	if d != nil {
		if d, err = document.Read(whole); err != nil {
			return nil, err
		}
	}
	again, err := read(whole, d, name)
	if err == nil {
		again.Lone, again.Agent = places, c.Agent
	}
	return again, err
}

// read is parse, and keeps every byte.
func read(data []byte, d *document.Document, name Name) (*msg.Conversation, error) {
	row := findRow(name)
	switch {
	case row == nil:
		return nil, unknownName(name)
	case row.read == nil:
		return row.parse(data)
	}
	if err := d.Open(row.list); err != nil {
		return nil, err
	}
	return row.read(d)
}

// Render writes a conversation in its own format. Unchanged parts are written byte for byte as in the
// input; if nothing changed, the result is the input itself.
func Render(c *msg.Conversation) ([]byte, error) {
	row := findRow(c.Format)
	if row == nil {
		return nil, unknownName(c.Format)
	}
	data, err := row.render(c)
	switch {
	case c.Clean:
		data, _ = jsonl.Clean(data)
	case c.Repaired != nil && rawjson.IsSame(data, c.Repaired):
		data = c.Input
	}
	return data, err
}

// Unread returns the lines that Render leaves out of a log with Clean, each with a line break.
func Unread(c *msg.Conversation) ([]byte, error) {
	row := findRow(c.Format)
	if row == nil || !c.Clean {
		return nil, nil
	}
	data, err := row.render(c)
	_, removed := jsonl.Clean(data)
	return removed, err
}

// IsLines reports whether documents of a format are JSON Lines, not one JSON value.
func IsLines(name Name) bool {
	row := findRow(name)
	return row != nil && row.read == nil
}

func unknownName(name Name) error {
	return msg.NewError(msg.UnknownFormat, "", "cannot use the format "+clip(name)+": it is unknown; accepted are "+
		strings.Join(Names(), ", "))
}

// accepted lists the formats for an error.
func accepted() string {
	var titles []string
	for i := range table {
		if table[i].render != nil {
			titles = append(titles, table[i].title)
		}
	}
	last := len(titles) - 1
	return strings.Join(titles[:last], ", ") + " or " + titles[last]
}
