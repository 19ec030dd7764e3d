package validator

import (
	"bytes"
	"fmt"
	"slices"
)

// A session log of Claude Code leads to a request: the path from the newest leaf back to its root, by uuid and
// parentUuid. This is the log as agents write it; damaged trees (repeated uuids, circles) are left to the codec's own
// tests.

// entry is one line of a log.
type entry struct {
	value   map[string]any
	message map[string]any // nil where the line is no part of a request
	parent  int            // the index of the line above in the tree; -1 for none
}

func project(document []byte) (*Request, error) {
	entries, err := readEntries(document)
	if err != nil {
		return nil, err
	}
	path := pathOf(entries)
	request := &Request{Format: ClaudeCode}
	index := map[string]int{}       // message.id -> place in the request
	onPath := map[int]bool{}        // lines of the path
	answered := map[string]bool{}   // ids of the results on the path
	calls := map[string][]string{}  // message.id -> ids of its calls
	branch := map[string][]*entry{} // message.id -> results that are on branches of their own
	for _, i := range path {
		onPath[i] = true
		for _, block := range blocksOf(entries[i].message) {
			if block["type"] == "tool_result" {
				answered[text(block, "tool_use_id")] = true
			}
			if id := text(entries[i].message, "id"); block["type"] == "tool_use" {
				calls[id] = append(calls[id], text(block, "id"))
			}
		}
	}
	for i := range entries {
		e := &entries[i]
		if onPath[i] || e.message == nil || e.parent < 0 || !onPath[e.parent] || e.value["type"] != "user" {
			continue
		}
		id := text(entries[e.parent].message, "id")
		fits := id != "" && len(blocksOf(e.message)) > 0
		for _, block := range blocksOf(e.message) {
			result := text(block, "tool_use_id")
			fits = fits && block["type"] == "tool_result" && !answered[result] && slices.Contains(calls[id], result)
		}
		if fits {
			branch[id] = append(branch[id], e)
		}
	}
	for _, i := range path {
		e := &entries[i]
		role, _ := e.value["type"].(string)
		if own := text(e.message, "role"); own != "" && own != "user" && own != "assistant" {
			role = own // the agent goes by type, between the two sides of the conversation
		}
		id := text(e.message, "id")
		if at, ok := index[id]; ok && role == "assistant" && id != "" {
			into := request.Messages[at].Value
			into["content"] = append(arrayOf(into["content"]), arrayOf(e.message["content"])...)
			continue
		}
		value := map[string]any{"role": role, "content": e.message["content"]}
		request.Messages = append(request.Messages, Message{Role: role, Value: value})
		if role != "assistant" {
			continue
		}
		if model := text(e.message, "model"); model != "" && model != "<synthetic>" {
			request.Model = model
		}
		if id != "" {
			index[id] = len(request.Messages) - 1
		}
		for _, result := range branch[id] {
			value := map[string]any{"role": "user", "content": result.message["content"]}
			request.Messages = append(request.Messages, Message{Role: "user", Value: value})
		}
	}
	return request, nil
}

func readEntries(document []byte) ([]entry, error) {
	var entries []entry
	byUUID := map[string]int{}
	for n, line := range bytes.Split(document, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		value, err := decode(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		e := entry{parent: -1}
		e.value, _ = value.(map[string]any)
		if kind := e.value["type"]; kind == "user" || kind == "assistant" {
			message, _ := e.value["message"].(map[string]any)
			if message["content"] != nil && e.value["isSidechain"] != true && e.value["isApiErrorMessage"] != true {
				e.message = message
			}
		}
		if up, ok := byUUID[text(e.value, "parentUuid")]; ok && e.value["subtype"] != "compact_boundary" {
			e.parent = up
		}
		if uuid := text(e.value, "uuid"); uuid != "" {
			byUUID[uuid] = len(entries)
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// pathOf lists the lines with a message on the way from the root to the newest leaf: the last line with a message below
// which there is no other.
func pathOf(entries []entry) []int {
	inner := make([]bool, len(entries))
	leaf := -1
	for i := len(entries) - 1; i >= 0; i-- { // children come after their parents
		if entries[i].message != nil && !inner[i] && leaf < 0 {
			leaf = i
		}
		if up := entries[i].parent; up >= 0 && (entries[i].message != nil || inner[i]) {
			inner[up] = true
		}
	}
	var path []int
	for i := leaf; i >= 0; i = entries[i].parent {
		if entries[i].message != nil {
			path = append(path, i)
		}
	}
	slices.Reverse(path)
	return path
}

// Leaf returns the uuid of the line that the next line of a log names as its parent, "" for a log without a message.
func Leaf(document []byte) string {
	entries, err := readEntries(document)
	if err != nil {
		return ""
	}
	path := pathOf(entries)
	if len(path) == 0 {
		return ""
	}
	return text(entries[path[len(path)-1]].value, "uuid")
}

func blocksOf(message map[string]any) []map[string]any {
	m := Message{Value: message}
	blocks, _ := m.content()
	return blocks
}

// arrayOf is a content as an array: a line is a block, an empty one too.
func arrayOf(content any) []any {
	if s, ok := content.(string); ok {
		return []any{map[string]any{"type": "text", "text": s}}
	}
	list, _ := content.([]any)
	return list[:len(list):len(list)]
}
