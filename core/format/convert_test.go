package format_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/validity"
)

// Two answers of the model next to each other are one content of Gemini, which refuses a call after the model's turn.
func TestConvertNeighbors(t *testing.T) {
	c, err := format.Parse([]byte(`[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"},
		{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},
		{"type":"function_call_output","call_id":"c","output":"x"}]`), "")
	require.NoError(t, err)
	require.Len(t, c.Messages, 4)
	require.Empty(t, validity.Check(requireConverted(t, c, msg.Gemini)))
}

// A type of an image that is not that of its data is right in a request to another provider.
func TestConvertMediaType(t *testing.T) {
	c, err := format.Parse([]byte(`[{"role":"user","content":[{"type":"input_image",
		"image_url":"data:image/jpg;base64,/9j/4AAQSkZJRgABAQAAAQABAAD/2wBD"}]}]`), "")
	require.NoError(t, err)
	out, err := format.Render(requireConverted(t, c, msg.Anthropic))
	require.NoError(t, err)
	require.Contains(t, string(out), `"media_type":"image/jpeg"`)
}

var requests = []string{msg.Anthropic, msg.OpenAIChat, msg.OpenAIResponses, msg.Gemini, msg.AISDK}

// A valid conversation of every format is valid in every other one, its bytes are read as that format, and every call
// keeps its result.
func TestConvert(t *testing.T) {
	for _, from := range slices.Concat([]string{msg.ClaudeCode, msg.Codex}, convtest.Clients[:], requests) {
		t.Run(from, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				to := rapid.SampledFrom(requests).Draw(t, "to")
				c, err := format.Parse(convtest.Conversation(t, from), from)
				require.NoError(t, err)
				out := requireConverted(t, c, to)
				require.Equal(t, answered(c)+madeUp(t, c, to), answered(out), "the calls with a result, of those that the client runs")
			})
		})
	}
}

// requireConverted converts c, and asserts that the result has no error that c does not have.
func requireConverted(t require.TestingT, c *msg.Conversation, to string) *msg.Conversation {
	out, _, err := format.Convert(c, to)
	require.NoError(t, err)
	written, err := format.Render(out)
	require.NoError(t, err)
	again, err := format.Parse(written, to)
	require.NoError(t, err, "%s", written)
	if len(validity.BrokenRules(c)) == 0 && len(again.Messages) > 0 { // nothing is left if nothing has an equal
		for _, p := range validity.Check(again) {
			switch p.Rule {
			case validity.G3Signature, validity.A1Role, validity.G1Order: // of another provider, and of how a session begins
				continue
			}
			require.Equal(t, validity.SeverityWarning, p.Severity, "%s at %s: %s\n%s", p.Rule, p.Path, p.Message, written)
		}
	}
	return again
}

// answered counts the calls that have a result, without those of servers.
func answered(c *msg.Conversation) int {
	pairs, count := msg.Pair(c), 0
	for at, block := range c.Blocks() {
		if block.Kind != msg.KindToolUse || block.Server {
			continue
		}
		if _, ok := pairs.Result(at); ok {
			count++
		}
	}
	return count
}

// madeUp counts the results that Convert makes for asynchronous calls that wait for theirs.
func madeUp(t require.TestingT, c *msg.Conversation, to string) (count int) {
	_, losses, err := format.Convert(c, to)
	require.NoError(t, err)
	for _, loss := range losses {
		if loss.What == "an asynchronous call without its result" {
			count++
		}
	}
	return count
}

// Where nothing is lost, there and back gives the same conversation.
func TestConvertThereAndBack(t *testing.T) {
	same := 0
	for _, from := range requests {
		rapid.Check(t, func(t *rapid.T) {
			to := rapid.SampledFrom(requests).Draw(t, "to")
			c, err := format.Parse(convtest.Conversation(t, from), from)
			require.NoError(t, err)
			there, losses, err := format.Convert(c, to)
			require.NoError(t, err)
			if len(losses) > 0 {
				return
			}
			back, losses, err := format.Convert(there, from)
			require.NoError(t, err)
			require.Empty(t, losses)
			require.Equal(t, heard(c), heard(back), "%s to %s and back", from, to)
			same++
		})
	}
	require.Positive(t, same)
}

