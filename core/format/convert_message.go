package format

import (
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Messages and blocks in Convert.

// message converts the message at index.
func (v *converter) message(index int, m *msg.Message) {
	if v.own {
		if made := ownMessage(m); len(made.Blocks) > 0 || len(m.Blocks) == 0 {
			v.out = append(v.out, made)
		}
		return
	}
	if !msg.IsLog(v.c.Format) && !(len(m.Blocks) == 1 && m.Blocks[0].Path == m.Path) {
		v.members(m.Path, messageMembers, &msg.Block{Raw: m.Raw})
	}
	role := v.roleOf(index, m)
	if isInstruction(role) && v.to.system != "" && len(v.out) == 0 {
		for b := range m.Blocks {
			if made, ok := v.block(msg.Ref{Message: index, Block: b}); ok {
				v.system = append(v.system, made.Text)
			}
		}
		return
	}
	if role == msg.System && v.to.name == msg.Gemini {
		v.lose(m.Path, "the role system", "a user message")
		role = msg.User
	}
	results, rest := v.blocks(index, m)
	v.results(results)
	switch {
	case len(rest) > 0:
		v.add(index, role, rest)
	case len(results) == 0:
		v.lose(m.Path, "the message of role "+string(m.Role), "dropped")
	}
}

func isInstruction(role msg.Role) bool { return role == msg.System || role == msg.Developer }

// roleOf returns the role that the target has for the message at index.
func (v *converter) roleOf(index int, m *msg.Message) msg.Role {
	switch m.Role {
	case msg.Assistant:
		if len(v.out) == 0 && isSummary(m) && !v.keepsCompaction(index) {
			return msg.User // an assistant's message cannot come first
		}
	case msg.Developer:
		if v.to.name != msg.OpenAIResponses && v.to.name != msg.OpenAIChat {
			return msg.System
		}
	case msg.Tool, msg.Function:
		return msg.User
	}
	return m.Role
}

// blocks converts the blocks of the message at index: the results, and the others.
func (v *converter) blocks(index int, m *msg.Message) (results, rest []msg.Block) {
	for b := range m.Blocks {
		made, ok := v.block(msg.Ref{Message: index, Block: b})
		switch {
		case !ok:
		case made.Kind == msg.KindToolResult:
			results = append(results, made)
		default:
			rest = append(rest, made)
		}
	}
	return results, rest
}

// add adds the blocks of the message at index but its results.
func (v *converter) add(index int, role msg.Role, blocks []msg.Block) {
	path := v.c.Messages[index].Path
	if isInstruction(role) { // a string, which every format takes
		var texts []string
		for b := range blocks {
			texts = append(texts, blocks[b].Text)
		}
		made := msg.TextMessage(role, strings.Join(texts, "\n\n"))
		made.Path = path
		v.out = append(v.out, made)
		return
	}
	// A turn that calls functions is one content or message.
	one := v.to.name == msg.Gemini || v.to.name == msg.OpenAIChat && v.joined[index]
	if last := len(v.out) - 1; last >= 0 && role == msg.Assistant && one && v.out[last].Role == role {
		if v.joined[index] {
			v.lose(path, "a message of its own", "a part of the message before it")
		}
		v.out[last].Blocks = append(v.out[last].Blocks, blocks...)
		return
	}
	v.addBlocks(role, blocks...)
}

func (v *converter) addBlocks(role msg.Role, blocks ...msg.Block) {
	v.out = append(v.out, msg.Message{Role: role, Blocks: blocks, Changed: true})
}

// results adds the results of a round: messages of their own, or one user message for all.
func (v *converter) results(results []msg.Block) {
	for _, b := range results {
		last := len(v.out) - 1
		switch {
		case v.to.toolMessages:
			v.addBlocks(msg.Tool, b)
		case last >= 0 && v.out[last].Role == msg.User && v.out[last].Blocks[0].Kind == msg.KindToolResult:
			v.out[last].Blocks = append(v.out[last].Blocks, b)
		default:
			v.addBlocks(msg.User, b)
		}
	}
}

// block converts one block; ok is false if the target has no equal.
func (v *converter) block(at msg.Ref) (made msg.Block, ok bool) {
	b := v.c.At(at)
	if at.Block == 0 && v.keepsCompaction(at.Message) {
		made.Kind, made.Type, made.Text, made.Path = b.Kind, b.Type, b.Text, "/content"
		if made.Raw = rawjson.Value(`{"type":"compaction"}`).With("content", rawjson.Quote(b.Text)); v.to.name == msg.AISDK {
			made.Raw = rawjson.Value(`{"type":"text"}`).With("text", rawjson.Quote(b.Text)).With("providerOptions",
				rawjson.Value(`{"anthropic":{"type":"compaction"}}`))
		}
		return made, true
	}
	v.around(b)
	if made, ok = v.piBlock(at, b); ok {
		return made, true
	}
	switch {
	case b.Server && !v.ofClient(at, b):
		v.lose(b.Path, b.Type, "dropped")
		return made, false
	case b.Kind == msg.KindText, b.Kind == msg.KindSummary && !(b.Signed && msg.API(v.c.Format) == msg.OpenAIResponses):
		return msg.TextBlock(b.Text), b.Text != "" && !(v.to.name == msg.Anthropic && strings.TrimSpace(b.Text) == "")
	case b.Kind == msg.KindDocument && b.Text != "" && !isFile(b): // the text that the model reads of it
		v.lose(b.Path, "document", "text")
		return msg.TextBlock(b.Text), true
	case b.Kind == msg.KindToolUse:
		made.Kind, made.Type, made.ID, made.Text = b.Kind, "tool_use", v.id(at, b), v.input(b)
		made.Name = v.name(b.Path, b.Name)
		return made, true
	case b.Kind == msg.KindToolResult:
		made.Kind, made.Type, made.Name = b.Kind, "tool_result", v.toolName(v.pairs.ToolName(v.c, at))
		made.Text, made.IsError = b.Text, b.IsError
		switch call, paired := v.pairs.Call(at); {
		case paired:
			made.ID = v.id(call, v.c.At(call))
		case v.c.Partial: // the provider has the call
			v.lose(b.Path, "a result without its call", "text")
			return msg.TextBlock(b.Text), b.Text != ""
		default:
			made.ID = v.id(at, b)
		}
		if b.IsError && v.to.toolMessages {
			v.lose(b.Path, "is_error", "dropped")
		}
		v.media(&made, b)
		return made, true
	case b.Kind == msg.KindThinking:
		if raw := v.thinking(b); raw != nil {
			made.Kind, made.Type, made.Raw, made.Path = b.Kind, raw.Member("type").Text(), raw, "/content"
			made.Text, made.Signed = b.Text, true
			return made, true
		}
	}
	if part := v.mediaPart(b, v.c.Messages[at.Message].Role == msg.Assistant, false); part != nil {
		made.Kind, made.Type, made.Raw, made.Path = b.Kind, part.Member("type").Text(), part, "/content"
		made.Image = b.Image
		return made, true
	}
	what := string(b.Kind)
	if b.Kind == msg.KindOther {
		what = b.Type
	}
	v.lose(b.Path, what, "dropped")
	return made, false
}
