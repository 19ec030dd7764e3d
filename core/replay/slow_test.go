package replay

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/promptcache"
	"tamp/core/tokens"
)

// The reference implementation: the rules of the provider's prompt cache one after the other, on whole prefixes that
// are compared byte by byte. It keeps nothing between calls except the entries of the cache.

// slowBlock is one block of a request.
type slowBlock struct {
	bytes    string
	tokens   int
	position int // in the messages: runs of calls and runs of results are one; 0 for tools and system
	ttl      int // seconds; 0 without a breakpoint
}

type slowRequest struct {
	blocks []slowBlock
	total  int
	text   string // all bytes
	ends   []int  // of each block in text
}

// slowRead splits a request into blocks.
func slowRead(meter tokens.Meter, c *msg.Conversation) slowRequest {
	var q slowRequest
	position, before := 0, ""
	holder := -1
	add := func(role string, b *msg.Block, count int) {
		ttl := 0
		for _, cache := range append(partCaches(b), b.Cache) {
			ttl = max(ttl, slowTTL(cache))
		}
		if slowCanHoldBreakpoint(b) {
			holder = len(q.blocks)
		}
		q.blocks = append(q.blocks, slowBlock{bytes: role + slowBytes(b), tokens: count, position: position, ttl: ttl})
		q.total += count
	}
	for i := range c.Tools {
		add("tool ", &c.Tools[i], meter.Tool(&c.Tools[i]))
	}
	for i := range c.System {
		add("system ", &c.System[i], meter.Block(&c.System[i]))
	}
	frame := 0
	for m := range c.Messages {
		role := "\n" + string(c.Messages[m].Role) + " "
		frame += meter.Profile.PerMessage
		for b := range c.Messages[m].Blocks {
			block := &c.Messages[m].Blocks[b]
			kind := ""
			if !block.Server && (block.Kind == msg.KindToolUse || block.Kind == msg.KindToolResult) {
				kind = string(block.Kind)
			}
			if kind == "" || kind != before {
				position++
			}
			before = kind
			add(role, block, frame+meter.Block(block))
			frame, role = 0, "+"
		}
	}
	q.total += frame
	if c.Cache != nil && holder >= 0 {
		q.blocks[holder].ttl = max(q.blocks[holder].ttl, slowTTL(c.Cache))
	}
	var text strings.Builder
	for i := range q.blocks {
		text.WriteString(q.blocks[i].bytes)
		text.WriteByte(0)
		q.ends = append(q.ends, text.Len())
	}
	q.text = text.String()
	return q
}

func (q *slowRequest) prefix(i int) string { return q.text[:q.ends[i]] }

func (q *slowRequest) tokensTo(i int) int {
	sum := 0
	for k := 0; k <= i; k++ {
		sum += q.blocks[k].tokens
	}
	return sum
}

func partCaches(b *msg.Block) []*msg.Cache {
	var all []*msg.Cache
	for i := range b.Parts {
		all = append(all, b.Parts[i].Cache)
	}
	return all
}

func slowTTL(cache *msg.Cache) int {
	switch {
	case cache == nil:
		return 0
	case cache.TTL == "1h":
		return 3600
	}
	return 300
}

// slowCanHoldBreakpoint is rule A11: no breakpoint on thinking, empty text, blocks that the provider wrote, and blocks
// of unknown type.
func slowCanHoldBreakpoint(b *msg.Block) bool {
	if b.Server || b.Kind == msg.KindThinking || b.Kind == msg.KindOther || b.Type == "container_upload" ||
		b.Type == "compaction" {
		return false
	}
	return b.Kind != msg.KindText || strings.TrimSpace(b.Text) != ""
}

// slowBytes is the JSON of a block without its breakpoint; of a changed block, its kind, id, name and text.
func slowBytes(b *msg.Block) string {
	if b.Changed&^msg.ChangedCache != 0 || b.Raw == nil || b.Raw.Kind() != '{' {
		return string(b.Kind) + " " + b.ID + " " + b.Name + " " + b.Text
	}
	out := ""
	for name, value := range b.Raw.Members() {
		if name != "cache_control" {
			out += name + "=" + string(value) + ","
		}
	}
	return out
}

