package worker

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"

	"tamp/core"
	"tamp/core/wire"
	"tamp/worker/store"
	"tamp/worker/summarizer"
)

// compaction is POST /v1/compact: plan, save the originals, summarize and apply, while there is a next plan.
// Invariants, which the engine requires of its host: the originals are saved BEFORE the outcome is used, and every
// summary request gets a result, which may be an error.
type compaction struct {
	s          *server
	a          *answer
	ctx        context.Context
	loop       *wire.Loop
	summarizer summarizer.Summarizer
	key        summarizer.Key // of the caller
	keep       bool           // save originals in the store; else the response contains the archive
	summaries  summaryCache
	fresh      []wire.Result                      // answers of the present round that are not in the cache
	emit       func(event string, data any) error // writes an event; nil: no event stream
	refs       []string
	archive    []byte
	failed     []failure
}

// failure is a request whose summary failed temporarily. The engine handles its region as one without a summary.
type failure struct {
	Round   int    `json:"round"`
	ID      string `json:"id"`
	Code    string `json:"code"` // of worker/summarizer
	Message string `json:"message"`
}

func (s *server) compact(a *answer, r *http.Request) error {
	key := summarizer.Key(r.Header.Get("X-API-Key"))
	operatorPays := s.config.Summarizer.Provider == summarizer.WorkersAI || key == ""
	if operatorPays && s.config.costsOperator() && !s.isTrusted(r) {
		return newError(unauthorized, "",
			"cannot compact: the summarizer of this server needs its token, or your own key in x-api-key")
	}
	body, err := readBody(a.w, r)
	if err != nil {
		return err
	}
	loop, err := (&wire.Engine{Vocabulary: s.host.Vocabulary}).Start(body)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	c := &compaction{s: s, a: a, ctx: ctx, loop: loop, key: key, keep: s.mayStore(r), summaries: s.summariesFor(r)}
	if c.summarizer, err = c.newSummarizer(); err != nil {
		return err
	}
	if acceptsEvents(r.Header) {
		e := newEvents(a)
		c.emit = e.send
		defer e.startHeartbeat(cancel)()
		return e.end(c.run())
	}
	out, err := c.run()
	if err == nil {
		a.json(http.StatusOK, out)
	}
	return err
}

// newSummarizer returns the configured summarizer. The extractive one uses the engine's Extract.
func (c *compaction) newSummarizer() (summarizer.Summarizer, error) {
	host := c.s.host.Summarizer
	host.Extract = (&extraction{loop: c.loop}).answer
	ask, err := summarizer.New(c.s.config.Summarizer, host)
	if err != nil {
		return nil, newError(summarizerFailed, "", "cannot summarize: the summarizer of this server has a wrong setting")
	}
	if len(c.loop.Requests()) > 0 {
		if err := c.checkAccess(); err != nil {
			return nil, err
		}
	}
	return ask, nil
}

// run does all rounds.
func (c *compaction) run() (out []byte, err error) {
	defer recoverToError(&err) // so that a panic becomes the last event of the stream
	err = c.loop.Run(core.Host{Planned: c.planned, Save: c.save, Summarize: c.summarizeAll, Applied: c.keepSummaries})
	if err != nil {
		return nil, err
	}
	c.a.figures = c.loop.Figures()
	if out, err = c.loop.Outcome(); err != nil {
		return nil, err
	}
	return c.withHost(out), nil
}

func (c *compaction) planned(*core.Plan) error {
	if err := c.ctx.Err(); err != nil || c.emit == nil { // writing a plan takes long, so only for an event stream
		return err
	}
	return c.emit("plan", planEvent{c.loop.Round(), json.RawMessage(c.loop.Plan())})
}

