//go:build !js

package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/worker/internal/fake"
)

// models serves the fake providers at one address. The key of a request selects the answer, since nothing else of a
// client's request is sent to a provider: "name|script". Cloudflare's models have no key; for them the prompt selects
// it.
type fakeModels struct {
	*fake.Server
	url string

	mu    sync.Mutex
	gone  map[string]int // by name: clients that did not wait for the answer
	asked map[string]int // of the platform's own models
}

func newModels(t *testing.T) *fakeModels {
	f, err := fake.New("ok")
	require.NoError(t, err)
	m := &fakeModels{Server: f, gone: map[string]int{}, asked: map[string]int{}}
	server := httptest.NewServer(m)
	t.Cleanup(server.Close)
	m.url = server.URL
	return m
}

// key is a caller's key that makes the provider follow a script of fake.Parse.
func key(name, script string) string { return name + "|" + script + "|" + marker }

func (m *fakeModels) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/ai" {
		m.serveAI(w, r)
		return
	}
	given := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("X-Api-Key")
	name, rest, ok := strings.Cut(given, "|")
	if ok {
		script, _, _ := strings.Cut(rest, "|")
		r.URL.Path = "/s/" + name + "/" + script + r.URL.Path
	}
	m.Server.ServeHTTP(w, r)
	if r.Context().Err() != nil {
		m.mu.Lock()
		m.gone[name]++
		m.mu.Unlock()
	}
}

// calls lists the requests with that name.
func (m *fakeModels) calls(name string) []fake.Call {
	var own []fake.Call
	for _, c := range m.Calls() {
		if c.Name == name {
			own = append(own, c)
		}
	}
	return own
}

func (m *fakeModels) left(name string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.gone[name]
}

type aiInput struct {
	Model string
	Input struct {
		Messages  []struct{ Role, Content string }
		MaxTokens int `json:"max_tokens"`
	}
}

// serveAI is the backend of the binding AI. The words "answer like …" in a prompt select the answer.
func (m *fakeModels) serveAI(w http.ResponseWriter, r *http.Request) {
	var in aiInput
	body, _ := io.ReadAll(r.Body)
	if json.Unmarshal(body, &in) != nil || in.Model != "@cf/meta/llama" || len(in.Input.Messages) == 0 ||
		in.Input.MaxTokens < 1 {
		http.Error(w, "InferenceUpstreamError: 5004: the input is invalid", http.StatusBadRequest)
		return
	}
	prompt := in.Input.Messages[len(in.Input.Messages)-1].Content
	_, after, _ := strings.Cut(prompt, "answer like ")
	name, _, _ := strings.Cut(after, ".")
	m.mu.Lock()
	m.asked[name]++
	first := m.asked[name] == 1
	m.mu.Unlock()
	text := string(encode(fake.Answer(prompt)))
	switch {
	case name == "busy" && first:
		http.Error(w, "InferenceUpstreamError: 3040: Capacity temporarily exceeded, "+marker, http.StatusServiceUnavailable)
	case name == "spent":
		http.Error(w, "InferenceUpstreamError: 3036: you have used up your daily free allocation", http.StatusTooManyRequests)
	case name == "no plan":
		http.Error(w, "InferenceUpstreamError: 5018: this account is not allowed to use this model, "+marker,
			http.StatusForbidden)
	case name == "no model":
		http.Error(w, "InferenceUpstreamError: 3042: no such model", http.StatusNotFound)
	case name == "a long one":
		http.Error(w, "InferenceUpstreamError: 3006: request is too large", http.StatusRequestEntityTooLarge)
	case name == "newer":
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":`+text+`},"finish_reason":"stop"}]}`)
	case name == "unknown":
		_, _ = io.WriteString(w, `{"something":"else"}`)
	default:
		_, _ = io.WriteString(w, `{"response":`+text+`,"usage":{"completion_tokens":9}}`)
	}
}

// run implements the binding AI of a native server.
func (m *fakeModels) run(ctx context.Context, model string, input []byte) ([]byte, error) {
	body := encode(map[string]any{"model": model, "input": json.RawMessage(input)})
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url+"/ai", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New(string(text))
	}
	return text, err
}
