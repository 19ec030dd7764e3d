// Package gateway is a reverse proxy between agents and their providers that compacts the history in each request. It
// keeps no session: the client sends its whole history with every call, and the compacted history depends on that
// alone (see core/forward). docs/gateway.md is the user's manual.
//
// Natively a Gateway is an http.Handler. On Cloudflare, worker.mjs sends the request that Prepare returns and pipes the
// response, which never enters this program.
//
// Rules:
//   - The host of a forwarded request comes from the setting UPSTREAMS, never from the request.
//   - A request that cannot be compacted is forwarded byte for byte, for whatever reason, a bug of this program
//     too. Only halves of surrogate pairs become U+FFFD: every provider refuses them.
//   - Logs and the list of sessions have figures, never content and never keys.
//
// It is not a part of the API (see package core).
package gateway

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"tamp/core/forward"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// MaxBody is the size in bytes above which a body is streamed through unread.
const MaxBody = 32 << 20

// maxPolicy is the size in bytes of the largest policy that a request may have: each block is compared with all names
// of tools in it, which Config.Work does not count.
const maxPolicy = 8 << 10

// Gateway compacts and forwards. Its fields do not change after the first request.
type Gateway struct {
	Config
	Transport   http.RoundTripper // natively; nil: NewTransport
	Checkpoints Checkpoints       // nil: none
	Live        int               // bytes of requests that are kept for the next ones of their sessions; 0: none
	Sessions    *Sessions         // nil: no list
	Summaries   *Summaries        // nil: extractive summaries, which need no model
	Log         func(e *Entry)
	Now         func() time.Time

	memories sync.Pool // of *tokens.Memory
	lives    lru[*forward.Live]
	notes    notes
	slots    chan struct{}
	fresh    http.RoundTripper // Transport, with a new connection for each request
	places   chan struct{}     // of the requests that compute; nil: one at a time
	once     sync.Once
	hold     time.Duration // 0: maxHold
}

// Checkpoints stores checkpoints by name. Implementations may drop any at any time, and are safe for concurrent use.
type Checkpoints interface {
	Find(key string) []byte // nil: not found
	Keep(key string, data []byte)
}

// Handles reports whether a path belongs to an upstream.
func (g *Gateway) Handles(path string) bool {
	u, _ := find(g.Upstreams, path)
	return u != nil
}

// Entry is the log entry of one request: figures, names of settings, and the name of the model.
type Entry struct {
	Time       string `json:"time,omitempty"` // of the request, RFC 3339 in UTC
	ID         string `json:"id,omitempty"`   // of the request, also in the header x-tamp-request-id of the response
	Op         string `json:"op"`             // "gateway"
	Upstream   string `json:"upstream"`
	Session    string `json:"session,omitempty"` // see sessionID
	Model      string `json:"model,omitempty"`   // see modelName
	Status     int    `json:"status"`
	Sent       int    `json:"sent"`  // bytes of the forwarded body, if it was read
	Bytes      int    `json:"bytes"` // bytes of the response
	Ms         int64  `json:"ms"`
	AddedMs    int64  `json:"added_ms"` // of them, before the request was forwarded
	Before     int    `json:"tokens_before,omitempty"`
	After      int    `json:"tokens_after,omitempty"`
	Cleared    int    `json:"cleared,omitempty"`
	Summaries  int    `json:"summaries,omitempty"`
	Failed     int    `json:"summary_failed,omitempty"` // summaries of a model that failed, so far: the built-in ones are used
	OpenCut    int    `json:"open_round_cut,omitempty"` // compactions so far that cut results which the model had not read
	Cause      string `json:"cause,omitempty"`
	Lost       int    `json:"thinking_lost,omitempty"`   // thinking blocks, by all compactions so far
	ReadAgain  int    `json:"read_again,omitempty"`      // calls that repeat one whose result was left out, so far
	Clears     int    `json:"provider_clears,omitempty"` // results that the provider is asked to clear
	Checkpoint string `json:"checkpoint,omitempty"`
	Reason     string `json:"reason,omitempty"` // why the request was passed unchanged
	Retried    string `json:"retried,omitempty"`
	CacheMiss  string `json:"cache_miss,omitempty"` // why the cache missed a part of the prompt, by the provider; natively
	Usage      *Usage `json:"usage,omitempty"`      // as the provider reported it; natively
}

