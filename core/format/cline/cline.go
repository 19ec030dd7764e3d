// Package cline reads and writes the histories of Cline and Roo Code: messages of Anthropic's API with the client's own
// members. Start with Read and Render.
//
// Cline: api_conversation_history.json (ClineStorageMessage, src/shared/messages in cline/cline), an array or an object
// with messages. Roo Code (ApiMessage, src/core/task-persistence/apiMessages.ts in RooCodeInc/Roo-Code): the
// conversation begins with the newest summary, and a marker hides the messages that were truncated
// (getEffectiveApiHistory in src/core/condense/index.ts).
//
// It is not a part of the API (see package core).
package cline

import (
	"cmp"
	"slices"

	"tamp/core/format/anthropic"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Read reads a history that was opened. The conversation shares memory with the document.
func Read(d *document.Document) (*msg.Conversation, error) {
	places := sent(d.Elements)
	view := viewOf(d, places)
	c, err := anthropic.Read(view)
	if err != nil {
		return nil, err
	}
	c.Format, c.Origin, d.Silent, d.Index = msg.Cline, d, map[int]bool{}, nil
	for k := range d.Elements {
		d.Silent[k] = true
	}
	c.System = document.String(d.Top.Member("system_prompt"), "/system_prompt")
	for i, k := range places {
		delete(d.Silent, k)
		m := &c.Messages[i]
		complete(m)
		if m.Model != "" {
			c.Model = m.Model
		}
	}
	return c, nil
}

// complete reads the client's own members of a message.
func complete(m *msg.Message) {
	info, metrics := m.Raw.Member("modelInfo"), m.Raw.Member("metrics")
	m.Time, m.Model = m.Raw.Member("ts"), cmp.Or(info.Member("modelId").Text(), info.Member("id").Text())
	for _, names := range [...]string{"tokens/prompt|tokens/cached|none|tokens/completion",
		"inputTokens|cacheReadTokens|cacheWriteTokens|outputTokens"} { // of version 3 of its program for the terminal
		if m.Usage == nil {
			if m.Usage = record.Usage(metrics, names); m.Usage != nil { // its input has all
				m.Usage.Input -= min(m.Usage.CacheRead+m.Usage.CacheWrite, m.Usage.Input)
			}
		}
	}
	m.Cost = document.Millionths(metrics.Member("cost"))
	isSummary := m.Raw.Member("isSummary").IsTrue()
	for b := range m.Blocks {
		switch block := &m.Blocks[b]; {
		case isSummary && block.Kind == msg.KindText:
			block.Kind = msg.KindSummary
		case block.Type == "reasoning":
			block.Kind, block.Text = msg.KindThinking, block.Raw.Member("text").Text()
		case block.Kind == msg.KindToolResult && slices.ContainsFunc(block.Parts, isUntyped):
			block.Text, block.Parts = block.Raw.Member("content").Plain(), nil
		}
	}
}

// isUntyped reports a part that is the output of a tool of Cline 3, which sends such a list as its JSON.
func isUntyped(part msg.Block) bool { return part.Type == "" }

// sent returns the places of the messages that are part of the next request. Elements without a role are the reasoning
// of OpenAI, sealed.
func sent(elements []rawjson.Value) (places []int) {
	first, markers := 0, map[string]bool{}
	for k, raw := range elements {
		if raw.Member("isSummary").IsTrue() {
			first = k
		}
	}
	for _, raw := range elements[first:] {
		if id := raw.Member("truncationId").Text(); id != "" && raw.Member("isTruncationMarker").IsTrue() {
			markers[id] = true
		}
	}
	for k, raw := range elements {
		if k >= first && !markers[raw.Member("truncationParent").Text()] && raw.Member("type").Text() != "reasoning" {
			places = append(places, k)
		}
	}
	return places
}

func viewOf(d *document.Document, places []int) *document.Document {
	raws, paths := make([]rawjson.Value, len(places)), make([]string, len(places))
	for i, k := range places {
		raws[i], paths[i] = d.Elements[k], document.At(d.Prefix, k)
	}
	return document.Of(raws, paths)
}

// Render writes a conversation from Read, with its changes. An element that is not part of the conversation stays as
// long as the next message does: a summary hides those before it.
func Render(c *msg.Conversation) ([]byte, error) {
	d := document.From(c)
	places := sent(d.Elements)
	made, err := anthropic.Items(c, viewOf(d, places))
	if err != nil {
		return nil, err
	}
	var items []document.Item
	var time rawjson.Value
	next := 0
	keep := func(to int) {
		from := to
		for from > next && d.Silent[from-1] {
			from--
		}
		for ; from < to; from++ {
			items = append(items, document.Item{Raw: d.Elements[from], Index: from})
		}
	}
	for _, item := range made {
		if item.Index >= 0 && places[item.Index] >= next {
			item.Index = places[item.Index]
			keep(item.Index)
			next = item.Index + 1
		} else {
			item.Index = -1 // new, or moved
		}
		if now := item.Raw.Member("ts"); now != nil {
			time = now
		} else if item.Index < 0 && time != nil {
			item.Raw = item.Raw.With("ts", time)
		}
		items = append(items, item)
	}
	keep(len(d.Elements))
	return d.Render(d.Replace(items)), nil
}
