package validity

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

// The rules on texts, names, ids, parts and images: a request that breaks each, the words of the provider, and what
// Repair makes of it.

const (
	prompt  = `{"role":"user","content":"go"}`
	uses    = `{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]}`
	got     = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}`
	calling = `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	told    = `{"role":"tool","tool_call_id":"c1","content":"x"}`
	item    = `{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"}`
	output  = `{"type":"function_call_output","call_id":"c1","output":"x"}`
	ask     = `{"role":"user","parts":[{"text":"go"}]}`
)

// body writes a request with messages, and members before them.
func body(name, members string, messages ...string) string {
	list := map[string]string{msg.OpenAIResponses: "input", msg.Gemini: "contents"}[name]
	if list == "" {
		list = "messages"
	}
	return `{` + members + `,"` + list + `":[` + strings.Join(messages, ",") + `]}`
}

// png returns an image in base64 of a size in pixels, with nothing but its header.
func png(width, height int) string {
	header := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), make([]byte, 13)...)
	binary.BigEndian.PutUint32(header[16:], uint32(width))
	binary.BigEndian.PutUint32(header[20:], uint32(height))
	header = append(header, "\x00\x00\x00\x00\x00\x00\x00\x00IEND\xaeB`\x82"...)
	return base64.StdEncoding.EncodeToString(header)
}

func picture(data string) string {
	return `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + data + `"}}`
}

