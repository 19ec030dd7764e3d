// Package fake is a provider of models for tests: it implements the Messages (also as Vertex AI and Amazon Bedrock
// serve it), the Chat Completions, the Responses and the Gemini APIs, with and without streaming, refuses the
// requests that the real providers refuse, and fails as its script says. It is not a model: its text is a digest of
// the prompt, so that a test can check which prompt was answered. Start with New; `go run ./worker/internal/fake/cmd`
// serves it to tests that are not written in Go.
//
// The client's base URL selects the script:
//
//	http://host/                        the script given to New
//	http://host/s/{name}/{script}/      that script, in its short form; each name counts its own steps
//	http://host/s/{name}/               the script that PUT http://host/s/{name} has set, as a JSON array of steps
//
// A script repeats its last step. GET http://host/calls?name={name} returns the requests and their problems.
package fake

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	name, script, path := route(r.URL.Path)
	switch {
	case path == "/calls":
		s.writeCalls(w, r.URL.Query().Get("name"))
		return
	case r.Method == http.MethodPut && path == "":
		if err := s.set(name, body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
		return
	}
	p, ok := protocols[path]
	if isGemini(path) {
		p, ok = geminiAPI, true
	}
	if !ok {
		p, ok = platformOf(path)
	}
	if !ok {
		http.Error(w, `{"error":{"type":"not_found_error","message":"there is no such path"}}`, http.StatusNotFound)
		return
	}
	call := Call{Name: name, Path: path, Key: p.key(r.Header), Header: r.Header, Body: body}
	input := parseInput(body)
	input.path = path
	if p.read != nil && input.err == nil {
		p.read(&input)
	}
	call.Stream = input.Stream
	var held *thread
	status, problems := http.StatusBadRequest, []string(nil)
	if p.threads {
		held, problems = s.joinThread(&input, r.Header)
	}
	if len(problems) == 0 {
		status, problems = p.verify(r, call.Key, &input, s.Keyless)
	}
	if len(problems) == 0 {
		problems = s.changedThinking(&input)
	}
	call.Problems = problems
	if len(problems) == 0 {
		input.signed = input.each(func(*prefix, *locatedBlock) {})
		input.clear() // before the model gets the prompt, and so before its window counts
	}
	if size := input.size(); len(problems) == 0 && s.Window > 0 && size > s.Window {
		call.TooLong, call.In, status = true, size, http.StatusBadRequest
		problems = []string{p.tooLong(size, s.Window)}
	}
	step := Step{Do: "status", Status: status}
	if len(problems) == 0 && input.triggers {
		step = Step{Do: "compaction"}
	} else if len(problems) == 0 {
		if step, err = s.step(name, script, len(input.Tools) > 0 && !input.names()); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	call.Step, call.Dropped = step.Do, len(input.dropped)
	input.each(func(_ *prefix, b *locatedBlock) {
		if b != nil && (b.Type == "thinking" || b.Type == "reasoning") {
			call.Thinking++
		}
	})
	call.Thinking += input.countDetails()
	var said reply
	if step.Do != "status" {
		said.in, said.read, said.wrote = s.cacheUsage(name, &input, p.automatic)
		call.In, call.Read, call.Wrote = said.in, said.read, said.wrote
	}
	s.mu.Lock()
	s.calls = append(s.calls, call)
	number := len(s.calls)
	s.mu.Unlock()
	if call.TooLong && input.Stream && p.late {
		said.failed = problems[0]
		play(w, p, Step{Do: "ok"}, true, said)
		return
	}
	if len(problems) > 0 {
		fail(w, p, status, problems[0])
		return
	}
	if !pause(r.Context(), time.Duration(step.DelayMS)*time.Millisecond) {
		return
	}
	said.id = fmt.Sprintf("fake_%06d", number)
	w.Header().Set("Request-Id", "req_"+said.id)   // Anthropic's name for it
	w.Header().Set("X-Request-Id", "req_"+said.id) // OpenAI's
	said.compacts = input.triggers
	if said = step.respond(&input, said); said.signature != "" {
		s.remember(&said)
	}
	s.mu.Lock()
	s.calls[number-1].Out = said.out
	s.mu.Unlock()
	if held != nil {
		s.keep(held, said)
	}
	play(w, p, step, input.Stream, said)
}

func (s *Server) changedThinking(in *input) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return in.changedThinking(s.signatures)
}

func (s *Server) remember(r *reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range r.calls {
		s.signatures["toolu_"+r.callID(i)] = r.signature
	}
}

// route splits /s/{name}/{script}/v1/messages. No name and no script may be "v1", "v1beta", "chat",
// "responses" or "model".
func route(path string) (name, script, rest string) {
	after, ok := strings.CutPrefix(path, "/s/")
	if !ok {
		return "", "", path
	}
	name, after, _ = strings.Cut(after, "/")
	if after == "" {
		return name, "", ""
	}
	if first, last, _ := strings.Cut(after, "/"); !strings.Contains(" v1 v1beta chat responses model ", " "+first+" ") {
		return name, first, "/" + last
	}
	return name, "", "/" + after
}

func (s *Server) step(name, script string, tools bool) (Step, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if script != "" && s.scripts[name] == nil {
		steps, err := Parse(script)
		if err != nil {
			return Step{}, err
		}
		s.scripts[name] = steps
	}
	steps := s.scripts[name]
	if steps == nil {
		return Step{Do: "ok"}, nil
	}
	if !tools && slices.ContainsFunc(steps, func(s Step) bool { return s.Do == "agent" }) {
		return Step{Do: "ok"}, nil
	}
	step := steps[min(s.next[name], len(steps)-1)]
	s.next[name]++
	return step, nil
}

func (s *Server) set(name string, body []byte) error {
	var steps []Step
	if err := json.Unmarshal(body, &steps); err != nil {
		return err
	}
	for i := range steps {
		if err := steps[i].check(); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripts[name], s.next[name] = steps, 0
	if len(steps) == 0 {
		delete(s.scripts, name)
	}
	return nil
}

func (s *Server) writeCalls(w http.ResponseWriter, name string) {
	calls := []Call{}
	for _, c := range s.Calls() {
		if name == "" || c.Name == name {
			if !json.Valid(c.Body) {
				c.Body = nil
			}
			c.Problems = append([]string{}, c.Problems...) // [] and not null, if it is empty
			calls = append(calls, c)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(calls)
}

// pause waits. It returns false if the client disconnects first.
func pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
