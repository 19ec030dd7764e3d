package validity

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
)

// Each flaw of an image, in each format, in a prompt and in a result: an error, and a repair that leaves a valid
// conversation. What can be repaired is repaired, the bytes of a whole image stay.
func TestFlawsOfImages(t *testing.T) {
	whole := png(2, 3)
	forms := []struct{ format, prompt, result string }{ // $ is the data as a JSON string, @ a data: URL with it
		{msg.Anthropic, `[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":$}}]}]`,
			`[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]},{"role":"user",` +
				`"content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"},` +
				`{"type":"image","source":{"type":"base64","media_type":"image/png","data":$}}]}]}]`},
		{msg.OpenAIChat, `[{"role":"system","content":"s"},{"role":"user","content":[{"type":"image_url","image_url":{"url":@}}]}]`, ""},
		{msg.OpenAIResponses, `[{"role":"user","content":[{"type":"input_image","image_url":@}]}]`,
			`[{"role":"user","content":"x"},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output",` +
				`"call_id":"c","output":[{"type":"input_text","text":"a"},{"type":"input_image","image_url":@}]}]`},
		{msg.Gemini, `[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":$}}]}]`,
			`[{"role":"user","parts":[{"text":"x"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[` +
				`{"functionResponse":{"name":"f","response":{"output":"a"},"parts":[{"inlineData":{"mimeType":"image/png","data":$}}]}}]}]`},
		{msg.AISDK, `[{"role":"user","content":[{"type":"image","image":$,"mediaType":"image/png"}]},{"role":"assistant","content":[` +
			`{"type":"reasoning","text":"h"},{"type":"text","text":"b"}]}]`, ""},
		{msg.Interactions, `{"model":"m","input":[{"type":"user_input","content":[{"type":"image","mime_type":"image/png","data":$}]}]}`, ""},
		{msg.Pi, `{"type":"session","version":3,"id":"s"}` + "\n" + `{"type":"message","id":"a","parentId":null,"message":{"role":"user",` +
			`"content":[{"type":"image","data":$,"mimeType":"image/png"}]}}` + "\n", ""},
		{msg.ClaudeCode, `{"type":"user","uuid":"1","parentUuid":null,"message":{"role":"user","content":[{"type":"image","source":` +
			`{"type":"base64","media_type":"image/png","data":$}}]}}` + "\n", ""},
	}
	flaws := map[string]string{"empty": "", "a marker": "[image omitted]", "cut": whole[:40], "text": "aGVsbG8gd29ybGQ=",
		"white space": whole[:20] + "\n" + whole[20:], "a data: URL": "data:image/png;base64," + whole,
		"cut characters": whole[:41]}
	for _, form := range forms {
		for _, where := range []string{form.prompt, form.result} {
			write := func(data string) string {
				text, _ := json.Marshal(data)
				url, _ := json.Marshal("data:image/png;base64," + data)
				return strings.NewReplacer("$", string(text), "@", string(url)).Replace(where)
			}
			if where == "" {
				continue
			}
			c, err := format.Parse([]byte(write(whole)), "")
			require.NoError(t, err)
			require.Equal(t, form.format, c.Format)
			require.Empty(t, Check(c), "%s", write(whole))
			for name, data := range flaws {
				if name == "a data: URL" && form.format == msg.AISDK {
					continue // which takes it
				}
				c, err := format.Parse([]byte(write(data)), form.format)
				require.NoError(t, err)
				problems := Check(c)
				require.Len(t, problems, 1, "%s %s", form.format, name)
				require.Equal(t, J2Image, problems[0].Rule)
				require.Equal(t, SeverityError, problems[0].Severity)
				repaired, _ := Repair(c)
				out, err := format.Render(repaired)
				require.NoError(t, err, "%s %s", form.format, name)
				back, err := format.Parse(out, form.format)
				require.NoError(t, err)
				require.Empty(t, Check(back), "%s %s: %s", form.format, name, out)
				if name == "white space" || name == "a data: URL" {
					require.Equal(t, write(whole), string(out), "%s %s", form.format, name)
				} else {
					require.Contains(t, string(out), "An image was here", "%s %s", form.format, name)
				}
			}
		}
	}
}
