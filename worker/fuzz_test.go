//go:build !js

package worker

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/worker/store"
)

// For any request, the response has a status of the API, the headers, and a body of its Content-Type; nothing panics,
// which would be a 500.
func FuzzHandler(f *testing.F) {
	open := handlerOf(f, plain, nil)
	kept := handlerOf(f, setup{env: map[string]string{"TAMP_TOKEN": token}}, nil)
	kept.host.Store = store.NewKV(&values{})
	p := &place{models: &fakeModels{url: "http://127.0.0.1:1"}}
	for _, row := range p.rows() {
		f.Add(row.on.env["TAMP_TOKEN"] != "", row.method, row.path, strings.Join(row.header, "\n"), []byte(row.body))
	}
	f.Add(false, "POST", "/v1/compact", "Accept: text/event-stream", []byte(request("harness", talk("fuzz", 3000))))
	f.Add(true, "POST", "/v1/compact", bearer()+"\nCache-Control: no-store", []byte(request("turns", talk("fuzz", 3000))))
	f.Add(true, "POST", "/v1/compact", bearer(),
		[]byte(`{"policy":{"intake":{"maxChars":9}},"conversation":[{"role":"user","content":"0123456789"}]}`))
	f.Fuzz(func(t *testing.T, member bool, method, path, header string, body []byte) {
		at, err := url.ParseRequestURI(path)
		if err != nil {
			return // no server would let it in
		}
		r := &http.Request{Method: method, URL: at, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)),
			ContentLength: int64(len(body))}
		for line := range strings.SplitSeq(header, "\n") {
			name, value, _ := strings.Cut(line, ": ")
			r.Header.Add(name, value)
		}
		h := open
		if member {
			h = kept
		}
		var printed []byte
		h.host.Log = func(line []byte) { printed = line }
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)

		require.NotEqual(t, 500, w.Code, w.Body)
		got := reply{w.Code, w.Header(), w.Body.String()}
		if strings.Contains(path+string(body), marker) && w.Code >= 400 {
			require.True(t, json.Valid(w.Body.Bytes())) // the path of an error names a member, which may be anything here
		} else {
			got.check(t, method)
		}
		var l logEntry
		require.NoError(t, json.Unmarshal(printed, &l))
		require.Equal(t, w.Code, l.Status)
		switch kind := w.Header().Get("Content-Type"); {
		case w.Code == http.StatusNoContent:
			require.Empty(t, got.body)
		case kind == "application/json":
			require.True(t, json.Valid(w.Body.Bytes()))
		case kind == "text/event-stream":
			require.True(t, strings.HasSuffix(got.body, "\n\n"))
			require.Contains(t, []string{"done", "error"}, last(got.body))
		default:
			require.True(t, strings.HasPrefix(kind, "application/jsonl"), kind)
		}
	})
}

// last returns the name of the last event.
func last(stream string) string {
	i := strings.LastIndex(stream, "event: ")
	name, _, _ := strings.Cut(stream[i+len("event: "):], "\n")
	return name
}
