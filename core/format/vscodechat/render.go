package vscodechat

import (
	"bytes"
	"strconv"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
)

// draft is a request that is being written.
type draft struct {
	request int              // that it was; -1: new
	items   []*document.Item // its messages
	prompt  rawjson.Value    // nil: none
	rounds  []document.Item
	from    int      // the round after those that stand in their place
	ids     []string // of its results
	results map[string]rawjson.Value
}

// Render writes a conversation from Read, with its changes. Unchanged requests are written byte for byte as in the
// input; if nothing changed, the result is the input itself. A prompt begins a request, and so does the first message
// of a request whose prompt is gone. Requests without a message stay in their place.
func Render(c *msg.Conversation) ([]byte, error) {
	d := document.From(c)
	v := viewOf(d)
	made, err := shape.Items(c, func(k int) (rawjson.Value, string) {
		if k >= len(v.entries) {
			return nil, ""
		}
		return v.list.Elements[k], v.list.Paths[k]
	})
	if err != nil {
		return nil, err
	}
	var items []document.Item
	model := modelOf(d)
	for n, g := range v.drafts(made) {
		items = append(items, document.Item{Raw: v.written(g, d, model, n), Index: g.request})
	}
	return d.Render(d.Replace(withOwn(items, d.Elements, func(k int) bool { return v.first[k] == v.first[k+1] }))), nil
}

// withOwn returns the items of a list with the elements that have no message, each in its place.
func withOwn(items []document.Item, elements []rawjson.Value, isOwn func(int) bool) (all []document.Item) {
	next := 0
	for _, item := range append(items, document.Item{Index: len(elements)}) {
		for ; next < item.Index; next++ {
			if isOwn(next) {
				all = append(all, document.Item{Raw: elements[next], Index: next})
			}
		}
		all = append(all, item)
	}
	return all[:len(all)-1] // without the end
}

// drafts returns the requests of messages.
func (v *view) drafts(made []document.Item) (drafts []*draft) {
	last := -1                     // the newest request so far: a message of an earlier one begins none
	callers := map[string]*draft{} // by the id of a call
	var g *draft
	for i := range made {
		item := &made[i]
		e := v.entryOf(item)
		isOther := e.request > last
		if g == nil || e.kind == isPrompt || isOther && (g.request >= 0 || g.prompt == nil || g.rounds != nil) {
			g = &draft{request: -1, results: map[string]rawjson.Value{}}
			drafts = append(drafts, g)
		}
		if isOther {
			last = e.request
			g.request = last
		}
		to := g
		if e.kind == isResult && callers[e.id] != nil {
			to = callers[e.id]
		}
		to.add(e, item)
		for _, call := range item.Raw.Member("toolCalls").List() {
			callers[call.Member("id").Text()] = g
		}
	}
	return drafts
}

// entryOf returns what a written message is.
func (v *view) entryOf(item *document.Item) (e entry) {
	e.request = -1
	id := item.Raw.Member(idMember)
	switch {
	case item.Index >= 0:
		e = v.entries[item.Index]
	case id != nil:
		e.kind = isResult
	case item.Raw.Kind() == '[':
		e.kind = isAnswer
	case item.Raw.Kind() == '{' && item.Raw.Member("prompt") == nil && item.Raw.Member("text") == nil:
		e.kind = isRound
	}
	if id != nil {
		e.id = id.Text()
	}
	return e
}

func (g *draft) add(e entry, item *document.Item) {
	g.items = append(g.items, item)
	switch raw := item.Raw; e.kind {
	case isPrompt:
		if g.prompt = raw; raw.Member("prompt") != nil {
			g.prompt = raw.Member("response")
		}
	case isResult:
		g.ids, g.results[e.id] = append(g.ids, e.id), raw.Without(idMember)
	default:
		round := document.Item{Raw: raw, Index: -1}
		if e.kind == isRound && e.request == g.request && g.request >= 0 && e.round >= g.from {
			round.Index, g.from = e.round, e.round+1
		}
		g.rounds = append(g.rounds, round)
	}
}

