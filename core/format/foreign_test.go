package format_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/validity"
)

// foreignRows are histories that no codec reads, or not under every name: each was once read as another format.
var foreignRows = []struct{ name, data, says, why string }{
	{"Bedrock Converse", `[{"role":"user","content":[{"text":"hi"}]},
		{"role":"assistant","content":[{"toolUse":{"toolUseId":"1","name":"f","input":{}}}]},
		{"role":"user","content":[{"toolResult":{"toolUseId":"1","content":[{"text":"x"}]}}]}]`, "Bedrock",
		"its members have no type, so every block was one of an unknown type"},
	{"Bedrock images", `[{"role":"user","content":[{"image":{"format":"png","source":{"bytes":"AA"}}}]}]`, "Bedrock",
		"a message without a text passed as Anthropic's"},
	{"Bedrock guards", `[{"role":"user","content":[{"guardContent":{"text":{"text":"x"}}}]}]`, "Bedrock", "the same"},
	{"Bedrock body", `{"modelId":"m","inferenceConfig":{},"messages":[{"role":"user","content":[]}]}`, "Bedrock",
		"a body says it without any part"},
	{"LangChain dumps", `[{"lc":1,"type":"constructor","id":["langchain","schema","messages","HumanMessage"],"kwargs":{"content":"x"}}]`,
		"LangChain", "what dumpd writes"},
	{"LangChain dicts", `{"messages":[{"type":"human","data":{"content":"x"}},{"type":"ai","data":{"content":"y"}}]}`,
		"LangChain", "what messages_to_dict writes"},
	{"LangChain short", `[{"type":"human","content":"x"}]`, "LangChain", "what its server returns"},
	{"Ollama", `{"model":"m","messages":[{"role":"user","content":"x"},{"role":"assistant","content":"",
		"tool_calls":[{"function":{"name":"f","arguments":{}}}]},{"role":"tool","tool_name":"f","content":"y"}]}`, "Ollama",
		"its calls have no id, so no result can be matched"},
	{"SDKMessage[]", `[{"type":"system","subtype":"init","session_id":"s"},
		{"type":"user","session_id":"s","message":{"role":"user","content":"x"}}]`, "JSON.stringify",
		"the stream of the Claude Agent SDK is read as lines"},
	{"messages of pi", `[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"toolCall","id":"1",
		"name":"f","arguments":{}}]},{"role":"toolResult","toolCallId":"1","toolName":"f","content":[]}]`, "pi session",
		"without their entries they have no place in a session file"},
	{"messages of Gemini CLI", `[{"id":"m","type":"gemini","content":"x"}]`, "Gemini CLI", "an older file is an object"},
	{"the Agents SDK", `[{"role":"user","content":"x"},{"type":"function_call","callId":"c","name":"f","arguments":"{}"},
		{"type":"function_call_result","callId":"c","name":"f","output":{"type":"text","text":"y"}}]`, "Agents SDK",
		"its ids have another name, so no call was seen"},
	{"Goose", `[{"role":"assistant","content":[{"type":"toolRequest","id":"t","toolCall":{}}]},
		{"role":"user","content":[{"type":"toolResponse","id":"t","toolResult":{}}]}]`, "Goose", "its calls were unknown blocks"},
	{"Amp", `{"v":1,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","toolUseID":"t","run":{}}]}]}`, "Amp", "its results name no call"},
	{"LlamaIndex", `[{"role":"user","blocks":[{"block_type":"text","text":"x"}]}]`, "LlamaIndex", "its messages seemed empty"},
	{"Zed", `{"messages":[{"id":0,"role":"user","segments":[{"type":"text","text":"x"}],"tool_uses":[]}]}`, "Zed",
		"its messages seemed empty"},
	{"Pydantic AI", `[{"kind":"request","parts":[{"part_kind":"user-prompt","content":"x"}]}]`, "Pydantic AI",
		"its parts were read as Gemini's"},
	{"Crush", `[{"role":"assistant","parts":[{"type":"tool_call","data":{"id":"t","name":"f","input":"{}"}}]}]`, "Crush",
		"its parts were read as those of UIMessage[]"},
	{"Droid", `{"type":"session_start","id":"s"}` + "\n" + `{"type":"message","id":"a","message":{"role":"user","content":[]}}`,
		"Droid", "its lines were read as pi's"},
	{"Roo Code", `[{"role":"assistant","content":[{"type":"reasoning","text":"x"},{"type":"tool_use","id":"t","name":"f",
		"input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"y"}]}]`, "",
		"its reasoning is a part of the AI SDK, its calls are Anthropic's, and were not seen"},
	{"Roo Code with items", `[{"type":"reasoning","id":"rs_1","summary":[]},{"role":"assistant","content":[{"type":"tool_use",
		"id":"t","name":"f","input":{}}]}]`, "", "its reasoning is an item of Responses, its calls are Anthropic's"},
	{"lines of Codex as an array", `[{"timestamp":"x","type":"response_item","payload":{"type":"message","role":"user"}}]`,
		"Codex", "the lines are wanted"},
	{"images of pi", `[{"role":"user","content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]},
		{"role":"toolResult","toolCallId":"t","toolName":"f","content":[]}]`, "pi session", "the AI SDK has other images"},
	{"Mistral", `[{"role":"user","content":"x"},{"role":"assistant","content":"","toolCalls":[{"id":"t","function":{
		"name":"f","arguments":"{}"}}]},{"role":"tool","toolCallId":"t","name":"f","content":"y"}]`, "Mistral",
		"its calls have another name, so repair removed the results"},
	{"Mistral results", `[{"role":"tool","toolCallId":"t","name":"f","content":"y"}]`, "Mistral", "their ids have another name"},
	{"Microsoft.Extensions.AI", `[{"role":"user","contents":[{"$type":"text","text":"x"}]},{"role":"tool","contents":[
		{"$type":"functionResult","callId":"t","result":"y"}]}]`, "Microsoft", "its messages seemed empty"},
	{"Cohere v1", `[{"role":"USER","message":"hi"},{"role":"CHATBOT","message":"y","tool_calls":[{"name":"f","parameters":{}}]},
		{"role":"TOOL","tool_results":[]}]`, "Cohere", "its messages seemed empty"},
	{"Cohere v1 body", `{"message":"x","chat_history":[{"role":"USER","message":"hi"}]}`, "Cohere", "the same"},
	{"smolagents", `[{"role":"user","content":"x"},{"role":"tool-call","content":"Calling tools: []"},
		{"role":"tool-response","content":"y"}]`, "smolagents", "its calls are texts with roles that no API has"},
	{"Interactions turns", `{"input":[{"role":"user","content":"x"},{"role":"model","content":[{"type":"function_call","id":"c",
		"name":"f","arguments":{}}]},{"role":"user","content":[{"type":"function_result","call_id":"c","result":"y"}]}]}`,
		"Interactions", "it was read as Responses, and its calls were unknown parts"},
	{"Genkit", `[{"role":"user","content":[{"text":"x"}]},{"role":"model","content":[{"toolRequest":{"name":"f"}}]}]`,
		"Genkit", "its role is Gemini's, its content is not"},
	{"Mistral conversations", `[{"type":"message.input","role":"user","content":"x"},{"type":"function.call","tool_call_id":"t",
		"name":"f","arguments":"{}"},{"type":"function.result","tool_call_id":"t","result":"y"}]`, "Mistral",
		"its entries were items of an unknown type"},
	{"LlamaIndex of old", `[{"role":"user","content":"x","additional_kwargs":{}},{"role":"assistant","content":"",
		"additional_kwargs":{"tool_calls":[]}},{"role":"tool","content":"y","additional_kwargs":{"tool_call_id":"t"}}]`,
		"LlamaIndex", "its calls were not seen"},
	{"Semantic Kernel", `{"messages":[{"content_type":"message","role":"user","items":[{"content_type":"text","text":"x"}]}]}`,
		"Semantic Kernel", "its messages seemed empty"},
	{"AutoGen", `[{"role":"user","content":"x"},{"role":"tool","content":"y","tool_responses":[{"tool_call_id":"t",
		"role":"tool","content":"y"}]}]`, "AutoGen", "a message has the results of several calls"},
	{"Haystack", `[{"role":"user","content":[{"text":"x"}]},{"role":"assistant","content":[{"tool_call":{"id":"t"}}]},
		{"role":"tool","content":[{"tool_call_result":{"result":"y"}}]}]`, "Haystack", "its parts are like Bedrock's"},
	{"A2A", `[{"role":"user","kind":"message","parts":[{"kind":"text","text":"x"}]},
		{"role":"agent","kind":"message","parts":[{"kind":"text","text":"y"}]}]`, "A2A", "its parts were read as Gemini's"},
	{"roles of LangChain", `[{"role":"human","content":"x"},{"role":"ai","content":"y"}]`, "LangChain", "check called each role an error"},
	{"calls of LangChain", `[{"role":"user","content":"x"},{"role":"assistant","content":"","tool_calls":[{"name":"f","args":{},
		"id":"c","type":"tool_call"}]},{"role":"tool","tool_call_id":"c","content":"y"}]`, "LangChain",
		"its calls have no function: their names and inputs were not seen"},
	{"blocks of LangChain", `[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_call","id":"c","name":"f",
		"args":{}}]},{"role":"tool","tool_call_id":"c","content":"y"}]`, "LangChain", "repair removed the result"},
	{"options of LlamaIndex", `[{"role":"user","content":"x"},{"role":"assistant","content":"","options":{"toolCall":[{"id":"c",
		"name":"f","input":{}}]}}]`, "LlamaIndex", "its calls were not seen"},
	{"OpenTelemetry", `[{"role":"user","parts":[{"type":"text","content":"x"}]},{"role":"assistant","parts":[{"type":"tool_call",
		"id":"c","name":"f","arguments":{}}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"c","response":"y"}]}]`,
		"OpenTelemetry", "its parts were read as those of UIMessage[], without text and calls"},
	{"Anthropic in camelCase", `[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"toolUse","id":"t","name":"f",
		"input":{}}]},{"role":"user","content":[{"type":"toolResult","toolUseId":"t","content":"y"}]}]`, "Bedrock",
		"its calls were blocks of an unknown type, so it seemed valid"},
	{"Anthropic among OpenAI", `[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c","type":"function",
		"function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"y"},{"role":"assistant",
		"content":[{"type":"tool_use","id":"t","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result",
		"tool_use_id":"t","content":"y"}]}]`, "two formats", "the calls of one were not seen, and it was valid as openai-chat"},
	{"UIMessage among ModelMessage", `[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool-call",
		"toolCallId":"m","toolName":"f","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"m","toolName":"f",
		"output":{"type":"text","value":"y"}}]},{"id":"u","role":"user","parts":[{"type":"text","text":"z"}]}]`, "two formats",
		"repair removed the messages with parts"},
	{"texts in text", `[{"role":"user","text":"x"},{"role":"assistant","text":"y"}]`, "the member text",
		"the messages seemed empty, and valid as openai-responses"},
	{"Ollama images", `[{"role":"user","content":"x","images":["aGk="]}]`, "Ollama", "an image next to the content"},
}

