package misses_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/misses"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// The reference implementation searches the text of the history and of the context for each name and each line, before
// each call again.

// textOf is the text of a block that is searched.
func textOf(b *msg.Block) (text string) {
	switch b.Kind {
	case msg.KindToolUse:
		summarize.Inputs(b.Text, func(value string) { text += value + "\n" })
	case msg.KindImage, msg.KindOther:
		return ""
	default:
		text = b.Text
	}
	return text
}

// hasText reports whether the words of wanted are in text.
func hasText(text, wanted string) bool {
	wanted = trimmed(wanted)
	for at := 0; ; {
		i := strings.Index(text[at:], wanted)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(wanted)
		begins := i == 0 || !isWordByte(text[i-1]) || i > 1 && text[i-2] == '\\' && strings.IndexByte("ntr", text[i-1]) >= 0
		escaped := i > 0 && text[i-1] == '\\' && strings.IndexByte("ntr", text[i]) >= 0
		if begins && !escaped && (end == len(text) || !isWordByte(text[end])) {
			return true
		}
		at = i + 1
	}
}

// trimmed is a text from its first word to its last one, at most 32 words.
func trimmed(text string) string {
	start := strings.IndexFunc(text, func(r rune) bool { return r < 128 && isWordByte(byte(r)) })
	if start < 0 {
		return ""
	}
	if start > 0 && text[start-1] == '\\' && strings.IndexByte("ntr", text[start]) >= 0 {
		return trimmed(text[start+1:])
	}
	words, end := 0, start
	for i := start; i < len(text); i++ {
		if !isWordByte(text[i]) || i > 0 && text[i-1] == '\\' && strings.IndexByte("ntr", text[i]) >= 0 {
			continue
		}
		if i == start || !isWordByte(text[i-1]) || i > 1 && text[i-2] == '\\' && strings.IndexByte("ntr", text[i-1]) >= 0 {
			if words++; words > 32 {
				break
			}
		}
		end = i + 1
	}
	return text[start:end]
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// slowHas returns the last block of messages that has a text.
func slowHas(messages []msg.Message, wanted string) (ref msg.Ref, ok bool) {
	for m := len(messages) - 1; m >= 0; m-- {
		for b := len(messages[m].Blocks) - 1; b >= 0; b-- {
			if hasText(textOf(&messages[m].Blocks[b]), wanted) {
				return msg.Ref{Message: m, Block: b}, true
			}
		}
	}
	return ref, false
}

// use returns the key of a call and the texts that it replaces.
func use(call *msg.Block) (key string, olds []string) {
	key = summarize.ReadUse(call.Name, call.Text, func(text string, old bool) {
		if old {
			olds = append(olds, text)
		}
	})
	return key, olds
}

// slow counts the answer m of a session; context is what the call received.
func slow(c *msg.Conversation, m int, context []msg.Message) (f misses.Found) {
	history := c.Messages[:m]
	has := func(text string) bool {
		_, ok := slowHas(context, text)
		fixed := []msg.Message{{Blocks: c.System}, {Blocks: c.Tools}}
		_, always := slowHas(fixed, text)
		return ok || always
	}
	var names []string
	add := func(kind summarize.FactKind, text string) {
		digits := 0
		for _, r := range text {
			if r >= '0' && r <= '9' {
				digits++
			}
		}
		same := func(other string) bool { return trimmed(other) == trimmed(text) }
		if (kind != summarize.Number || digits >= 4) && trimmed(text) != "" && !slices.ContainsFunc(names, same) {
			names = append(names, text)
		}
	}
	var edits []misses.Miss
	lost := func(text string, edit bool) misses.Miss {
		ref, _ := slowHas(history, text)
		return misses.Miss{Name: text, Edit: edit, Path: c.At(ref).Path}
	}
	for b := range c.Messages[m].Blocks {
		block := &c.Messages[m].Blocks[b]
		switch block.Kind {
		case msg.KindText:
			summarize.Atoms(block.Text, add)
		case msg.KindToolUse:
			var texts []string
			_, olds := use(block)
			summarize.Inputs(block.Text, func(text string) { texts = append(texts, text) })
			for _, text := range texts {
				summarize.Atoms(text, add)
			}
			for _, old := range olds {
				lines, all := 0, true
				var gone []string
				for line := range strings.Lines(old) {
					if trimmed(line) == "" {
						continue
					}
					lines++
					_, had := slowHas(history, line)
					all = all && had
					if !has(line) {
						gone = append(gone, strings.TrimSpace(line))
					}
				}
				if lines == 0 || !all {
					continue
				}
				f.Edits++
				if len(gone) > 0 {
					f.Lost++
					edits = append(edits, lost(gone[0], true))
				}
			}
		}
	}
	f.List = edits
	for _, name := range names {
		if _, had := slowHas(history, name); had {
			f.Names++
			if !has(name) {
				f.Missed++
				f.List = append(f.List, lost(name, false))
			}
		}
	}
	f.Repeats, f.LeftOut = slowRepeats(c, m, context)
	return f
}

// slowRepeats counts the calls of an answer that repeat an earlier one.
func slowRepeats(c *msg.Conversation, m int, context []msg.Message) (repeats, leftOut int) {
	for b := range c.Messages[m].Blocks {
		block := &c.Messages[m].Blocks[b]
		key := ""
		if block.Kind == msg.KindToolUse {
			key, _ = use(block)
		}
		if key == "" {
			continue
		}
		var result *msg.Block
		for k := range m {
			for i := range c.Messages[k].Blocks {
				if x := &c.Messages[k].Blocks[i]; x.Kind == msg.KindToolResult && slowKeyOf(c.Messages[:k], x.ID) == key {
					result = x
				}
			}
		}
		if result == nil {
			continue
		}
		repeats++
		kept := false
		for k := range context {
			for i := range context[k].Blocks {
				kept = kept || context[k].Blocks[i].Path == result.Path && context[k].Blocks[i].Text == result.Text
			}
		}
		if !kept {
			leftOut++
		}
	}
	return repeats, leftOut
}

// slowKeyOf returns the key of the newest call with an id.
func slowKeyOf(messages []msg.Message, id string) (key string) {
	for m := range messages {
		for b := range messages[m].Blocks {
			if x := &messages[m].Blocks[b]; x.Kind == msg.KindToolUse && x.ID == id && messages[m].Role == msg.Assistant {
				key, _ = use(x)
			}
		}
	}
	return key
}

// same compares what both implementations find. The reference has no fates and no blocks to read again.
func same(t require.TestingT, want, have misses.Found, why ...any) {
	for i := range have.List {
		require.NotEmpty(t, have.List[i].Fate, why...)
		have.List[i].Fate, have.List[i].Tool, have.List[i].Name = "", "", trimmed(have.List[i].Name)
	}
	want.List = want.List[:min(len(want.List), 20)]
	for i := range want.List {
		want.List[i].Name = trimmed(want.List[i].Name)
	}
	have.Again = nil
	require.Equal(t, want, have, why...)
}

// The words of generated sessions: few, so that they repeat, with parts of each other.
var (
	genNames = []string{"src/a.go", "/w/src/a.go", "src/a.go.orig", "readFile", "read_file", "MAX_SIZE", "4711", "47110",
		"deadbeef12", "https://x.dev/a_b", "a.b_c.dE", "-x_y", "n_first", "\\nfirst_line", "日本readFile"}
	genLines = []string{"if readFile(x) {", "\treturn MAX_SIZE", "}", "    12→\tn_first := 1", "n_first := 1", "return",
		"\"quoted_name\": 4711,", "a a a a_b", "\\tn_first"}
)

func words(t *rapid.T, from []string, sep, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(from), 0, 4).Draw(t, label), sep)
}

