package validator

import (
	"fmt"
	"slices"
	"strings"
)

// The rules of the Anthropic Messages API, A1 to A7, A11 and A12. The API merges neighbors of one role, so the rules on
// calls and results go by runs: the messages of one role that have no other role between them.

// run is a list of neighboring messages of one role, with all their blocks.
type run struct {
	role   string
	blocks []map[string]any
}

func anthropic(r *Request) []Violation {
	var violations []Violation
	report := func(rule, id, why string, args ...any) {
		violations = append(violations, Violation{Rule: rule, ID: id, Why: fmt.Sprintf(why, args...)})
	}
	if len(r.Messages) == 0 {
		report("A1_empty", "", "there are no messages")
		return violations
	}
	compactions, first := 0, true
	for i := range r.Messages {
		m := &r.Messages[i]
		blocks, ok := m.content()
		if !slices.Contains([]string{"user", "assistant", "system"}, m.Role) {
			first = false
			report("A1_role", "", "message %d has the role %q", i, m.Role)
			continue
		}
		if isSetting(m) {
			continue
		}
		if first && m.Role != "user" && (len(blocks) == 0 || blocks[0]["type"] != "compaction") {
			report("A1_role", "", "the first message is of the role %q", m.Role)
		}
		first = false
		if !ok || len(blocks) == 0 && (i < len(r.Messages)-1 || m.Role != "assistant") {
			report("A1_empty", "", "message %d is empty", i)
		}
		for b, block := range blocks {
			switch kind := block["type"]; {
			case kind == "text" && (text(block, "text") == "" ||
				r.Format == Anthropic && strings.TrimSpace(text(block, "text")) == ""):
				report("A1_empty", "", "text block %d of message %d is empty", b, i)
			case m.Role != "assistant" && (kind == "tool_use" || kind == "thinking" || kind == "redacted_thinking"):
				report("A1_role", text(block, "id"), "a %s block is in message %d of the role %s", kind, i, m.Role)
			case kind == "compaction":
				if compactions++; compactions > 1 || b > 0 {
					report("A12_compaction", "", "compaction block %d of message %d is not the first and only one", b, i)
				}
			}
		}
	}
	system, _ := r.System.([]any)
	for _, element := range system {
		if block, _ := element.(map[string]any); block["type"] == "text" && strings.TrimSpace(text(block, "text")) == "" {
			report("A1_empty", "", "a text block of the system prompt is empty")
		}
	}
	violations = append(violations, pairs(r)...)
	violations = append(violations, serverTools(r)...)
	violations = append(violations, systemMessages(r)...)
	violations = append(violations, members(r)...)
	return append(violations, cacheControls(r)...)
}

// pairs checks the calls that the client answers: A2, A3, A4 and A5.
func pairs(r *Request) []Violation {
	var violations []Violation
	report := func(rule, id, why string) { violations = append(violations, Violation{Rule: rule, ID: id, Why: why}) }
	var runs []run
	for i := range r.Messages {
		m := &r.Messages[i]
		blocks, _ := m.content()
		if n := len(runs); n > 0 && runs[n-1].role == m.Role {
			runs[n-1].blocks = append(runs[n-1].blocks, blocks...)
		} else {
			runs = append(runs, run{m.Role, blocks})
		}
	}
	seen := map[string]bool{} // the ids of all calls
	var waiting []string      // the calls that the next user run has to answer
	missing := func(last bool) {
		for _, id := range waiting {
			violations = append(violations, Violation{"A2_unanswered", id, "the next user message has no result", last})
		}
		waiting = nil
	}
	for n, current := range runs {
		switch current.role {
		case "assistant":
			missing(false)
			for _, block := range current.blocks {
				switch block["type"] {
				case "tool_use":
					id := text(block, "id")
					if seen[id] || id == "" {
						report("A5_duplicate", id, "the id of a tool_use is missing, or another one has it")
					}
					seen[id] = true
					waiting = append(waiting, id)
				case "tool_result":
					report("A3_orphan", text(block, "tool_use_id"), "a tool_result is in an assistant message")
				}
			}
		case "system":
			for _, block := range current.blocks {
				if block["type"] == "tool_result" {
					report("A3_orphan", text(block, "tool_use_id"), "a tool_result is in a system message")
				}
			}
		case "user":
			answered := map[string]bool{}
			behind, only := false, true
			for _, block := range current.blocks {
				if block["type"] != "tool_result" {
					behind, only = true, only && isInjected(block)
					continue
				}
				id := text(block, "tool_use_id")
				at := slices.Index(waiting, id)
				switch {
				case answered[id]:
					report("A5_duplicate", id, "a tool_use has two results")
				case at < 0:
					report("A3_orphan", id, "the assistant message before has no such tool_use")
				case behind:
					report("A4_order", id, "a tool_result is behind another block of its user message")
				}
				if at >= 0 {
					waiting = slices.Delete(slices.Clone(waiting), at, at+1)
					answered[id] = true
				}
			}
			missing(only && !slices.ContainsFunc(runs[n+1:], func(later run) bool { return later.role != "system" }))
		}
	}
	missing(true)
	return violations
}

// isSetting reports a system message that only sets the effort.
func isSetting(m *Message) bool {
	_, sets := m.Value["output_config"].(map[string]any)
	blocks, _ := m.content()
	return m.Role == "system" && sets && (len(blocks) == 0 || m.Value["content"] == "")
}