type slowEntry struct {
	prefix    string
	ttl, ends int // seconds, milliseconds
}

// slowBreakpoints is Anthropic's cache.
type slowBreakpoints struct {
	minTokens int
	entries   []*slowEntry
}

func (s *slowBreakpoints) find(prefix string, now int) *slowEntry {
	for _, e := range s.entries {
		if now < e.ends && e.prefix == prefix {
			return e
		}
	}
	return nil
}

func (s *slowBreakpoints) send(q slowRequest, now int) bill {
	var alive []*slowEntry
	for _, e := range s.entries {
		if now < e.ends {
			alive = append(alive, e)
		}
	}
	s.entries = alive

	counts := func(i int) bool { return q.blocks[i].ttl > 0 && q.tokensTo(i) >= s.minTokens }
	hit, hour, last := -1, -1, -1
	for i := range q.blocks {
		if !counts(i) {
			continue
		}
		last = i
		if q.blocks[i].ttl == 3600 {
			hour = i
		}
		for k := i; k >= 0 && q.blocks[i].position-q.blocks[k].position < 20; k-- {
			if s.find(q.prefix(k), now) != nil {
				hit = max(hit, k)
				break
			}
		}
	}
	b := bill{input: q.total}
	for i := range q.blocks {
		t := q.blocks[i].tokens
		switch {
		case i <= hit:
			b.read += t
		case i <= hour:
			b.write1h += t
		case i <= last:
			b.write5m += t
		default:
			continue
		}
		b.input -= t
	}
	if hit >= 0 {
		e := s.find(q.prefix(hit), now)
		e.ends = now + 1000*e.ttl
	}
	for i := range q.blocks {
		if !counts(i) {
			continue
		}
		e := s.find(q.prefix(i), now)
		if e == nil {
			e = &slowEntry{prefix: q.prefix(i), ttl: q.blocks[i].ttl}
			s.entries = append(s.entries, e)
		}
		e.ends = now + 1000*e.ttl
	}
	return b
}

// slowAutomatic is OpenAI's cache, and Gemini's.
type slowAutomatic struct {
	ttl, minTokens int
	paid           bool // writes are paid
	entries        []*slowEntry
}

func (s *slowAutomatic) send(q slowRequest, now int) bill {
	b, longest := bill{input: q.total}, 0
	for i := range q.blocks {
		found := false
		for _, e := range s.entries {
			if now < e.ends && len(e.prefix) == q.ends[i] && e.prefix == q.prefix(i) {
				found = true
			}
		}
		if found {
			longest = q.tokensTo(i)
		}
	}
	if longest >= s.minTokens {
		b.read = longest / 128 * 128
		b.input -= b.read
	}
	if s.paid && q.total >= s.minTokens { // from GPT-5.6 on: what can be read later and was not read is written
		b.write5m = q.total/128*128 - b.read
		b.input -= b.write5m
	}
	for i := range q.blocks {
		s.entries = append(s.entries, &slowEntry{q.prefix(i), s.ttl, now + 1000*s.ttl})
	}
	return b
}

