package convtest

import (
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"tamp/core/msg"
)

// FromWords reads a conversation for a row of a table. It is one line of words, so that a row reads as the case it is:
//
//	u a s d t f    messages of user, assistant, system, developer, tool, function; another word is that role
//	"text"         a text block ("" is an empty one), =text a string content (= alone an empty one)
//	!x ?x          a call under the id x, and its result; !x:fn the deprecated function_call
//	$x %x          a call that the server runs, and its result
//	~ img comp new thinking, an image, a compaction block, a block of a type that we do not know
//	@5 @60         behind a block: a cache breakpoint of 5 minutes, of 1 hour
func FromWords(format, words string) *msg.Conversation {
	c := &msg.Conversation{Format: format}
	roles := map[string]msg.Role{"u": msg.User, "a": msg.Assistant, "s": msg.System, "d": msg.Developer, "t": msg.Tool,
		"f": msg.Function}
	for _, word := range strings.Fields(words) {
		first := word[0]
		if strings.IndexByte("\"=!?$%~@", first) < 0 && word != "img" && word != "comp" && word != "new" {
			role, ok := roles[word]
			if !ok {
				role = msg.Role(word)
			}
			c.Messages = append(c.Messages, msg.Message{Role: role, Path: "/" + strconv.Itoa(len(c.Messages))})
			continue
		}
		m := &c.Messages[len(c.Messages)-1]
		if first == '@' {
			ttl := ""
			if word == "@60" {
				ttl = "1h"
			}
			m.Blocks[len(m.Blocks)-1].Cache = &msg.Cache{Type: "ephemeral", TTL: ttl}
			continue
		}
		id := strings.TrimSuffix(word[1:], ":fn")
		b := msg.Block{Kind: msg.KindOther, Type: "hologram", Path: m.Path + "/content/" + strconv.Itoa(len(m.Blocks))}
		switch {
		case first == '"':
			b.Kind, b.Type, b.Text = msg.KindText, "text", strings.Trim(word, `"`)
		case first == '=':
			b.Kind, b.Type, b.Text, b.Bare = msg.KindText, "text", word[1:], true
		case first == '!':
			b.Kind, b.Type, b.ID, b.Name = msg.KindToolUse, "tool_use", id, "run"
			if strings.HasSuffix(word, ":fn") {
				b.Type = "function_call"
			}
		case first == '?':
			b.Kind, b.Type, b.ID, b.Text = msg.KindToolResult, "tool_result", id, "out"
		case first == '$':
			b.Kind, b.Type, b.ID, b.Name, b.Server = msg.KindToolUse, "server_tool_use", id, "web_search", true
		case first == '%':
			b.Kind, b.Type, b.ID, b.Server = msg.KindToolResult, "web_search_tool_result", id, true
		case first == '~':
			b.Kind, b.Type, b.Signed = msg.KindThinking, "thinking", true
		case word == "img":
			b.Kind, b.Type = msg.KindImage, "image"
		case word == "comp":
			b.Kind, b.Type, b.Text = msg.KindSummary, "compaction", "summary"
		}
		m.Blocks = append(m.Blocks, b)
	}
	return c
}

// Words writes a conversation the way that FromWords reads it, with * on what Repair made and ' on a new id.
func Words(c *msg.Conversation) string {
	var out []string
	roles := map[msg.Role]string{msg.User: "u", msg.Assistant: "a", msg.System: "s", msg.Developer: "d", msg.Tool: "t",
		msg.Function: "f"}
	for i := range c.Messages {
		m := &c.Messages[i]
		if role, ok := roles[m.Role]; ok {
			out = append(out, role)
		} else {
			out = append(out, string(m.Role))
		}
		for k := range m.Blocks {
			b := &m.Blocks[k]
			word := map[string]string{"tool_use": "!" + b.ID, "function_call": "!" + b.ID + ":fn", "tool_result": "?" + b.ID,
				"server_tool_use": "$" + b.ID, "web_search_tool_result": "%" + b.ID, "thinking": "~", "image": "img",
				"compaction": "comp", "text": strconv.Quote(b.Text), "hologram": "new"}[b.Type]
			if b.Type == "text" && b.Bare {
				word = "=" + b.Text
			}
			if b.Path == "" {
				word += "*"
				if b.Kind == msg.KindText {
					word = "*"
				}
			}
			out = append(out, word)
			if b.Cache != nil {
				out = append(out, map[string]string{"": "@5", "1h": "@60"}[b.Cache.TTL])
			}
		}
	}
	return strings.Join(out, " ")
}

// RandomWords draws any conversation at all, mostly nonsense.
func RandomWords(t *rapid.T) string {
	word := rapid.SampledFrom(strings.Fields(`u u a a a s t t f d robot "x" "" =x = !1 !1 !2 !3 ?1 ?1 ?2 ?3 ? ! $1 %1 $2 ~ img comp new @5 @60 !fn:fn ?fn`))
	out := []string{rapid.SampledFrom([]string{"u", "a", "t"}).Draw(t, "first")}
	for range rapid.IntRange(0, 40).Draw(t, "words") {
		w := word.Draw(t, "word")
		if last := out[len(out)-1]; w[0] == '@' && !strings.ContainsAny(last[:1], `"!?~`) {
			continue // a breakpoint is on a block
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}
