package worker

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"tamp/core/wire"
	"tamp/worker/gateway"
	"tamp/worker/metrics"
	"tamp/worker/store"
)

// route is the handler of one path.
type route struct {
	op      string // name in the log
	methods string
	serve   func(*server, *answer, *http.Request) error
	public  bool // needs no token
}

const (
	get  = "GET, HEAD, OPTIONS"
	post = "POST, OPTIONS"
)

// findRoute returns nil for an unknown path.
func findRoute(path string) *route {
	switch path {
	case "/healthz":
		return &route{"healthz", get, (*server).health, true}
	case "/v1", "/v1/":
		return &route{"info", get, (*server).info, true}
	case "/metrics":
		return &route{"metrics", get, (*server).metrics, false}
	case "/v1/compact":
		return &route{"compact", post, (*server).compact, false}
	}
	if path == "/v1/sessions" || strings.HasPrefix(path, "/v1/sessions/") {
		return &route{"sessions", get, (*server).sessions, false}
	}
	if ref, ok := strings.CutPrefix(path, "/v1/transcripts/"); ok {
		return &route{"transcripts", get, func(s *server, a *answer,
			r *http.Request) error {
			return s.transcript(a, r, ref)
		}, false}
	}
	if op, ok := strings.CutPrefix(path, "/v1/"); ok && slices.Contains(wire.Ops(), op) {
		// These are long: worker.mjs gives them an instance of their own, too.
		if strings.Contains("|replay|replayAt|audit|usage|resent|", "|"+op+"|") {
			return &route{op, post, func(s *server, a *answer, r *http.Request) error { return s.replay(a, r, op) }, false}
		}
		return &route{op, post, func(s *server, a *answer, r *http.Request) error { return s.serveOp(a, r, op) }, false}
	}
	return nil
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	started := s.host.Now()
	a := &answer{w: w, id: gateway.NewID(), op: "none", figures: wire.Figures{CacheHitRate: -1, CompactCount: -1}}
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	w.Header().Set("X-Tamp-Request-Id", a.id)
	s.cors(w.Header(), r)
	if err := s.serve(a, r); err != nil {
		if a.status == 0 {
			a.fail(err)
		}
	}
	entry := a.entry(started, s.host.Now().Sub(started))
	s.host.Log(encode(entry))
	if s.host.Count != nil {
		s.host.Count(entry)
	}
}

func (s *server) serve(a *answer, r *http.Request) (err error) {
	defer recoverToError(&err)
	to := findRoute(r.URL.EscapedPath()) // no route has an escape, so each route has exactly one spelling
	if to == nil {
		return newError(notFound, "", "cannot find this path: GET /v1 lists the operations")
	}
	a.op = to.op
	switch {
	case r.Method == http.MethodOptions:
		s.preflight(a, to.methods)
		return nil
	case !slices.Contains(strings.Split(to.methods, ", "), r.Method):
		a.w.Header().Set("Allow", to.methods)
		return newError(methodNotAllowed, "", "cannot answer: this path takes "+to.methods)
	case r.Context().Value(overLimit{}) != nil:
		a.w.Header().Set("Retry-After", "60")
		return newError(rateLimited, "", "cannot answer: too many requests, try again in a minute")
	case !to.public && s.configErr != nil:
		return newError(misconfigured, "", "cannot answer: this server has a wrong setting, its log names it")
	}
	if !to.public {
		if err := s.authorize(r); err != nil {
			return err
		}
	}
	return to.serve(s, a, r)
}

// overLimit marks the context of a request that the platform's rate limit refuses.
type overLimit struct{}

func withOverLimit(ctx context.Context) context.Context {
	return context.WithValue(ctx, overLimit{}, true)
}

// health reports whether the settings are valid. It uses no store and no model.
func (s *server) health(a *answer, _ *http.Request) error {
	a.value(http.StatusOK, struct {
		OK      bool   `json:"ok"`
		Version string `json:"version"`
	}{s.configErr == nil, wire.Version})
	return nil
}

// metrics writes the metrics of a native server.
func (s *server) metrics(a *answer, _ *http.Request) error {
	if s.host.Metrics == nil {
		return newError(notFound, "", "cannot write metrics: only a native server, which is one process, counts; "+
			"the log has the same figures")
	}
	a.send(http.StatusOK, metrics.ContentType, s.host.Metrics())
	return nil
}

// infoPage is the response of GET /v1.
type infoPage struct {
	Name       string   `json:"name"`
	Version    string   `json:"version"`
	Formats    []string `json:"formats"`
	Presets    []string `json:"presets"`
	Ops        []string `json:"ops"`
	Summarizer struct {
		Provider string `json:"provider"`
		Model    string `json:"model,omitempty"`
	} `json:"summarizer"`
	Token bool `json:"token"` // the caller must send the token
	Store bool `json:"store"` // originals are stored; else the response contains them
	Key   bool `json:"key"`   // a key for the summarizer is configured; else the caller may send one in x-api-key
}

