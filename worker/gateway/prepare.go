package gateway

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"

	"tamp/core/forward"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
)

// Prepare compacts the body of a request to an endpoint. It never fails: if it cannot compact, the result has the body
// of the client, without halves of surrogate pairs, and the reason. It ends early if the client disconnects.
func (g *Gateway) Prepare(ctx context.Context, u *Upstream, e *endpoint, h http.Header, body []byte,
	edits []managedEdit, find func(key string) []byte) (p *Prepared) {
	p = &Prepared{Body: body, edits: edits, budget: g.budget(ctx), upstream: *u}
	defer func() {
		if recover() != nil { // a bug; its text may quote the conversation
			if *p = (Prepared{Body: body, Reason: reasonInternal}); !g.Observe {
				p.Body = forward.Whole(body)
			}
		}
	}()
	if p = g.prepare(p, e, h, find); p.body == nil {
		p.setWhole(forward.Whole(body))
	}
	if g.Observe {
		p.Body, p.Repaired = body, false
	}
	g.keepLive(p)
	return p
}

// setWhole sets the body without halves of surrogate pairs.
func (p *Prepared) setWhole(whole []byte) {
	p.Repaired, p.Body = !bytes.Equal(whole, p.Body), whole
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
		g.fold(p, find, forward.Options{Policy: p.policy})
		g.compactNow(p, e)
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
	body, err := forward.ReadAfter(p.Body, e.format, g.findLive(p, e, h), p.budget.spend)
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
		p.setWhole(body.Data())
		p.body, p.Model, p.Known = body, body.Conversation().Model, body.KnownModel()
		p.readThinking(e)
		p.thinking.clears = p.thinking.clears && !g.notes.has(p.refusesClearing())
		if p.policy.Trigger.Window == 0 && strings.Contains(strings.Join(h.Values("Anthropic-Beta"), ","), "context-1m") {
			p.policy.Trigger.Window = models.WindowOf(p.Model + "[1m]")
		}
	}
}

// findLive finds the Live of the request before in the session of a request, by its first message.
func (g *Gateway) findLive(p *Prepared, e *endpoint, h http.Header) func(first []byte) *forward.Live {
	if g.Live == 0 || g.Observe {
		return nil
	}
	return func(first []byte) *forward.Live {
		digest := sha256.New()
		fmt.Fprintf(digest, "%s %s %q %+v %q\n", p.credential, e.format, e.model, p.policy, h.Values("Anthropic-Beta"))
		digest.Write(first)
		p.session = string(digest.Sum(nil))
		kept := g.lives.take(p.session)
		p.names = kept.names
		return kept.live
	}
}

// keepLive keeps what a request has read for the next one of its session.
func (g *Gateway) keepLive(p *Prepared) {
	if p.body == nil || p.session == "" {
		return
	}
	if live := p.body.TakeLive(); live != nil {
		g.lives.keep(p.session, lastRequest{live, p.names}, live.Size(), g.Live)
	}
}
