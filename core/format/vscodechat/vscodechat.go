// Package vscodechat reads and writes what VS Code's command "Chat: Export Chat..." writes, and the sessions in
// chatSessions/*.json of its workspaceStorage: {responderUsername, requests: [{message, response, result}]}. Start with
// Read and Render.
//
// The form is that of IExportableChatData in microsoft/vscode (src/vs/workbench/contrib/chat/common/model/chatModel.ts)
// and of IResultMetadata in its extension Copilot Chat. A request is a prompt, and what the model wrote for it: the
// rounds of result.metadata.toolCallRounds, with the results of their calls in toolCallResults. response has what VS
// Code shows; it is the answer of a request without rounds, and is kept as it is for others.
//
// It is not a part of the API (see package core).
package vscodechat

import (
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/parts"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// List is the member that holds the requests.
const List = "requests"

const (
	roundsPath  = "result/metadata/toolCallRounds"
	resultsPath = "result/metadata/toolCallResults"
)

const newRound = `{"response":"","toolCalls":[]}`

var shape = record.Shape{Lists: "response|toolCalls", Joined: "response", Whole: write,
	New:   [2]string{`{"prompt":true,"response":""}`, newRound},
	Parts: []record.Part{{Types: "*", Kind: msg.KindToolUse, Text: "arguments", ID: "id", Name: "name"}}}

// kind is what a message is read from.
type kind byte

const (
	isPrompt kind = iota
	isRound
	isResult
	isAnswer // what VS Code shows, of a request without rounds
)

// entry is the place of one message.
type entry struct {
	kind    kind
	request int    // -1: new
	round   int    // of a round
	id      string // of a result, and the name of its tool
	name    string
}

// view has the messages of a document as a list.
type view struct {
	list    *document.Document
	entries []entry
	first   []int // of each request, and of one after the last
}

func viewOf(d *document.Document) *view {
	v := &view{}
	var raws []rawjson.Value
	var paths []string
	add := func(e entry, raw rawjson.Value, path string) {
		v.entries, raws = append(v.entries, e), append(raws, raw)
		paths = append(paths, document.At(d.Prefix, e.request)+"/"+path)
	}
	for k, raw := range d.Elements {
		v.first = append(v.first, len(v.entries))
		if raw.Member("isHidden").IsTrue() || raw.Member("shouldBeRemovedOnSend").Kind() == '{' {
			continue // the user took it back
		}
		if prompt := raw.Member("message"); textOf(prompt) != "" {
			add(entry{request: k}, prompt, "message")
		}
		results := map[string]rawjson.Value{}
		for it := record.At(raw, resultsPath).Walk(); it.Next(); {
			results[it.Name] = it.Value
		}
		rounds := record.At(raw, roundsPath).List()
		for n, round := range rounds {
			calls := round.Member("toolCalls").List()
			if len(calls) == 0 && round.Member("response").Text() == "" {
				continue
			}
			add(entry{kind: isRound, request: k, round: n}, round, document.At(roundsPath, n))
			for _, call := range calls {
				id := call.Member("id").Text()
				if result := results[id]; result.Kind() == '{' {
					add(entry{kind: isResult, request: k, id: id, name: call.Member("name").Text()}, result,
						resultsPath+"/"+msg.PathName(id))
					delete(results, id)
				}
			}
		}
		if answer := raw.Member("response"); len(rounds) == 0 && textOf(answer) != "" {
			add(entry{kind: isAnswer, request: k}, answer, "response")
		}
	}
	v.first = append(v.first, len(v.entries))
	v.list = document.Of(raws, paths)
	return v
}

// textOf returns the text of a prompt, an object or a string, or of the parts of an answer.
func textOf(raw rawjson.Value) string {
	if raw.Kind() != '[' {
		return raw.Text() + raw.Member("text").Text()
	}
	var text []byte
	for _, part := range raw.List() {
		switch part.Member("kind").Text() {
		case "markdownContent":
			part = part.Member("content")
			fallthrough
		case "":
			text = append(text, part.Member("value").Text()...)
		}
	}
	return string(text)
}

// resultOf appends the text of a part of a result: its value is a string, or a tree of nodes.
func resultOf(x *rawjson.Index, text []byte, node rawjson.Value) []byte {
	var value, own, children rawjson.Value
	breaks := false
	for it := x.Walk(node); it.Next(); {
		switch it.Name {
		case "value":
			value = it.Value
		case "text":
			own = it.Value
		case "children":
			children = it.Value
		case "lineBreakBefore":
			breaks = it.Value.IsTrue()
		}
	}
	if breaks && len(text) > 0 {
		text = append(text, '\n')
	}
	text = append(append(text, value.Text()...), own.Text()...)
	if value = value.Member("node"); value != nil { // at the root only
		text = resultOf(x, text, value)
	}
	for it := x.Items(children); it.Next(); {
		text = resultOf(x, text, it.Value)
	}
	return text
}

// Read reads an export that was opened. Errors are *msg.Error.
func Read(d *document.Document) (*msg.Conversation, error) {
	v := viewOf(d)
	next, last := 0, -1
	var time, model rawjson.Value // of the last request
	s := shape
	s.Head = func(raw rawjson.Value, path string) (h record.Head, err error) {
		e := v.entries[next]
		next++
		if request := d.Elements[e.request]; e.request > last {
			last, time, model = e.request, request.Member("timestamp"), request.Member("modelId")
		}
		h.Role, h.Time = msg.User, time
		h.Whole = &msg.Block{Kind: msg.KindText, Type: "text", Raw: raw, Path: path, ID: e.id}
		if e.kind == isRound || e.kind == isAnswer {
			h.Role, h.Model = msg.Assistant, lastName(model.Text())
		}
		switch e.kind {
		case isRound:
			h.Whole = nil
		case isResult:
			h.Whole.Kind, h.Whole.Type, h.Whole.Name = msg.KindToolResult, "toolCallResult", e.name
			var text []byte
			for i, part := range raw.Member("content").List() {
				if i > 0 {
					text = append(text, '\n')
				}
				text = append(text, resultOf(d.Index, nil, part)...)
			}
			h.Whole.Text = string(text)
		default:
			h.Whole.Text = textOf(raw)
		}
		return h, nil
	}
	c, err := s.Document(v.list, msg.VSCodeChat, 0)
	if err != nil {
		return nil, err
	}
	c.Origin, c.Model, d.Index = d, lastName(modelOf(d).Text()), nil
	for i := range c.Messages { // an archive has objects
		if m := &c.Messages[i]; m.Raw.Kind() != '{' {
			m.Raw = rawjson.Value("{}").With(lastName(m.Path), m.Raw)
		}
	}
	for it := c.Walk(); it.Next(); {
		if b := it.Block; b.Kind == msg.KindToolUse {
			if input := b.Raw.Member("arguments").Text(); input != "" { // its JSON as a text
				b.Text = input
			}
		}
	}
	return c, nil
}

// modelOf returns the modelId of the last request that has one.
func modelOf(d *document.Document) (model rawjson.Value) {
	for _, request := range d.Elements {
		if id := request.Member("modelId"); id.Text() != "" {
			model = id
		}
	}
	return model
}

// lastName returns the last name of a path: of a model the one without its vendor ("copilot/claude-sonnet-4").
func lastName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// write writes a message that is one block, or a new result. Its id is put into the result until it is in its place. VS
// Code reads a prompt that is a string, and makes its parts.
func write(b *msg.Block) (rawjson.Value, error) {
	raw, change, text := b.Raw, b.Changed&^msg.ChangedCache, rawjson.Quote(b.Text)
	if b.Kind != msg.KindToolResult {
		switch {
		case change&^msg.ChangedText != 0:
			return nil, parts.Unwritable(b)
		case change == 0:
			return raw, nil
		case raw.Kind() == '[':
			return rawjson.Value(newRound).With("response", text), nil
		}
		return text, nil
	}
	switch {
	case len(raw) == 0:
		raw, change = rawjson.Value(`{"$mid":20}`), msg.ChangedText
	case change&^(msg.ChangedText|msg.ChangedID) != 0:
		return nil, parts.Unwritable(b)
	}
	if change&msg.ChangedText != 0 {
		raw = raw.With("content", rawjson.Value("["+string(rawjson.Value(`{"$mid":21}`).With("value", text))+"]"))
	}
	return raw.With(idMember, rawjson.Quote(b.ID)), nil
}

// idMember has the id of a result that write wrote; no other one has this member.
const idMember = "id of the call"
