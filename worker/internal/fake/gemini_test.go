package fake_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func gemini(t *testing.T, base, method, contents string) (int, string, error) {
	return post(t, base+"/v1beta/models/gemini-3-pro-preview:"+method, `{"contents":[`+contents+`]}`, "X-Goog-Api-Key", "k")
}

const (
	asked    = `{"role":"user","parts":[{"text":"go"}]},`
	calledBy = `{"role":"model","parts":[{"functionCall":{"id":"1","name":"f","args":{}},"thoughtSignature":"s"}]}`
	response = `,{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f","response":{"output":"x"}}}]}`
)

// The fake of Gemini answers, with and without a stream, and says what the real one says.
func TestGemini(t *testing.T) {
	_, url := serve(t, "ok")
	for _, method := range []string{"generateContent", "streamGenerateContent"} {
		status, body, err := gemini(t, url, method, asked+calledBy+response)
		require.NoError(t, err)
		require.Equal(t, 200, status, body)
		require.Contains(t, body, `"finishReason":"STOP"`)
		require.Contains(t, body, `"promptTokenCount":`)
		status, body, err = gemini(t, url+"/s/"+method+"/tool", method, strings.TrimSuffix(asked, ","))
		require.NoError(t, err)
		require.Equal(t, 200, status, body)
		require.Contains(t, body, `"functionCall":{"args":{},"id":"call_`)
	}
	status, body, err := post(t, url+"/v1beta/models/gemini-3-pro:generateContent", `{}`)
	require.NoError(t, err)
	require.Equal(t, 401, status)
	require.Contains(t, body, "UNAUTHENTICATED")
}

func TestGeminiRefuses(t *testing.T) {
	f, url := serve(t, "ok")
	for _, row := range []struct{ contents, says string }{
		{``, "contents is not specified"},
		{`{"role":"assistant","parts":[{"text":"x"}]}`, "Please use a valid role: user, model."},
		{`{"role":"user","parts":[]}`, "contents.parts must not be empty."},
		{`{"role":"user","parts":[{}]}`, "required oneof field 'data' must have one initialized field"},
		{`{"role":"user","parts":[{"type":"text","text":"x"}]}`, `Unknown name \"type\" at 'contents[0].parts[0]'`},
		{asked + strings.Replace(calledBy, `"args"`, `"input"`, 1) + response, `Unknown name \"input\"`},
		{calledBy + response, "Please ensure that function call turn comes immediately after a user turn"},
		{asked + `{"role":"model","parts":[{"text":"x"}]},` + calledBy + response, "immediately after a user turn"},
		{asked + calledBy, "number of function response parts is equal"},
		{asked + calledBy + response + response, "number of function response parts is equal"},
		{asked + calledBy + strings.Replace(response, `"id":"1"`, `"id":"2"`, 1), "number of function response parts"},
		{asked + strings.Replace(calledBy, `,"thoughtSignature":"s"`, "", 1) + response, "missing a thought_signature"},
	} {
		status, body, err := gemini(t, url, "generateContent", row.contents)
		require.NoError(t, err)
		require.Equal(t, 400, status, row.contents)
		require.Contains(t, body, row.says)
		require.Contains(t, body, "INVALID_ARGUMENT")
	}
	older := strings.Replace(calledBy, `,"thoughtSignature":"s"`, "", 1)
	status, body, err := gemini(t, url, "generateContent", asked+older+response+`,{"role":"model","parts":[{"text":"x"}]},`+
		strings.TrimSuffix(asked, ","))
	require.NoError(t, err)
	require.Equal(t, 200, status, "older turns are not checked: %s", body)
	f.Window = 3
	_, body, err = gemini(t, url, "generateContent", strings.TrimSuffix(asked, ","))
	require.NoError(t, err)
	require.Contains(t, body, "exceeds the maximum number of tokens allowed (3)")
}