// session generates a session in which an agent reads, edits, runs and repeats.
func session(t *rapid.T) *msg.Conversation {
	type object = map[string]any
	messages := []any{object{"role": "user", "content": words(t, genNames, " ", "prompt")}}
	for n := range rapid.IntRange(1, 10).Draw(t, "calls") {
		id := "t" + strconv.Itoa(n)
		var call object
		result := words(t, genLines, "\n", "result") + "\n" + words(t, genNames, " ", "names")
		path := rapid.SampledFrom(genNames[:3]).Draw(t, "path")
		switch rapid.IntRange(0, 3).Draw(t, "act") {
		case 0:
			call = object{"name": "Read", "input": object{"file_path": path}}
		case 1:
			call = object{"name": "Edit", "input": object{"file_path": path, "old_string": words(t, genLines, "\n", "old"),
				"new_string": words(t, genLines, "\n", "new")}}
		case 2:
			call = object{"name": "Bash", "input": object{"command": "cat " + words(t, genNames, " ", "command"),
				"description": strconv.Itoa(n)}}
		default:
			patch := "*** Begin Patch\n*** Update File: " + path + "\n@@\n-" + words(t, genLines, "\n-", "old") +
				"\n*** End Patch"
			call = object{"name": "apply_patch", "input": object{"input": patch}}
		}
		call["type"], call["id"] = "tool_use", id
		messages = append(messages, object{"role": "assistant", "content": []any{
			object{"type": "text", "text": "- " + words(t, genNames, ", ", "answer")}, call}},
			object{"role": "user", "content": []any{
				object{"type": "tool_result", "tool_use_id": id, "content": result}}})
	}
	messages = append(messages, object{"role": "assistant", "content": "- " + words(t, genNames, ", ", "end")})
	body, err := json.Marshal(object{"system": words(t, genNames, " ", "system") + ".", "messages": messages})
	require.NoError(t, err)
	c, err := format.Parse(body, msg.Anthropic)
	require.NoError(t, err)
	return c
}

