// Package claudecode reads and writes the session logs of Claude Code: JSON Lines in which uuid and parentUuid form a
// tree. The conversation is the path from the newest leaf to its root; every other line is kept in its place.
//
// Files: line.go reads the lines, tree.go finds the path, group.go joins lines into messages, render.go and thread.go
// write a changed conversation back. Start with Parse and Render.
//
// It is not a part of the API (see package core).
package claudecode

import (
	"strings"
	"unicode/utf8"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Interrupted is the result that Claude Code sends for a call without one.
const Interrupted = "[Tool result missing due to internal error]"

// Parse reads a session log. The conversation shares memory with data, which must not change as long as it is used.
//
// Errors are *msg.Error and name the line. Lines that cannot be read are skipped; Conversation.Warnings lists them.
func Parse(data []byte) (*msg.Conversation, error) {
	l, err := read(data, block.Parse)
	if err != nil {
		return nil, err
	}
	return l.conversation()
}

// Outline is Parse for callers that need no texts: see block.Outline. whole is false if data may have half of a
// surrogate pair or invalid UTF-8.
func Outline(data []byte) (c *msg.Conversation, whole bool, err error) {
	l, err := read(data, block.Outline)
	if err != nil {
		return nil, false, err
	}
	c, err = l.conversation()
	return c, !l.surrogates && utf8.Valid(data), err
}

// conversation finds the conversation in the lines.
func (l *log) conversation() (c *msg.Conversation, err error) {
	c = &msg.Conversation{Format: msg.ClaudeCode, Origin: l}
	if err := l.walk(); err != nil {
		return nil, err
	}
	if len(l.path) > msg.MaxMessages {
		return nil, document.TooMany("messages", msg.MaxMessages, jsonl.Pointer(l.path[msg.MaxMessages]))
	}
	c.Messages = l.messages()
	c.Model = l.model()
	if c.System, c.Tools, err = l.fixed(l.parse); err != nil { // the log is whole without it
		l.warn("odd_request", "", "the system prompt and the tools of the logged request cannot be read: "+err.Error())
	}
	l.system = len(c.System)
	c.Warnings = l.warnings
	return c, nil
}

// synthetic is the model name of messages that the agent wrote instead of a model.
const synthetic = "<synthetic>"

// log is a whole file: Parse stores it for Render. It does not change after Parse.
type log struct {
	data     []byte
	lines    []line
	parent   []int  // index of each line's parent in the conversation; -1 for a root
	written  []int  // the same in the file: -1 if parentUuid is null or not found
	spine    []bool // the path from the newest leaf to its root, lines of every type
	path     []int  // the messages among the spine and what belongs to them, from the root on
	flat     bool   // no line leads to another: file order is the conversation
	uuids    map[string]int
	groups   []*group // the messages that Parse returned
	system   int      // blocks of the system prompt that Parse returned
	warnings []msg.Warning
	room     document.Room // of Parse
	parse    parser        // of Parse
	// a line has an escape of a surrogate, alone or in a pair
	surrogates bool
}

// parser reads content: block.Parse or block.Outline.
type parser func(content rawjson.Value, path, textPath string, x *rawjson.Index, room *document.Room) ([]msg.Block,
	error)

// group is the value of Message.Origin: the lines of a message, ascending.
type group struct{ lines []int }

func (l *log) warn(code, path, text string) {
	l.warnings = append(l.warnings, msg.Warning{Code: code, Path: path, Message: text})
}

// fixed returns the system prompt and the tools of the newest request of the conversation, nothing if none is logged.
func (l *log) fixed(blocks parser) (system, tools []msg.Block, err error) {
	shapes := map[string]int{}
	for i := range l.lines {
		if n := &l.lines[i]; n.kind == "api-request-shape" && n.shape.Kind() == '{' {
			shapes[n.hash] = i
		}
	}
	for i := len(l.lines) - 1; i >= 0; i-- {
		n := &l.lines[i]
		at, ok := shapes[n.hash]
		if n.kind != "api-request" || !ok || strings.HasPrefix(n.source, "agent") {
			continue
		}
		shape, path := l.lines[at].shape, jsonl.Pointer(at)+"/shape"
		list := shape.Member("tools")
		if len(list.List()) == 0 {
			continue // a side call, such as that for a title
		}
		if text := shape.Member("system"); text.Kind() == '"' || text.Kind() == '[' {
			if system, err = blocks(text, path+"/system", path+"/system", nil, &l.room); err != nil {
				return nil, nil, err
			}
		}
		if tools, err = document.Tools(list, "tools"); err != nil {
			return nil, nil, err
		}
		for k := range tools {
			tools[k].Path = path + tools[k].Path
		}
		return system, tools, nil
	}
	return nil, nil, nil
}
