package gateway

import (
	"context"
	"sync"
	"time"

	"tamp/core"
)

// Summaries answers the requests of compactions with a model. Texts are found by the ID of their request, which is a
// digest of the text to summarize and of the prompt.
//
//   - At an earlier call of the history, a compaction is made only if all its texts are there.
//   - At this call, between the soft and the hard limit, it is requested in the background and used by a later call.
//   - Over the hard limit the call waits for at most Timeout. Missing summaries are then written without a model, and
//     stored under the same ID: every later request finds them.
type Summaries struct {
	Ask         func(ctx context.Context, r core.SummaryRequest) (string, error)
	Find        func(id string) (text string, ok bool)
	Keep        func(id, text string) // does not replace a text
	Timeout     time.Duration         // for all summaries of one call
	Concurrency int                   // requests at once, for one compaction

	mu      sync.Mutex
	flights map[string]*flight
	jobs    map[string]bool // by the name of the checkpoint of the call that started it
	running sync.WaitGroup
}

// flight is one request to the model that several callers may wait for.
type flight struct {
	done chan struct{}
	text string
	err  error
}

// answer returns the function for forward.Options.Summarize.
func (s *Summaries) answer(p *Prepared) func(*core.Loop, bool) ([]core.SummaryResult, error) {
	return func(loop *core.Loop, past bool) ([]core.SummaryResult, error) {
		if s.Ask == nil {
			p.wait.elsewhere = true
			return nil, core.ErrWait
		}
		requests := loop.Plan().Requests
		results, missing := s.find(requests)
		kind := loop.Plan().Trigger.Kind
		switch {
		case missing == 0:
			return results, nil
		case past:
			return nil, core.ErrWait
		case kind != "hard" && kind != "overflow":
			p.wait.loop = loop
			return nil, core.ErrWait
		}
		ctx, cancel := context.WithTimeout(p.budget.ctx, s.Timeout)
		defer cancel()
		p.budget.leave()
		failed := s.ask(ctx, requests, results)
		if err := p.budget.enter(); err != nil { // the client has disconnected
			return nil, err
		}
		if failed == nil {
			return results, nil
		}
		return s.complete(loop, results)
	}
}

// find returns a result for each request, without a text where none is stored.
func (s *Summaries) find(requests []core.SummaryRequest) (results []core.SummaryResult, missing int) {
	results = make([]core.SummaryResult, len(requests))
	for i := range requests {
		results[i].ID = requests[i].ID
		text, ok := s.Find(requests[i].ID)
		if results[i].Text = text; !ok {
			missing++
		}
	}
	return results, missing
}

// ask fills in the missing results, Concurrency at a time. It returns the first error.
func (s *Summaries) ask(ctx context.Context, requests []core.SummaryRequest, results []core.SummaryResult) error {
	slots := make(chan struct{}, max(s.Concurrency, 1))
	errs := make([]error, len(requests))
	var all sync.WaitGroup
	for i := range requests {
		if results[i].Text != "" {
			continue
		}
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i].Text, errs[i] = s.text(ctx, requests[i])
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// text returns the summary of one request. Callers that want the same one wait for the same flight.
func (s *Summaries) text(ctx context.Context, r core.SummaryRequest) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	s.mu.Lock()
	f := s.flights[r.ID]
	if f == nil {
		f = &flight{done: make(chan struct{})}
		if s.flights == nil {
			s.flights = map[string]*flight{}
		}
		s.flights[r.ID] = f
		s.running.Add(1)
		go s.fly(f, r)
	}
	s.mu.Unlock()
	select {
	case <-f.done:
		return f.text, f.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// fly sends the request. It goes on when its callers no longer wait, since a later call needs the text, too.
func (s *Summaries) fly(f *flight, r core.SummaryRequest) {
	defer s.running.Done()
	f.err = context.Canceled // unless it is replaced: a panic
	defer func() {
		_ = recover() // a bug or a binding that throws; its text may quote the conversation
		s.mu.Lock()
		delete(s.flights, r.ID)
		s.mu.Unlock()
		close(f.done)
	}()
	ctx, cancel := context.WithTimeout(context.Background(), s.Timeout)
	defer cancel()
	text, err := s.Ask(ctx, r)
	if f.text, f.err = text, err; err == nil {
		s.Keep(r.ID, text)
		if kept, ok := s.Find(r.ID); ok { // another one may have been the first
			f.text = kept
		}
	}
}

// complete stores the missing summaries, written without a model, for later calls. They are failed answers of this one:
// the core replaces each by the same text, and reports it.
func (s *Summaries) complete(loop *core.Loop, results []core.SummaryResult) ([]core.SummaryResult, error) {
	extracted, err := loop.Summarize()
	if err != nil {
		return nil, err
	}
	for i := range results {
		for _, e := range extracted {
			if results[i].Text == "" && e.ID == results[i].ID && e.Err == "" {
				s.Keep(e.ID, e.Text)
				results[i].Err = "the model failed, or did not answer in time"
			}
		}
	}
	return results, nil
}

// start requests in the background the summaries that the request did not wait for. It takes the loop over: p does not
// have it any more. One compaction of a history runs at a time.
func (s *Summaries) start(p *Prepared) {
	if p.wait == nil || p.wait.loop == nil {
		return
	}
	loop := p.wait.loop
	p.wait.loop = nil
	keys := p.keys
	if len(keys) == 0 { // without checkpoints
		keys = []string{loop.Plan().Requests[0].ID}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		if s.jobs[key] {
			return
		}
	}
	if s.jobs == nil {
		s.jobs = map[string]bool{}
	}
	key := keys[len(keys)-1]
	s.jobs[key] = true
	s.running.Go(func() {
		defer func() {
			_ = recover()
			s.mu.Lock()
			delete(s.jobs, key)
			s.mu.Unlock()
		}()
		s.run(loop)
	})
}

// run answers all rounds of a compaction, so that their texts are stored. It stops at the first failure: the next call
// tries again.
func (s *Summaries) run(loop *core.Loop) {
	_ = loop.Run(core.Host{Summarize: func(loop *core.Loop) ([]core.SummaryResult, error) {
		results, _ := s.find(loop.Plan().Requests)
		return results, s.ask(context.Background(), loop.Plan().Requests, results)
	}})
}

// Wait returns when no request to the model runs any more.
func (s *Summaries) Wait() { s.running.Wait() }
