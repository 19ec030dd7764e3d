package replay

import (
	"strings"

	"tamp/core/msg"
	"tamp/core/provenance"
)

// The owners of the tokens of a request.
const (
	ownerHidden    = "hidden"  // what the log does not show: system prompt, tools, reminders
	ownerSystem    = "system"  // system prompt
	ownerTools     = "tools"   // definitions of the agent's own tools
	ownerServer    = "server"  // definitions of a tool server's tools: names that begin with mcp__ and its name
	ownerNotes     = "notes"   // text that the agent inserts: reminders, memory files
	ownerPrompts   = "prompts" // of the user
	ownerAnswers   = "answers" // of the model: text, and calls by tool
	ownerThinking  = "thinking"
	ownerResults   = "results" // of tools, by tool
	ownerSummaries = "summaries"
	ownerOther     = "other"
)

// owner is one of the owners above, with the name of a tool or of a tool server.
type owner struct{ kind, name string }

// serverOf returns the name of the tool server of a tool, "" for the agent's own tools.
func serverOf(tool string) string {
	rest, ok := strings.CutPrefix(tool, "mcp__")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "__")
	return name
}

func ownerOfTool(tool *msg.Block) owner {
	if server := serverOf(tool.Name); server != "" {
		return owner{ownerServer, server}
	}
	return owner{ownerTools, ""}
}

// ownerOf returns the owner of block b of a message. tools has the names of the calls before it, by id.
func ownerOf(m *msg.Message, b int, tools map[string]string) owner {
	block := &m.Blocks[b]
	switch {
	case block.IsSummary():
		return owner{ownerSummaries, ""}
	case block.Kind == msg.KindToolUse:
		return owner{ownerAnswers, block.Name}
	case block.Kind == msg.KindToolResult:
		return owner{ownerResults, tools[block.ID]}
	case block.Kind == msg.KindThinking:
		return owner{ownerThinking, ""}
	case block.Kind == msg.KindOther:
		return owner{ownerOther, ""}
	case m.Role == msg.System || m.Role == msg.Developer:
		return owner{ownerSystem, ""}
	case m.Role == msg.Assistant:
		return owner{ownerAnswers, ""}
	case isNote(m, b):
		return owner{ownerNotes, ""}
	}
	return owner{ownerPrompts, ""}
}

// isNote reports text that the agent inserts into messages of the user.
func isNote(m *msg.Message, b int) bool {
	return m.Role == msg.User && m.Blocks[b].Kind == msg.KindText && !m.Blocks[b].IsSummary() &&
		(m.Meta || provenance.IsInjected(m, b))
}
