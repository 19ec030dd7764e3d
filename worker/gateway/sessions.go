package gateway

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"tamp/core"
	"tamp/core/models"
	"tamp/core/msg"
)

const (
	maxSessions      = 200      // listed; the one that was idle longest is dropped
	maxSessionCalls  = 1000     // listed of one session, the newest
	maxKeptRequests  = 64 << 20 // bytes of the last requests of all sessions
	maxReasons       = 20       // of cache misses of one session
	maxNameLength    = 200      // in bytes, of a user agent or a model
	heartbeatSeconds = 15
)

// Sessions lists what passed through a native gateway since it started: figures, and for the page the last request of
// each session. Nothing of it selects what a request gets.
type Sessions struct {
	Now func() time.Time

	mu      sync.Mutex
	salt    [16]byte
	all     map[string]*Session
	calls   int // of all sessions, also of those that are no longer listed
	kept    int // bytes of requests
	changed map[chan struct{}]bool
	closed  chan struct{}
}

// Session is a session as GET /v1/sessions lists it. Sizes are in tokens, money in millionths of a dollar.
type Session struct {
	ID          string       `json:"id"`
	Client      string       `json:"client"` // the user agent
	Upstream    string       `json:"upstream"`
	Model       string       `json:"model"`
	Started     int64        `json:"started"` // milliseconds since 1970
	Last        int64        `json:"last"`
	Calls       int          `json:"calls"`
	Errors      int          `json:"errors"`        // calls with a status from 400
	Before      int          `json:"before"`        // of the last call that was counted
	After       int          `json:"after"`         // of the last call that was counted
	Window      int          `json:"window"`        // the context window of the last call, by the policy or the model
	Compactions []Compaction `json:"compactions"`   // the newest 100
	Failed      int          `json:"summaryFailed"` // summaries of a model that failed: the built-in ones are used
	OpenCut     int          `json:"openRoundCut"`  // compactions that cut results which the model had not read
	Lost        int          `json:"thinkingLost"`  // thinking blocks that the compactions have cost
	ReadAgain   int          `json:"readAgain"`     // calls that repeat one whose result a compaction left out
	Usage       Usage        `json:"usage"`         // of all calls, as the provider reported it
	// calls whose prompt the cache did not have in whole, by the reason that the provider says; at most 20 reasons
	CacheMisses map[string]int `json:"cacheMisses"`
	Cost        int            `json:"cost"`  // of the reported usage; 0 if the model has no known price
	Saved       int            `json:"saved"` // estimated cost without compaction, less the cost; may be negative
	Priced      bool           `json:"priced"`
	Request     bool           `json:"request"`          // its last request is kept: GET /v1/sessions/{id}/request
	Reason      string         `json:"reason,omitempty"` // why the last call was passed unchanged

	calls   []SessionCall
	newest  int // its last call in the order of all calls: two may have the same time, and a clock can be set back
	request []byte
	direct  int // tokens of the last prompt without compaction, in the unit of the provider
}

// Compaction is one compaction of a session.
type Compaction struct {
	Call   int    `json:"call"` // from 1
	Cause  string `json:"cause"`
	Before int    `json:"before"`
	After  int    `json:"after"`
}

// SessionCall is one call of a session.
type SessionCall struct {
	Number int    `json:"number"`
	Time   int64  `json:"time"` // milliseconds since 1970
	Status int    `json:"status"`
	Before int    `json:"before"`
	After  int    `json:"after"`
	Cause  string `json:"cause,omitempty"`
	Reason string `json:"reason,omitempty"` // why it was passed unchanged
	Usage  *Usage `json:"usage,omitempty"`
}

// NewSessions returns an empty list.
func NewSessions(now func() time.Time) *Sessions {
	s := &Sessions{Now: now, all: map[string]*Session{}, changed: map[chan struct{}]bool{},
		closed: make(chan struct{})}
	_, _ = rand.Read(s.salt[:]) // never fails
	return s
}