// foreignLines are logs of other agents: each was once read as a log of Codex or pi.
var foreignLines = []struct{ name, data, why string }{
	{"a stream of Gemini CLI", `{"type":"init","timestamp":"t","session_id":"s"}` + "\n" +
		`{"type":"message","timestamp":"t","role":"user","content":"x"}` + "\n" +
		`{"type":"tool_use","timestamp":"t","tool_name":"f","tool_id":"1","parameters":{}}`,
		"its messages were read as bare items of Codex, and its calls were lost"},
	{"a stream of Gemini CLI without its start", `{"type":"message","timestamp":"t","role":"user","content":"x"}` + "\n" +
		`{"type":"tool_use","timestamp":"t","tool_name":"f","tool_id":"1","parameters":{}}`, "the same"},
	{"a session with createdAt", `{"type":"session","version":0,"id":"s","createdAt":1,"cwd":"/"}` + "\n" +
		`{"type":"user/message","seq":1,"time":1,"data":{"role":"user","content":[]}}`,
		"its header was read as pi's, and the conversation was empty"},
}

func TestForeignLines(t *testing.T) {
	for _, row := range foreignLines {
		for _, name := range []format.Name{"", msg.Codex, msg.Pi, msg.ClaudeCode} {
			_, err := format.Parse([]byte(row.data), name)
			var known *msg.Error
			require.ErrorAs(t, err, &known, "%s as %q: %s", row.name, name, row.why)
			require.Equal(t, msg.UnknownFormat, known.Code, "%s as %q", row.name, name)
			require.ErrorContains(t, err, "JSON Lines", "%s as %q", row.name, name)
		}
	}
}

