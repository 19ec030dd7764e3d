//go:build !js

package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/worker/internal/fake"
)

// loop is an agent that works on one prompt for many rounds: each request has all that came before it.
type loop struct {
	t           *testing.T
	url, member string
	header      http.Header
	model       string
	system      string
	messages    []json.RawMessage
	made        int // thinking blocks of the model
	notes       []string
}

const fact = "Never change port 8417 of core/net/listen.go."

func newLoop(t *testing.T, url, model, member string) *loop {
	return &loop{t: t, url: url, model: model, member: member, header: http.Header{}, system: "You are an agent.",
		messages: []json.RawMessage{json.RawMessage(`{"role":"user","content":"Read all parts. ` + fact + `"}`)}}
}

func (l *loop) add(role string, content any) {
	message, err := json.Marshal(map[string]any{"role": role, "content": content})
	require.NoError(l.t, err)
	l.messages = append(l.messages, message)
}

// call sends the conversation, and appends the answer and the results of its calls. It returns the status.
func (l *loop) call(round, size int) int {
	list, err := json.Marshal(l.messages)
	require.NoError(l.t, err)
	body := `{"model":"` + l.model + `","max_tokens":4000,` + l.member + `"system":"` + l.system +
		`","tools":[{"name":"read","input_schema":{"type":"object"}}],"messages":` + string(list) + `}`
	request, err := http.NewRequest(http.MethodPost, l.url+"/v1/messages", strings.NewReader(body))
	require.NoError(l.t, err)
	request.Header = l.header.Clone()
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Api-Key", "k")
	request.Header.Set("Anthropic-Version", "2023-06-01")
	response, err := http.DefaultClient.Do(request)
	require.NoError(l.t, err)
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	require.NoError(l.t, err)
	l.notes = append(l.notes, response.Header.Get("X-Tamp"))
	if response.StatusCode != http.StatusOK {
		l.t.Logf("round %d: %s (%s)", round, data, response.Header.Get("X-Tamp"))
		return response.StatusCode
	}
	var answer struct {
		Content []struct {
			Type, ID string
		}
	}
	require.NoError(l.t, json.Unmarshal(data, &answer))
	var whole map[string]json.RawMessage
	require.NoError(l.t, json.Unmarshal(data, &whole))
	l.add("assistant", whole["content"])
	var results []any
	for _, block := range answer.Content {
		if block.Type == "thinking" {
			l.made++
		}
		if block.Type == "tool_use" {
			text := strings.Repeat(fmt.Sprintf("part %d of file %d has a line. ", round, len(results)), size)
			results = append(results, map[string]any{"type": "tool_result", "tool_use_id": block.ID, "content": text})
		}
	}
	if results != nil {
		l.add("user", results)
	}
	return response.StatusCode
}

// ended returns the log of a server, which it ends.
func (s *started) ended() []Entry {
	s.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entries
}

// agentProvider is the fake provider with a window, whose model thinks and calls a tool in each of n answers.
func agentProvider(t *testing.T, window, n int) (*fake.Server, string) {
	server, err := fake.New("ok")
	require.NoError(t, err)
	server.Window = window
	s := httptest.NewServer(server)
	t.Cleanup(s.Close)
	var steps []string
	for i := range n {
		steps = append(steps, fmt.Sprintf(`{"do":"agent","thinking":"%s","calls":[{"tool":"read","input":{"part":%d}}]}`,
			strings.Repeat(fmt.Sprintf("Thought %d. ", i), 20), i))
	}
	steps = append(steps, `{"do":"agent","text":"Done."}`)
	put, err := http.NewRequest(http.MethodPut, s.URL+"/s/loop", strings.NewReader("["+strings.Join(steps, ",")+"]"))
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(put)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode)
	return server, s.URL + "/s/loop"
}