// sessionHeaders name the session in the clients that we know.
var sessionHeaders = [...]string{"X-Claude-Code-Session-Id", "X-Claude-Code-Agent-Id", "Session-Id", "Session_id",
	"X-Session-Id"}

// passed is a call that passed through the gateway.
type passed struct {
	header http.Header // of the request
	p      *Prepared
	entry  *Entry
	usage  *Usage // nil: not reported
	keep   bool   // Config.Keep
}

// id names a session in the list.
func (s *Sessions) id(x *passed) string { return sessionID(s.salt[:], x.header, x.p) }

// sessionID names a session in the list and in the log, by the client's own name for it, the credential and the first
// message; a request whose messages are not read has no message in its name. salt keeps a reader of the log from
// finding out by trial what a session begins with.
func sessionID(salt []byte, h http.Header, p *Prepared) string {
	digest := sha256.New()
	digest.Write(salt)
	for _, name := range sessionHeaders {
		digest.Write([]byte(h.Get(name) + "\n"))
	}
	digest.Write([]byte(p.credential + "\n"))
	if p.body != nil {
		digest.Write(p.body.First())
	}
	return hex.EncodeToString(digest.Sum(nil)[:8])
}

// modelName returns the name of a model for the log, "other" if a text that is no such name was given: a log has no
// content.
func modelName(text string) string {
	isPart := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._:/@[]", r)
	}
	if len(text) > 80 || strings.ContainsFunc(text, func(r rune) bool { return !isPart(r) }) {
		return "other"
	}
	return strings.Clone(text)
}

