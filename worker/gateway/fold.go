package gateway

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"tamp/core/forward"
	"tamp/core/tokens"
)

// fold sets the result and the body of p.
func (g *Gateway) fold(p *Prepared, find func(key string) []byte, o forward.Options) {
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
	if r != nil && r.Checkpoint != nil && o.From != nil { // also if the compactions since then were at earlier calls
		p.remember = p.remember || r.Checkpoint.Messages > o.From.Messages
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

// keys returns the name of the checkpoint at each point of the history: an HMAC over the credential, the policy, the
// model and the messages so far. A caller without the credential cannot find it.
func (g *Gateway) keys(p *Prepared) []string {
	n, points := p.names, p.body.Points()
	head := fmt.Sprintf("%s %q %+v\n", p.credential, p.Model, p.policy)
	if !n.goOn(head, points, p.body.Same()) {
		n = &names{head: head, digest: sha256.New()}
		_, _ = io.WriteString(n.digest, head)
	}
	for _, point := range points[len(n.points):] {
		for at := n.end(); at < point; at++ {
			n.digest.Write(p.body.Message(at))
			n.digest.Write([]byte{'\n'})
		}
		mac := hmac.New(sha256.New, g.Secret)
		mac.Write(n.digest.Sum(nil))
		n.points, n.keys = append(n.points, point), append(n.keys, hex.EncodeToString(mac.Sum(nil)))
	}
	p.names = n
	return n.keys[:len(n.keys):len(n.keys)]
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