// isUnchanged reports a draft with the messages of its request as they were.
func (v *view) isUnchanged(g *draft) bool {
	start, end := v.first[g.request], v.first[g.request+1]
	if len(g.items) != end-start {
		return false
	}
	for i, item := range g.items {
		if at := start + i; item.Index != at || !document.Same(item.Raw, v.list.Elements[at]) {
			return false
		}
	}
	return true
}

// written returns a request. A new one has the model of the chat, and number makes its id its own.
func (v *view) written(g *draft, d *document.Document, model rawjson.Value, number int) rawjson.Value {
	raw := rawjson.Value(`{"requestId":"","message":"","variableData":{"variables":[]},"response":[]}`)
	var was []entry
	if g.request >= 0 {
		raw, was = d.Elements[g.request], v.entries[v.first[g.request]:v.first[g.request+1]]
		if v.isUnchanged(g) {
			return raw
		}
	}
	if g.prompt == nil && textOf(raw.Member("message")) != "" {
		g.prompt = rawjson.Value(`""`)
	}
	if g.prompt != nil && !document.Same(g.prompt, raw.Member("message")) {
		raw = raw.With("message", g.prompt)
	}
	answer := rawjson.Value("[]")
	if len(g.rounds) == 1 && g.rounds[0].Raw.Kind() == '[' {
		answer, g.rounds = g.rounds[0].Raw, nil
	}
	old := record.At(raw, roundsPath)
	if rounds := g.list(was, old); rounds != nil && !document.Same(rounds, old) {
		raw = record.Set(raw, roundsPath, rounds)
	}
	if shown := raw.Member("response"); len(record.At(raw, roundsPath).List()) == 0 && textOf(shown) != textOf(answer) {
		raw = raw.With("response", answer)
	}
	old = record.At(raw, resultsPath)
	results := g.object(was, old)
	if results == nil && g.request < 0 && record.At(raw, roundsPath) != nil {
		results = rawjson.Value("{}") // rounds come with results
	}
	if !document.Same(results, old) {
		raw = record.Set(raw, resultsPath, results)
	}
	if g.request < 0 {
		if model != nil {
			raw = raw.With("modelId", model)
		}
		sum := sha256.Sum(append([]byte(strconv.Itoa(number)), raw...))
		raw = raw.With("requestId", rawjson.Quote("request_"+sha256.Hex(sum, 32)))
	}
	return raw
}

// list returns the rounds of a request that had the messages was; nil if it had none and has none.
func (g *draft) list(was []entry, old rawjson.Value) rawjson.Value {
	if old == nil && len(g.rounds) == 0 {
		return nil
	}
	l := document.ListOf(old)
	read := make([]bool, len(l.Elements))
	for i := range was {
		if was[i].kind == isRound {
			read[was[i].round] = true
		}
	}
	for i := range g.rounds {
		if round := &g.rounds[i]; round.Raw.Kind() == '[' { // the answer of a request that has rounds now
			round.Raw = rawjson.Value(newRound).With("response", rawjson.Quote(textOf(round.Raw)))
		}
	}
	return l.Replace(withOwn(g.rounds, l.Elements, func(n int) bool { return !read[n] }))
}

// object returns the results of a request that had the messages was. A result of no call stays.
func (g *draft) object(was []entry, old rawjson.Value) rawjson.Value {
	if old.Kind() != '{' {
		if len(g.ids) == 0 {
			return old
		}
		old = rawjson.Value("{}")
	}
	out, end := rawjson.Value("{"), 1
	for i := range was {
		if id := was[i].id; was[i].kind == isResult && g.results[id] == nil {
			g.results[id] = nil // it is gone
		}
	}
	add := func(id string, key, value rawjson.Value) {
		now, known := g.results[id]
		if known {
			value = now
		}
		if value == nil {
			return
		}
		delete(g.results, id)
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, key...), value...)
	}
	for it := old.Walk(); it.Next(); {
		start := cap(old) - cap(it.Value)
		key := old[end:start]
		if end > 1 {
			key = key[bytes.IndexByte(key, ',')+1:]
		}
		end = start + len(it.Value)
		add(it.Name, key, it.Value)
	}
	for _, id := range g.ids {
		add(id, append(rawjson.Quote(id), ':'), nil)
	}
	return append(out, old[end:]...)
}