// heard lists what the model reads, whatever the messages are divided into.
func heard(c *msg.Conversation) (out []string) {
	system := ""
	for i := range c.System {
		system += c.System[i].Text + "\n"
	}
	for at, block := range c.Blocks() {
		if role := c.Messages[at.Message].Role; (role == msg.System || role == msg.Developer) && len(out) == 0 {
			system += block.Text + "\n"
			continue
		}
		if block.Kind == msg.KindText && block.Text == "" {
			continue
		}
		kind := block.Kind
		if kind == msg.KindSummary { // which a log marks, and a request does not
			kind = msg.KindText
		}
		out = append(out, string(kind)+" "+block.ID+" "+block.Text)
		for p := range block.Parts {
			if block.Parts[p].Kind == msg.KindImage {
				out = append(out, "an image of "+block.ID)
			}
		}
	}
	return append([]string{strings.ReplaceAll(system, "\n\n", "\n")}, out...)
}

// Each kind of loss is in the report, with its place.
func TestConvertLosses(t *testing.T) {
	c, err := format.Parse([]byte(`{"model":"claude-opus-5","max_tokens":9,"system":"be brief","messages":[
		{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]},
		{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},
			{"type":"tool_use","id":"t1","name":"f","input":{"a":1}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[
			{"type":"text","text":"x"},
			{"type":"image","source":{"type":"url","url":"https://example.org/a.png"}}]},{"type":"hologram"}]}]}`), "")
	require.NoError(t, err)
	out, losses, err := format.Convert(c, msg.OpenAIChat)
	require.NoError(t, err)
	written, err := format.Render(out)
	require.NoError(t, err)
	require.JSONEq(t, `[{"role":"system","content":"be brief"},{"role":"user","content":[{"type":"text","text":"hi"}]},
		{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":{"name":"f",
		"arguments":"{\"a\":1}"}}]},{"role":"tool","tool_call_id":"t1","content":"x"}]`, string(written))
	require.Equal(t, []format.Loss{
		{Path: "/messages/0/content/0", What: "cache_control", Became: "dropped"},
		{Path: "/messages/1/content/0", What: "thinking", Became: "dropped"},
		{Path: "/messages/2/content/0", What: "is_error", Became: "dropped"},
		{Path: "/messages/2/content/0/content/1", What: "the image in a tool result", Became: "dropped"},
		{Path: "/messages/2/content/1", What: "hologram", Became: "dropped"},
		{Path: "/model", What: "model", Became: "dropped"},
		{Path: "/max_tokens", What: "max_tokens", Became: "dropped"},
	}, losses)
	_, _, err = format.Convert(c, msg.Codex)
	require.Equal(t, msg.UnknownFormat, err.(*msg.Error).Code)
}

