package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"

	"tamp/core/wire"
	"tamp/worker/store"
	"tamp/worker/summarizer"
)

// compaction is POST /v1/compact: plan, save the originals, summarize, apply, while there is a next plan. The contract of the
// engine's host holds here: the originals are saved BEFORE anything of the outcome is used, and every request is answered, even
// with an error.
type compaction struct {
	s       *server
	a       *answer
	ctx     context.Context
	loop    *wire.Loop
	ask     summarizer.Summarizer
	key     summarizer.Key // the caller's own
	keep    bool           // in the store; else the archive comes back in the answer
	reuse   reuse
	tell    func(event string, data any) error // nil: nobody listens
	refs    []string
	archive []byte
	failed  []failure
}

// failure is a request that got no summary for a reason that may pass: its region took the engine's failure path.
type failure struct {
	Round   int    `json:"round"`
	ID      string `json:"id"`
	Code    string `json:"code"` // of worker/summarizer
	Message string `json:"message"`
}

func (s *server) compact(a *answer, r *http.Request) error {
	key := summarizer.Key(r.Header.Get("X-API-Key"))
	own := s.config.Summarizer.Provider == summarizer.WorkersAI || key == "" // it is asked on the operator's account
	if own && s.config.spends() && !s.member(r) {
		return refusal(unauthorized, "", "cannot compact: the summarizer of this server needs its token, or your own key in x-api-key")
	}
	body, err := readBody(a.w, r)
	if err != nil {
		return err
	}
	loop, err := (&wire.Engine{Vocabulary: vocabulary}).Start(body)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	c := &compaction{s: s, a: a, ctx: ctx, loop: loop, key: key, keep: s.mayStore(r), reuse: s.reuse(r)}
	if c.ask, err = c.summarizer(); err != nil {
		return err
	}
	if acceptsEvents(r.Header) {
		e := newEvents(a)
		c.tell = e.send
		defer e.beat(cancel)()
		return e.end(c.run())
	}
	out, err := c.run()
	if err == nil {
		a.json(http.StatusOK, out)
	}
	return err
}

// summarizer makes the one that is configured, with the engine's own behind it where there is no model.
func (c *compaction) summarizer() (summarizer.Summarizer, error) {
	host := c.s.host.Summarizer
	host.Extract = (&extraction{loop: c.loop}).answer
	ask, err := summarizer.New(c.s.config.Summarizer, host)
	if err != nil {
		return nil, refusal(summarizerFailed, "", "cannot summarize: the summarizer of this server is not set up right")
	}
	if len(c.loop.Requests()) > 0 {
		if err := c.checkAccess(); err != nil {
			return nil, err
		}
	}
	return ask, nil
}

// run goes round until nothing is left to do.
func (c *compaction) run() (out []byte, err error) {
	defer rescue(&err) // whoever listens is told
	for more := true; more; {
		round := c.loop.Round()
		if c.tell != nil { // a plan is long to write for nobody
			if err := c.tell("plan", planEvent{round, json.RawMessage(c.loop.Plan())}); err != nil {
				return nil, err
			}
		}
		if err := c.save(round); err != nil {
			return nil, err
		}
		results, err := c.answers(round)
		if err != nil {
			return nil, err
		}
		if more, err = c.loop.Apply(results); err != nil {
			return nil, err
		}
	}
	c.a.figures = c.loop.Figures()
	if out, err = c.loop.Outcome(); err != nil {
		return nil, err
	}
	return c.withHost(out), nil
}

// save keeps the originals of a round, or gathers them for the answer where there is no store.
func (c *compaction) save(round int) error {
	originals := c.loop.Originals()
	if len(originals) == 0 {
		return nil
	}
	items := make([]store.Item, len(originals))
	for i, o := range originals {
		items[i] = store.Item{Ref: o.Ref, Data: o.Data}
	}
	err := error(&store.Error{Code: store.Absent})
	if c.keep {
		err = store.PutAll(c.ctx, c.s.host.Store, items)
	}
	event := savedEvent{Round: round, Refs: []string{}}
	switch code := store.CodeOf(err); {
	case err == nil:
		event.Stored = true
		for _, o := range originals {
			event.Refs = append(event.Refs, o.Ref)
			event.Bytes += len(o.Data)
		}
	case code == store.Absent:
		c.archive = append(c.archive, originals[0].Data...) // it holds the other originals
		event.Bytes = len(originals[0].Data)
	case code == store.Canceled:
		return context.Canceled
	default:
		return refusal(archiveFailed, "", "cannot compact: the originals could not be saved, so nothing was changed; "+err.Error())
	}
	c.refs = append(c.refs, event.Refs...)
	return c.event("saved", event)
}