// record adds a call to the list. Invariant: of x it keeps copies, and the bytes of the request, which trim counts. A
// pointer or a part of a string would keep the whole exchange.
func (s *Sessions) record(x *passed) {
	// it was refused before it was read, or has no history
	if x.p.Reason == reasonNoHistory || x.p.Reason == reasonUnknown || x.entry.Status == 0 {
		return
	}
	now := s.Now().UnixMilli()
	s.mu.Lock()
	defer s.mu.Unlock()
	id := s.id(x)
	v := s.all[id]
	if v == nil {
		v = &Session{ID: id, Client: name(x.header.Get("User-Agent")), Started: now, Compactions: []Compaction{},
			CacheMisses: map[string]int{}}
		s.all[id] = v
	}
	e := x.entry
	s.calls++
	v.newest = s.calls
	v.Calls++
	v.Last, v.Upstream, v.Reason = now, e.Upstream, e.Reason
	if x.p.Model != "" {
		v.Model = name(x.p.Model)
	}
	if x.p.Result != nil {
		v.Before, v.After, v.Lost, v.ReadAgain = e.Before, e.After, e.Lost, e.ReadAgain
		v.Failed, v.OpenCut = e.Failed, e.OpenCut
	}
	v.Window = core.Window(&x.p.policy, &msg.Conversation{Model: v.Model})
	if e.Status >= http.StatusBadRequest {
		v.Errors++
	}
	if e.Cause != "" {
		v.Compactions = last(append(v.Compactions, Compaction{v.Calls, e.Cause, e.Before, e.After}), 100)
	}
	call := SessionCall{Number: v.Calls, Time: now, Status: e.Status, Before: e.Before, After: e.After, Cause: e.Cause,
		Reason: e.Reason}
	if x.usage != nil {
		usage := *x.usage // a part of the exchange
		call.Usage = &usage
		v.spend(&usage, e.Before, e.After)
	}
	if _, found := v.CacheMisses[e.CacheMiss]; e.CacheMiss != "" && (found || len(v.CacheMisses) < maxReasons) {
		v.CacheMisses[strings.Clone(e.CacheMiss)]++
	}
	v.calls = last(append(v.calls, call), maxSessionCalls)
	v.request = nil
	if x.keep && x.p.body != nil && len(x.p.body.Data()) <= maxKeptRequests/4 {
		v.request = x.p.body.Data()
	}
	s.trim()
	for c := range s.changed {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// name returns a copy of a text of the client, as short as the list needs it.
func name(text string) string {
	return strings.Clone(strings.ToValidUTF8(text[:min(len(text), maxNameLength)], ""))
}

func last[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// spend adds the cost of a call. Without compaction, the prompt of the previous call would have been read from the
// cache, and the rest been written to it: replay accounts in the same way for a session without pauses.
func (v *Session) spend(u *Usage, before, after int) {
	t := &v.Usage
	t.Input, t.CacheRead, t.CacheWrite, t.Output = t.Input+u.Input, t.CacheRead+u.CacheRead, t.CacheWrite+u.CacheWrite,
		t.Output+u.Output
	profile := models.ProfileFor(v.Model, "")
	price := profile.Price
	if v.Priced = price.Input > 0; !v.Priced {
		return
	}
	cost := func(input, read, write int) int {
		return (input*price.Input*1000 + read*price.Input*price.Read + write*price.Input*price.Write5m) / 1_000_000
	}
	paid := cost(u.Input, u.CacheRead, u.CacheWrite)
	v.Cost += paid + u.Output*price.Output/1000
	prompt := u.Input + u.CacheRead + u.CacheWrite
	if after == 0 || after == before {
		v.direct = prompt
		return
	}
	whole := int(int64(prompt) * int64(before) / int64(after))
	read := min(v.direct, whole)
	v.direct = whole
	if u.CacheRead+u.CacheWrite == 0 { // the client does not cache
		v.Saved += cost(whole, 0, 0) - paid
		return
	}
	v.Saved += cost(0, read, whole-read) - paid
}

// trim drops the sessions that were idle longest, if there are too many, and the oldest requests over the limit.
func (s *Sessions) trim() {
	s.kept = 0
	for i, v := range s.sorted() {
		switch size := cap(v.request); {
		case i >= maxSessions:
			delete(s.all, v.ID)
		case s.kept+size > maxKeptRequests:
			v.request = nil
		default:
			s.kept += size
		}
		v.Request = v.request != nil
	}
}

// sorted lists the sessions, the last used first.
func (s *Sessions) sorted() []*Session {
	return slices.SortedFunc(maps.Values(s.all), func(a, b *Session) int { return b.newest - a.newest })
}

// Len returns the number of listed sessions.
func (s *Sessions) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all)
}

// List writes the response of GET /v1/sessions.
func (s *Sessions) List() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return encode(map[string]any{"sessions": append([]*Session{}, s.sorted()...)})
}

// One writes the response of GET /v1/sessions/{id}: the session, with its calls as "log"; nil for an unknown one.
func (s *Sessions) One(id string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.all[id]
	if v == nil {
		return nil
	}
	return encode(struct {
		*Session
		Log []SessionCall `json:"log"`
	}{v, append([]SessionCall{}, v.calls...)})
}

// Request returns the last request of a session as the client sent it, nil if it is not kept.
func (s *Sessions) Request(id string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.all[id]; v != nil {
		return v.request
	}
	return nil
}

// Close ends all Events. It must be called at most once.
func (s *Sessions) Close() { close(s.closed) }

// Events sends the list as server-sent events: at once, and after each change, until the client disconnects.
func (s *Sessions) Events(w http.ResponseWriter, r *http.Request) {
	changed := make(chan struct{}, 1)
	s.mu.Lock()
	s.changed[changed] = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.changed, changed)
		s.mu.Unlock()
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	text := append([]byte("event: sessions\ndata: "), s.List()...)
	heartbeat := time.NewTicker(heartbeatSeconds * time.Second)
	defer heartbeat.Stop()
	for {
		if _, err := w.Write(append(text, "\n\n"...)); err != nil || control.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-s.closed:
			return
		case <-heartbeat.C:
			text = []byte(": still here")
		case <-changed:
			text = append([]byte("event: sessions\ndata: "), s.List()...)
		}
	}
}