func TestForeignShapes(t *testing.T) {
	for _, row := range foreignRows {
		t.Run(row.name, func(t *testing.T) {
			for _, name := range append(format.Names(), "") {
				_, err := format.Parse([]byte(row.data), name)
				var known *msg.Error
				require.ErrorAs(t, err, &known, "as %q: %s", name, row.why)
				require.Equal(t, msg.UnknownFormat, known.Code, "as %q", name)
				require.ErrorContains(t, err, row.says, "as %q", name)
			}
		})
	}
}

// Objects of no known shape are refused, also under the names of the formats whose codecs keep unknown objects.
func TestNothingIsReadAsAnything(t *testing.T) {
	for _, data := range []string{`[{"from":"human","value":"hi"}]`, `[{"author":"user","content":{"parts":[{"text":"x"}]}}]`,
		`[{"type":"TextMessage","source":"user","content":"hi"}]`, `[{"ts":1,"type":"say","text":"hi"}]`, `{"tabs":[]}`,
		`[{"type":"text-delta","id":"1","delta":"x"}]`, `{"lastUpdated":"x"}`, `{"id":"c","choices":[]}`, `{}`, `[[]]`, `[1]`,
		`{"type":"conversation.item.create","item":{}}`,
		`[{"messageType":"USER","text":"hi"}]`, `[{"conversations":[{"from":"human","value":"hi"}]}]`} {
		for _, name := range append(format.Names(), "") {
			_, err := format.Parse([]byte(data), name)
			require.IsType(t, &msg.Error{}, err, "%s as %q", data, name)
		}
	}
	for _, name := range []string{msg.Gemini, msg.AISDKUI, msg.OpenCode} {
		_, err := format.Parse([]byte(`[{"role":"user","content":"hi"}]`), name)
		require.Error(t, err, name)
	}
}