// systemMessages checks A18, the places and the content of system messages, and A19, their model.
func systemMessages(r *Request) []Violation {
	if r.Format != Anthropic {
		return nil
	}
	var violations []Violation
	var list []*Message // without those that only set something, or are empty
	for i := range r.Messages {
		m := &r.Messages[i]
		if blocks, _ := m.content(); m.Role != "system" || !isSetting(m) && len(blocks) > 0 && m.Value["content"] != "" {
			list = append(list, m)
		}
	}
	for i, m := range list {
		if m.Role != "system" || i == 0 {
			continue // the first one is A1_role
		}
		report := func(why string, last bool) {
			violations = append(violations, Violation{Rule: "A18_system", Why: why, Last: last})
		}
		if r.Model == "claude-sonnet-4-5" { // of the models of convtest, the one that takes none
			violations = append(violations, Violation{Rule: "A19_system_model", Why: "the model takes no system message"})
		}
		blocks, _ := m.content()
		for _, block := range blocks {
			_, cached := block["cache_control"]
			kind, _ := block["type"].(string)
			change := kind == "tool_addition" || kind == "tool_removal"
			if kind == "image" || kind == "document" || m.Value["clear_at"] != nil && (change || cached) {
				report("a block of type "+kind, false)
			}
		}
		before := list[i-1]
		content, _ := before.content()
		last := ""
		if len(content) > 0 {
			last, _ = content[len(content)-1]["type"].(string)
		}
		if before.Role == "assistant" && (last == "tool_result" || !strings.HasSuffix(last, "_tool_result")) {
			end := !slices.ContainsFunc(list[i:], func(m *Message) bool { return m.Role != "system" })
			open := slices.ContainsFunc(content, func(b map[string]any) bool { return b["type"] == "tool_use" })
			report("an assistant message is before it", end && (open || strings.HasSuffix(last, "tool_use")))
		}
		if i+1 < len(list) && list[i+1].Role == "user" {
			next, _ := list[i+1].content()
			if m.Value["clear_at"] == nil ||
				!slices.ContainsFunc(next, func(b map[string]any) bool { return b["type"] == "tool_result" }) {
				report("a user message follows it", false)
			}
		}
	}
	return violations
}

// isInjected reports a text that an agent put in, wholly within one of its tags: it does not end a tool round.
func isInjected(block map[string]any) bool {
	return block["type"] == "text" && isReminder(text(block, "text"))
}

func isReminder(t string) bool {
	t = strings.TrimSpace(t)
	tags := []string{"system-reminder", "ide_selection", "ide_opened_file", "user-prompt-submit-hook", "pre-tool-use-hook"}
	return slices.ContainsFunc(tags, func(tag string) bool {
		return strings.HasPrefix(t, "<"+tag+">") && strings.Index(t, "</"+tag+">") == len(t)-len("</>"+tag)
	})
}

// serverTools checks the calls that the provider runs itself: each has its result in the same turn of the assistant,
// which a prompt of the user ends.
func serverTools(r *Request) []Violation {
	var violations []Violation
	report := func(id, why string, last bool) {
		violations = append(violations, Violation{"A7_server_tool", id, why, last})
	}
	var waiting []string
	missing := func(last bool) {
		for _, id := range waiting {
			report(id, "the call has no result in its turn", last)
		}
		waiting = nil
	}
	for i := range r.Messages {
		m := &r.Messages[i]
		blocks, _ := m.content()
		for _, block := range blocks {
			if m.Role == "user" && block["type"] != "tool_result" && !isInjected(block) {
				missing(false)
			}
		}
		for _, block := range blocks {
			kind, _ := block["type"].(string)
			id := text(block, "tool_use_id")
			server := kind == "server_tool_use" || kind == "mcp_tool_use"
			if server && text(block, "id") == "" || !server && strings.HasSuffix(kind, "_tool_result") && id == "" {
				report("", "a block of a server tool has no id", false)
				continue
			}
			switch {
			case kind == "server_tool_use" || kind == "mcp_tool_use":
				if waiting = append(waiting, text(block, "id")); m.Role != "assistant" {
					report(text(block, "id"), "a call of the provider is in a "+m.Role+" message", false)
				}
			case strings.HasSuffix(kind, "_tool_result"):
				at := slices.Index(waiting, id)
				if at < 0 || m.Role != "assistant" {
					report(id, "the result has no call in its turn", false)
				} else {
					waiting = slices.Delete(waiting, at, at+1)
				}
			}
		}
	}
	missing(true)
	return violations
}

// cacheControls checks A11 in the order of the rendered request: tools, system, messages, and the automatic one.
func cacheControls(r *Request) []Violation {
	var violations []Violation
	report := func(why string) { violations = append(violations, Violation{Rule: "A11_cache_control", Why: why}) }
	count, five := 0, false
	var walk func(value any)
	mark := func(block map[string]any) {
		control, ok := block["cache_control"].(map[string]any)
		if !ok {
			return
		}
		count++
		switch kind := block["type"]; {
		case kind == "thinking" || kind == "redacted_thinking":
			report("a breakpoint is on thinking")
		case block["defer_loading"] == true:
			report("a breakpoint is on a deferred tool")
		case kind == "text" && text(block, "text") == "":
			report("a breakpoint is on an empty text")
		}
		if control["ttl"] != "1h" {
			five = true
		} else if five {
			report("a breakpoint of 1h comes after one of 5m")
		}
	}
	walk = func(value any) {
		list, _ := value.([]any)
		for _, element := range list {
			if block, ok := element.(map[string]any); ok {
				walk(block["content"])
				mark(block)
			}
		}
	}
	walk(r.Tools)
	walk(r.System)
	for i := range r.Messages {
		walk(r.Messages[i].Value["content"])
	}
	mark(map[string]any{"cache_control": r.Cache})
	if count > 4 {
		report(fmt.Sprintf("%d blocks with cache_control", count))
	}
	return violations
}
