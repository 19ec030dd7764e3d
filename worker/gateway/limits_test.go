//go:build !js

package gateway

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// encodedAs writes a text with a Content-Encoding.
func encodedAs(t *testing.T, coding, text string) string {
	var out bytes.Buffer
	var to io.WriteCloser
	switch coding {
	case "gzip":
		to = gzip.NewWriter(&out)
	case "deflate":
		to = zlib.NewWriter(&out)
	case "br":
		to = brotli.NewWriterLevel(&out, 1)
	default:
		var err error
		to, err = zstd.NewWriter(&out)
		require.NoError(t, err)
	}
	_, err := io.WriteString(to, text)
	require.NoError(t, err)
	require.NoError(t, to.Close())
	return out.String()
}

// An encoded body is compacted without its coding, and forwarded as it is otherwise. The limit holds for both sizes.
func TestEncodedBodies(t *testing.T) {
	c := configOf(t, "GATEWAY_POLICY", `{"trigger":{"window":5000}}`)
	post := func(body, coding string) seen {
		return natively(c, NewLRU(0), "POST", "/up/v1/messages", body, jsonWith("Content-Encoding: "+coding), fine)
	}
	long, short := history(8, 600, ""), history(2, 10, "")
	compacted := natively(c, NewLRU(0), "POST", "/up/v1/messages", long, jsonWith(), fine).Bodies[0]
	for _, coding := range []string{"gzip", "deflate", "br", "zstd"} {
		s := post(encodedAs(t, coding, long), coding)
		require.True(t, strings.HasPrefix(s.Note, "before="), s.Note)
		require.True(t, compacted == s.Bodies[0])
		require.Empty(t, s.Headers.Get("Content-Encoding"))
		require.Equal(t, len(compacted), s.Entry.Sent)

		body := encodedAs(t, coding, short)
		s = post(body, coding)
		require.True(t, strings.HasPrefix(s.Note, "passed reason=below_limits"), s.Note)
		require.True(t, body == s.Bodies[0])
		require.Equal(t, coding, s.Headers.Get("Content-Encoding"))
		for _, broken := range []string{body[:len(body)/2], "{}"} {
			s = post(broken, coding)
			require.Equal(t, "passed reason=encoded", s.Note)
			require.True(t, broken == s.Bodies[0])
			require.Equal(t, coding, s.Headers.Get("Content-Encoding"))
		}
	}
	for size, reason := range map[int]string{MaxBody: "bad_json", MaxBody + 1: "too_large"} {
		body := encodedAs(t, "gzip", strings.Repeat(" ", size))
		require.Equal(t, "passed reason="+reason, post(body, "gzip").Note)
	}
	var wide bytes.Buffer // a small text that asks for a window over the limit
	to, err := zstd.NewWriter(&wide, zstd.WithWindowSize(2*MaxBody))
	require.NoError(t, err)
	for range 3 {
		_, err = to.Write(make([]byte, MaxBody/4))
		require.NoError(t, err)
	}
	require.NoError(t, to.Close())
	require.Equal(t, "passed reason=encoded", post(wide.String(), "zstd").Note)
}

// The limit on a body is exact, with and without a length; over it the body is streamed.
func TestLimitOfBodies(t *testing.T) {
	for size, reason := range map[int]string{MaxBody: "bad_json", MaxBody + 1: "too_large", MaxBody + 9: "too_large"} {
		for _, length := range []int64{int64(size), -1} {
			body := strings.Repeat(" ", size)
			received, sent := 0, int64(0)
			g := &Gateway{Config: configOf(t), Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				data, err := io.ReadAll(r.Body)
				received, sent = len(data), r.ContentLength
				return fine2(), err
			})}
			r := httptest.NewRequest("POST", "http://x/up/v1/messages", strings.NewReader(body))
			r.ContentLength = length
			w := httptest.NewRecorder()
			g.ServeHTTP(w, r)
			require.Equal(t, "passed reason="+reason, w.Header().Get("X-Tamp"))
			require.Equal(t, size, received)
			if reason == "bad_json" {
				length = int64(size)
			}
			require.Equal(t, length, sent)
		}
	}
}

func fine2() *http.Response {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(""))}
}

// A place is free again after each request, whatever became of it.
func TestPlacesAreFreedAgain(t *testing.T) {
	g := &Gateway{Config: configOf(t, "GATEWAY_MAX_STREAMS", "1"),
		Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/down") {
				return nil, errors.New("unreachable")
			}
			return fine2(), nil
		})}
	for range 3 {
		for path, want := range map[string]int{"/up/v1/models": 200, "/up/down": 502, "/up/../x": 400,
			"/up/v1/messages": 200} {
			w := httptest.NewRecorder()
			g.ServeHTTP(w, httptest.NewRequest("GET", "http://x"+path, nil))
			require.Equal(t, want, w.Code, path)
		}
	}
	require.Equal(t, 1, cap(g.slots))
	unset := &Gateway{Config: Config{Upstreams: g.Upstreams}, Transport: g.Transport}
	w := httptest.NewRecorder()
	unset.ServeHTTP(w, httptest.NewRequest("GET", "http://x/up/v1/models", nil))
	require.Equal(t, 200, w.Code)
}

