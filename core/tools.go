package core

import (
	"strings"

	"tamp/core/msg"
)

// The names of the tools by which a model manages its own context.
const (
	ToolCompact = "compact"
	ToolRecall  = "recall"
)

// toolDefinition is the definition of one tool, independent of the provider's format.
type toolDefinition struct{ name, description, schema string }

var toolDefinitions = [...]toolDefinition{
	{ToolCompact, "Summarize the conversation so far to free context. Call it when the work so far is no longer needed in full, " +
		"for example between two tasks. Originals stay available through " + ToolRecall + ".",
		`{"type":"object","properties":{"focus":{"type":"string","description":"What the summary must preserve: files, decisions, open questions."}}}`},
	{ToolRecall, "Read an original that was taken out of the conversation. Placeholders and summaries name it by its ref.",
		`{"type":"object","properties":{"ref":{"type":"string","description":"The ref, 16 hexadecimal digits, as the placeholder has it."}},"required":["ref"]}`},
}

// Tools returns the definitions of compact and recall in the schema of a format, each as a JSON object for the tools of
// a request. The caller owns the slice. The error is unknown_format.
func Tools(format string) ([]msg.Raw, error) {
	tools := make([]msg.Raw, 0, len(toolDefinitions))
	for _, d := range toolDefinitions {
		about := msg.Raw("{}").With("name", msg.Quote(d.name)).With("description", msg.Quote(d.description))
		switch format {
		case msg.Anthropic, msg.ClaudeCode:
			tools = append(tools, about.With("input_schema", msg.Raw(d.schema)))
		case msg.OpenAIChat:
			tools = append(tools, msg.Raw(`{"type":"function"}`).With("function", about.With("parameters",
				msg.Raw(d.schema))))
		default:
			return nil, msg.NewError(msg.UnknownFormat, "/format",
				"cannot define tools for \""+clip(format)+"\": the formats are "+
					msg.Anthropic+", "+msg.OpenAIChat+", "+msg.ClaudeCode)
		}
	}
	return tools, nil
}

// CompactCall reports that the model has called compact: the call is in the last round, and all results of that round
// are present. Acting earlier would separate calls from their results. focus is the text that the model asked to
// preserve, "" if it is absent or the input is not JSON. NewPlan calls CompactCall itself, and plans as if forced.
//
// CompactCall returns true until the model answers. Planning again meanwhile changes nothing, since the first forced
// plan has removed everything that a forced plan may remove.
func CompactCall(c *msg.Conversation) (focus string, ok bool) {
	if msg.OpenRound(c) == len(c.Messages) {
		return "", false
	}
	return compactCall(c, msg.Pair(c))
}

func compactCall(c *msg.Conversation, pairs msg.Pairing) (focus string, ok bool) {
	m := msg.OpenRound(c)
	if m == len(c.Messages) {
		return "", false
	}
	for b := range c.Messages[m].Blocks {
		at := msg.Ref{Message: m, Block: b}
		call := c.At(at)
		if call.Kind != msg.KindToolUse || call.Server {
			continue
		}
		if _, answered := pairs.Result(at); !answered {
			return "", false
		}
		if call.Name == ToolCompact {
			ok = true
			if focus == "" {
				focus = focusOf(call.Text)
			}
		}
	}
	return focus, ok
}

func focusOf(input string) string {
	if msg.Validate([]byte(input)) != nil {
		return ""
	}
	return strings.TrimSpace(msg.Raw(strings.TrimSpace(input)).Member("focus").Text())
}