// screenshots returns n rounds with an image as their result.
func screenshots(n, width, height int) (messages []string) {
	messages = append(messages, prompt)
	for k := range n {
		id := "t" + strconv.Itoa(k)
		messages = append(messages, strings.Replace(uses, "t1", id, 1),
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"`+id+`","content":[`+picture(png(width, height))+`]}]}`)
	}
	return messages
}

const model, gpt = `"model":"claude-opus-4-8"`, `"model":"gpt-5"`

const (
	newModel = `"model":"claude-opus-5-5"`
	system   = `{"role":"system","content":"Be brief."}`
	setting  = `{"role":"system","content":[],"output_config":{"effort":"low"}}`
	answer   = `{"role":"assistant","content":"done"}`
)

var memberRows = []struct {
	rule         Rule
	format, body string
	says         string
	repaired     string // a part of the repaired request; "": the request stays broken
}{
	{A1Empty, msg.Anthropic, body(msg.Anthropic, model, `{"role":"user","content":[{"type":"text","text":" \n"},{"type":"text","text":"x"}]}`),
		"text content blocks must contain non-whitespace text", `"content":[{"type":"text","text":"x"}]`},
	{A1Empty, msg.Anthropic, body(msg.Anthropic, model, prompt, `{"role":"assistant","content":"\t"}`, prompt),
		"text content blocks must contain non-whitespace text", prompt + "," + prompt},
	{A1Empty, msg.Anthropic, body(msg.Anthropic, model+`,"system":[{"type":"text","text":" "}]`, prompt),
		"text content blocks must contain non-whitespace text", ""},
	{A6ID, msg.Anthropic, body(msg.Anthropic, model, prompt, strings.Replace(uses, "t1", "call:1.a", 1),
		strings.Replace(got, "t1", "call:1.a", 1)),
		"messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", `"tool_use_id":"call_1_a_2"`},
	{A14Name, msg.Anthropic, body(msg.Anthropic, model+`,"tools":[{"name":"a"},{"name":"get weather","input_schema":{}}]`, prompt),
		"tools.1.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'", ""},
	{A14Name, msg.Anthropic, body(msg.Anthropic, model, prompt, strings.Replace(uses, `"f"`, `"`+strings.Repeat("n", 201)+`"`, 1), got),
		"messages.1.content.0.tool_use.name: String should have at most 200 characters", `"name":"` + strings.Repeat("n", 200) + `"`},
	{A15Type, msg.Anthropic, body(msg.Anthropic, model, `{"role":"user","content":[{"type":"text","text":"x"},{"source":{}}]}`),
		"messages.0.content.1.type: Field required", ""},
	{A18System, msg.Anthropic, body(msg.Anthropic, newModel, prompt, answer, system, prompt),
		"messages.2: role 'system' must " +
			"follow a 'user' message or an 'assistant' message ending in a server tool result" + systemForm, prompt + "," + system},
	{A18System, msg.Anthropic, body(msg.Anthropic, newModel, prompt, system, system, prompt),
		"messages.2: role 'system' must " +
			"precede an 'assistant' message or end the array" + systemForm, prompt + "," + prompt + "," + system + "," + system},
	{A1Role, msg.Anthropic, body(msg.Anthropic, newModel, system, system, prompt), "messages.0: use the top-level 'system' " +
		"parameter for the initial system prompt" + systemForm, prompt + "," + system + "," + system},
	{A1Empty, msg.Anthropic, body(msg.Anthropic, newModel, prompt, `{"role":"system","content":[]}`, answer),
		"messages.1: system content must contain at least one block", prompt + "," + answer},
	{A18System, msg.Anthropic, body(msg.Anthropic, newModel, prompt, `{"role":"system","content":[{"type":"image","source":`+
		`{"type":"url","url":"https://example.org/a.png"}}]}`, answer), "messages.1: role 'system' supports text, " +
		"tool_addition, and tool_removal blocks only", ""},
	{A11Cache, msg.Anthropic, body(msg.Anthropic, newModel, prompt, `{"role":"system","clear_at":"next_user_message",`+
		`"content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]}`), "", `[{"type":"text","text":"x"}]`},
	{A18System, msg.Anthropic, body(msg.Anthropic, newModel, prompt, `{"role":"system","clear_at":"next_user_message",`+
		`"content":[{"type":"tool_removal","tool":{"type":"tool_reference","name":"f"}}]}`), "messages.1: role 'system' supports text, " +
		"tool_addition, and tool_removal blocks only", ""},
	{A18System, msg.Anthropic, body(msg.Anthropic, newModel, prompt, strings.Replace(system, "{", `{"clear_at":"next_user_message",`, 1),
		prompt), "messages.1: role 'system' must precede an 'assistant' message or end the array" + systemForm, prompt + "," + prompt},
	{A19SystemModel, msg.Anthropic, body(msg.Anthropic, `"model":"claude-sonnet-5"`, prompt, system, answer),
		"role 'system' is not supported on this model", ""},
	{A20Programmatic, msg.Anthropic, body(msg.Anthropic, model, prompt, `{"role":"assistant","content":[{"type":"server_tool_use",`+
		`"id":"srvtoolu_1","name":"code_execution","input":{}},{"type":"tool_use","id":"t1","name":"f","input":{},"caller":`+
		`{"type":"code_execution_20260120","tool_id":"srvtoolu_1"}}]}`, strings.Replace(got, `}]`, `},{"type":"text","text":"and"}]`, 1)),
		"", ""},
	{A21Fallback, msg.Anthropic, body(msg.Anthropic, newModel, prompt, strings.Replace(uses, `}]}`,
		`},{"type":"fallback"},{"type":"text","text":"x"}]}`, 1), prompt), "", `[{"type":"fallback"},{"type":"text","text":"x"}]`},
	{A11Cache, msg.Anthropic, body(msg.Anthropic, model+`,"tools":[{"name":"f"},{"name":"g","cache_control":{"type":"ephemeral"},`+
		`"defer_loading":true}]`, prompt), "Tool 'g' cannot have both defer_loading=true and cache_control set. Tools with " +
		"defer_loading cannot use prompt caching.", `"tools":[{"name":"f"},{"name":"g","defer_loading":true}]`},
	{A22Deferred, msg.Anthropic, body(msg.Anthropic, model+`,"tools":[{"name":"g","defer_loading":true},{"name":"f","defer_loading":true}]`,
		prompt, uses, strings.Replace(got, `"x"`, `[{"type":"tool_reference","tool_name":"g"}]`, 1)),
		"At least one tool must have defer_loading=false.", `"tools":[{"name":"g","defer_loading":true},{"name":"f"}]`},
	{A22Deferred, msg.Anthropic, body(msg.Anthropic, model+`,"tools":[{"name":"g","defer_loading":true}]`, prompt, uses,
		strings.Replace(got, `"x"`, `[{"type":"tool_reference","tool_name":"g"}]`, 1)),
		"At least one tool must have defer_loading=false.", `"tools":[{"name":"g"}]`},
	{A16Reference, msg.Anthropic, body(msg.Anthropic, model+`,"tools":[{"name":"f","input_schema":{}}]`, prompt, uses,
		strings.Replace(got, `"x"`, `[{"type":"tool_reference","tool_name":"gone"},{"type":"tool_reference","tool_name":"f"}]`, 1)),
		"Tool reference 'gone' not found in available tools", `"content":[{"type":"tool_reference","tool_name":"f"}]`},
	{A16Reference, msg.Anthropic, body(msg.Anthropic, model+`,"tools":[{"name":"f","input_schema":{}}]`, prompt,
		`{"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"tool_search_tool_bm25","input":{}},`+
			`{"type":"tool_search_tool_result","tool_use_id":"s1","content":{"type":"tool_search_tool_search_result","tool_references":[`+
			`{"type":"tool_reference","tool_name":"f"},{"type":"tool_reference","tool_name":"gone"}]}},{"type":"text","text":"x"}]}`, prompt),
		"Tool reference 'gone' not found in available tools", `"tool_references":[{"type":"tool_reference","tool_name":"f"}]`},
	{A17Size, msg.Anthropic, body(msg.Anthropic, model, screenshots(3, 900, 8001)...), "messages.2.content.0.tool_result.content.0." +
		"image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels", ""},
	{A17Size, msg.Anthropic, body(msg.Anthropic, model, screenshots(21, 2400, 1500)...), "messages.2.content.0.tool_result.content.0." +
		"image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels", ""},
	{A17Size, msg.Anthropic, body(msg.Anthropic, `"model":"claude-haiku-4-5"`, screenshots(101, 80, 60)...),
		"Too much media: 0 document pages + 101 images > 100", ""},
	{A17Size, msg.Anthropic, body(msg.Anthropic, model, `{"role":"user","content":[`+picture(png(9, 9)+strings.Repeat("A", 10<<20))+`]}`),
		"messages.0.content.0.image.source.base64: image exceeds 10 MB maximum: 10485820 bytes > 10485760 bytes", ""},
	{J2Image, msg.Anthropic, body(msg.Anthropic, model, `{"role":"user","content":[`+picture("[omitted]")+`]}`), "Could not process image",
		`"content":[{"type":"text","text":"[An image was here, but its data is no image]"}]`},
	{J2Image, msg.Anthropic, body(msg.Anthropic, model, `{"role":"user","content":[`+picture("data:image/png;base64,"+png(2, 3))+`]}`),
		"Could not process image", picture(png(2, 3))},
	{O6ID, msg.OpenAIChat, body(msg.OpenAIChat, gpt, prompt, calling, `{"role":"tool","tool_call_ids":["c1"],"content":"x"}`),
		"Missing required parameter: 'messages[2].tool_call_id'.", `{"role":"tool","content":"x","tool_call_id":"c1"}`},
	{O7Calls, msg.OpenAIChat, body(msg.OpenAIChat, gpt, prompt, `{"role":"assistant","content":"x","tool_calls":[]}`),
		"Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
		`{"role":"assistant","content":"x"}`},
	{O8Name, msg.OpenAIChat, body(msg.OpenAIChat, gpt, prompt, strings.Replace(calling, `"f"`, `"files.read"`, 1), told),
		"Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern " +
			"'^[a-zA-Z0-9_-]+$'.", `"name":"files_read"`},
	{O8Name, msg.OpenAIChat, body(msg.OpenAIChat, gpt, prompt, strings.Replace(calling, `"f"`, `""`, 1), told),
		"Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern " +
			"'^[a-zA-Z0-9_-]+$'.", `"name":"unnamed"`},
	{O8Name, msg.OpenAIChat, body(msg.OpenAIChat, gpt, prompt, `{"role":"assistant","tool_calls":[{"id":"c1","type":"function"}]}`, told),
		"Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern " +
			"'^[a-zA-Z0-9_-]+$'.", `"function":{"arguments":"{}","name":"unnamed"}`},
	{O8Name, msg.OpenAIChat, body(msg.OpenAIChat, gpt+`,"tools":[{"type":"function","function":{"name":"a b"}}]`, prompt),
		"Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern " +
			"'^[a-zA-Z0-9_-]+$'.", ""},
	{O9Type, msg.OpenAIChat, body(msg.OpenAIChat, gpt, `{"role":"user","content":[{"type":"text","text":"x"},{"image_url":{"url":"x"}}]}`),
		"Missing required parameter: 'messages[0].content[1].type'.", ""},
	{O10Reasoning, msg.OpenAIChat, body(msg.OpenAIChat, `"model":"deepseek/deepseek-v4-pro"`, prompt, calling, told),
		"The reasoning_content in the thinking mode must be passed back to the API.", `"reasoning_content":""`},
	{O10Reasoning, msg.OpenAIChat, body(msg.OpenAIChat, `"model":"kimi-k2.5"`, prompt, calling, told),
		"thinking is enabled but reasoning_content is missing in assistant tool call message at index 1", `"reasoning_content":""`},
	{O10Reasoning, msg.OpenAIChat, body(msg.OpenAIChat, `"model":"kimi-k3","thinking":{"type":"enabled","keep":"all"}`, prompt,
		`{"role":"assistant","content":"x"}`, prompt),
		"thinking is enabled but reasoning_content is missing in assistant tool call message at index 1", `"reasoning_content":""`},
	{R9Duplicate, msg.OpenAIResponses, body(msg.OpenAIResponses, gpt, prompt, item, item, output, output, prompt),
		"Duplicate 'call_id': c1", `"call_id":"c1_2"`},
	{R10Name, msg.OpenAIResponses, body(msg.OpenAIResponses, gpt, prompt, strings.Replace(item, `"f"`, `"a.b"`, 1), output, prompt),
		"Invalid 'input[1].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
		`"name":"a_b"`},
	{R10Name, msg.OpenAIResponses, body(msg.OpenAIResponses, gpt+`,"tools":[{"type":"function","name":"a.b"}]`, prompt),
		"Invalid 'tools[0].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.", ""},
	{R11Type, msg.OpenAIResponses, body(msg.OpenAIResponses, gpt, `{"role":"user","content":[{"type":"input_text","text":"x"},{"image_url":"x"}]}`),
		"Missing required parameter: 'input[0].content[1].type'.", ""},
	{G5Name, msg.Gemini, body(msg.Gemini, `"tools":[{"functionDeclarations":[{"name":"1st"}]}]`, ask),
		"Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), " +
			"colons (:), or dashes (-), with a maximum length of 128.", ""},
	{S3Schema, msg.AISDK, `[{"role":"user","content":[{"type":"text","text":"x"},{"mediaType":"text/plain"}]}]`,
		"Invalid prompt: The messages do not match the ModelMessage[] schema.", ""},
	{J1Surrogate, msg.Anthropic, body(msg.Anthropic, model, `{"role":"user","content":"a \ud83d b \ud83d\ude80"}`),
		"The request body is not valid JSON: no low surrogate in string: …", `"content":"a \ufffd b \ud83d\ude80"`},
}