// A request that meets a closed idle connection is sent again, once, with the same body.
func TestStaleConnections(t *testing.T) {
	for _, row := range []struct {
		method, path, body string
		reused             bool
		fails, calls       int
	}{
		{"POST", "/up/v1/messages", history(1, 10, ""), true, 0, 1}, {"POST", "/up/v1/messages", history(1, 10, ""),
			true, 1, 2},
		{"POST", "/up/v1/messages", history(1, 10, ""), true, 9, 2},
		{"POST", "/up/v1/messages", history(1, 10, ""), false, 9, 1},
		{"POST", "/up/v1/files", "streamed", true, 9, 1},
	} {
		calls := 0
		g := &Gateway{Config: configOf(t), Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{Reused: row.reused})
			calls++
			data, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			require.Equal(t, row.body, string(data))
			if calls <= row.fails {
				return nil, io.ErrUnexpectedEOF
			}
			return fine2(), nil
		})}
		w := httptest.NewRecorder()
		g.ServeHTTP(w, httptest.NewRequest(row.method, "http://x"+row.path, strings.NewReader(row.body)))
		require.Equal(t, row.calls, calls)
		require.Equal(t, row.fails < row.calls, w.Code == 200)
		if w.Code != 200 {
			require.Equal(t, "error reason=unreachable", w.Header().Get("X-Tamp"))
		}
	}
}

// The request that is sent has a length, and the body can be sent again, as for a new stream of HTTP/2.
func TestRequestsHaveALength(t *testing.T) {
	for _, body := range []string{history(1, 10, ""), history(8, 600, ""), ""} {
		g := &Gateway{Config: configOf(t, "GATEWAY_POLICY", `{"trigger":{"window":5000}}`)}
		g.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			if body == "" {
				require.Nil(t, r.Body)
				require.Zero(t, r.ContentLength)
				return fine2(), nil
			}
			require.Equal(t, []any{"HTTP/1.1", 1, 1}, []any{r.Proto, r.ProtoMajor, r.ProtoMinor})
			first, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			again, err := r.GetBody()
			require.NoError(t, err)
			second, err := io.ReadAll(again)
			require.NoError(t, err)
			require.Equal(t, string(first), string(second))
			require.Equal(t, int64(len(first)), r.ContentLength)
			return fine2(), nil
		})
		w := httptest.NewRecorder()
		g.ServeHTTP(w, httptest.NewRequest("POST", "http://x/up/v1/messages", strings.NewReader(body)))
		require.Equal(t, 200, w.Code)
	}
}

// Of an error only the beginning is read; all of it passes.
func TestLongErrors(t *testing.T) {
	for before, calls := range map[int]int{100: 2, maxError - 40: 2, maxError: 1, 3 * maxError: 1} {
		text := strings.Repeat(" ", before) + "prompt is too long" + strings.Repeat(" ", maxError)
		s := natively(configOf(t), NewLRU(0), "POST", "/up/v1/messages", history(8, 600, ""), jsonWith(),
			func(body string) (int, string) {
				if len(body) < 12_000 {
					return fine(body)
				}
				return 400, text
			})
		require.Len(t, s.Bodies, calls)
		if calls == 1 {
			require.True(t, s.Text == text)
			require.Equal(t, 400, s.Status)
		}
	}
}

// No text of a request, of its headers or of its response gets into the log, whatever becomes of it.
func TestLogHasNoContent(t *testing.T) {
	const mark = "M4RK3R"
	body := strings.ReplaceAll(history(8, 600, ""), "of the file", mark)
	header := jsonWith("Authorization: Bearer "+mark, "X-Api-Key: "+mark, "X-Tamp-Policy: {\"preset\":\"balanced\"}", "User-Agent: "+mark,
		"X-Session-Id: "+mark)
	for _, answer := range []scripted{fine, func(string) (int, string) { return 400, mark },
		func(string) (int, string) { return 500, mark },
		func(string) (int, string) { return 413, "prompt is too long: " + mark }} {
		for _, path := range []string{"/up/v1/messages", "/up/v1/messages?key=" + mark, "/plain/v1/messages", "/up/" + mark,
			"/plain/v1/responses/compact", "/up/../" + mark} {
			for _, text := range []string{body, mark, `{"messages":[{"role":"` + mark + `"}]}`, strings.Replace(body, `"c7"`, `"`+mark+`"`, 1)} {
				for _, h := range []http.Header{header, headerOf("Origin: " + mark), headerOf("Content-Type: " + mark),
					jsonWith("X-Tamp-Policy: " + mark), jsonWith(`X-Tamp-Policy: {"trigger":{"window":5000}}`)} {
					s := natively(configOf(t), NewLRU(0), "POST", path, text, h, answer)
					line, err := json.Marshal(s.Entry)
					require.NoError(t, err)
					require.NotContains(t, string(line)+s.Note, mark)
					require.Equal(t, "gateway", s.Entry.Op)
					require.NotEmpty(t, s.Entry.Upstream)
					require.Equal(t, s.Status, s.Entry.Status)
				}
			}
		}
	}
}