// change makes a context shorter, as a compaction does.
func change(t *rapid.T, context []msg.Message) []msg.Message {
	out := slices.Clone(context)
	i := rapid.IntRange(0, len(out)-1).Draw(t, "at")
	switch rapid.IntRange(0, 2).Draw(t, "change") {
	case 0: // a summary in place of a span
		end := rapid.IntRange(i+1, len(out)).Draw(t, "end")
		summary := msg.TextMessage(msg.User, "Summary: "+words(t, genNames, " ", "kept"))
		return slices.Concat(out[:i], []msg.Message{summary}, out[end:])
	case 1:
		return slices.Delete(out, i, i+1)
	}
	b := rapid.IntRange(0, len(out[i].Blocks)-1).Draw(t, "block")
	if out[i].Blocks[b].Kind != msg.KindToolUse {
		blocks := slices.Clone(out[i].Blocks)
		text := blocks[b].Text
		blocks[b] = blocks[b].WithText(rapid.SampledFrom([]string{"[cleared]", text[:len(text)/2] + "\n[…]"}).Draw(t, "text"))
		out[i] = out[i].WithBlocks(blocks)
	}
	return out
}

// The fast implementation agrees with the reference, whatever becomes of the context.
func TestAgreesWithTheReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := session(t)
		answers := msg.Calls(c)
		s := misses.New(c, answers)
		var context []msg.Message
		next := 0
		for _, m := range answers {
			s.Grow(m)
			context = append(slices.Clip(context), c.Messages[next:m]...)
			next = m
			grown := true
			for rapid.IntRange(0, 2).Draw(t, "compact") == 0 {
				context, grown = change(t, context), false
				if len(context) == 0 {
					break
				}
			}
			s.SetContext(context, grown)
			same(t, slow(c, m, context), s.Call(m), m)
		}
	})
}

// It agrees on real sessions, with the contexts of presets.
func TestAgreesOnRealSessions(t *testing.T) {
	missedOnce := false
	for _, test := range []struct {
		file, preset string
		window       int
	}{
		{"anthropic/kimi-cli--28-db10720a96-0.json", "balanced", 20_000},
		{"anthropic/claude-code-log--cb2e607c-c758-415a-8b45-c49e4631906a.json", "balanced", 20_000},
		{"anthropic/claude-code-log--37f83ec9-f2ea-42a9-925e-0d5c105cb6e8.json", "harness", 60_000},
	} {
		if testing.Short() && missedOnce {
			break // the reference takes most of the time
		}
		data, err := os.ReadFile(filepath.Join(convtest.NeedCorpus(t), test.file))
		require.NoError(t, err)
		c, err := format.Parse(data, "")
		require.NoError(t, err)
		p, err := policy.Preset(test.preset)
		require.NoError(t, err)
		p.Trigger.Window = test.window
		carried, err := core.NewSession(c.WithMessages(nil), "", p, tokens.Chars4)
		require.NoError(t, err)
		answers := msg.Calls(c)
		s := misses.New(c, answers)
		next, missed := 0, 0
		for _, m := range answers {
			s.Grow(m)
			carried.Append(c.Messages[next:m])
			next = m
			_, changed, err := carried.Compact(core.Env{}, core.Host{})
			require.NoError(t, err)
			context := carried.Conversation().Messages
			s.SetContext(context, !changed)
			have := s.Call(m)
			missed += have.Missed + have.Lost
			same(t, slow(c, m, context), have, test.file, m)
		}
		require.Positive(t, missed, test.file)
		missedOnce = true
	}
}