// Every file of the corpus, read under every name: it is refused, or its pairs are whole.
func TestNoFileIsReadAsAnotherFormat(t *testing.T) {
	root := convtest.NeedCorpus(t)
	var files []string
	for _, dir := range []string{root, filepath.Join(filepath.Dir(root), "more")} {
		found, err := filepath.Glob(filepath.Join(dir, "*", "*.json*"))
		require.NoError(t, err)
		files = append(files, found...)
	}
	for i, file := range files {
		folder := filepath.Base(filepath.Dir(file))
		if folder == "usage" || folder == "texts" {
			continue
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, name := range convtest.OneOfFew(format.Names(), i) {
			requireRefusedOrWhole(t, folder+"/"+filepath.Base(file), data, folder, name)
		}
	}
}

// Random conversations of every format, read under every other name: they are refused, or their pairs are whole.
func TestNoConversationIsReadAsAnotherFormat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		own := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "own")
		name := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "name")
		data := convtest.Conversation(t, own)
		if own != name {
			requireRefusedOrWhole(t, string(data), data, own, name)
		}
	})
}

// requireRefusedOrWhole reads data, which is in the format own, as the named format.
func requireRefusedOrWhole(t require.TestingT, file string, data []byte, own, name string) {
	c, err := format.Parse(data, name)
	if err != nil {
		require.IsType(t, &msg.Error{}, err)
		return
	}
	if own == name || own == msg.API(name) || name == msg.API(own) {
		return // the same messages: what breaks a rule breaks it in both
	}
	for _, rule := range validity.BrokenRules(c) {
		switch rule {
		case validity.A2Unanswered, validity.A3Orphan, validity.O1Unanswered, validity.O2Orphan, validity.R1Unanswered,
			validity.R1Orphan, validity.G2Count, validity.S1Unanswered, validity.S2Orphan:
			require.Fail(t, file+" is read as "+name+", and breaks "+string(rule))
		}
	}
}

// Google's SDKs write the members of a part that are not set as null.
func TestPartsOfGeminiWithNulls(t *testing.T) {
	c, err := format.Parse([]byte(`[{"role":"user","parts":[{"text":"x","function_call":null,"inline_data":null}]},
		{"role":"model","parts":[{"text":null,"function_call":{"id":null,"name":"f","args":{}},"function_response":null}]},
		{"role":"user","parts":[{"function_call":null,"function_response":{"id":null,"name":"f","response":{"output":"y"}}}]}]`), "")
	require.NoError(t, err)
	require.Empty(t, validity.Check(c))
	require.Equal(t, "y", c.Messages[2].Blocks[0].Text)
}
