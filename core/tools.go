package core

import (
	"strings"

	"tamp/core/internal/rawjson"
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
	{ToolCompact, "Summarize the conversation so far to free context. Call it when the work so far is no longer needed " +
		"in full, " +
		"for example between two tasks. Originals stay available through " + ToolRecall + ".",
		`{"type":"object","properties":{"focus":{"type":"string","description":"What the summary must preserve: files, decisions, open questions."}}}`},
	{ToolRecall, "Read an original that was taken out of the conversation, or search in it. Placeholders and " +
		"summaries name it by its ref.",
		`{"type":"object","properties":{"ref":{"type":"string","description":"The ref, 16 hexadecimal digits, as the placeholder or the summary has it."},` +
			`"offset":{"type":"integer","minimum":0,"description":"The character to start at; 0 if absent."},` +
			`"limit":{"type":"integer","minimum":1,"description":"The max number of characters to return."},` +
			`"text":{"type":"string","description":"Return the lines that contain this text, with their offsets, instead of a page."}},"required":["ref"]}`},
}

// Tools returns the definitions of compact and recall in the schema of a format, each as a JSON object for the tools of
// a request. The caller owns the slice. The error is unknown_format.
func Tools(format string) ([]rawjson.Value, error) {
	tools := make([]rawjson.Value, 0, len(toolDefinitions))
	for _, d := range toolDefinitions {
		about := rawjson.Value("{}").With("name", rawjson.Quote(d.name)).With("description", rawjson.Quote(d.description))
		switch msg.API(format) {
		case msg.Anthropic:
			tools = append(tools, about.With("input_schema", rawjson.Value(d.schema)))
		case msg.OpenAIChat:
			tools = append(tools, rawjson.Value(`{"type":"function"}`).With("function", about.With("parameters",
				rawjson.Value(d.schema))))
		case msg.OpenAIResponses:
			tools = append(tools, rawjson.Value(`{"type":"function"}`).With("name", rawjson.Quote(d.name)).
				With("description", rawjson.Quote(d.description)).With("parameters", rawjson.Value(d.schema)).
				With("strict", rawjson.Value("false")))
		case msg.Gemini:
			function := append(append(rawjson.Value("["), about.With("parameters", rawjson.Value(d.schema))...), ']')
			tools = append(tools, rawjson.Value("{}").With("functionDeclarations", function))
		case msg.AISDK:
			tools = append(tools, about.With("inputSchema", rawjson.Value(d.schema)))
		default:
			return nil, msg.NewError(msg.UnknownFormat, "/format",
				"cannot define tools for \""+msg.Shorten(format, 60)+"\": the formats are "+
					msg.Anthropic+", "+msg.OpenAIChat+", "+msg.OpenAIResponses+", "+msg.Gemini+", "+msg.AISDK+" and the logs")
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
	open := msg.OpenRound(c)
	if open == len(c.Messages) || !c.Messages[open].Any(func(b *msg.Block) bool {
		return b.Kind == msg.KindToolUse && b.Name == ToolCompact
	}) {
		return "", false // without pairing all calls
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
	return strings.TrimSpace(rawjson.Value(strings.TrimSpace(input)).Member("focus").Text())
}
