package fake

import (
	"encoding/json"
	"net/http"
	"sync"
)

// Call is a received request.
type Call struct {
	Name     string          `json:"name"` // of the script
	Path     string          `json:"path"` // without the part that names the script
	Key      string          `json:"key"`
	Header   http.Header     `json:"header"`
	Body     json.RawMessage `json:"body"`
	Stream   bool            `json:"stream"`
	Step     string          `json:"step"`     // Step.Do of the response
	Problems []string        `json:"problems"` // why the real provider would have refused it
	In       int             `json:"in"`       // tokens of the prompt; Read and Wrote are those of the cache among them
	Read     int             `json:"read"`
	Wrote    int             `json:"wrote"`
	Out      int             `json:"out"`      // tokens of the answer
	TooLong  bool            `json:"tooLong"`  // refused because of Server.Window
	Thinking int             `json:"thinking"` // blocks that the model sees
	Dropped  int             `json:"dropped"`  // thinking blocks that it does not see: see drop_block
}

// Server is the provider. It is an http.Handler for servers of net/http, since it breaks connections with
// http.ErrAbortHandler.
type Server struct {
	Keyless bool // need no key, like a local server
	Window  int  // maximum tokens of a prompt; 0: no limit. A token has 4 bytes here

	mu         sync.Mutex
	scripts    map[string][]Step
	next       map[string]int
	kept       map[string]map[string]bool // by name: digests of the prefixes in the prompt cache
	threads    map[string]thread          // by the ID of their newest answer
	signatures map[string]string          // by the ID of a call: the signature of the thinking in its message
	calls      []Call
}

// New returns a provider that follows script, in its short form.
func New(script string) (*Server, error) {
	steps, err := Parse(script)
	if err != nil {
		return nil, err
	}
	return &Server{scripts: map[string][]Step{"": steps}, next: map[string]int{}, kept: map[string]map[string]bool{},
		threads: map[string]thread{}, signatures: map[string]string{}}, nil
}

// Calls lists the received requests, oldest first.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

// Problems lists the problems of all calls.
func (s *Server) Problems() []string {
	var all []string
	for _, c := range s.Calls() {
		all = append(all, c.Problems...)
	}
	return all
}

// thread is a conversation that the provider keeps.
type thread struct {
	system, tools json.RawMessage
	messages      []json.RawMessage
}
