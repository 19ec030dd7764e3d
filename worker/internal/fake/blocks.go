package fake

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The rules of the Messages API for blocks. They are written from the provider's documentation, independently of the
// engine's own check.

// blockTypes are the types that the API accepts. The names of results of its own tools end in _tool_result.
const blockTypes = " text image document search_result thinking redacted_thinking tool_use tool_result " +
	"server_tool_use mcp_tool_use mcp_tool_listing " +
	"container_upload compaction tool_addition tool_removal fallback tool_reference "

// run is a sequence of messages of one role, which the API joins.
type run struct {
	role   string
	blocks []locatedBlock
}

type locatedBlock struct {
	inputBlock
	at string // "messages.3.content.0"
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

// runs joins messages of one role, and reports those without content.
func (in *input) runs() (all []run, problems []string) {
	for i := range in.Messages {
		m := &in.Messages[i]
		blocks, err := m.blocks()
		if m.setsEffort() {
			blocks, err = []inputBlock{{Type: effortType, raw: marshal(object{"type": effortType})}}, nil
		}
		if err != nil || len(blocks) == 0 {
			problems = append(problems, fmt.Sprintf("messages.%d: all messages must have non-empty content", i))
		}
		if len(blocks) == 0 {
			continue
		}
		if len(all) == 0 || all[len(all)-1].role != m.Role {
			all = append(all, run{role: m.Role})
		}
		last := &all[len(all)-1]
		for b := range blocks {
			last.blocks = append(last.blocks, locatedBlock{blocks[b], fmt.Sprintf("messages.%d.content.%d", i, b)})
		}
	}
	return all, problems
}

// unpairedBlocks checks the fields of blocks, and that each call has its result in the next message.
func (in *input) unpairedBlocks() []string {
	runs, problems := in.runs()
	say := func(format string, values ...any) { problems = append(problems, fmt.Sprintf(format, values...)) }
	open, seen := map[string]bool{}, map[string]bool{} // open: true while a call has no result
	unanswered := func(at string) {
		for id, waits := range open {
			if waits {
				say("%s: `tool_use` ids were found without `tool_result` blocks immediately after: %s", at, id)
			}
		}
	}
	for _, r := range runs {
		switch {
		case r.role == "system":
			continue // see badSystem
		case r.role == "assistant":
			open = map[string]bool{}
		}
		other := false
		for _, b := range r.blocks {
			if !strings.Contains(blockTypes, " "+b.Type+" ") && !strings.HasSuffix(b.Type, "_tool_result") {
				say("%s: Input tag '%s' found using 'type' does not match any of the expected tags", b.at, b.Type)
			}
			for _, name := range b.extra() {
				say("%s.%s.%s: Extra inputs are not permitted", b.at, b.Type, name)
			}
			switch b.Type {
			case "text":
				if b.Text == "" {
					say("%s: text content blocks must be non-empty", b.at)
				}
			case "tool_use":
				switch {
				case r.role != "assistant":
					say("%s: `tool_use` blocks can only be in `assistant` messages", b.at)
				case seen[b.ID]:
					say("%s: `tool_use` ids must be unique", b.at)
				case b.Name == "":
					say("%s.tool_use.name: Field required", b.at)
				case len(b.Input) == 0 || b.Input[0] != '{':
					say("%s.tool_use.input: Input should be a valid dictionary", b.at)
				}
				open[b.ID], seen[b.ID] = true, true
			case "tool_result":
				waits, known := open[b.ToolUseID]
				switch {
				case r.role != "user":
					say("%s: `tool_result` blocks can only be in `user` messages", b.at)
				case !known:
					say("%s: unexpected `tool_use_id` found in `tool_result` blocks: %s", b.at, b.ToolUseID)
				case !waits:
					say("%s: each tool_use must have a single result. Found multiple `tool_result` blocks with id: %s", b.at,
						b.ToolUseID)
				case other:
					say("%s: tool results must come first", b.at)
				}
				if known {
					open[b.ToolUseID] = false
				}
			case "thinking", "redacted_thinking":
				if r.role != "assistant" {
					say("%s: thinking can only be in `assistant` messages", b.at)
				}
			}
			other = other || b.Type != "tool_result"
		}
		if r.role == "user" {
			unanswered(r.blocks[0].at)
			open = map[string]bool{}
		}
	}
	unanswered("messages")
	return problems
}

// removedIn2026 reports blocks that the newer version of the API does not accept.
func (in *input) removedIn2026() []string {
	var problems []string
	runs, _ := in.runs()
	for _, r := range runs {
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

// badBreakpoints checks cache_control and the definitions of tools that may have it.
func (in *input) badBreakpoints() []string {
	var problems []string
	count, short := 0, false // short: an earlier breakpoint has five minutes
	look := func(c *cache, at string) {
		if c == nil {
			return
		}
		count++
		hour := c.TTL == "1h"
		if c.Type != "ephemeral" || c.TTL != "" && c.TTL != "5m" && !hour {
			problems = append(problems, at+".cache_control: Input should be ephemeral, for 5m or 1h")
		}
		if hour && short {
			problems = append(problems,
				at+".cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block")
		}
		short = short || !hour
	}
	names := map[string]bool{}
	for i, t := range in.Tools {
		at := fmt.Sprintf("tools.%d", i)
		if t.Name == "" || names[t.Name] {
			problems = append(problems, at+": Tool names must be unique, and not empty")
		}
		if (t.Type == "" || t.Type == "custom") && (len(t.Schema) == 0 || t.Schema[0] != '{') {
			problems = append(problems, at+".input_schema: Field required")
		}
		names[t.Name] = true
		look(t.Cache, at)
	}
	system, _ := blocksOf(in.System)
	for i := range system {
		look(system[i].Cache, fmt.Sprintf("system.%d", i))
	}
	runs, _ := in.runs()
	for _, r := range runs {
		for _, b := range r.blocks {
			if b.Cache != nil && (strings.HasSuffix(b.Type, "thinking") || b.Type == "text" && b.Text == "") {
				problems = append(problems, b.at+": cache_control cannot be set for thinking or empty text blocks")
			}
			parts, _ := blocksOf(b.Content)
			for i := range parts {
				look(parts[i].Cache, fmt.Sprintf("%s.content.%d", b.at, i))
			}
			look(b.Cache, b.at)
		}
	}
	look(in.Cache, "top level")
	if count > 4 {
		problems = append(problems, fmt.Sprintf("A maximum of 4 blocks with cache_control may be provided. Found %d.", count))
	}
	return problems
}