// TimeFormat is that of Entry.Time: RFC 3339 with milliseconds.
const TimeFormat = "2006-01-02T15:04:05.000Z07:00"

// NewID returns an id for a request.
func NewID() string {
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

// endpoint is a path whose body has a history.
type endpoint struct {
	suffix, format string
	counts         bool   // counts tokens instead of calling a model
	plain          bool   // of plain upstreams only
	under          string // the path names the model, which this part precedes

	model, key string // of this request: the model of its path, and the key of its query (Gemini)
}

const compactPath = "/responses/compact"

var endpoints = [...]endpoint{
	{suffix: "/v1/messages", format: msg.Anthropic},
	{suffix: "/messages/count_tokens", format: msg.Anthropic, counts: true},
	{suffix: "/chat/completions", format: msg.OpenAIChat},
	{suffix: "/responses", format: msg.OpenAIResponses},
	{suffix: "/responses/input_tokens", format: msg.OpenAIResponses, counts: true},
	{suffix: compactPath, format: msg.OpenAIResponses, plain: true},
	{suffix: ":generateContent", format: msg.Gemini, under: "/"},
	{suffix: ":streamGenerateContent", format: msg.Gemini, under: "/"},
	{suffix: "/interactions", format: msg.Interactions},
	{suffix: ":countTokens", format: msg.Gemini, counts: true, under: "/"},
	{suffix: ":rawPredict", format: msg.Anthropic, under: "/publishers/anthropic/models/"},
	{suffix: ":streamRawPredict", format: msg.Anthropic, under: "/publishers/anthropic/models/"},
	{suffix: "/invoke", format: msg.Anthropic, under: bedrockModels},
	{suffix: "/invoke-with-response-stream", format: msg.Anthropic, under: bedrockModels},
}

// bedrockModels precedes the model in a path of Bedrock's InvokeModel, which has no header for values of
// anthropic-beta: its body has them. Models of other vendors have other bodies there.
const bedrockModels = "/model/"

// endpointOf returns the endpoint of a request, nil if its body is forwarded unread.
func endpointOf(method, rest string, plain bool) *endpoint {
	if method != http.MethodPost {
		return nil
	}
	for _, e := range endpoints {
		path, found := strings.CutSuffix(rest, e.suffix)
		if !found || e.plain && !plain {
			continue
		}
		if e.under != "" { // …/models/{model}:generateContent
			start := strings.LastIndexByte(path, '/') + 1
			if !strings.HasSuffix(path[:start], e.under) {
				continue
			}
			if model, err := url.PathUnescape(path[start:]); err == nil {
				e.model = model
			}
			if e.model == "count-tokens" { // of Vertex: the body names the model
				e.model, e.counts = "", true
			}
		}
		return &e
	}
	return nil
}

// unread is why a request to a path without an endpoint is forwarded unread.
func unread(method string) string {
	if method == http.MethodPost {
		return reasonUnknown
	}
	return reasonNoHistory
}

// Prepared is a request to forward.
type Prepared struct {
	Body   []byte
	Result *forward.Result // nil if the body was passed unread
	Reason string          // why Body is that of the client; "" if it is compacted
	Hit    bool            // a checkpoint was found
	Known  bool            // the catalog has the model
	Model  string
	// Body has U+FFFD in place of halves of surrogate pairs of the client's, also if it is not compacted
	Repaired bool

	body       *forward.Body
	edits      []managedEdit // of a request to a plain upstream
	due        bool          // the client asks for compaction, and the trigger is reached
	policy     policy.Policy
	credential string
	upstream   Upstream
	plugin     bool // a plugin for compaction was removed

	session  string // of lives
	thinking thinking
	thread   string   // the type of the member thread; "" if there is none
	remember bool     // the checkpoint has changed
	keys     []string // names of checkpoints, one for each of body.Points
	wait     *pending
	partly   *forward.Checkpoint // of the part that was finished when the budget ended the work
	budget   *budget
}

// The reasons for a request that is passed unchanged.
const (
	reasonNoHistory = "no_history" // a request without a body, or a WebSocket
	reasonUnknown   = "unknown_path"
	reasonSigned    = "signed"    // AWS's signature covers the body
	reasonEncoded   = "encoded"   // the body has a Content-Encoding that cannot be read
	reasonTooLarge  = "too_large" // over MaxBody
	reasonBelow     = "below_limits"
	reasonFallback  = "fallback_credit"  // a repeated request, of which it is not known what was sent
	reasonOverflow  = "context_overflow" // nothing more can be removed
	reasonObserve   = "observe"
	reasonStored    = "stored_history" // the provider has a part of the history: previous_response_id, thread
	reasonPolicy    = "bad_policy"     // of x-tamp-policy
	reasonInternal  = "internal"
	reasonRefused   = "refused" // the provider refused the compacted request
	reasonWaiting   = "summaries_pending"
	reasonWebSocket = "websocket" // of the gateway's own error
)

// Prepare compacts the body of a request to an endpoint. It never fails: if it cannot compact, the result has the body
// of the client, without halves of surrogate pairs, and the reason. It ends early if the client disconnects.
func (g *Gateway) Prepare(ctx context.Context, u *Upstream, e *endpoint, h http.Header, body []byte,
	edits []managedEdit, find func(key string) []byte) (p *Prepared) {
	p = &Prepared{Body: body, edits: edits, budget: g.budget(ctx), upstream: *u}
	defer func() {
		if recover() != nil { // a bug; its text may quote the conversation
			*p = Prepared{Body: body, Reason: reasonInternal}
		}
	}()
	if p.Body = forward.Whole(body); !g.Observe {
		p.Repaired, body = !bytes.Equal(p.Body, body), p.Body
	}
	if p = g.prepare(p, e, h, find); g.Observe {
		p.Body = body
	}
	g.keepLive(p)
	return p
}

func (g *Gateway) prepare(p *Prepared, e *endpoint, h http.Header, find func(key string) []byte) *Prepared {
	defer p.budget.leave()
	if err := p.budget.enter(); err != nil {
		p.Reason = codeOf(err)
		return p
	}
	if g.read(p, e, h); p.body != nil {
		if !g.takeFallback(p, e) {
			p.Reason = reasonFallback
			return p
		}
		g.fold(p, h, find, forward.Options{Policy: p.policy})
		g.compactNow(p, e, h)
	}
	return p
}

// read parses the body and reads the policy. If the request cannot be compacted, p.body stays nil, and p has the
// reason.
func (g *Gateway) read(p *Prepared, e *endpoint, h http.Header) {
	var err error
	if strings.HasPrefix(h.Get("Authorization"), "AWS4-") {
		p.Reason, p.Model = reasonSigned, e.model
		return
	}
	if p.policy, p.credential = g.Policy, credential(h, e); p.policy.Money == "" && isSubscription(h) {
		p.policy.SetMoney(policy.MoneyOff)
	}
	if text := h.Get("X-Tamp-Policy"); text != "" {
		if p.policy, err = policy.Parse("", []byte(text)); err != nil || len(text) > maxPolicy {
			p.Reason = reasonPolicy
			return
		}
	}
	for i := range p.edits {
		p.edits[i].apply(&p.policy)
	}
	if err := p.budget.read(p.Body); err != nil {
		p.Reason = codeOf(err)
		return
	}
	body, err := forward.ReadAfter(p.Body, e.format, g.findLive(p, e, h))
	if err == nil {
		p.readThread(e, body)
	}
	switch {
	case err != nil:
		p.Reason = codeOf(err)
	case e.under == bedrockModels && !body.Has("anthropic_version"):
		p.Reason, p.Model = reasonUnknown, e.model
	case body.Stored(), e.format == msg.Gemini && body.Has("cachedContent", "cached_content"):
		p.Reason, p.Model = reasonStored, cmp.Or(e.model, body.Conversation().Model)
	default:
		if e.model != "" {
			body.SetModel(e.model)
		}
		p.body, p.Model, p.Known = body, body.Conversation().Model, body.KnownModel()
		p.readThinking(e)
		p.thinking.clears = p.thinking.clears && !g.notes.has(p.refusesClearing())
		if p.policy.Trigger.Window == 0 && strings.Contains(strings.Join(h.Values("Anthropic-Beta"), ","), "context-1m") {
			p.policy.Trigger.Window = models.WindowOf(p.Model + "[1m]")
		}
	}
}

// fold sets the result and the body of p.
func (g *Gateway) fold(p *Prepared, h http.Header, find func(key string) []byte, o forward.Options) {
	memory, ok := g.memories.Get().(*tokens.Memory)
	if !ok {
		memory = new(tokens.Memory)
	}
	o.Count = memory.Counter(tokens.Estimate)
	if p.keys == nil && g.Secret != nil {
		p.keys = g.keys(p)
	}
	if g.Summaries != nil && !o.Force {
		p.wait = &pending{}
		o.Summarize = g.Summaries.answer(p)
	}
	o.Spend, o.DropBlock, o.Clears = p.budget.spend, p.thinking.asks, p.thinking.clears
	o.Join = p.upstream.Plain
	goesOn, hit := p.body.Resumes(&o)
	if find != nil && !goesOn {
		o.From = newest(p, find)
	}
	p.Hit = o.From != nil || hit
	original := p.Body
	r, err := p.body.Fold(o)
	if err != nil && p.Hit && p.budget.ended == nil { // the checkpoint may be damaged; it only saves time
		o.From, p.Hit = nil, false
		r, err = p.body.Fold(o)
	}
	if (p.wait == nil || p.wait.loop == nil) && !p.body.HasLive() { // else the loop or the fold goes on counting with it
		g.memories.Put(memory)
	}
	switch {
	case err != nil:
		if p.Body, p.Reason = original, codeOf(err); r != nil {
			p.partly = cmp.Or(r.Passed, r.Checkpoint)
		}
		return
	case g.Observe:
		p.Reason = reasonObserve
	case !r.Changed:
		p.Reason = reasonBelow
		if r.Overflow {
			p.Reason = reasonOverflow
		}
		if p.wait != nil && p.wait.loop != nil {
			p.Reason = reasonWaiting
		}
	default:
		p.Body, p.Reason = r.Body, ""
	}
	if p.Result = r; !g.Observe {
		if r.Changed && p.Reason == "" {
			p.ownMembers()
		}
		p.express()
	}
}

// DefaultLive is the size in bytes of the requests that a native gateway keeps in memory for the next ones of their
// sessions.
const DefaultLive = 128 << 20

// findLive returns what was kept of the request before in the session of a request, by its first message.
func (g *Gateway) findLive(p *Prepared, e *endpoint, h http.Header) func(first []byte) *forward.Live {
	if g.Live == 0 || g.Observe {
		return nil
	}
	return func(first []byte) *forward.Live {
		digest := sha256.New()
		fmt.Fprintf(digest, "%s %s %q %+v %q\n", p.credential, e.format, e.model, p.policy, h.Values("Anthropic-Beta"))
		digest.Write(first)
		p.session = string(digest.Sum(nil))
		return g.lives.take(p.session)
	}
}

// keepLive keeps what a request has read for the next one of its session.
func (g *Gateway) keepLive(p *Prepared) {
	if p.body == nil || p.session == "" {
		return
	}
	if live := p.body.TakeLive(); live != nil {
		g.lives.keep(p.session, live, live.Size(), g.Live)
	}
}

// forget drops what the document was parsed into, while the response of the provider may take minutes.
func (p *Prepared) forget() {
	if p.body != nil {
		p.body.Forget()
	}
}

// newest returns the newest checkpoint of the history; nil if there is none.
func newest(p *Prepared, find func(key string) []byte) *forward.Checkpoint {
	for i := len(p.keys) - 1; i >= 0; i-- {
		data := find(p.keys[i])
		if data == nil {
			continue
		}
		if c, err := forward.DecodeCheckpoint(data); err == nil && c.At() == p.body.Points()[i] {
			return c
		}
	}
	return nil
}

// keys returns the name of the checkpoint at each point of the history: an HMAC over the credential, the policy, the
// model and the messages so far. A caller without the credential cannot find it.
func (g *Gateway) keys(p *Prepared) []string {
	digest := sha256.New()
	fmt.Fprintf(digest, "%s %q %+v\n", p.credential, p.Model, p.policy)
	var keys []string
	at := 0
	for _, point := range p.body.Points() {
		for ; at < point; at++ {
			digest.Write(p.body.Message(at))
			digest.Write([]byte{'\n'})
		}
		mac := hmac.New(sha256.New, g.Secret)
		mac.Write(digest.Sum(nil))
		keys = append(keys, fmt.Sprintf("%x", mac.Sum(nil)))
	}
	return keys
}

// Checkpoint returns the name and the data of the checkpoint to store; "" if there is none.
func (p *Prepared) Checkpoint() (key string, data []byte) {
	made := p.partly
	if p.Result != nil && (p.Result.Cause != "" || !p.Hit || p.remember) {
		made = p.Result.Checkpoint
	}
	if p.Result != nil && p.Result.Passed != nil {
		made = p.Result.Passed
	}
	if made == nil || p.keys == nil {
		return "", nil
	}
	for i, point := range p.body.Points() {
		if point == made.At() {
			return p.keys[i], made.Encode()
		}
	}
	return "", nil
}

// retriedTooLong and reasonRefused are the values of Entry.Retried.
const retriedTooLong = "too_long"

// retry changes p after the provider refused it with a status and an error, if another request can help. It returns
// why the request is sent again, "" if it is not.
func (g *Gateway) retry(p *Prepared, h http.Header, find func(key string) []byte, status int, text []byte) string {
	used, limit, tooLong := readTooLong(status, text)
	if status == http.StatusBadRequest && !tooLong {
		if why := g.retryThinking(p, h, find, text); why != "" {
			return why
		}
	}
	switch {
	case tooLong && g.Force(p, h, find, used, limit):
		return retriedTooLong
	case !tooLong && p.Reason == "" && status == http.StatusBadRequest:
		p.Body, p.Reason = p.body.Data(), reasonRefused
		return reasonRefused
	}
	return ""
}

// Force compacts although no limit is reached, since the provider found the prompt too long; see readTooLong. It
// reports whether the body is smaller now.
func (g *Gateway) Force(p *Prepared, h http.Header, find func(key string) []byte, used, limit int) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	if !g.canForce(p) {
		return false
	}
	if !p.budget.inside {
		defer p.budget.leave()
		if p.budget.enter() != nil {
			return false
		}
	}
	o := forward.Options{Policy: p.policy, Force: true}
	if limit > 0 && used > 0 { // the provider's count, in the unit of ours
		o.Window = max(1, int(int64(limit)*int64(p.Result.After)/int64(used)))
	}
	before := *p
	g.fold(p, h, find, o)
	if p.Reason != "" || p.Result.After >= before.Result.After {
		*p = before
		return false
	}
	return true
}

// canForce reports whether Force may help.
func (g *Gateway) canForce(p *Prepared) bool {
	return p.body != nil && p.Result != nil && !g.Observe && p.budget.ended == nil
}

// codeOf returns the code of an error of the core, for the header and the log: it has no content.
func codeOf(err error) string {
	if e := (*msg.Error)(nil); errors.As(err, &e) {
		return string(e.Code)
	}
	return reasonInternal
}
