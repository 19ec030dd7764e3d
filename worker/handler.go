package main

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"tamp/core/wire"
	"tamp/worker/store"
	"tamp/worker/summarizer"
)

// server is the handler: a plain http.Handler, the same everywhere.
type server struct {
	config  config
	wrong   error // what is the matter with the config; nil: nothing
	host    host
	engines sync.Pool // of *wire.Engine
	pause   func()    // lets other requests run where the platform has one thread for all; nil where it has more
}

// host is what the platform brings.
type host struct {
	Store      store.Store
	Summaries  cache           // nil: a summary is made each time
	Summarizer summarizer.Host // Extract is set anew for each compaction
	Log        func(line []byte)
	Now        func() time.Time
}

// route is what a path leads to.
type route struct {
	op      string // as the log calls it
	methods string
	serve   func(*server, *answer, *http.Request) error
	public  bool // without a token
}

const (
	get  = "GET, HEAD, OPTIONS"
	post = "POST, OPTIONS"
)

// find returns nil for a path that leads nowhere.
func find(path string) *route {
	switch path {
	case "/healthz":
		return &route{"healthz", get, (*server).health, true}
	case "/v1", "/v1/":
		return &route{"info", get, (*server).info, true}
	case "/v1/compact":
		return &route{"compact", post, (*server).compact, false}
	}
	if ref, ok := strings.CutPrefix(path, "/v1/transcripts/"); ok {
		return &route{"transcripts", get, func(s *server, a *answer, r *http.Request) error { return s.transcript(a, r, ref) }, false}
	}
	if op, ok := strings.CutPrefix(path, "/v1/"); ok && slices.Contains(wire.Ops(), op) {
		if op == "replay" || op == "replayAt" { // long: worker.mjs gives them an instance of their own, too
			return &route{op, post, func(s *server, a *answer, r *http.Request) error { return s.replay(a, r, op) }, false}
		}
		return &route{op, post, func(s *server, a *answer, r *http.Request) error { return s.pure(a, r, op) }, false}
	}
	return nil
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	started := s.host.Now()
	a := &answer{w: w, op: "none", figures: wire.Figures{CacheHitRate: -1, CompactCount: -1}}
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	s.cors(w.Header(), r)
	if err := s.serve(a, r); err != nil {
		if a.status == 0 {
			a.fail(err)
		}
	}
	s.host.Log(a.line(s.host.Now().Sub(started)))
}

func (s *server) serve(a *answer, r *http.Request) (err error) {
	defer rescue(&err)
	to := find(r.URL.EscapedPath()) // none of ours has an escape, so no path can be written in two ways
	if to == nil {
		return refusal(notFound, "", "cannot find this path: GET /v1 lists what there is")
	}
	a.op = to.op
	switch {
	case r.Method == http.MethodOptions:
		s.preflight(a, to.methods)
		return nil
	case !slices.Contains(strings.Split(to.methods, ", "), r.Method):
		a.w.Header().Set("Allow", to.methods)
		return refusal(methodNotAllowed, "", "cannot answer: this path takes "+to.methods)
	case r.Context().Value(overLimit{}) != nil:
		a.w.Header().Set("Retry-After", "60")
		return refusal(rateLimited, "", "cannot answer: too many requests, try again in a minute")
	case !to.public && s.wrong != nil:
		return refusal(misconfigured, "", "cannot answer: this server is not set up right, its log says how")
	}
	if !to.public {
		if err := s.admit(r); err != nil {
			return err
		}
	}
	return to.serve(s, a, r)
}

// rescue makes an error of a panic, where it is deferred. A panic is a bug of ours, never the caller's input, and its words may
// quote a conversation: they stay inside.
func rescue(err *error) {
	if p := recover(); p == http.ErrAbortHandler {
		panic(p)
	} else if p != nil {
		*err = refusal(internal, "", "cannot finish the request: an internal error of tamp, please report it")
	}
}

// overLimit marks the context of a request that the platform's rate limit refuses.
type overLimit struct{}

func withOverLimit(ctx context.Context) context.Context {
	return context.WithValue(ctx, overLimit{}, true)
}

// health says that the server answers. It touches no store and no model.
func (s *server) health(a *answer, _ *http.Request) error {
	a.value(http.StatusOK, struct {
		OK      bool   `json:"ok"`
		Version string `json:"version"`
	}{s.wrong == nil, wire.Version})
	return nil
}

// about is the info page.
type about struct {
	Name       string   `json:"name"`
	Version    string   `json:"version"`
	Formats    []string `json:"formats"`
	Presets    []string `json:"presets"`
	Ops        []string `json:"ops"`
	Summarizer struct {
		Provider string `json:"provider"`
		Model    string `json:"model,omitempty"`
	} `json:"summarizer"`
	Token bool `json:"token"` // the caller has to show one
	Store bool `json:"store"` // originals are kept here; else they come back in the answer
	Key   bool `json:"key"`   // a summarizer's key is set; else the caller may bring one in x-api-key
}

func (s *server) info(a *answer, _ *http.Request) error {
	_, none := s.host.Store.(store.None)
	page := about{Name: "tamp", Version: wire.Version, Formats: wire.Formats(), Presets: wire.Presets(), Ops: append(wire.Ops(), "compact"),
		Token: s.config.Token != "", Store: !none && (s.config.Trusted || s.config.Token != ""), Key: s.config.Summarizer.APIKey != ""}
	page.Summarizer.Provider, page.Summarizer.Model = s.config.Summarizer.Provider, s.config.Summarizer.Model
	a.value(http.StatusOK, page)
	return nil
}

// replay answers an operation that goes through a session call by call. Between calls others may run, and when the client has gone
// it ends.
func (s *server) replay(a *answer, r *http.Request, op string) error {
	if !s.mayReplay(r) {
		return refusal(unauthorized, "", "cannot replay: this server replays only with its token; its operator can open it to all with OPEN_REPLAY=1")
	}
	body, err := readBody(a.w, r)
	if err != nil {
		return err
	}
	ctx := r.Context()
	engine := &wire.Engine{Vocabulary: vocabulary, MaxWork: s.config.ReplayWork, Progress: func(done, _ int) bool {
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

// pauseEvery is how many calls of a session are replayed before others may run: some milliseconds, and so is a pause.
const pauseEvery = 8

// pure answers an operation of the engine.
func (s *server) pure(a *answer, r *http.Request, op string) error {
	body, err := readBody(a.w, r)
	if err != nil {
		return err
	}
	// It remembers what texts count, as numbers under digests: an agent asks with the same conversation again and again.
	engine, ok := s.engines.Get().(*wire.Engine)
	if !ok {
		engine = &wire.Engine{Vocabulary: vocabulary}
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

// transcript gives back an original.
func (s *server) transcript(a *answer, r *http.Request, ref string) error {
	if !s.mayStore(r) {
		return refusal(unauthorized, "", "cannot read the transcript: this server keeps none without a token")
	}
	if !store.Valid(ref) {
		return refusal(notFound, "", "cannot read the transcript: a ref has 16 hexadecimal digits")
	}
	data, err := s.host.Store.Get(r.Context(), ref)
	switch store.CodeOf(err) {
	case "":
		a.w.Header().Set("Content-Disposition", `attachment; filename="`+ref+`.jsonl"`)
		a.send(http.StatusOK, "application/jsonl; charset=utf-8", data)
		return nil
	case store.NotFound, store.Absent:
		return refusal(notFound, "", "cannot read the transcript: nothing is stored under this ref")
	case store.Canceled:
		return context.Canceled
	}
	return refusal(archiveFailed, "", err.Error())
}