func (s *server) info(a *answer, _ *http.Request) error {
	_, none := s.host.Store.(store.None)
	page := infoPage{Name: "tamp", Version: wire.Version, Formats: wire.Formats(), Presets: wire.Presets(),
		Ops: append(wire.Ops(), "compact"), Token: s.config.Token != "",
		Store: !none && (s.config.Trusted || s.config.Token != ""), Key: s.config.Summarizer.APIKey != ""}
	page.Summarizer.Provider, page.Summarizer.Model = s.config.Summarizer.Provider, s.config.Summarizer.Model
	a.value(http.StatusOK, page)
	return nil
}

// replay serves an operation that goes through a session call by call. Other requests run between the calls. It ends
// when the client disconnects.
func (s *server) replay(a *answer, r *http.Request, op string) error {
	if !s.mayReplay(r) {
		return newError(unauthorized, "",
			"cannot replay: this server replays only with its token; its operator can open it to all with OPEN_REPLAY=1")
	}
	body, err := readBody(a.w, r)
	if err != nil {
		return err
	}
	ctx := r.Context()
	engine := &wire.Engine{Vocabulary: s.host.Vocabulary, MaxWork: s.config.ReplayWork, Progress: func(done, _ int) bool {
		if s.pause != nil && done%pauseEvery == 0 {
			s.pause()
		}
		return ctx.Err() == nil
	}}
	out, err := engine.Do(op, body, nil)
	switch {
	case ctx.Err() != nil:
		return context.Canceled
	case err != nil:
		return err
	}
	a.figures = out.Figures
	a.json(http.StatusOK, out.Header)
	return nil
}

// pauseEvery is the number of calls that a replay runs between two pauses. They take some milliseconds, as a pause
// does.
const pauseEvery = 8

// serveOp serves an operation of the engine.
func (s *server) serveOp(a *answer, r *http.Request, op string) error {
	body, err := readBody(a.w, r)
	if err != nil {
		return err
	}
	// The engine caches token counts by the digest of the text, since an agent sends the same conversation many times.
	engine, ok := s.engines.Get().(*wire.Engine)
	if !ok {
		engine = &wire.Engine{Vocabulary: s.host.Vocabulary}
	}
	out, err := engine.Do(op, body, nil)
	s.engines.Put(engine) // not after a panic
	if err != nil {
		return err
	}
	a.figures = out.Figures
	a.json(http.StatusOK, out.Header)
	return nil
}

// transcript serves a stored original as it is or, with query parameters, a part of it (see recall.Query).
func (s *server) transcript(a *answer, r *http.Request, ref string) error {
	if !s.mayStore(r) {
		return newError(unauthorized, "", "cannot read the transcript: this server keeps none without a token")
	}
	if !store.Valid(ref) {
		return newError(notFound, "", "cannot read the transcript: a ref has 16 hexadecimal digits")
	}
	query, part, err := recallQuery(r.URL.RawQuery, ref)
	if err != nil {
		return err
	}
	data, err := s.host.Store.Get(r.Context(), ref)
	switch store.CodeOf(err) {
	case "":
		if part {
			body, err := wire.Recall(data, query)
			if err == nil {
				a.json(http.StatusOK, body)
			}
			return err
		}
		a.w.Header().Set("Content-Disposition", `attachment; filename="`+ref+`.jsonl"`)
		a.send(http.StatusOK, "application/jsonl; charset=utf-8", data)
		return nil
	case store.NotFound, store.Absent:
		return newError(notFound, "", "cannot read the transcript: nothing is stored under this ref")
	case store.Canceled:
		return context.Canceled
	}
	return a.storeFailed(err, "")
}

// recallQuery reads the query parameters of a transcript: offset, limit and text, each at most once. part is false if
// there are none. The path of an error is the parameter.
func recallQuery(raw, ref string) (q wire.Query, part bool, err error) {
	q.Ref = ref
	values, err := url.ParseQuery(raw)
	if err != nil {
		return q, false, newError("bad_request", "", "cannot read the transcript: the query of the address is malformed")
	}
	for _, name := range slices.Sorted(maps.Keys(values)) { // the first error is the same for each request
		given := values[name]
		if len(given) != 1 {
			return q, false, newError("bad_request", "/"+name, "cannot read the transcript: this parameter is given twice")
		}
		number, notNumber := strconv.Atoi(given[0])
		switch name {
		case "offset":
			q.Offset = number
		case "limit":
			q.Limit = number
			if number == 0 { // means the default in a Query
				q.Limit = -1
			}
		case "text":
			q.Text, notNumber = given[0], nil
		default:
			return q, false, newError("bad_request", "/"+name,
				"cannot read the transcript: the parameters are offset, limit and text")
		}
		if notNumber != nil {
			return q, false, newError("bad_request", "/"+name, "cannot read the transcript: it must be a whole number")
		}
	}
	return q, len(values) > 0, nil
}
