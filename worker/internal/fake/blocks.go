package fake

import (
	"encoding/json"
	"fmt"
	"strings"

	"tamp/core/msg"
)

// The members that blocks and tools of the Messages API have; it refuses any other. The rules of a conversation are in
// rules.go.

// leftOut are the types of blocks that the API drops before the last fallback block of an answer. Source:
// platform.claude.com, refusals-and-fallback.
const leftOut = " thinking redacted_thinking connector_text "

// run is a sequence of messages of one role, which the API joins.
type run struct {
	role   string
	blocks []locatedBlock
}

type locatedBlock struct {
	inputBlock
	at   string // "messages.3.content.0"
	left bool   // before a fallback block: not in the prompt
}

// blockFields are the fields that blocks of these types may have; other types are not checked.
var blockFields = map[string]string{
	"text":        " type text citations cache_control ",
	"thinking":    " type thinking signature ",
	"tool_use":    " type id name input caller toolset_name cache_control ",
	"tool_result": " type tool_use_id content is_error toolset_name cache_control ",
}

func (b *inputBlock) extra() []string {
	known := blockFields[b.Type]
	var fields map[string]json.RawMessage
	if known == "" || json.Unmarshal(b.raw, &fields) != nil {
		return nil
	}
	var names []string
	for name := range fields {
		if !strings.Contains(known, " "+name+" ") {
			names = append(names, name)
		}
	}
	return names
}

// runs joins messages of one role.
func (in *input) runs() (all []run) {
	for i := range in.Messages {
		m := &in.Messages[i]
		blocks, _ := m.blocks()
		if m.setsEffort() {
			blocks = []inputBlock{{Type: effortType, raw: marshal(object{"type": effortType})}}
		}
		if len(blocks) == 0 {
			continue
		}
		if len(all) == 0 || all[len(all)-1].role != m.Role {
			all = append(all, run{role: m.Role})
		}
		last := &all[len(all)-1]
		fallback := len(blocks) - 1
		for fallback >= 0 && blocks[fallback].Type != "fallback" {
			fallback--
		}
		for b := range blocks {
			left := b < fallback && strings.Contains(leftOut, " "+blocks[b].Type+" ")
			last.blocks = append(last.blocks, locatedBlock{blocks[b], fmt.Sprintf("messages.%d.content.%d", i, b), left})
		}
	}
	return all
}

// badSchema reports blocks and tools that are not of the types, or without the members, that the API knows.
func (in *input) badSchema() (problems []string) {
	say := func(format string, values ...any) { problems = append(problems, fmt.Sprintf(format, values...)) }
	lifetime := func(c *cache, at string) {
		if c != nil && (c.Type != "ephemeral" || c.TTL != "" && c.TTL != "5m" && c.TTL != "1h") {
			say("%s.cache_control: Input should be ephemeral, for 5m or 1h", at)
		}
	}
	lifetime(in.Cache, "top level")
	system, _ := blocksOf(in.System)
	for i := range system {
		lifetime(system[i].Cache, fmt.Sprintf("system.%d", i))
	}
	for _, r := range in.runs() {
		for _, b := range r.blocks {
			lifetime(b.Cache, b.at)
			if _, known := msg.BlockTypeOf(b.Type); r.role != "system" && !known {
				say("%s: Input tag '%s' found using 'type' does not match any of the expected tags", b.at, b.Type)
			}
			for _, name := range b.extra() {
				say("%s.%s.%s: Extra inputs are not permitted", b.at, b.Type, name)
			}
			if b.Type == "tool_use" && (len(b.Input) == 0 || b.Input[0] != '{') {
				say("%s.tool_use.input: Input should be a valid dictionary", b.at)
			}
		}
	}
	names := map[string]bool{}
	for i, t := range in.Tools {
		if t.Name == "" || names[t.Name] {
			say("tools.%d: Tool names must be unique, and not empty", i)
		}
		if (t.Type == "" || t.Type == "custom") && (len(t.Schema) == 0 || t.Schema[0] != '{') {
			say("tools.%d.input_schema: Field required", i)
		}
		names[t.Name] = true
		lifetime(t.Cache, fmt.Sprintf("tools.%d", i))
	}
	return problems
}

// removedIn2026 reports blocks that the newer version of the API does not accept.
func (in *input) removedIn2026() []string {
	var problems []string
	for _, r := range in.runs() {
		for _, b := range r.blocks {
			if r.role == "assistant" && b.Type == "document" {
				problems = append(problems, b.at+": `document` blocks cannot be in `assistant` messages")
			}
			if r.role == "user" && b.Type == "text" && len(b.Citations) > 0 {
				problems = append(problems, b.at+".text.citations: cannot be in `user` messages")
			}
		}
	}
	return problems
}