// answers asks for every summary of a round, so many at a time, largest first as the plan has them.
func (c *compaction) answers(round int) ([]wire.Result, error) {
	requests := c.loop.Requests()
	results := make([]wire.Result, len(requests))
	type done struct {
		at     int
		cached bool
		err    error
	}
	next, finished := make(chan int), make(chan done, len(requests))
	ctx, stop := context.WithCancel(c.ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer stop() // who returns early wants no more of them
	for range min(c.s.config.Concurrency, len(requests)) {
		workers.Go(func() {
			for at := range next {
				text, cached, err := c.summary(ctx, &requests[at])
				results[at] = wire.Result{ID: requests[at].ID, Text: text}
				if err != nil {
					results[at].Text, results[at].Err = "", err.Error()
				}
				finished <- done{at, cached, err}
			}
		})
	}
	go func() {
		defer close(next)
		for at := range requests {
			select {
			case next <- at:
			case <-ctx.Done():
				return
			}
		}
	}()
	for n := range requests {
		select {
		case d := <-finished:
			c.count(round, &requests[d.at], d.cached, d.err)
			if err := c.permanent(d.err); err != nil {
				return nil, err // no region is dropped for it
			}
			event := summaryEvent{Round: round, ID: requests[d.at].ID, Done: n + 1, Of: len(requests), Tokens: requests[d.at].Tokens, Cached: d.cached, Text: results[d.at].Text}
			if d.err != nil {
				event.Error = d.err.Error()
			}
			if err := c.event("summary", event); err != nil {
				return nil, err
			}
		case <-c.ctx.Done():
			return nil, context.Canceled
		}
	}
	return results, c.ctx.Err()
}

// summary answers one request, by one that was made before where there is one.
func (c *compaction) summary(ctx context.Context, r *wire.Request) (text string, cached bool, err error) {
	// This is not the handler's goroutine: a panic, of a binding that throws or of a bug of ours, would end the program.
	defer func() {
		if recover() != nil {
			text, cached, err = "", false, &summarizer.Error{Code: summarizer.Failed, Provider: c.s.config.Summarizer.Provider}
		}
	}()
	if text, ok := c.reuse.find(ctx, r.ID); ok {
		return text, true, nil
	}
	text, err = c.ask.Summarize(ctx, summarizer.Request{ID: r.ID, System: r.System, User: r.User, MaxTokens: r.MaxTokens, Key: c.key})
	if err == nil {
		c.reuse.keep(ctx, r.ID, text)
	}
	return text, false, err
}

func (c *compaction) count(round int, r *wire.Request, cached bool, err error) {
	c.a.summaries++
	if cached {
		c.a.cached++
	}
	if err == nil {
		return
	}
	c.a.failed++
	code := "failed"
	if e := (*summarizer.Error)(nil); errors.As(err, &e) {
		code = string(e.Code)
	}
	c.failed = append(c.failed, failure{round, r.ID, code, err.Error()})
}

// withHost adds what this host did to the engine's answer: where the originals are, and which summaries failed.
func (c *compaction) withHost(out []byte) []byte {
	var mine struct {
		Transcripts []string  `json:"transcripts"`       // refs of the originals that were saved
		Archive     string    `json:"archive,omitempty"` // the originals themselves, where there is no store
		Failures    []failure `json:"failures,omitempty"`
	}
	mine.Transcripts, mine.Archive, mine.Failures = append([]string{}, c.refs...), string(c.archive), c.failed
	more := encode(mine)
	joined := make([]byte, 0, len(out)+len(more))
	joined = append(joined, out[:len(out)-1]...)
	joined = append(joined, ',')
	return append(joined, more[1:]...)
}

// extraction answers all requests of a round at the first one.
type extraction struct {
	loop  *wire.Loop
	mu    sync.Mutex
	round int
	texts map[string]wire.Result
}

func (x *extraction) answer(_ context.Context, id string) (string, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.round != x.loop.Round() {
		results, err := x.loop.Extract()
		if err != nil {
			return "", err
		}
		x.round, x.texts = x.loop.Round(), map[string]wire.Result{}
		for _, r := range results {
			x.texts[r.ID] = r
		}
	}
	return x.texts[id].Text, nil
}