// A bug forwards the body of the client, and its text gets nowhere.
func TestBugsFailOpen(t *testing.T) {
	g := &Gateway{Config: configOf(t)}
	body := []byte(history(2, 10, ""))
	bug := func(string) []byte { panic("M4RK3R") }
	e := endpointOf("POST", "/v1/messages", false)
	p := g.Prepare(t.Context(), &Upstream{}, e, jsonWith(), body, nil, bug)
	require.Equal(t, &Prepared{Body: body, Reason: "internal"}, p)
	require.Equal(t, "passed reason=internal", p.Note())
	half := bytes.Replace(body, []byte(`"content":"`), []byte(`"content":"\ud83d`), 1)
	p = g.Prepare(t.Context(), &Upstream{}, e, jsonWith(), half, nil, bug)
	require.Contains(t, string(p.Body), `"content":"\ufffd`)
	r := Request{Method: "POST", Address: "http://x/up/v1/messages", Header: jsonWith(), Body: body, Find: bug}
	c, changed := g.Compact(r)
	require.True(t, changed == nil)
	require.Equal(t, "passed reason=internal", c.Note)
	again, _ := g.Retry(r, 400, []byte("prompt is too long"))
	require.False(t, again.Again)
	p = g.Prepare(t.Context(), &Upstream{}, e, jsonWith(), body, nil, nil)
	require.False(t, g.Force(p, bug, 0, 0))
	require.Equal(t, "internal", codeOf(errors.New("M4RK3R")))
	response, reason := (&Gateway{Config: g.Config}).compaction(&Prepared{Body: []byte(history(2, 10, "/responses"))}, nil)
	require.Equal(t, []any{true, "internal"}, []any{response == nil, reason}, "it has no clock")
}

// Own headers of this server's pages are not those of a response of the provider.
func TestHeadersOfTheProviderOnly(t *testing.T) {
	g := &Gateway{Config: configOf(t), Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		r := fine2()
		r.Header = headerOf("X-Frame-Options: provider", "X-Tamp-Secret: x", "Connection: X-Gone, close",
			"X-Gone: 1", "Keep-Alive: 5",
			"Set-Cookie: a", "Set-Cookie: b")
		r.Trailer = headerOf("X-End: done")
		return r, nil
	})}
	w := httptest.NewRecorder()
	w.Header().Set("Content-Security-Policy", "own")
	w.Header().Set("X-Frame-Options", "own")
	g.ServeHTTP(w, httptest.NewRequest("GET", "http://x/up/v1/models", nil))
	result := w.Result()
	require.Len(t, w.Header().Get("X-Tamp-Request-Id"), 16)
	w.Header().Del("X-Tamp-Request-Id")
	require.Equal(t, headerOf("X-Frame-Options: provider", "Set-Cookie: a", "Set-Cookie: b",
		"X-Tamp: passed reason=no_history", "Content-Security-Policy: sandbox", "X-Content-Type-Options: nosniff",
		"Trailer: X-End", "X-End: done"), w.Header().Clone(), fmt.Sprint(result.Trailer))
}

