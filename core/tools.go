package core

import (
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// ToolRecall is the name of the tool by which a model reads an original back.
const ToolRecall = "recall"

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
func Tools(format string) ([][]byte, error) {
	tools := make([][]byte, 0, len(toolDefinitions))
	for _, d := range toolDefinitions {
		about := rawjson.Value("{}").With("name", rawjson.Quote(d.name)).With("description", rawjson.Quote(d.description))
		if format == msg.Interactions {
			tools = append(tools, rawjson.Value(`{"type":"function"}`).With("name", rawjson.Quote(d.name)).
				With("description", rawjson.Quote(d.description)).With("parameters", rawjson.Value(d.schema)))
			continue
		}
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