func TestMembersThatProvidersRefuse(t *testing.T) {
	for _, row := range memberRows {
		c, err := format.Parse([]byte(row.body), row.format)
		require.NoError(t, err, row.rule)
		problems := slices.DeleteFunc(Check(c), func(p Problem) bool { return p.Severity == SeverityWarning })
		require.NotEmpty(t, problems, row.rule)
		for _, p := range problems {
			require.Equal(t, row.rule, p.Rule, "%s", p.Message)
			require.NotEqual(t, p.Repair == "", p.Reason == "", "%s has a repair or the reason for none", row.rule)
		}
		require.Equal(t, row.says, problems[0].ProviderError)
		fixed, done := RepairAll(c)
		require.Equal(t, row.repaired != "", Valid(done.Left), "%s: %v", row.rule, done.Left)
		out, err := format.Render(fixed)
		require.NoError(t, err)
		require.Contains(t, string(out), row.repaired)
		again, err := format.Parse(out, row.format)
		require.NoError(t, err)
		require.Equal(t, row.repaired != "", Valid(Check(again)), "%s", row.rule)
		_, more := Repair(again)
		require.Empty(t, more)
	}
}

// What a provider takes is no problem.
func TestMembersThatProvidersTake(t *testing.T) {
	call := func(name string) string { return `{"functionCall":{"name":"` + name + `","args":{}}}` }
	answer := func(name string) string {
		return `{"role":"user","parts":[{"functionResponse":{"name":"` + name + `","response":{}}}]}`
	}
	reference := strings.Replace(got, `"x"`, `[{"type":"tool_reference","tool_name":"gone"}]`, 1)
	thinks := strings.Replace(calling, `"content"`, `"reasoning_content":"","content"`, 1)
	noID := strings.Replace(calling, `"id":"c1",`, "", 1)
	for name, row := range map[string]struct{ format, body string }{
		"parallel responses in contents of their own": {msg.Gemini, body(msg.Gemini, `"model":"gemini-2.5-pro"`, ask,
			`{"role":"model","parts":[`+call("f")+","+call("g")+`]}`, answer("f"), answer("g"), `{"role":"model","parts":[{"text":"x"}]}`)},
		"a call of another vendor without an id": {msg.OpenAIChat, body(msg.OpenAIChat, `"model":"gemini-2.5-pro"`, prompt, noID,
			`{"role":"tool","content":"x"}`, prompt)},
		"an interrupted reasoning item without an id": {msg.OpenAIResponses, body(msg.OpenAIResponses, gpt+`,"store":false`, prompt,
			`{"type":"reasoning","summary":[],"encrypted_content":"e"}`, prompt)},
		"a call_id that comes again once it is answered": {msg.OpenAIResponses, body(msg.OpenAIResponses, gpt, prompt, item, output, item, output)},
		"a hosted call without a call_id":                {msg.OpenAIResponses, body(msg.OpenAIResponses, gpt, prompt, `{"type":"x_search_call","id":"x"}`, prompt)},
		"a call of a tool with a space":                  {msg.Anthropic, body(msg.Anthropic, model, prompt, strings.Replace(uses, `"f"`, `"git diff"`, 1), got)},
		"dots in Gemini's names":                         {msg.Gemini, body(msg.Gemini, `"tools":[{"functionDeclarations":[{"name":"_a.b:c-d"}]}]`, ask)},
		"references in a list of messages":               {msg.Anthropic, "[" + prompt + "," + uses + "," + reference + "]"},
		"references to tools of a server": {msg.Anthropic, body(msg.Anthropic,
			model+`,"tools":[{"type":"mcp_toolset","mcp_server_name":"s"}]`, prompt, uses, reference)},
		"an empty last answer":               {msg.Anthropic, body(msg.Anthropic, model, prompt, `{"role":"assistant","content":""}`)},
		"white space of the model in OpenAI": {msg.OpenAIChat, body(msg.OpenAIChat, gpt, `{"role":"user","content":" "}`)},
		"20 large images":                    {msg.Anthropic, body(msg.Anthropic, model, screenshots(20, 2400, 8000)...)},
		"21 small images":                    {msg.Anthropic, body(msg.Anthropic, model, screenshots(21, 2000, 2000)...)},
		"600 images in a large window":       {msg.Anthropic, body(msg.Anthropic, model, screenshots(600, 80, 60)...)},
		"reasoning that is empty":            {msg.OpenAIChat, body(msg.OpenAIChat, `"model":"deepseek-v4"`, prompt, thinks, told)},
		"reasoning under another name": {msg.OpenAIChat, body(msg.OpenAIChat, `"model":"deepseek-v4"`, prompt,
			strings.Replace(calling, `"content"`, `"reasoning":"x","content"`, 1), told)},
		"a model that does not think": {msg.OpenAIChat, body(msg.OpenAIChat, `"model":"deepseek-v4","thinking":{"type":"disabled"}`, prompt, calling, told)},
		"an older model of DeepSeek":  {msg.OpenAIChat, body(msg.OpenAIChat, `"model":"deepseek-v3.1"`, prompt, calling, told)},
		"an older model of Kimi":      {msg.OpenAIChat, body(msg.OpenAIChat, `"model":"kimi-k2-0905-preview"`, prompt, calling, told)},
		"an answer without calls":     {msg.OpenAIChat, body(msg.OpenAIChat, `"model":"deepseek-v4"`, prompt, `{"role":"assistant","content":"x"}`)},
		"the escape of a backslash":   {msg.Anthropic, body(msg.Anthropic, model, `{"role":"user","content":"\\ud83d"}`)},
		"white space in a log": {msg.ClaudeCode, `{"type":"user","uuid":"1","message":{"role":"user","content":"go"}}` + "\n" +
			`{"type":"assistant","uuid":"2","parentUuid":"1","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"\n\n"}]}}` + "\n"},
	} {
		c, err := format.Parse([]byte(row.body), row.format)
		require.NoError(t, err, name)
		require.True(t, Valid(Check(c)), "%s: %v", name, Check(c))
	}
}

