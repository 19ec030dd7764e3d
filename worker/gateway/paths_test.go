package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Platforms whose path names the model: the body is one of Anthropic Messages without it. Bedrock has no header for
// values of anthropic-beta.
func TestPathsThatNameTheModel(t *testing.T) {
	up := newProvider(t, ok)
	s := start(t, up.URL, "GATEWAY_POLICY", window40)
	body := func(model, version string) string {
		named := strings.Replace(history(40, 1500, ""), `"model":"claude-opus-4-5",`, "", 1)
		require.NotContains(t, named, `"model"`)
		return strings.Replace(named, "{", `{"anthropic_version":"`+version+`",`, 1)
	}
	var models []string
	const vertex = "/up/v1/projects/p/locations/us-east5/publishers/anthropic/models/"
	for _, row := range []struct{ path, version, note, model string }{
		{vertex + "claude-opus-5-5:streamRawPredict", "vertex-2023-10-16", "before=", "claude-opus-5-5"},
		{vertex + "claude-sonnet-4-5@20250929:rawPredict", "vertex-2023-10-16", "before=", "claude-sonnet-4-5@20250929"},
		{"/up/model/us.anthropic.claude-opus-5-5/invoke", "bedrock-2023-05-31", "before=", "us.anthropic.claude-opus-5-5"},
		{"/up/model/us.anthropic.claude-opus-4-5-v1%3A0/invoke-with-response-stream", "bedrock-2023-05-31", "before=",
			"us.anthropic.claude-opus-4-5-v1:0"},
	} {
		given := body(row.model, row.version)
		response, text := s.post(t, row.path, given)
		require.Equal(t, http.StatusOK, response.StatusCode, text)
		require.True(t, strings.HasPrefix(response.Header.Get("X-Tamp"), row.note), response.Header.Get("X-Tamp"))
		r, sent := up.last()
		require.Equal(t, strings.TrimPrefix(row.path, "/up"), r.URL.EscapedPath())
		require.Less(t, len(sent), len(given)/2)
		require.Contains(t, string(sent), row.version)
		models = append(models, row.model)
	}
	whole := body("", "bedrock-2023-05-31")
	for path, row := range map[string][]string{
		"/up/model/meta.llama3/invoke": {strings.Replace(whole, "anthropic_version", "x",
			1), "unknown_path"},
		"/up/model/us.anthropic.claude-opus-5-5/converse":            {whole, "unknown_path"},
		"/up/v1/projects/p/publishers/mistralai/models/m:rawPredict": {whole, "unknown_path"},
	} {
		response, _ := s.post(t, path, row[0])
		require.Equal(t, "passed reason="+row[1], response.Header.Get("X-Tamp"), path)
		_, sent := up.last()
		require.Equal(t, row[0], string(sent))
	}
	response, _ := s.post(t, "/up/model/us.anthropic.claude-opus-5-5/invoke", whole, "Authorization", "AWS4-HMAC-SHA256 Credential=x")
	require.Equal(t, "passed reason=signed", response.Header.Get("X-Tamp"))
	_, sent := up.last()
	require.Equal(t, whole, string(sent))
	for i, e := range s.ended()[:len(models)] {
		require.Equal(t, models[i], e.Model)
	}
}

// Values of anthropic-beta that the gateway needs are in the body of a request to Bedrock.
func TestBetasOfBedrock(t *testing.T) {
	up := newProvider(t, ok)
	s := start(t, up.URL, "GATEWAY_POLICY", window40)
	body := strings.ReplaceAll(history(40, 1500, ""), `[{"type":"tool_use"`,
		`[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"tool_use"`)
	body = strings.Replace(body, `"model":"claude-opus-4-5",`, `"anthropic_version":"bedrock-2023-05-31","anthropic_beta":["other-2026-01-01"],`, 1)
	response, _ := s.post(t, "/up/model/us.anthropic.claude-opus-5-5/invoke", body)
	require.Contains(t, response.Header.Get("X-Tamp"), "before=")
	r, sent := up.last()
	require.Empty(t, r.Header.Get("Anthropic-Beta"))
	require.Regexp(t, `"anthropic_beta":\["other-2026-01-01","(thinking-binding-controls|context-management)-20`, string(sent))
}
