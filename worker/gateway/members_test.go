package gateway

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A request that one model refused is repeated on another with a credit: the forwarded messages are the same, whatever
// the windows of the two are. Where the first one is not known, the request passes.
func TestFallbackCredit(t *testing.T) {
	up := newProvider(t, ok)
	s := start(t, up.URL)
	messages := func(body []byte) string { return string(member(t, body, "messages")) }
	long := strings.Replace(history(120, 1500, ""), "claude-opus-4-5", "claude-fable-5-2", 1)
	credit := strings.NewReplacer("claude-fable-5-2", "claude-opus-4-5", `"max_tokens"`, `"fallback_credit_token":"c","max_tokens"`)
	response, _ := s.post(t, "/up/v1/messages", credit.Replace(long))
	require.Equal(t, "passed reason=fallback_credit", response.Header.Get("X-Tamp"))
	_, body := up.last()
	require.Equal(t, credit.Replace(long), string(body))

	_, _ = s.post(t, "/up/v1/messages", long)
	_, body = up.last()
	first := messages(body)
	response, _ = s.post(t, "/up/v1/messages", credit.Replace(long))
	require.NotContains(t, response.Header.Get("X-Tamp"), "reason=fallback_credit")
	_, body = up.last()
	require.Equal(t, first, messages(body))
	require.Equal(t, `"claude-opus-4-5"`, string(member(t, body, "model")))
	response, _ = s.post(t, "/up/v1/messages", credit.Replace(long), "X-Api-Key", "another")
	require.Equal(t, "passed reason=fallback_credit", response.Header.Get("X-Tamp"), "of another caller")
}

// Tokens that a compaction removed have been spent: the model would count the task again from its beginning.
func TestTaskBudget(t *testing.T) {
	up := newProvider(t, ok)
	s := start(t, up.URL, "GATEWAY_POLICY", window40)
	for given, total := range map[string]int{
		`{"type":"tokens","total":200000}`:                   200_000,
		`{"type":"tokens","total":200000,"remaining":90000}`: 90_000,
		`{"type":"tokens","total":10}`:                       10,
	} {
		body := strings.Replace(history(60, 1500, ""), `"max_tokens"`, `"output_config":{"effort":"low","task_budget":`+given+
			`},"max_tokens"`, 1)
		response, _ := s.post(t, "/up/v1/messages", body)
		before, after := figureOf(t, response.Header.Get("X-Tamp"), "before"), figureOf(t, response.Header.Get("X-Tamp"),
			"after")
		_, sent := up.last()
		var config struct {
			Effort string
			Budget map[string]any `json:"task_budget"`
		}
		require.NoError(t, json.Unmarshal(member(t, sent, "output_config"), &config))
		require.Equal(t, "low", config.Effort)
		require.Equal(t, "tokens", config.Budget["type"])
		require.Equal(t, float64(max(total-(before-after), 0)), config.Budget["remaining"])
	}
	short := strings.Replace(history(2, 10, ""), `"max_tokens"`, `"output_config":{"task_budget":{"total":9}},"max_tokens"`, 1)
	_, _ = s.post(t, "/up/v1/messages", short)
	_, sent := up.last()
	require.Equal(t, short, string(sent))
}

// A request that caches at its own breakpoints only keeps one, whatever a compaction removes.
func TestExplicitBreakpoints(t *testing.T) {
	up := newProvider(t, ok)
	s := start(t, up.URL, "GATEWAY_POLICY", window40)
	body := strings.Replace(history(60, 1500, "/responses"), `"max_tokens"`, `"prompt_cache_options":{"mode":"explicit"},"max_tokens"`, 1)
	at := strings.Index(body, `"output":"line 3 `)
	end := at + strings.Index(body[at:], `"}`)
	text := body[at+len(`"output":`) : end+1]
	marked := body[:at] + `"output":[{"type":"input_text","text":` + text + `,"prompt_cache_breakpoint":{"mode":"explicit"}}]` + body[end+1:]
	response, _ := s.post(t, "/up/v1/responses", marked)
	require.Contains(t, response.Header.Get("X-Tamp"), "before=")
	_, sent := up.last()
	require.Equal(t, 1, strings.Count(string(sent), `"prompt_cache_breakpoint":{"mode":"explicit"}`))
	_, _ = s.post(t, "/up/v1/responses", body)
	_, sent = up.last()
	require.NotContains(t, string(sent), "prompt_cache_breakpoint", "none where the client set none")
}

// One compaction of a prompt is enough: where the gateway has done it, OpenRouter's plugin is off.
func TestContextCompressionPlugin(t *testing.T) {
	up := newProvider(t, ok)
	s := start(t, up.URL, "GATEWAY_POLICY", window40)
	const plugins = `"plugins":[{"id":"web","max_results":3},{"id":"context-compression"}],"max_tokens"`
	for n, note := range map[int]string{60: "plugin_removed=context-compression", 2: ""} {
		body := strings.Replace(history(n, 1500, "/chat/completions"), `"max_tokens"`, plugins, 1)
		response, _ := s.post(t, "/up/v1/chat/completions", body)
		_, sent := up.last()
		if note == "" {
			require.Equal(t, body, string(sent))
			continue
		}
		require.Contains(t, response.Header.Get("X-Tamp"), note)
		require.Equal(t, `[{"id":"web","max_results":3}]`, string(member(t, sent, "plugins")))
	}
}

// figureOf reads a number of x-tamp.
func figureOf(t *testing.T, note, name string) int {
	_, rest, found := strings.Cut(" "+note, " "+name+"=")
	require.True(t, found, note)
	number, _, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(number)
	require.NoError(t, err)
	return n
}