// A call that still waits keeps the id under which its result will come, and its name is repaired all the same.
func TestWaitingCallsKeepTheirIDs(t *testing.T) {
	for format_, row := range map[string]string{
		msg.Anthropic:       body(msg.Anthropic, model, prompt, strings.Replace(uses, "t1", "a.1", 1)),
		msg.OpenAIResponses: body(msg.OpenAIResponses, gpt, prompt, item, item, output),
	} {
		c, err := format.Parse([]byte(row), format_)
		require.NoError(t, err)
		fixed, _ := Repair(c)
		last := fixed.Messages[1].Blocks[len(fixed.Messages[1].Blocks)-1]
		require.Equal(t, c.Messages[1].Blocks[len(c.Messages[1].Blocks)-1].ID, last.ID, format_)
	}
}

// The repair of half a surrogate pair changes six bytes and keeps every other one, wherever the string is.
func TestHalvesOfSurrogatePairs(t *testing.T) {
	const half, whole = `\uDC00`, `\ufffd`
	for name, text := range map[string]string{
		msg.Anthropic: `{"model":"m", "metadata":{"user_id":"` + half + `"},"system":[{"type":"text","text":"` + half + `"}],` +
			`"tools":[{"name":"f","description":"` + half + `","input_schema":{"` + half + `":1.0}}],"messages":[` +
			`{"role":"user","content":"` + half + `"}, {"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"` +
			half + `":"` + half + `"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"` + half + `"}]}]}`,
		msg.OpenAIChat: `{"model":"gpt-5","messages":[{"role":"user","name":"` + half + `","content":[{"type":"text","text":"` + half +
			`"}]},{"role":"assistant","refusal":"` + half + `"}]}`,
		msg.OpenAIResponses: `{"instructions":"` + half + `","input":[{"role":"user","content":"` + half + `"},{"type":"reasoning",` +
			`"id":"rs_1","summary":[{"type":"summary_text","text":"` + half + `"}]},{"role":"assistant","content":[{"type":"output_text","text":"x"}]}]}`,
		msg.Gemini:     `{"systemInstruction":{"parts":[{"text":"` + half + `"}]},"contents":[{"role":"user","parts":[{"text":"` + half + `"}]}]}`,
		msg.AISDK:      `[{"role":"user","content":"` + half + `"}]`,
		msg.ClaudeCode: `{"type":"user","uuid":"1","toolUseResult":"x","message":{"role":"user","content":"` + half + `"}}` + "\n",
		msg.Pi: `{"type":"session","version":3,"id":"s"}` + "\n" + `{"type":"message","id":"1","parentId":null,"message":` +
			`{"role":"user","content":"` + half + `"}}` + "\n",
		msg.Codex: `{"timestamp":"x","type":"session_meta","payload":{"id":"s"}}` + "\n" + `{"timestamp":"x","type":"response_item","payload":{"type":"message",` +
			`"role":"user","content":[{"type":"input_text","text":"` + half + `"}]}}` + "\n",
	} {
		for _, odd := range []string{half, "\xff\xfe"} {
			text, want := strings.ReplaceAll(text, half, odd), strings.ReplaceAll(text, half, whole)
			if odd != half {
				want = strings.ReplaceAll(want, whole, "\uFFFD")
			}
			c, err := format.Parse([]byte(text), name)
			require.NoError(t, err, name)
			require.Equal(t, []Rule{J1Surrogate}, BrokenRules(c), name)
			if name == msg.Anthropic {
				require.Len(t, c.Lone, 6, "each block and each other member")
			}
			fixed, done := RepairAll(c)
			require.Empty(t, done.Left)
			out, err := format.Render(fixed)
			require.NoError(t, err)
			require.Equal(t, want, string(out), name)
			again, err := format.Parse(out, name)
			require.NoError(t, err)
			require.Empty(t, Check(again), name)
		}
	}
}