// Thinking that Anthropic signed goes back to Anthropic from the history of a client, any other is dropped; images of
// tool results stay where the target has them.
func TestConvertThinkingAndImages(t *testing.T) {
	export := func(metadata string) string {
		return `[{"info":{"role":"user","id":"u"},"parts":[{"type":"text","text":"go"}]},{"info":{"role":"assistant","id":"a"},
			"parts":[{"type":"reasoning","text":"hm"` + metadata + `},{"type":"text","text":"done"}]}]`
	}
	const result = `{"type":"session","version":3,"id":"s"}
{"type":"message","id":"1","parentId":null,"message":{"role":"user","content":"look"}}
{"type":"message","id":"2","parentId":"1","message":{"role":"assistant","content":[{"type":"toolCall","id":"t1","name":"shot","arguments":{}}],"stopReason":"toolUse"}}
{"type":"message","id":"3","parentId":"2","message":{"role":"toolResult","toolCallId":"t1","toolName":"shot","isError":true,"content":[{"type":"text","text":"see"},{"type":"image","data":"iVBORw0KGgoAAAAASUVORK5CYII=","mimeType":"image/png"}]}}
`
	const asked = `{"role":"user","content":[{"type":"text","text":"go"}]},{"role":"assistant","content":[`
	for _, row := range []struct{ name, data, to, want, lost string }{
		{"signed thinking of opencode", export(`,"metadata":{"anthropic":{"signature":"s"}}`), msg.Anthropic,
			`[` + asked + `{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"done"}]}]`, ""},
		{"redacted thinking of opencode", export(`,"metadata":{"anthropic":{"redactedData":"r"}}`), msg.Anthropic,
			`[` + asked + `{"type":"redacted_thinking","data":"r"},{"type":"text","text":"done"}]}]`, ""},
		{"thinking of another provider", export(`,"metadata":{"openai":{"itemId":"rs_1"}}`), msg.Anthropic,
			`[` + asked + `{"type":"text","text":"done"}]}]`, "/1/parts/0 thinking"},
		{"signed thinking to another provider", export(`,"metadata":{"anthropic":{"signature":"s"}}`), msg.OpenAIChat,
			`[` + asked + `{"type":"text","text":"done"}]}]`, "/1/parts/0 thinking"},
		{"an image in a result of pi", result, msg.Anthropic, `[{"role":"user","content":[{"type":"text","text":"look"}]},
			{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"shot","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"see"},
			{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAAASUVORK5CYII="}}]}]}]`, ""},
		{"an image in a result of Responses", result, msg.OpenAIResponses, `[{"type":"message","role":"user","content":[
			{"type":"input_text","text":"look"}]},{"type":"function_call","call_id":"t1","name":"shot","arguments":"{}"},
			{"type":"function_call_output","call_id":"t1","output":[{"type":"input_text","text":"see"},
			{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgoAAAAASUVORK5CYII="}]}]`, ""},
		{"an image in a result of Gemini", result, msg.Gemini, `[{"role":"user","parts":[{"text":"look"}]},
			{"role":"model","parts":[{"functionCall":{"id":"t1","name":"shot","args":{}}}]},
			{"role":"user","parts":[{"functionResponse":{"id":"t1","name":"shot","response":{"error":"see"},
			"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgoAAAAASUVORK5CYII="}}]}}]}]`, ""},
		{"an image in a result of the AI SDK", result, msg.AISDK, `[{"role":"user","content":[{"type":"text","text":"look"}]},
			{"role":"assistant","content":[{"type":"tool-call","toolCallId":"t1","toolName":"shot","input":{}}]},
			{"role":"tool","content":[{"type":"tool-result","toolCallId":"t1","toolName":"shot","output":{"type":"content",
			"value":[{"type":"text","text":"see"},{"type":"image-data","data":"iVBORw0KGgoAAAAASUVORK5CYII=","mediaType":"image/png"}]}}]}]`, ""},
		{"an image in a result, which the target does not have", result, msg.OpenAIChat, `[{"role":"user","content":[{"type":"text","text":"look"}]},
			{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":{"name":"shot","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"t1","content":"see"}]`, "/3/message/content/1 the image in a tool result"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, err := format.Parse([]byte(row.data), "")
			require.NoError(t, err)
			out, losses, err := format.Convert(c, row.to)
			require.NoError(t, err)
			written, err := format.Render(out)
			require.NoError(t, err)
			require.JSONEq(t, row.want, string(written))
			again, err := format.Parse(written, row.to)
			require.NoError(t, err)
			require.True(t, validity.Valid(validity.Check(again)))
			var lost []string
			for _, l := range losses {
				if l.What != "is_error" {
					lost = append(lost, l.Path+" "+l.What)
				}
			}
			require.Equal(t, row.lost, strings.Join(lost, ", "))
		})
	}
}

