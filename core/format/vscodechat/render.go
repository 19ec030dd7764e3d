package vscodechat

import (
	"slices"
	"strconv"

	"tamp/core/format/internal/document"
	"tamp/core/format/internal/record"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
)

// draft is a request that is being written.
type draft struct {
	request int           // that it was; -1: new
	items   []int         // the messages of the view that it has, -1 for another one
	changed bool          // a message has other bytes
	prompt  rawjson.Value // nil: none
	rounds  []document.Item
	ids     []string // of its results
	results map[string]rawjson.Value
}

// Render writes a conversation from Read, with its changes. Unchanged requests are written byte for byte as in the
// input; if nothing changed, the result is the input itself. A prompt begins a request, and so does the first message
// of a request whose prompt is gone. Requests without a message stay in their place.
func Render(c *msg.Conversation) ([]byte, error) {
	d, ok := c.Origin.(*document.Document)
	if !ok { // not from Read
		d = document.New()
	}
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
	next := 0
	keep := func(to int) {
		for ; next < to; next++ {
			if !slices.ContainsFunc(v.entries, func(e entry) bool { return e.request == next }) {
				items = append(items, document.Item{Raw: d.Elements[next], Index: next})
			}
		}
	}
	for _, g := range v.drafts(made) {
		if g.request < next {
			g.request = -1 // new, or moved
		} else {
			keep(g.request)
			next = g.request + 1
		}
		items = append(items, document.Item{Raw: v.written(g, d, len(items)), Index: g.request})
	}
	keep(len(d.Elements))
	return d.Render(d.Replace(items)), nil
}

// drafts returns the requests of messages.
func (v *view) drafts(made []document.Item) (drafts []*draft) {
	used := map[int]bool{}
	callers := map[string]*draft{} // by the id of a call
	var g *draft
	for _, item := range made {
		e := v.entryOf(item)
		isOther := e.request >= 0 && !used[e.request]
		if g == nil || e.kind == isPrompt || isOther && (g.request >= 0 || len(g.items) > 1 || g.prompt == nil) {
			g = &draft{request: -1, results: map[string]rawjson.Value{}}
			drafts = append(drafts, g)
		}
		if isOther {
			g.request, used[e.request] = e.request, true
		}
		if e.kind == isResult && callers[e.id] != nil {
			callers[e.id].add(e, item)
		} else {
			g.add(e, item)
		}
		for _, call := range item.Raw.Member("toolCalls").List() {
			callers[call.Member("id").Text()] = g
		}
		if item.Index >= 0 && !document.Same(item.Raw, v.list.Elements[item.Index]) {
			g.changed = true
		}
	}
	return drafts
}

// entryOf returns what a written message is.
func (v *view) entryOf(item document.Item) (e entry) {
	e = entry{request: -1, round: -1}
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

func (g *draft) add(e entry, item document.Item) {
	g.items = append(g.items, item.Index)
	raw := item.Raw
	switch e.kind {
	case isPrompt:
		if g.prompt = raw; raw.Member("prompt") != nil {
			g.prompt = raw.Member("response")
		}
	case isResult:
		if raw.Member(idMember) != nil {
			raw, g.changed = raw.Without(idMember), true
		}
		g.ids, g.results[e.id] = append(g.ids, e.id), raw
	default:
		round := document.Item{Raw: raw, Index: -1}
		if e.kind == isRound && e.request == g.request && e.request >= 0 {
			round.Index = e.round
		}
		g.rounds = append(g.rounds, round)
	}
}

// written returns a request. number makes the id of a new one its own.
func (v *view) written(g *draft, d *document.Document, number int) rawjson.Value {
	var was []int // the messages that the request had
	for k, e := range v.entries {
		if e.request == g.request {
			was = append(was, k)
		}
	}
	if g.request >= 0 && !g.changed && slices.Equal(g.items, was) {
		return d.Elements[g.request]
	}
	raw, isNew := rawjson.Value(`{"requestId":"","message":"","variableData":{"variables":[]},"response":[]}`), true
	if g.request >= 0 {
		raw, isNew = d.Elements[g.request], false
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
	rounds := g.list(v, record.At(raw, roundsPath))
	if rounds != nil {
		raw = record.Set(raw, roundsPath, rounds)
	}
	switch {
	case isNew && len(g.rounds) > 0: // shown, too
		var shown []rawjson.Value
		for _, round := range g.rounds {
			if text := round.Raw.Member("response"); text.Text() != "" {
				shown = append(shown, rawjson.Value("{}").With("value", text))
			}
		}
		raw = raw.With("response", rawjson.Value("[]").WithElements(shown))
	case len(record.At(raw, roundsPath).List()) == 0 && !document.Same(answer, raw.Member("response")) &&
		textOf(raw.Member("response"))+textOf(answer) != "":
		raw = raw.With("response", answer)
	}
	raw = g.withResults(v, raw, was)
	if isNew {
		sum := sha256.Sum(append([]byte(strconv.Itoa(number)), raw...))
		raw = raw.With("requestId", rawjson.Quote("request_"+sha256.Hex(sum, 32)))
	}
	return raw
}

// list returns the rounds of a request, with the old ones that have no message; nil if it had none and has none.
func (g *draft) list(v *view, old rawjson.Value) rawjson.Value {
	if old == nil && len(g.rounds) == 0 {
		return nil
	}
	l := &document.Document{List: rawjson.Value("[]")}
	if old.Kind() == '[' {
		l.List, l.Elements = old, old.List()
	}
	var items []document.Item
	next := 0
	keep := func(to int) {
		for ; next < to; next++ {
			if !slices.Contains(v.entries, entry{kind: isRound, request: g.request, round: next}) {
				items = append(items, document.Item{Raw: l.Elements[next], Index: next})
			}
		}
	}
	for _, item := range g.rounds {
		if item.Raw.Kind() == '[' { // the answer of a request that has rounds now
			item.Raw = rawjson.Value(newRound).With("response", rawjson.Quote(textOf(item.Raw)))
		}
		if g.request >= 0 && item.Index >= next {
			keep(item.Index)
			next = item.Index + 1
		} else {
			item.Index = -1
		}
		items = append(items, item)
	}
	keep(len(l.Elements))
	return l.Replace(items)
}

// withResults returns a request with the results of a draft in place of those that it had.
func (g *draft) withResults(v *view, raw rawjson.Value, was []int) rawjson.Value {
	old := record.At(raw, resultsPath)
	results := old
	for _, k := range was {
		if e := v.entries[k]; e.kind == isResult && g.results[e.id] == nil {
			results = results.Without(e.id)
		}
	}
	for _, id := range g.ids {
		if results.Kind() != '{' {
			results = rawjson.Value("{}")
		}
		if !document.Same(results.Member(id), g.results[id]) {
			results = results.With(id, g.results[id])
		}
	}
	if document.Same(results, old) {
		return raw
	}
	return record.Set(raw, resultsPath, results)
}