// keepSummaries keeps the answers of a round that are summaries in the cache.
func (c *compaction) keepSummaries(_ *core.Plan, _ []wire.Result, out *core.Outcome) error {
	for _, r := range c.fresh {
		if !slices.Contains(out.Broken(), r.ID) {
			c.summaries.keep(c.ctx, r.ID, r.Text)
		}
	}
	c.fresh = nil
	return nil
}

// save stores the originals of a round. Without a store it appends them to the archive of the response.
func (c *compaction) save(archive []byte) error {
	originals := c.loop.Originals(archive)
	items := make([]store.Item, len(originals))
	for i, o := range originals {
		items[i] = store.Item{Ref: o.Ref, Data: o.Data}
	}
	err := error(&store.Error{Code: store.Absent})
	if c.keep {
		err = store.PutAll(c.ctx, c.s.host.Store, items)
	}
	event := savedEvent{Round: c.loop.Round(), Refs: []string{}}
	switch code := store.CodeOf(err); {
	case err == nil:
		event.Stored = true
		for _, o := range originals {
			event.Refs = append(event.Refs, o.Ref)
			event.Bytes += len(o.Data)
		}
	case code == store.Absent:
		c.archive = append(c.archive, originals[0].Data...) // the archive contains the other originals
		event.Bytes = len(originals[0].Data)
	case code == store.Canceled:
		return context.Canceled
	default:
		return c.a.storeFailed(err, "cannot compact: the originals could not be saved, so nothing was changed; ")
	}
	c.refs = append(c.refs, event.Refs...)
	return c.event("saved", event)
}

// summarizeAll requests every summary of a round, Concurrency at a time, in the order of the plan: largest first.
func (c *compaction) summarizeAll(loop *core.Loop) ([]wire.Result, error) {
	round, requests := c.loop.Round(), loop.Plan().Requests
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
	defer stop() // an early return cancels the other requests
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
			if err := c.permanentError(d.err); err != nil {
				return nil, err // a permanent failure must not drop regions
			}
			if d.err == nil && !d.cached {
				c.fresh = append(c.fresh, results[d.at])
			}
			r := &requests[d.at]
			event := summaryEvent{Round: round, ID: r.ID, Done: n + 1, Of: len(requests),
				Tokens: r.Tokens, Cached: d.cached, Text: results[d.at].Text}
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

// summary returns the summary of one request, from the cache if it is there.
func (c *compaction) summary(ctx context.Context, r *wire.Request) (text string, cached bool, err error) {
	// This goroutine is not the handler's: without recover, a binding that throws or a bug here would end the program.
	defer func() {
		if recover() != nil {
			text, cached, err = "", false, &summarizer.Error{Code: summarizer.Failed, Provider: c.s.config.Summarizer.Provider}
		}
	}()
	if text, ok := c.summaries.find(ctx, r.ID); ok {
		return text, true, nil
	}
	request := summarizer.Request{ID: r.ID, System: r.System, User: r.User, MaxTokens: r.MaxTokens, Key: c.key}
	text, err = c.summarizer.Summarize(ctx, request)
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

// withHost adds the host's members to the engine's result: the refs of the originals, or the archive, and the failed
// summaries.
func (c *compaction) withHost(out []byte) []byte {
	var added struct {
		Transcripts []string  `json:"transcripts"`       // refs of the originals that were saved
		Archive     string    `json:"archive,omitempty"` // the originals themselves, if they were not stored
		Failures    []failure `json:"failures,omitempty"`
	}
	added.Transcripts, added.Archive, added.Failures = append([]string{}, c.refs...), string(c.archive), c.failed
	more := encode(added)
	joined := make([]byte, 0, len(out)+len(more))
	joined = append(joined, out[:len(out)-1]...)
	joined = append(joined, ',')
	return append(joined, more[1:]...)
}

// extraction computes the results of all requests of a round at the first request.
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

// event writes an event if the client asked for a stream.
func (c *compaction) event(name string, data any) error {
	if c.emit == nil {
		return c.ctx.Err()
	}
	return c.emit(name, data)
}