// What an agent does not send of its log is no problem, and the rest of a line that is not yet written stays.
func TestHalvesThatAreNotSent(t *testing.T) {
	const line = `{"type":"user","uuid":"1","toolUseResult":"\ud83d","message":{"role":"user","content":"go"}}` + "\n"
	c, err := format.Parse([]byte(line), msg.ClaudeCode)
	require.NoError(t, err)
	require.Empty(t, Check(c))
	out, err := format.Render(c)
	require.NoError(t, err)
	require.Equal(t, line, string(out))
	cut := strings.ReplaceAll(line, `\ud83d`, "") + `{"type":"assistant","uuid":"2","message":{"content":"` + "\xe6\xbc"
	c, err = format.Parse([]byte(cut), msg.ClaudeCode)
	require.NoError(t, err)
	require.True(t, Valid(Check(c)))
	out, err = format.Render(c)
	require.NoError(t, err)
	require.Equal(t, cut, string(out))
}

// System messages that the API takes: without content anywhere, also first; with clear_at up to the next user message;
// changes of tools; on models that are not known.
func TestSystemMessages(t *testing.T) {
	for _, messages := range [][]string{
		{setting, prompt, answer, setting, prompt}, {prompt, setting, system, setting, answer},
		{prompt, system, setting, answer},
		{prompt, uses, setting, got, system}, {setting, setting, prompt, system},
		{prompt, strings.Replace(system, "{", `{"clear_at":"next_user_message",`, 1), answer, prompt},
		{prompt, `{"role":"system","content":[{"type":"tool_addition","tool":{"type":"tool_reference","name":"f"}},` +
			`{"type":"text","text":"x"}]}`, answer},
	} {
		for _, model := range []string{newModel, `"model":"claude-fable-5"`, `"model":"my-model"`, `"stream":true`} {
			doc := body(msg.Anthropic, model, messages...)
			c, err := format.Parse([]byte(doc), msg.Anthropic)
			require.NoError(t, err)
			require.Empty(t, Check(c), doc)
			fixed, _ := Repair(c)
			require.Same(t, c, fixed)
		}
	}
}

