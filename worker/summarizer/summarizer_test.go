package summarizer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/worker/internal/fake"
	"tamp/worker/summarizer"
)

const (
	secret = "sk-secret-of-the-operator"
	prompt = "PRIVATE-PROMPT <of> & the caller"
)

// clock is a time that advances only in Sleep.
type clock struct {
	now   time.Time
	waits []time.Duration
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)} }

func (c *clock) host() summarizer.Host {
	return summarizer.Host{
		Now: func() time.Time { return c.now },
		Sleep: func(ctx context.Context, d time.Duration) error {
			c.now = c.now.Add(d)
			c.waits = append(c.waits, d)
			return ctx.Err()
		},
		Jitter: func(limit time.Duration) time.Duration { return limit },
	}
}

// serve starts a fake provider, and fails the test if goroutines are left at its end.
func serve(t *testing.T, script string) (*fake.Server, string) {
	f, err := fake.New(script)
	require.NoError(t, err)
	before := runtime.NumGoroutine()
	s := httptest.NewServer(f)
	t.Cleanup(func() {
		s.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		for range 200 {
			if runtime.NumGoroutine() <= before {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		stacks := make([]byte, 1<<16)
		require.LessOrEqual(t, runtime.NumGoroutine(), before, "goroutines are left:\n%s",
			stacks[:runtime.Stack(stacks, true)])
	})
	return f, s.URL
}

// config selects a provider at the fake's address.
func config(provider, url string) summarizer.Config {
	c := summarizer.Config{Provider: provider, BaseURL: url, APIKey: secret}
	if provider == summarizer.OpenAI {
		c.BaseURL, c.Model = url+"/v1", "some-model"
	}
	return c
}

func request() summarizer.Request {
	return summarizer.Request{System: "You summarize.", User: prompt, MaxTokens: 100}
}

func build(t *testing.T, c summarizer.Config, h summarizer.Host) summarizer.Summarizer {
	s, err := summarizer.New(c, h)
	require.NoError(t, err)
	return s
}

// silent fails the test if an error contains content, a key or an address.
func silent(t *testing.T, err error) {
	for _, text := range []string{err.Error(), fmt.Sprintf("%+v %#v", err, err)} {
		for _, word := range []string{secret, "caller-key", "PRIVATE", "127.0.0.1", "Summary of", "the script says"} {
			require.NotContains(t, text, word)
		}
	}
	if text, e := json.Marshal(err); e == nil {
		require.NotContains(t, string(text), secret)
	}
}

func failure(t *testing.T, err error) *summarizer.Error {
	var e *summarizer.Error
	require.ErrorAs(t, err, &e)
	silent(t, err)
	return e
}

// The result of each behavior of a provider, for both protocols.
func TestProviderBehaviors(t *testing.T) {
	for _, row := range []struct {
		script   string
		code     summarizer.Code // "" is success
		attempts int
		why      string
	}{
		{"ok", "", 1, ""},
		{"429,ok", "", 2, "rate limits pass"},
		{"408,ok", "", 2, ""},
		{"500,ok", "", 2, ""},
		{"502,503,529,ok", "", 4, ""},
		{"cut,ok", "", 2, "half an answer is no answer"},
		{"drop,drop,ok", "", 3, "broken connections are tried again"},
		{"529", summarizer.Upstream, 5, "at most five times"},
		{"drop", summarizer.Connection, 5, ""},
		{"400", summarizer.Upstream, 1, "the same request will not become right"},
		{"401", summarizer.Upstream, 1, ""},
		{"402", summarizer.Upstream, 1, ""},
		{"403", summarizer.Upstream, 1, ""},
		{"404", summarizer.Upstream, 1, ""},
		{"413", summarizer.Upstream, 1, ""},
		{"422", summarizer.Upstream, 1, ""},
		{"504", summarizer.Upstream, 1, "a gateway has waited long already"},
		{"redirect", summarizer.Upstream, 1, "the key must not travel on"},
		{"refusal", summarizer.Refusal, 1, "it would refuse again"},
		{"empty", summarizer.Empty, 1, ""},
		{"ok:text=  ", summarizer.Empty, 1, "white space is no summary"},
		{"length", summarizer.Cut, 1, "its end is missing, whatever it was"},
		{"malformed", summarizer.Malformed, 1, ""},
		{"tool", summarizer.ToolCall, 1, "no tool was offered"},
		{"huge", summarizer.TooLarge, 1, "2 MiB are over the limit"},
		{"error", summarizer.Upstream, 1, "status 200 with an error inside, without a number"},
	} {
		for _, provider := range []string{summarizer.Anthropic, summarizer.OpenAI} {
			t.Run(provider+" "+row.script, func(t *testing.T) {
				f, url := serve(t, row.script)
				clock := newClock()
				text, err := build(t, config(provider, url), clock.host()).Summarize(context.Background(), request())
				require.Len(t, f.Calls(), row.attempts, row.why)
				require.Empty(t, f.Problems())
				require.Len(t, clock.waits, row.attempts-1)
				if row.code == "" {
					require.NoError(t, err)
					require.Equal(t, fake.Answer(prompt), text)
					return
				}
				require.Empty(t, text)
				e := failure(t, err)
				require.Equal(t, row.code, e.Code, row.why)
				require.Equal(t, row.attempts, e.Attempts)
				require.Equal(t, provider, e.Provider)
				require.Equal(t, row.code == summarizer.Upstream, e.Status != 0)
			})
		}
	}
}

// The exact requests.
func TestRequests(t *testing.T) {
	for _, row := range []struct{ name, provider, system, body, header, value string }{
		{"anthropic", summarizer.Anthropic, "S",
			`{"model":"claude-haiku-4-5","max_tokens":100,"system":"S","messages":[{"role":"user","content":"` + prompt + `"}]}`,
			"X-Api-Key", secret},
		{"anthropic without system", summarizer.Anthropic, "",
			`{"model":"claude-haiku-4-5","max_tokens":100,"messages":[{"role":"user","content":"` + prompt + `"}]}`,
			"Anthropic-Version", "2023-06-01"},
		{"openai", summarizer.OpenAI, "S",
			`{"max_tokens":100,"messages":[{"role":"system","content":"S"},{"role":"user","content":"` + prompt +
				`"}],"model":"some-model"}`, "Authorization", "Bearer " + secret},
		{"openai without system", summarizer.OpenAI, "",
			`{"max_tokens":100,"messages":[{"role":"user","content":"` + prompt + `"}],"model":"some-model"}`, "Content-Type",
			"application/json"},
	} {
		t.Run(row.name, func(t *testing.T) {
			f, url := serve(t, "ok")
			r := request()
			r.System, r.ID = row.system, "never-sent"
			_, err := build(t, config(row.provider, url), summarizer.Host{}).Summarize(context.Background(), r)
			require.NoError(t, err)
			call := f.Calls()[0]
			require.Equal(t, row.body, string(call.Body))
			require.Equal(t, row.value, call.Header.Get(row.header))
			require.Equal(t, "tamp", call.Header.Get("User-Agent"))
		})
	}
}

// OpenAI names the token limit differently from compatible servers.
func TestOpenAILimit(t *testing.T) {
	for base, field := range map[string]string{
		"": "max_completion_tokens", "https://api.openai.com/v1/": "max_completion_tokens",
		"https://openrouter.ai/api/v1": "max_tokens",
	} {
		var url, body string
		h := summarizer.Host{Transport: transport(func(r *http.Request) (*http.Response, error) {
			text, _ := io.ReadAll(r.Body)
			url, body = r.URL.String(), string(text)
			return answer(200, `{"choices":[{"message":{"content":"text"}}]}`), nil
		})}
		text, err := build(t, summarizer.Config{Provider: summarizer.OpenAI, Model: "m", BaseURL: base},
			h).Summarize(context.Background(), request())
		require.NoError(t, err, "an absent finish reason is no failure")
		require.Equal(t, "text", text)
		require.Contains(t, body, `"`+field+`":100`)
		require.True(t, strings.HasPrefix(url, "https://") && strings.HasSuffix(url, "/v1/chat/completions"), url)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func answer(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

func TestKeys(t *testing.T) {
	for _, provider := range []string{summarizer.Anthropic, summarizer.OpenAI} {
		f, url := serve(t, "ok")
		s := build(t, config(provider, url), summarizer.Host{})
		r := request()
		r.Key = "caller-key"
		_, err := s.Summarize(context.Background(), r)
		require.NoError(t, err)
		_, err = s.Summarize(context.Background(), request())
		require.NoError(t, err)
		require.Equal(t, []string{"caller-key", secret}, []string{f.Calls()[0].Key, f.Calls()[1].Key},
			"the caller's is not kept")

		for _, key := range []summarizer.Key{"caller-key\r\nHost: evil", "caller key", "caller-k\u00e9y",
			summarizer.Key(strings.Repeat("k", 1001))} {
			r.Key = key
			_, err = s.Summarize(context.Background(), r)
			require.Equal(t, summarizer.BadKey, failure(t, err).Code)
		}
		require.Len(t, f.Calls(), 2, "a bad key is not sent")
	}
	s := build(t, summarizer.Config{Provider: summarizer.Anthropic}, summarizer.Host{Transport: transport(nil)})
	_, err := s.Summarize(context.Background(), request())
	require.Equal(t, summarizer.NoKey, failure(t, err).Code)

	f, url := serve(t, "ok")
	f.Keyless = true
	c := config(summarizer.OpenAI, url)
	c.APIKey = ""
	_, err = build(t, c, summarizer.Host{}).Summarize(context.Background(), request())
	require.NoError(t, err, "Ollama needs none")
	require.Empty(t, f.Calls()[0].Header.Values("Authorization"))
}

// No way of printing a key reveals it.
func TestKeysDoNotPrint(t *testing.T) {
	for _, v := range []any{summarizer.Key(secret), summarizer.Config{APIKey: secret}, summarizer.Request{Key: secret},
		&summarizer.Config{APIKey: secret}} {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		for _, printed := range []string{fmt.Sprint(v), fmt.Sprintf("%v %+v %#v %s %q", v, v, v, v, v), string(text)} {
			require.NotContains(t, printed, "sk-secret")
		}
		require.Contains(t, string(text), "[key]")
	}
	require.Empty(t, summarizer.Key("").String())
}

func TestBadRequests(t *testing.T) {
	for _, c := range []summarizer.Config{config(summarizer.Anthropic, "http://x"), config(summarizer.OpenAI, "http://x"),
		{Provider: summarizer.WorkersAI, Model: "m"}} {
		for _, r := range []summarizer.Request{{User: "x"}, {MaxTokens: 1}, {User: "x", MaxTokens: -1}} {
			_, err := build(t, c, summarizer.Host{Transport: transport(nil)}).Summarize(context.Background(), r)
			require.Equal(t, summarizer.BadRequest, failure(t, err).Code)
		}
	}
}

// Answers outside the protocol, which the fake does not give; compatible servers and routers send them.
func TestOddAnswers(t *testing.T) {
	const a, o = summarizer.Anthropic, summarizer.OpenAI
	for _, row := range []struct {
		provider, body string
		code           summarizer.Code
		why            string
	}{
		{a, ``, "malformed", "nothing at all"},
		{a, `null`, "malformed", ""},
		{a, `[]`, "malformed", ""},
		{a, `"PRIVATE"`, "malformed", ""},
		{a, `<html>PRIVATE</html>`, "malformed", "a page of a proxy"},
		{a, `{"content":[],"stop_reason":"end_turn"} x`, "malformed", "more than one value"},
		{a, `{"content":"PRIVATE","stop_reason":"end_turn"}`, "malformed", "a string where blocks should be"},
		{a, `{"content":[{"type":"text","text":"PRIVATE"}]}`, "malformed",
			"without a stop reason the text may be incomplete"},
		{a, `{"stop_reason":"end_turn"}`, "malformed", ""},
		{a, `{"content":[{"type":"thinking","thinking":"PRIVATE"}],"stop_reason":"end_turn"}`, "empty",
			"thinking is no answer"},
		{a, `{"content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"fine"}],"stop_reason":"end_turn"}`, "",
			"and is passed over"},
		{a, `{"content":[{"type":"text","text":"fi"},{"type":"text","text":"ne"}],"stop_reason":"a_new_one"}`, "",
			"unknown reasons are not failures"},
		{a, `{"content":[{"type":"text","text":"PRIVATE"}],"stop_reason":"model_context_window_exceeded"}`, "cut", ""},
		{a, `{"content":[{"type":"server_tool_use"}],"stop_reason":"end_turn"}`, "tool_call", ""},
		{o, `{"choices":[]}`, "malformed", ""},
		{o, `{"choices":[{}]}`, "malformed", ""},
		{o, `{"choices":[{"message":{"content":["PRIVATE"]}}]}`, "malformed", ""},
		{o, `{"choices":[{"message":{"content":"PRIVATE"},"finish_reason":"content_filter"}]}`, "refusal",
			"a filter cut it off"},
		{o, `{"choices":[{"message":{"content":"PRIVATE","refusal":""},"finish_reason":"stop"}]}`, "",
			"an empty refusal is none"},
		{o, `{"choices":[{"message":{"content":"","function_call":{"name":"x"}},"finish_reason":"stop"}]}`, "tool_call",
			"the older form"},
		{o, `{"choices":[{"message":{"content":"x","tool_calls":[]},"finish_reason":"stop"}]}`, "",
			"an empty list is no call"},
		{o, `{"error":{"code":402,"message":"PRIVATE"}}`, "upstream", "OpenRouter, with status 200"},
		{o, `{"error":null,"choices":[{"error":{"code":400},"message":{"content":"x"}}]}`, "upstream",
			"the provider behind the router failed"},
		{o, `{"error":"PRIVATE"}`, "upstream", "not even an object"},
	} {
		t.Run(row.provider+" "+row.body, func(t *testing.T) {
			h := newClock().host()
			h.Transport = transport(func(*http.Request) (*http.Response, error) { return answer(200, row.body), nil })
			_, err := build(t, config(row.provider, "http://x"), h).Summarize(context.Background(), request())
			if row.code == "" {
				require.NoError(t, err, row.why)
				return
			}
			require.Equal(t, row.code, failure(t, err).Code, row.why)
		})
	}
}

// A known error name becomes the Reason; free text does not.
func TestReasons(t *testing.T) {
	for _, row := range []struct {
		status   int
		body     string
		reason   string
		attempts int
	}{
		{400, `{"error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"PRIVATE"}}`,
			"context_length_exceeded", 1},
		{429, `{"error":{"type":"insufficient_quota","code":"insufficient_quota"}}`, "insufficient_quota", 1},
		{429, `{"error":{"type":"rate_limit_error"}}`, "rate_limit_error", 5},
		{401, `{"error":{"type":"PRIVATE","code":42}}`, "", 1},
		{400, `PRIVATE`, "", 1},
	} {
		n := 0
		h := newClock().host()
		h.Transport = transport(func(*http.Request) (*http.Response, error) {
			n++
			return answer(row.status, row.body), nil
		})
		_, err := build(t, config(summarizer.OpenAI, "http://x"), h).Summarize(context.Background(), request())
		e := failure(t, err)
		require.Equal(t, row.reason, e.Reason)
		require.Equal(t, row.status, e.Status)
		require.Equal(t, row.attempts, n)
	}
}

// The limit applies to the received bytes, whatever Content-Length says.
func TestAnswerLimit(t *testing.T) {
	read := 0
	endless := transport(func(*http.Request) (*http.Response, error) {
		r := answer(200, "")
		r.Body = io.NopCloser(readerFunc(func(p []byte) (int, error) {
			read += len(p)
			return copy(p, bytes.Repeat([]byte(" "), len(p))), nil
		}))
		return r, nil
	})
	c := config(summarizer.Anthropic, "http://x")
	c.MaxAnswer = 10_000
	_, err := build(t, c, summarizer.Host{Transport: endless}).Summarize(context.Background(), request())
	require.Equal(t, summarizer.TooLarge, failure(t, err).Code)
	require.Less(t, read, 40_000) // MaxAnswer, and the buffer of the last read
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestConfigs(t *testing.T) {
	for _, row := range []struct {
		c    summarizer.Config
		says []string
	}{
		{summarizer.Config{}, nil},
		{summarizer.Config{Provider: "anthropic"}, nil},
		{summarizer.Config{Provider: "openai", Model: "gpt-5-mini"}, nil},
		{summarizer.Config{Provider: "openai", Model: "qwen3:8b", BaseURL: "http://localhost:11434/v1"}, nil},
		{summarizer.Config{Provider: "workers-ai", Model: "@cf/meta/x"}, nil},
		{summarizer.Config{Provider: "Anthropic"}, []string{"not one of anthropic, openai, workers-ai, extractive"}},
		{summarizer.Config{Provider: "openai"}, []string{"needs a model"}},
		{summarizer.Config{Provider: "workers-ai"}, []string{"needs a model"}},
		{summarizer.Config{Provider: "extractive", BaseURL: "http://x"}, []string{"no base URL"}},
		{summarizer.Config{Provider: "anthropic", BaseURL: "file:///etc/passwd"}, []string{"not an absolute http"}},
		{summarizer.Config{Provider: "anthropic", BaseURL: "api.anthropic.com"}, []string{"not an absolute http"}},
		{summarizer.Config{Provider: "anthropic", BaseURL: "https://user:" + secret + "@x"}, []string{"user or a password"}},
		{summarizer.Config{Provider: "anthropic", BaseURL: "https://x?key=" + secret}, []string{"query"}},
		{summarizer.Config{Provider: "anthropic", BaseURL: "://" + secret, APIKey: secret + "\n", Model: "a b", Deadline: -1},
			[]string{"base URL", "key has characters", "its model is not a name", "limits"}},
	} {
		err := row.c.Validate()
		_, newErr := summarizer.New(row.c, summarizer.Host{})
		require.Equal(t, err, newErr)
		if row.says == nil {
			require.NoError(t, err)
			continue
		}
		require.Error(t, err)
		require.NotContains(t, err.Error(), secret)
		for _, text := range row.says {
			require.Contains(t, err.Error(), text, "one error names everything")
		}
	}
	require.Equal(t, "claude-haiku-4-5", summarizer.Config{Provider: "anthropic"}.Defaults().Model)
	require.Equal(t, "extractive", summarizer.Config{}.Defaults().Provider)
}

func TestExtractive(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var asked string
	run := func(text string, err error) error {
		s := build(t, summarizer.Config{}, summarizer.Host{Extract: func(_ context.Context, id string) (string, error) {
			asked = id
			return text, err
		}})
		got, err := s.Summarize(ctx, summarizer.Request{ID: "request-1"})
		if err == nil {
			require.Equal(t, text, got)
		}
		return err
	}
	require.NoError(t, run("facts", nil))
	require.Equal(t, "request-1", asked)
	require.Equal(t, summarizer.Empty, failure(t, run("", nil)).Code)
	require.Equal(t, summarizer.Failed, failure(t, run("", errors.New("PRIVATE"))).Code)
	require.Equal(t, summarizer.Refusal, failure(t, run("", &summarizer.Error{Code: summarizer.Refusal})).Code)
	require.Equal(t, summarizer.TooLarge, failure(t, run(strings.Repeat("x", 2<<20), nil)).Code)
	_, err := build(t, summarizer.Config{}, summarizer.Host{}).Summarize(ctx, summarizer.Request{})
	require.Equal(t, summarizer.Failed, failure(t, err).Code, "the host has bound none")
	cancel()
	require.Equal(t, summarizer.Canceled, failure(t, run("facts", nil)).Code)
}

func TestWorkersAI(t *testing.T) {
	for _, row := range []struct {
		answer   string
		err      error
		code     summarizer.Code
		attempts int
		why      string
	}{
		{`{"response":"facts","usage":{"completion_tokens":99}}`, nil, "", 1, "the binding's own shape"},
		{`{"choices":[{"message":{"content":"facts"},"finish_reason":"stop"}]}`, nil, "", 1, "newer models"},
		{`{"choices":[{"message":{"content":"facts"},"finish_reason":"length"}]}`, nil, "cut", 1, ""},
		{`{"response":"facts","usage":{"completion_tokens":100}}`, nil, "cut", 1, "there is no finish reason"},
		{`{"response":""}`, nil, "empty", 1, ""},
		{`{"response":{"PRIVATE":1}}`, nil, "malformed", 1, "JSON mode was not asked for"},
		{`{}`, nil, "malformed", 1, ""},
		{`{"response":"","tool_calls":[{}]}`, nil, "tool_call", 1, ""},
		{strings.Repeat(" ", 2<<20), nil, "too_large", 1, ""},
		{"", errors.New("InferenceUpstreamError: 3040: PRIVATE"), "upstream", 5, "out of capacity: it may come back"},
		{"", errors.New("3036: PRIVATE"), "upstream", 1, "the day's allocation is spent"},
		{"", errors.New("AiError: 5007: No such model PRIVATE"), "upstream", 1, ""},
		{"", errors.New("PRIVATE"), "connection", 5, "anything else may be the network"},
	} {
		n := 0
		h := newClock().host()
		h.AI = func(_ context.Context, model string, input []byte) ([]byte, error) {
			n++
			require.Equal(t, "@cf/x", model)
			require.JSONEq(t,
				`{"messages":[{"role":"system","content":"You summarize."},{"role":"user","content":"`+prompt+`"}],"max_tokens":100}`, string(input))
			return []byte(row.answer), row.err
		}
		text, err := build(t, summarizer.Config{Provider: summarizer.WorkersAI, Model: "@cf/x"},
			h).Summarize(context.Background(), request())
		require.Equal(t, row.attempts, n, row.why)
		if row.code == "" {
			require.NoError(t, err)
			require.Equal(t, "facts", text)
			continue
		}
		require.Equal(t, row.code, failure(t, err).Code, row.why)
	}
	_, err := build(t, summarizer.Config{Provider: summarizer.WorkersAI, Model: "m"},
		summarizer.Host{}).Summarize(context.Background(), request())
	require.Equal(t, summarizer.Failed, failure(t, err).Code)
	h := summarizer.Host{AI: func(context.Context, string, []byte) ([]byte, error) { panic("JavaScript threw PRIVATE") }}
	_, err = build(t, summarizer.Config{Provider: summarizer.WorkersAI, Model: "m"}, h).Summarize(context.Background(),
		request())
	require.Equal(t, summarizer.Failed, failure(t, err).Code, "a panic of the host does not end the process")
}
