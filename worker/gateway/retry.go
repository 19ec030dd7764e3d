package gateway

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"tamp/core/forward"
	"tamp/core/models"
)

// retriedTooLong and reasonRefused are the values of Entry.Retried.
const retriedTooLong = "too_long"

// retry changes p after the provider refused it with a status and an error, if another request can help. It returns
// why the request is sent again, "" if it is not.
func (g *Gateway) retry(p *Prepared, find func(key string) []byte, status int, text []byte) string {
	used, limit, tooLong := readTooLong(status, text)
	if status == http.StatusBadRequest && !tooLong {
		if why := g.retryThinking(p, find, text); why != "" {
			return why
		}
	}
	switch {
	case tooLong && g.Force(p, find, used, limit):
		return retriedTooLong
	case !tooLong && p.Reason == "" && status == http.StatusBadRequest:
		p.Body, p.Reason = p.body.Data(), reasonRefused
		return reasonRefused
	}
	return ""
}

// Force compacts although no limit is reached, since the provider found the prompt too long; see readTooLong. It
// reports whether the body is smaller now.
func (g *Gateway) Force(p *Prepared, find func(key string) []byte, used, limit int) (ok bool) {
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
	g.fold(p, find, o)
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

// The values of Entry.Retried for requests that the provider refused because of bound thinking, or of what the gateway
// added for it.
const (
	retriedThinking = "thinking"
	retriedClearing = "clearing"
	retriedBinding  = "block_binding"
)

// retryThinking changes p after the provider refused it with status 400, if the error is about bound thinking. It
// returns why the request is sent again, "" if it is not.
func (g *Gateway) retryThinking(p *Prepared, find func(key string) []byte, text []byte) string {
	t := &p.thinking
	if p.Result == nil || p.Reason != "" || t.binding == models.Unbound {
		return ""
	}
	switch {
	case p.Result.Clear.Uses > 0 && bytes.Contains(text, []byte("context_management")):
		t.clears = false
		g.notes.keep(p.refusesClearing(), "yes")
		p.Body = p.body.Data()
		g.fold(p, find, forward.Options{Policy: p.policy})
		return retriedClearing
	case t.sets && bytes.Contains(text, []byte("block_binding")):
		p.Body, t.sets, t.may, t.betas = p.Result.Body, false, false, nil
		return retriedBinding
	case !bytes.Contains(text, []byte("bound to a different conversation")):
		return ""
	case t.may && !t.sets:
		p.setDropBlock()
		if c := p.Result.Checkpoint; c != nil { // for the later calls of the session
			c.DropBlock = 1
			p.remember = true
		}
		return retriedThinking
	}
	message, block, ok := namedBlock(text)
	if !ok {
		return ""
	}
	p.Body = forward.WithoutThinking(p.body.Conversation(), p.Body, message, block)
	return retriedThinking
}

// namedBlock reads the place in an error such as "messages.1.content.0: Invalid `signature` …".
func namedBlock(text []byte) (message, block int, ok bool) {
	_, rest, ok := strings.Cut(string(text), "messages.")
	first, rest, ok2 := strings.Cut(rest, ".content.")
	message, err := strconv.Atoi(first)
	end := 0
	for end < len(rest) && '0' <= rest[end] && rest[end] <= '9' {
		end++
	}
	block, err2 := strconv.Atoi(rest[:end])
	return message, block, ok && ok2 && err == nil && err2 == nil
}

// compactNow compacts if the client asks for it and the history has reached the trigger. The policy mostly has done so:
// the trigger is one of its own. If it has not, After is Before.
func (g *Gateway) compactNow(p *Prepared, e *endpoint) {
	edit := p.compactEdit()
	if edit == nil || e.counts || p.Result == nil || g.Observe {
		return
	}
	trigger := edit.Trigger.or(defaultTrigger)
	if p.due = p.Result.Before >= trigger; p.due && p.Result.After >= trigger {
		g.Force(p, nil, 0, 0)
	}
}