// With each model that binds thinking, and with each way in which a request may treat it, a task of 60 rounds ends at a
// window of 40,000 tokens: nothing is refused, and the task stays.
func TestBoundThinking(t *testing.T) {
	for _, row := range []struct {
		name, model, member, beta string
		seen, long                bool // the model sees thinking; not with -short
	}{
		{"as it is", "claude-opus-5-5", "", "", true, false},
		{"adaptive", "claude-sonnet-5-5", `"thinking":{"type":"adaptive"},`, "", true, true},
		{"strict", "claude-fable-5-2", "", "", true, false},
		{"drop_block", "claude-opus-5-5",
			`"thinking":{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}},`, betaBinding, true, false},
		{"error", "claude-fable-5-2",
			`"thinking":{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"error"}},`, betaBinding, true, true},
		{"enabled", "claude-opus-5-5", `"thinking":{"type":"enabled","budget_tokens":1024},`, "", true, false},
		{"off", "claude-opus-5-5", `"thinking":{"type":"disabled"},`, "", false, true},
		{"unbound", "claude-opus-4-5", `"thinking":{"type":"enabled","budget_tokens":1024},`, "", true, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			rounds := 60
			if testing.Short() {
				if row.long {
					t.Skip("like the others")
				}
				rounds = 16
			}
			server, url := agentProvider(t, 40_000, rounds)
			s := start(t, url, "GATEWAY_POLICY", window40)
			l := newLoop(t, s.URL+"/up", row.model, row.member)
			if row.beta != "" {
				l.header.Set("Anthropic-Beta", row.beta)
			}
			for round := range rounds + 1 {
				require.Equal(t, http.StatusOK, l.call(round, 180), "%v", l.notes)
			}
			seen, refused := 0, 0
			for _, call := range server.Calls() {
				seen += call.Thinking
				require.Zero(t, call.Dropped, "a dropped block takes all later ones with it")
				if len(call.Problems) > 0 || call.TooLong {
					refused++
				}
			}
			require.Zero(t, refused)
			last := server.Calls()[len(server.Calls())-1]
			require.Contains(t, string(last.Body), fact)
			require.Equal(t, row.seen, seen > 0)
			switch {
			case row.name == "enabled": // the open round has to keep it
				require.Contains(t, l.notes[rounds], " provider_clears=")
				require.NotContains(t, strings.Join(l.notes, " "), "context_overflow")
			case row.seen && row.name != "unbound":
				require.Contains(t, l.notes[rounds], " thinking_lost=")
			}
			t.Logf("%d thinking blocks seen in all calls; %s", seen, l.notes[rounds])
		})
	}
}

// Between the limits the provider clears results: the thinking of the open round stays, all of it, and the requests are
// those of the client but for one member. What is cleared changes in steps.
func TestProviderClears(t *testing.T) {
	const rounds = 16
	server, url := agentProvider(t, 200_000, rounds)
	s := start(t, url, "GATEWAY_POLICY", `{"trigger":{"window":200000,"tokens":12000},"pin":{"recentTokens":3000}}`)
	l := newLoop(t, s.URL+"/up", "claude-opus-5-5", "")
	for round := range rounds {
		require.Equal(t, http.StatusOK, l.call(round, 100), "%v", l.notes)
	}
	uses, changes, cleared := -1, 0, 0
	for i, call := range server.Calls() {
		require.Empty(t, call.Problems)
		require.Equal(t, i, call.Thinking, "each answer has thinking")
		management := member(t, call.Body, "context_management")
		if management == nil {
			continue
		}
		require.Contains(t, call.Header.Get("Anthropic-Beta"), betaClearing)
		cleared++
		var asked struct {
			Edits []struct{ Keep struct{ Value int } }
		}
		require.NoError(t, json.Unmarshal(management, &asked))
		if now := i - asked.Edits[0].Keep.Value; now != uses {
			require.Greater(t, now, uses, "what is cleared stays cleared")
			uses, changes = now, changes+1
		}
		require.Less(t, call.In, 20_000)
	}
	require.Greater(t, cleared, 5)
	require.LessOrEqual(t, changes, cleared/2)
	require.Contains(t, l.notes[rounds-1], "provider_clears=")
	require.NotContains(t, l.notes[rounds-1], "thinking_lost")

	// Not where the request has its own settings.
	l.member = `"context_management":{"edits":[]},`
	l.header.Set("Anthropic-Beta", betaClearing)
	require.Equal(t, http.StatusOK, l.call(rounds, 100))
	require.NotContains(t, l.notes[rounds], "provider_clears=")
}