// Every form in which the AI SDK holds an image is read: base64, a URL, and the tagged data of version 7.
func TestConvertImagesOfTheAISDK(t *testing.T) {
	inline := `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAAASUVORK5CYII="}}`
	linked := `{"type":"image","source":{"type":"url","url":"https://example.org/a.png"}}`
	for _, row := range []struct{ part, want, lost string }{
		{`{"type":"image","image":"iVBORw0KGgoAAAAASUVORK5CYII=","mediaType":"image/png"}`, inline, ""},
		{`{"type":"image","image":"data:image/png;base64,iVBORw0KGgoAAAAASUVORK5CYII="}`, inline, ""},
		{`{"type":"image","image":"https://example.org/a.png"}`, linked, ""},
		{`{"type":"image","image":"iVBORw0KGgo="}`, strings.Replace(inline, "iVBORw0KGgoAAAAASUVORK5CYII=", "iVBORw0KGgo=", 1), ""},
		{`{"type":"image","image":"aGk="}`, "", "image"}, // of no known type
		{`{"type":"file","data":"iVBORw0KGgoAAAAASUVORK5CYII=","mediaType":"image/png"}`, inline, ""},
		{`{"type":"file","data":"https://example.org/a.png","mediaType":"image/png"}`, linked, ""},
		{`{"type":"file","data":{"type":"data","data":"iVBORw0KGgoAAAAASUVORK5CYII="},"mediaType":"image/png"}`, inline, ""},
		{`{"type":"file","data":{"type":"url","url":"https://example.org/a.png"},"mediaType":"image/png"}`, linked, ""},
	} {
		data := `[{"role":"user","content":[{"type":"text","text":"go"},` + row.part + `]},{"role":"assistant","content":[
			{"type":"tool-call","toolCallId":"t1","toolName":"f","input":{}}]},{"role":"tool","content":[{"type":"tool-result",
			"toolCallId":"t1","toolName":"f","output":{"type":"content","value":[` + row.part + `]}}]}]`
		c, err := format.Parse([]byte(data), "")
		require.NoError(t, err)
		out, losses, err := format.Convert(c, msg.Anthropic)
		require.NoError(t, err)
		text, err := format.Render(out)
		require.NoError(t, err)
		if row.want == "" {
			require.NotContains(t, string(text), "image")
		} else {
			require.Equal(t, 2, strings.Count(string(text), row.want+"]"), "%s\n%s", row.part, text)
		}
		for _, l := range losses {
			require.True(t, row.lost != "" && strings.Contains(l.What, row.lost), "%s: %v", row.part, l)
		}
		require.Equal(t, row.lost != "", len(losses) > 0, row.part)
	}
}

// Real sessions of every format become valid requests of every other one; the log of an agent becomes its own
// provider's request without a loss but the lines around it.
func TestConvertCorpus(t *testing.T) {
	root := convtest.NeedCorpus(t)
	files, err := filepath.Glob(filepath.Join(root, "*", "*.json*"))
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		c, err := format.Parse(data, "")
		if err != nil {
			continue // usage, and formats without a codec
		}
		if len(data) < 300_000 { // the large ones say nothing more
			for _, to := range requests {
				requireConverted(t, c, to)
			}
		}
		if msg.IsLog(c.Format) && c.Format != msg.GeminiCLI {
			out, losses, err := format.Convert(c, msg.API(c.Format))
			require.NoError(t, err)
			require.Empty(t, losses, file)
			interruption := regexp.MustCompile(`^tool_result \S+ (\[Tool result missing due to internal error\]|aborted|` +
				`No result provided|\[Tool execution was interrupted\])$`) // see TestConvertInterruptedCalls
			was := slices.DeleteFunc(heard(out), func(said string) bool {
				return !slices.Contains(heard(c), said) && interruption.MatchString(said)
			})
			require.Equal(t, heard(c), was, file)
		}
	}
}
