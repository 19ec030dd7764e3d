//go:build agents && !js

package gateway_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/validity"
)

// geminiCLI runs without its check for loops, which sends the end of the history: it begins with a call, so that the
// API refuses it, with and without the gateway.
var geminiCLI = client{"Gemini CLI", "", "run_shell_command", "gemini-cli", "gemini", true, "gemini-2.5-pro",
	func(t *testing.T, a agentRun) ([]string, []string) {
		a.write(t, ".gemini/settings.json", `{"security":{"auth":{"selectedType":"gemini-api-key"}},`+
			`"general":{"enableAutoUpdate":false},"model":{"disableLoopDetection":true},`+
			`"privacy":{"usageStatisticsEnabled":false}}`)
		return a.script("@google/gemini-cli/bundle/gemini.js", "-m", a.model, "--approval-mode", "yolo", "-p", task),
			[]string{"GOOGLE_GEMINI_BASE_URL=" + a.base, "GEMINI_API_KEY=k", "GEMINI_CLI_TRUST_WORKSPACE=true"}
	}}

// geminiModel plays a model that works some rounds, two calls each, and keeps the last request. It refuses what Check
// says that the API refuses.
type geminiModel struct {
	t        *testing.T
	calls    int
	received []byte
}

func (g *geminiModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	require.NoError(g.t, err)
	c, err := format.Parse(body, msg.Gemini)
	if err != nil || !validity.Valid(validity.Check(c)) || !strings.HasSuffix(r.URL.Path, ":streamGenerateContent") {
		g.t.Errorf("refused: %s %v", r.URL, err)
		http.Error(w, `{"error":{"code":400,"message":"refused","status":"INVALID_ARGUMENT"}}`, http.StatusBadRequest)
		return
	}
	g.received = body
	parts := fmt.Sprintf(`{"text":"Next.","thought":true},{"text":"Round %d."}`, g.calls)
	for range 2 {
		g.calls++
		parts += fmt.Sprintf(`,{"functionCall":{"id":"call%d","name":"run_shell_command","args":{"command":"echo %d; exit %d",`+
			`"description":"work"}},"thoughtSignature":"c2ln"}`, g.calls, g.calls, g.calls%2)
	}
	if g.calls > 2*shortRounds {
		parts = `{"text":"` + lastAnswer + `"}`
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, `data: {"candidates":[{"content":{"role":"model","parts":[%s]},"finishReason":"STOP","index":0}],`+
		`"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":10,"totalTokenCount":110}}`+"\r\n\r\n", parts)
}

// The session file of Gemini CLI is read and written byte for byte, and the request that is rebuilt from it is the one
// that was received, but for what the file does not have: the context that the client sends first, and the signatures.
func TestAgentsGeminiCLI(t *testing.T) {
	t.Run(geminiCLI.name, func(t *testing.T) {
		model := &geminiModel{t: t}
		server := httptest.NewServer(model)
		defer server.Close()
		run := geminiCLI.run(t, server.URL)
		require.Contains(t, run.out, lastAnswer)
		data := geminiCLI.sessionFile(t, run)
		log, err := format.Parse(data, "")
		require.NoError(t, err)
		require.Equal(t, msg.GeminiCLI, log.Format)
		require.Empty(t, validity.Check(log))
		same, err := format.Render(log)
		require.NoError(t, err)
		require.True(t, string(data) == string(same), "the log is written as it was")
		next, losses, err := format.Convert(log, msg.Gemini)
		require.NoError(t, err)
		require.Empty(t, losses)
		body, err := format.Render(next)
		require.NoError(t, err)
		sent, rebuilt := contentsOf(t, model.received), contentsOf(t, body)
		require.Len(t, rebuilt, len(sent)+1, "the last answer comes after the last request")
		require.Len(t, sent, 2*shortRounds+1)
		for i := range sent {
			if !reflect.DeepEqual(sent[i], rebuilt[i]) {
				require.Equal(t, string(encode(t, sent[i])), string(encode(t, rebuilt[i])), "content %d", i)
			}
		}
	})
}

// A task that is too large for the window ends there without the gateway, and is finished through it, also by a model
// that refuses calls without their signatures.
func TestAgentsGeminiCLIWindow(t *testing.T) {
	c := geminiCLI.with("gemini-3-pro-preview")
	t.Run(c.name, func(t *testing.T) {
		l := newLine(t, c, boundRounds, agentWindow)
		require.NotContains(t, c.run(t, l.front.URL).out, lastAnswer)
		require.Positive(t, l.figures(c, boundRounds).tooLong, "the window ends the session")
		for _, at := range []place{native, workerd} {
			t.Run(at.name, func(t *testing.T) {
				l := newLine(t, c, boundRounds, agentWindow)
				l.through(t, at, 1, policyOf(l.window))
				c.finishes(t, l, boundRounds)
				l.stateless(t)
			})
		}
	})
}

// contentsOf lists the contents of a request. The file puts the name of the tool before an id.
func contentsOf(t *testing.T, body []byte) []map[string]any {
	var request struct{ Contents []map[string]any }
	if json.Unmarshal(body, &request.Contents) != nil {
		require.NoError(t, json.Unmarshal(body, &request))
	}
	for _, content := range request.Contents {
		var parts []any
		list, _ := content["parts"].([]any)
		for _, p := range list {
			part, _ := p.(map[string]any)
			if text, _ := part["text"].(string); strings.HasPrefix(text, "<session_context>") {
				continue
			}
			delete(part, "thoughtSignature")
			for _, half := range []string{"functionCall", "functionResponse"} {
				if inner, ok := part[half].(map[string]any); ok {
					id, _ := inner["id"].(string)
					name, _ := inner["name"].(string)
					inner["id"] = strings.TrimPrefix(id, name+"__")
				}
			}
			parts = append(parts, part)
		}
		content["parts"] = parts
	}
	return request.Contents
}