func member(t *testing.T, doc []byte, name string) []byte {
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(doc, &members))
	return members[name]
}

// A session that begins without the gateway, or under another policy, has thinking that fits the requests of then. The
// provider refuses it once; then the gateway asks it to drop such blocks, in this call and in later ones, or removes
// them where the caller wants the error.
func TestThinkingOfAnotherHistory(t *testing.T) {
	for _, row := range []struct {
		name, model, member string
		retries             int // at most
		asks                bool
	}{
		{"asks", "claude-opus-5-5", "", 1, true},
		{"strict from the start", "claude-fable-5-2", "", 0, true},
		{"strips", "claude-opus-5-5",
			`"thinking":{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"error"}},`, 20, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			server, url := agentProvider(t, 100_000, 40)
			l := newLoop(t, url, row.model, row.member)
			l.header.Set("Anthropic-Beta", betaBinding)
			for round := range 11 {
				require.Equal(t, http.StatusOK, l.call(round, 100))
			}
			s := start(t, url, "GATEWAY_POLICY", `{"trigger":{"window":12000}}`)
			l.url = s.URL + "/up"
			for round := 11; round < 20; round++ {
				require.Equal(t, http.StatusOK, l.call(round, 100), "%v", l.notes)
			}
			retried, asked := 0, 0
			for _, e := range s.ended() {
				if e.Retried != "" {
					require.Equal(t, retriedThinking, e.Retried)
					retried++
				}
			}
			for _, call := range server.Calls()[11:] {
				if strings.Contains(string(call.Body), `"drop_block"`) {
					asked++
				}
			}
			require.LessOrEqual(t, retried, row.retries)
			require.Equal(t, row.asks, asked > 0)
			if row.retries > 0 {
				require.Positive(t, retried, "else the test shows nothing")
			}
		})
	}
}

// The field and its header are refused by some platforms, and so may be context_management: then the request goes
// without.
func TestRefusedMembers(t *testing.T) {
	for _, row := range []struct{ name, model, policy, refused, retried string }{
		{"block_binding", "claude-fable-5-2", window40, "block_binding", retriedBinding},
		{"clearing", "claude-opus-5-5", `{"trigger":{"window":200000,"tokens":20000}}`, "context_management", retriedClearing},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, url := agentProvider(t, 100_000, 40)
			p := newProvider(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
				if bytes.Contains(body, []byte(`"`+row.refused+`"`)) {
					w.WriteHeader(http.StatusBadRequest)
					_, _ = io.WriteString(w, `{"type":"error","error":{"type":"invalid_request_error","message":"`+row.refused+
						`: Extra inputs are not permitted"}}`)
					return
				}
				request, err := http.NewRequest(r.Method, url+"/v1/messages", bytes.NewReader(body))
				require.NoError(t, err)
				request.Header = r.Header.Clone()
				request.Header.Del("Accept-Encoding")
				response, err := http.DefaultClient.Do(request)
				require.NoError(t, err)
				defer response.Body.Close()
				w.WriteHeader(response.StatusCode)
				_, _ = io.Copy(w, response.Body)
			})
			s := start(t, p.URL, "GATEWAY_POLICY", row.policy)
			l := newLoop(t, s.URL+"/up", row.model, "")
			for round := range 14 {
				require.Equal(t, http.StatusOK, l.call(round, 180), "%v", l.notes)
			}
			retried := 0
			for _, e := range s.ended() {
				if e.Retried == row.retried {
					retried++
				}
			}
			require.Positive(t, retried)
			if row.name == "clearing" {
				require.Equal(t, 1, retried, "such an upstream is not asked again")
			}
		})
	}
}

func TestNamedBlock(t *testing.T) {
	for text, want := range map[string]string{
		"messages.1.content.0: Invalid `signature` in `thinking` block.": "1 0 true",
		`{"message":"messages.12.content.34: Invalid"}`:                  "12 34 true",
		"messages.1.content": "0 0 false", "messages.x.content.0": "0 0 false", "": "0 0 false",
		"messages.1.content.x": "1 0 false",
	} {
		message, block, ok := namedBlock([]byte(text))
		require.Equal(t, want, fmt.Sprint(message, block, ok), text)
	}
}