// The bounds of the settings.
func TestBoundsOfSettings(t *testing.T) {
	for _, row := range []struct {
		name, value string
		ok          bool
	}{
		{"GATEWAY_SECRET", strings.Repeat("x", 15), false}, {"GATEWAY_SECRET", strings.Repeat("x", 16), true},
		{"GATEWAY_MAX_STREAMS", "0", false}, {"GATEWAY_MAX_STREAMS", "1", true}, {"GATEWAY_MAX_STREAMS", "100000", true},
		{"GATEWAY_MAX_STREAMS", "100001", false}, {"GATEWAY_MAX_STREAMS", "2.5", false},
		{"GATEWAY_KEEP", "0", true}, {"GATEWAY_KEEP", "1", true}, {"GATEWAY_KEEP", "2", false},
		{"GATEWAY_MODE", "observe", true}, {"GATEWAY_MODE", "compact", true}, {"GATEWAY_MODE", "x", false},
	} {
		c, err := ReadConfig(func(name string) string {
			if name == row.name {
				return row.value
			}
			return ""
		})
		require.Equal(t, row.ok, err == nil, "%+v", row)
		if err == nil {
			require.Equal(t, row.name == "GATEWAY_MODE" && row.value == "observe", c.Observe)
			require.Equal(t, row.name != "GATEWAY_KEEP" || row.value == "1", c.Keep)
			require.Equal(t, row.name == "GATEWAY_SECRET", c.Secret != nil)
		}
	}
	c, err := ReadConfig(func(string) string { return "" })
	require.NoError(t, err)
	require.Equal(t, []any{DefaultMaxStreams, true, false}, []any{c.MaxStreams, c.Keep, c.Observe})
	_, err = ReadConfig(func(name string) string {
		return map[string]string{"UPSTREAMS": "M4RK3R", "GATEWAY_POLICY": "M4RK3R", "GATEWAY_SECRET": "M4RK3R",
			"GATEWAY_MODE": "M4RK3R"}[name]
	})
	for _, name := range []string{"UPSTREAMS", "GATEWAY_POLICY", "GATEWAY_SECRET", "GATEWAY_MODE"} {
		require.ErrorContains(t, err, "cannot use "+name)
	}
	require.NotContains(t, err.Error(), "M4RK3R")
}

// Setting UPSTREAMS: what an entry may be, and what the errors say.
func TestBoundsOfUpstreams(t *testing.T) {
	all, err := ParseUpstreams(" , a-b_1=https://x/y// ,, c=plain:http://z:8/ ,")
	require.NoError(t, err)
	require.Equal(t, []Upstream{{"a-b_1", "https://x/y", false}, {"c", "http://z:8", true}}, all)
	for entry, reason := range map[string]string{"a": `has no "="`, "=http://x": "has a name with other characters", "A=http://x": "has a name with",
		"a/b=http://x": "has a name with", "v1=http://x": "is a path of this server",
		"healthz=http://x": "is a path of this server",
		"a=":               "is not an absolute", "a=/x": "is not an absolute", "a=ftp://x": "is not an absolute",
		"a=http://%zz":   "is not an absolute",
		"a=http://u:p@x": "with a user, a query or a fragment", "a=http://x?q": "with a user", "a=http://x/?": "with a user",
		"a=http://x#f": "with a user", "a=plain:": "is not an absolute",
		"ok=http://y": "has the name of an entry before it"} {
		_, err := ParseUpstreams("ok=http://x," + entry)
		require.ErrorContains(t, err, "cannot use UPSTREAMS: entry 2 ", entry)
		require.ErrorContains(t, err, reason, entry)
	}
	_, err = ParseUpstreams("a,b")
	require.ErrorContains(t, err, "entry 1 ")
	require.ErrorContains(t, err, "entry 2 ")
}

// Names and data together are at most the limit, and the one that was used last stays.
func TestLimitOfLRU(t *testing.T) {
	l := NewLRU(10)
	l.Keep("a", make([]byte, 4))
	l.Keep("b", make([]byte, 4))
	require.Equal(t, 10, l.size)
	require.NotNil(t, l.Find("a"))
	require.NotNil(t, l.Find("b"))
	l.Keep("a", make([]byte, 3)) // replaced
	require.Equal(t, 9, l.size)
	require.NotNil(t, l.Find("b"))
	l.Keep("c", nil)
	require.Equal(t, 10, l.size)
	l.Keep("d", nil)
	require.Nil(t, l.Find("a"), "it was used before b")
	require.NotNil(t, l.Find("b"))
	require.Len(t, l.items, 3)
	require.Equal(t, 3, l.order.Len())
	l.Keep("e", make([]byte, 9))
	require.Len(t, l.items, 1)
	l.Keep("e", make([]byte, 10)) // over the limit: not even the old one is right
	require.Empty(t, l.items)
	require.Zero(t, l.size)
}

// A body whose length is over the limit is not read before the request is forwarded.
func TestLongBodiesAreStreamed(t *testing.T) {
	for length, streamed := range map[int64]bool{MaxBody: false, MaxBody + 1: true} {
		read := false
		g := &Gateway{Config: configOf(t), Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			require.Equal(t, streamed, !read)
			return fine2(), nil
		})}
		body := &noticedReader{func() { read = true }, strings.NewReader("{}")}
		r := httptest.NewRequest("POST", "http://x/up/v1/messages", body)
		r.ContentLength = length
		g.ServeHTTP(httptest.NewRecorder(), r)
	}
}

type noticedReader struct {
	called func()
	io.Reader
}

func (r *noticedReader) Read(p []byte) (int, error) {
	r.called()
	return r.Reader.Read(p)
}