// An answer that another model went on with: its fallback block keeps its place. A call before the last one goes with
// its result, and so does thinking, which is a warning: the API takes it.
func TestFallback(t *testing.T) {
	const fallback, call = `{"type":"fallback","from":{"model":"claude-opus-5-5"},"to":{"model":"claude-sonnet-5"}}`,
		`{"type":"tool_use","id":"t1","name":"f","input":{}}`
	say := func(blocks ...string) string {
		return `{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
	}
	text, thinking := `{"type":"text","text":"x"}`, `{"type":"thinking","thinking":"y","signature":"s"}`
	later := strings.Replace(call, "t1", "t2", 1)
	connector := `{"type":"connector_text","connector_text":"z","signature":"s"}`
	server, result := `{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}`,
		`{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}`
	for _, row := range []struct{ in, want []string }{
		{[]string{prompt, say(text, server, result, fallback, text)}, nil},
		{[]string{prompt, say(server, fallback, result, text), prompt}, nil},
		{[]string{prompt, say(text, server, fallback, text)}, []string{prompt, say(text, fallback, text)}},
		{[]string{prompt, say(text, fallback, text)}, nil},
		{[]string{prompt, say(fallback, text), prompt}, nil},
		{[]string{prompt, say(fallback, thinking, text), prompt}, nil},
		{[]string{prompt, say(thinking, connector, fallback, thinking, text), prompt},
			[]string{prompt, say(fallback, thinking, text), prompt}},
		{[]string{prompt, say(text, fallback, call), got}, nil},
		{[]string{prompt, say(text, call, fallback, text), prompt}, []string{prompt, say(text, fallback, text), prompt}},
		{[]string{prompt, say(text, call, fallback, text), got, prompt}, []string{prompt, say(text, fallback, text), prompt}},
		{[]string{prompt, say(call, fallback, text, fallback, later), strings.Replace(got, "t1", "t2", 1)},
			[]string{prompt, say(fallback, text, fallback, later), strings.Replace(got, "t1", "t2", 1)}},
	} {
		doc := body(msg.Anthropic, newModel, row.in...)
		c, err := format.Parse([]byte(doc), msg.Anthropic)
		require.NoError(t, err)
		accepted := row.want == nil || strings.Contains(doc, connector)
		require.Equal(t, accepted, Valid(Check(c)), "%s: %v", doc, Check(c))
		require.Equal(t, row.want == nil, len(Check(c)) == 0, "%s: %v", doc, Check(c))
		if row.want == nil {
			row.want = row.in
		}
		fixed, _ := Repair(c)
		out, err := format.Render(fixed)
		require.NoError(t, err)
		require.Equal(t, body(msg.Anthropic, newModel, row.want...), string(out))
	}
}