// slowReplay replays a session with the plain functions of core. times are the times of the calls, in milliseconds.
func slowReplay(t require.TestingT, c *msg.Conversation, p policy.Policy, o Options, minTokens int,
	times []int) []Call {
	if check, ok := t.(*rapid.T); ok {
		if len(format.SegmentsOf(c).Earlier) > 0 {
			check.Skip("the reference reads one segment")
		}
	}
	c = c.WithMessages(append([]msg.Message(nil), c.Messages...))
	for m := range c.Messages {
		c.Messages[m].Usage = nil // the trigger uses the same counter as everything else
	}
	counter := o.Count
	meter := tokens.NewMeter(counter, c)
	ttl := slowTTL(&msg.Cache{TTL: o.TTL})
	asked, automatic := &slowBreakpoints{minTokens: minTokens}, &slowAutomatic{ttl: ttl,
		minTokens: max(minTokens, 1024)}
	if strings.HasPrefix(o.Model, "gpt-5.6") {
		automatic.paid = true
		if o.TTL == "" {
			automatic.ttl = 1800
		}
	}
	var calls []Call
	var carried []msg.Message
	state, next := core.State(""), 0
	var before *msg.Conversation // the previous request
	for m := range c.Messages {
		if c.Messages[m].Role != msg.Assistant {
			continue
		}
		for ; next < m; next++ {
			carried = append(carried[:len(carried):len(carried)], c.Messages[next])
		}
		n := len(calls)
		idle := 0
		if n > 0 {
			idle = (times[n] - times[n-1]) / 1000
		}
		call := Call{Number: n + 1, Message: m, IdleSec: idle,
			Uncompacted: meter.Conversation(c.WithMessages(c.Messages[:m])).Total}
		now := c.WithMessages(carried)
		env := core.Env{Count: counter, IdleSec: idle, TTL: o.TTL}
		begun, stateBefore := now, state
		if !o.None {
			plan, err := core.NewPlan(now, state, p, env)
			if err != nil {
				require.ErrorContains(t, err, "cannot compact further")
				call.Error = "yes"
			}
			for plan != nil && len(plan.Edits)+len(plan.Requests) > 0 {
				var results []core.SummaryResult
				if len(plan.Requests) > 0 {
					results, err = o.Summarize(now, plan)
					require.NoError(t, err)
				}
				out, err := core.Apply(now, state, p, env, plan, results)
				if err != nil {
					require.ErrorContains(t, err, "cannot compact further")
					call.Error, call.Edits, call.Freed, call.Thinking = "yes", 0, 0, 0
					now, state, carried = begun, stateBefore, begun.Messages
					break
				}
				call.Freed += out.Before - out.After
				call.Thinking += plan.Advice.Thinking
				call.Edits += len(plan.Edits)
				call.Summaries += len(results)
				now, state, plan = out.Conversation, out.State, out.Next
				carried = now.Messages
			}
		}
		sent := now
		copied := *now
		switch {
		case isAutomatic(c) || o.Breakpoints == FromRequest:
		case o.Breakpoints == Automatic:
			copied.Cache = &msg.Cache{Type: "ephemeral", TTL: o.TTL}
			copied.Messages = slowUnmarked(now.Messages)
			sent = &copied
		case o.None:
			copied.Format = msg.Anthropic
			r, err := promptcache.Rank(&copied, promptcache.Options{TTL: o.TTL, Move: true, IdleSec: idle, Count: counter})
			require.NoError(t, err)
			sent = r.Conversation
		default: // a session that begins here, so nothing is known but the State
			var entry *msg.Ref
			if call.Freed != 0 || call.Edits+call.Summaries > 0 { // the previous request ended otherwise than this one begins
				entry = slowPreviousEntry(meter, before, now)
			}
			s, err := core.NewSession(now, state, p, counter)
			require.NoError(t, err)
			breakpoints, err := s.Breakpoints(env, o.TTL, 0, entry)
			require.NoError(t, err)
			copied.Messages = slowUnmarked(now.Messages)
			fixed := slowUnmarked([]msg.Message{{Blocks: now.Tools}, {Blocks: now.System}})
			copied.Tools, copied.System = fixed[0].Blocks, fixed[1].Blocks
			for _, m := range breakpoints {
				if m.Automatic {
					continue
				}
				var blocks []msg.Block
				switch {
				case m.Tool:
					blocks = copied.Tools
				case m.System:
					blocks = copied.System
				default:
					blocks = copied.Messages[m.Ref.Message].Blocks
				}
				blocks[m.Ref.Block] = blocks[m.Ref.Block].WithCache(&msg.Cache{TTL: slowName(m.Seconds)})
			}
			sent = &copied
		}
		before = sent
		q := slowRead(meter, sent)
		var b bill
		if isAutomatic(c) {
			b = automatic.send(q, times[n])
		} else {
			b = asked.send(q, times[n])
		}
		call.Sent, call.CacheRead, call.CacheWrite, call.Input = q.total, b.read, b.write5m+b.write1h, b.input
		call.CacheWrite1h = b.write1h
		call.Output = meter.Message(&c.Messages[m])
		calls = append(calls, call)
	}
	return calls
}

