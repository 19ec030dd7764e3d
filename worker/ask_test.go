//go:build !js

package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/wire"
	"tamp/worker/internal/fake"
)

// reply is a response of the server.
type reply struct {
	status int
	header http.Header
	body   string
}

// newClient returns a client with its own connections, so that no test uses a connection that another test has broken.
func newClient() *http.Client {
	return &http.Client{Timeout: 3 * time.Minute,
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// try sends a request. header are lines "Name: value".
func (r *running) try(ctx context.Context, method, path, body string, header ...string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, r.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body == "" {
		request.Body = nil
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Add(name, value)
	}
	return newClient().Do(request)
}

// send sends a request; the caller reads the body.
func (r *running) send(t *testing.T, method, path, body string, header ...string) *http.Response {
	t.Helper()
	answer, err := r.try(t.Context(), method, path, body, header...)
	require.NoError(t, err)
	return answer
}

// ask sends a request, and checks the rules of every response.
func (r *running) ask(t *testing.T, method, path, body string, header ...string) reply {
	t.Helper()
	answer := r.send(t, method, path, body, header...)
	got := reply{answer.StatusCode, answer.Header, readAll(t, answer)}
	got.check(t, method)
	return got
}

func readAll(t testing.TB, answer *http.Response) string {
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(text)
}

// The statuses of the API.
var statuses = []int{200, 204, 400, 401, 404, 405, 409, 413, 415, 422, 429, 500, 502}

func (r reply) check(t testing.TB, method string) {
	t.Helper()
	require.Contains(t, statuses, r.status, r.body)
	for name, value := range map[string]string{"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
		"X-Frame-Options": "DENY",
		"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
		"Strict-Transport-Security": "max-age=31536000"} {
		require.Equal(t, value, r.header.Get(name), "%s of %d %.300s", name, r.status, r.body)
	}
	require.Contains(t, r.header.Get("Content-Security-Policy"), "default-src 'none'")
	if r.status < 400 || method == http.MethodHead {
		return
	}
	require.Equal(t, "application/json", r.header.Get("Content-Type"))
	require.NotContains(t, r.body, marker, "an error quotes content or a key")
	code, message := r.failure(t)
	require.NotEmpty(t, code)
	require.True(t, strings.HasPrefix(message, "cannot "), message)
}

// failure parses the body of an error, which has these members only.
func (r reply) failure(t testing.TB) (code, message string) {
	t.Helper()
	var out struct {
		Error struct{ Code, Path, Message *string }
	}
	d := json.NewDecoder(strings.NewReader(r.body))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&out), r.body)
	require.NotNil(t, out.Error.Path)
	return *out.Error.Code, *out.Error.Message
}

// outcome has the members of a compaction that the tests read.
type outcome struct {
	Conversation  json.RawMessage
	Before, After int
	Transcripts   []string
	Archive       string
	Failures      []struct {
		Round             int
		ID, Code, Message string
	}
}

func (r reply) outcome(t testing.TB) outcome {
	t.Helper()
	require.Equal(t, 200, r.status, r.body)
	var o outcome
	require.NoError(t, json.Unmarshal([]byte(r.body), &o))
	checked := engineAnswer("check", []byte(`{"conversation":`+string(o.Conversation)+`}`))
	require.Contains(t, string(checked), `"valid":true`)
	return o
}

// event is one event of a stream.
type event struct{ name, data string }

// readEvent returns the next event and skips comments. At the end of the stream the name is "".
func readEvent(t testing.TB, from *bufio.Reader) event {
	t.Helper()
	var e event
	for {
		line, err := from.ReadString('\n')
		line = strings.TrimSuffix(line, "\n")
		name, value, _ := strings.Cut(line, ": ")
		switch {
		case err == io.EOF:
			require.Empty(t, line, "the stream ends in the middle of an event")
			return event{}
		case line == "" && e.name != "":
			return e
		case name == "event":
			e.name = value
		case name == "data":
			require.True(t, json.Valid([]byte(value)), value)
			e.data = value
		}
		require.NoError(t, err)
	}
}

// stream requests an event stream and reads it to its end.
func (r *running) stream(t *testing.T, body string, header ...string) []event {
	t.Helper()
	answer := r.send(t, "POST", "/v1/compact", body, append(header, "Accept: text/event-stream")...)
	defer answer.Body.Close()
	reply{answer.StatusCode, answer.Header, ""}.check(t, "POST")
	require.Equal(t, "text/event-stream", answer.Header.Get("Content-Type"))
	var all []event
	for from := bufio.NewReader(answer.Body); ; {
		e := readEvent(t, from)
		if e.name == "" {
			return all
		}
		all = append(all, e)
	}
}

// request is the body of a compaction. The preset "harness" makes one summary of the whole conversation.
func request(preset, conversation string) string {
	return `{"preset":"` + preset + `","force":true,"conversation":` + conversation + `}`
}

// expected is the result of a compaction that the test does itself, as any host in Go would.
type expected struct {
	outcome   string
	requests  int
	originals []wire.Original
}

// byHand compacts with wire.Start. f answers the requests; nil gives the answers of the fake models.
func byHand(t testing.TB, body string, f func(*wire.Request) wire.Result) expected {
	t.Helper()
	loop, err := new(wire.Engine).Start([]byte(body))
	require.NoError(t, err)
	var d expected
	require.NoError(t, loop.Run(core.Host{
		Save: func(archive []byte) error { d.originals = append(d.originals, loop.Originals(archive)...); return nil },
		Summarize: func(*core.Loop) (results []wire.Result, err error) {
			for _, r := range loop.Requests() {
				d.requests++
				if f == nil {
					results = append(results, wire.Result{ID: r.ID, Text: fake.Answer(r.User)})
				} else {
					results = append(results, f(&r))
				}
			}
			return results, nil
		},
	}))
	out, err := loop.Outcome()
	require.NoError(t, err)
	d.outcome = string(out)
	return d
}

// extracted compacts without a model.
func extracted(t testing.TB, body string) expected {
	loop, err := new(wire.Engine).Start([]byte(body))
	require.NoError(t, err)
	texts := map[string]wire.Result{}
	require.NoError(t, loop.Run(core.Host{Applied: func(_ *core.Plan, results []wire.Result, _ *core.Outcome) error {
		for _, r := range results {
			texts[r.ID] = r
		}
		return nil
	}}))
	return byHand(t, body, func(r *wire.Request) wire.Result { return texts[r.ID] })
}

// is compares the engine's part of a response, byte for byte.
func (d expected) is(t testing.TB, got reply) {
	t.Helper()
	require.Equal(t, 200, got.status, got.body)
	want := strings.TrimSuffix(d.outcome, "}") + `,"transcripts":`
	require.True(t, strings.HasPrefix(got.body, want), "the response differs from the engine's")
}

func (d expected) refs() []string {
	var refs []string
	for _, o := range d.originals {
		refs = append(refs, o.Ref)
	}
	slices.Sort(refs)
	return slices.Compact(refs)
}

// names lists the names of events; equal neighbors count once.
func names(all []event) []string {
	var list []string
	for _, e := range all {
		list = append(list, e.name)
	}
	return slices.Compact(list)
}