// slowPrice is the price of a model in dollars for a million tokens.
type slowPrice struct{ input, read, write5m, write1h, output float64 }

// cost returns the cost of a call in dollars.
func (p slowPrice) cost(c *Call) float64 {
	return (float64(c.Input)*p.input + float64(c.CacheRead)*p.read + float64(c.CacheWrite-c.CacheWrite1h)*p.write5m +
		float64(c.CacheWrite1h)*p.write1h + float64(c.Output)*p.output) / 1e6
}

// slowName returns the TTL of a lifetime in seconds.
func slowName(seconds int) string {
	if seconds == 3600 {
		return "1h"
	}
	return ""
}

// slowUnmarked returns the messages without breakpoints.
func slowUnmarked(messages []msg.Message) []msg.Message {
	var out []msg.Message
	for _, m := range messages {
		blocks := append([]msg.Block(nil), m.Blocks...)
		for i := range blocks {
			blocks[i].Cache = nil
			blocks[i].Parts = append([]msg.Block(nil), blocks[i].Parts...)
			for k := range blocks[i].Parts {
				blocks[i].Parts[k].Cache = nil
			}
		}
		m.Blocks = blocks
		out = append(out, m)
	}
	return out
}

// slowPreviousEntry returns the last block of a message that had a breakpoint in the request before and whose whole
// prefix is also one of now.
func slowPreviousEntry(meter tokens.Meter, before, now *msg.Conversation) *msg.Ref {
	entry := msg.Ref{Message: -1}
	if before == nil {
		return &entry
	}
	a, b := slowRead(meter, before), slowRead(meter, now)
	i := len(now.Tools) + len(now.System)
	for m := range now.Messages {
		for k := range now.Messages[m].Blocks {
			if i < len(a.blocks) && a.blocks[i].ttl > 0 && a.prefix(i) == b.prefix(i) {
				entry = msg.Ref{Message: m, Block: k}
			}
			i++
		}
	}
	return &entry
}

// slowTimes returns the start of each call, in milliseconds after the first one: the timestamp of the last line before
// the answer, read with encoding/json and time.
func slowTimes(t require.TestingT, c *msg.Conversation, idle int) []int {
	written := func(m *msg.Message) int {
		latest := 0
		if m.Time != nil {
			var text string
			var number int
			if json.Unmarshal(m.Time, &text) == nil {
				at, err := time.Parse(time.RFC3339, text)
				require.NoError(t, err)
				return int(at.UnixMilli())
			}
			require.NoError(t, json.Unmarshal(m.Time, &number))
			return number
		}
		for _, raw := range append([]rawjson.Value{m.Raw}, m.Lines...) {
			var line struct{ Timestamp string }
			if json.Unmarshal(raw, &line) == nil && line.Timestamp != "" {
				at, err := time.Parse(time.RFC3339, line.Timestamp)
				require.NoError(t, err)
				latest = max(latest, int(at.UnixMilli()))
			}
		}
		return latest
	}
	var times []int
	clock, zero := 0, 0 // zero: the timestamp of the clock's zero
	for m := range c.Messages {
		if c.Messages[m].Role != msg.Assistant {
			continue
		}
		at := 0
		if m > 0 {
			at = written(&c.Messages[m-1])
		}
		if at == 0 {
			at = written(&c.Messages[m])
		}
		if len(times) > 0 && (at == 0 || zero == 0) { // the calls before the first timestamp have assumed times
			clock += 1000 * idle
		} else if zero > 0 {
			clock = max(clock, at-zero)
		}
		if at > 0 && zero == 0 {
			zero = at - clock
		}
		times = append(times, clock)
	}
	return times
}

// isAutomatic reports a format whose provider caches prefixes without breakpoints.
func isAutomatic(c *msg.Conversation) bool {
	return msg.API(c.Format) != msg.Anthropic
}
