package plan

import (
	"strconv"

	"tamp/core/internal/marker"
	"tamp/core/internal/sha256"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/provenance"
	"tamp/core/summarize"
	"tamp/core/view"
)

// requester writes the summary requests of one plan.
type requester struct {
	in    *view.View
	p     *policy.Policy
	env   *Env
	turns []int
	marks []bool // marks[m]: message m is important; nil = no marks
}

// ask writes the requests of a region: one, or several if one would not fit the summarizer's window. It stores their
// IDs in the region.
func (q *requester) ask(r *Region, maxTokens int, unloaded []string) []SummaryRequest {
	task := summarize.Task{Kind: summarize.Kind(q.p.Summary.Kind), MaxTokens: maxTokens, Focus: q.env.Focus,
		Loaded: unloaded}
	if failed := StrategyOf(q.p).Failed; failed != nil {
		task.Failed = failed(q.in.Conversation, q.in.Pairing, r.Spans)
	}
	if q.p.Summary.Shape == "question" {
		task.Question = marker.SummaryQuestion
	}
	parts := q.parts(r, maxTokens+q.in.Meter.Text(task.Given()))
	hull := msg.Span{Start: r.Spans[0].Start, End: r.Spans[len(r.Spans)-1].End}
	requests := make([]SummaryRequest, 0, len(parts))
	for _, part := range parts {
		prompts := summarize.Prompts{}
		if task.Data = part; !q.env.unasked {
			prompts = summarize.Write(task)
		}
		request := SummaryRequest{Span: hull, Level: 1, Tokens: r.Tokens / len(parts), MaxTokens: maxTokens}
		requests = append(requests, identify(request, prompts, len(requests), r.Blocks))
		r.Requests = append(r.Requests, requests[len(requests)-1].ID)
	}
	return requests
}

// merge writes the request for one summary of at most maxTokens that replaces a joined one.
func (q *requester) merge(r *Region, data string, maxTokens int) SummaryRequest {
	task := summarize.Task{Kind: summarize.Kind(q.p.Summary.Kind), MaxTokens: maxTokens, Focus: q.env.Focus,
		Data: data, Merge: true}
	request := SummaryRequest{Span: r.Spans[0], Level: 2, Tokens: r.Tokens, MaxTokens: maxTokens}
	request = identify(request, summarize.Write(task), 0, r.Blocks)
	r.Requests = []string{request.ID}
	return request
}

// identify sets the prompts and the ID of a request. part and blocks make the IDs of requests with equal prompts
// differ, within a region and between regions of the same messages.
func identify(r SummaryRequest, p summarize.Prompts, part int, blocks []msg.Ref) SummaryRequest {
	r.System, r.User = p.System, p.User
	text := sha256.Hex(p.Digest, 64)
	for _, n := range [...]int{r.Span.Start, r.Span.End, r.Level, r.MaxTokens, part} {
		text += " " + strconv.Itoa(n)
	}
	for _, ref := range blocks {
		text += " " + strconv.Itoa(ref.Message) + "/" + strconv.Itoa(ref.Block)
	}
	r.ID = sha256.Hex(sha256.Sum([]byte(text)), 32)
	return r
}

// parts writes the text to summarize, split to fit the summarizer's window.
func (q *requester) parts(r *Region, maxTokens int) []string {
	if n := q.p.Summary.InputChars; n > 0 {
		return []string{q.json(r, n)}
	}
	items := q.items(r)
	cuts := summarize.Cuts{String: q.p.Summary.CutString, Text: q.p.Summary.CutText, Result: q.p.Summary.CutResult,
		Input: q.p.Summary.CutInput}
	room := max(q.p.Summary.Window-maxTokens-promptTokens, 1)
	var parts []string
	start, sum := 0, 0
	flush := func(end int) {
		text := ""
		if !q.env.unasked {
			text = q.transcript(items[start:end], cuts)
		}
		if sum > room { // one message that alone is too large
			text = summarize.ShortenToTokens(text, room, q.in.Meter.Text)
		}
		parts = append(parts, text)
		start, sum = end, 0
	}
	for i := range items {
		tokens := q.size(&items[i], cuts)
		if sum+tokens > room && i > start && startsMessage(items, i) {
			flush(i)
		}
		sum += tokens
	}
	flush(len(items))
	return parts
}

// size returns an upper bound of the tokens of an item in a transcript. Without cuts, it uses the count that exists.
func (q *requester) size(it *entry, cuts summarize.Cuts) int {
	if cuts == (summarize.Cuts{}) {
		return it.tokens + headingTokens
	}
	return q.in.Meter.Text(summarize.Transcript([]summarize.Item{it.Item}, cuts)) + headingTokens
}

// headingTokens is an upper bound of the size of the line above an item.
const headingTokens = 16

// promptTokens is an upper bound of the size of the prompts without the data.
const promptTokens = 600

// startsMessage reports whether a message begins at item i. Requests are split only there.
func startsMessage(items []entry, i int) bool {
	return items[i].Turn != items[i-1].Turn || items[i].Role != items[i-1].Role
}

// entry is a block of a transcript with its count.
type entry struct {
	summarize.Item
	tokens int
}

func (q *requester) transcript(items []entry, cuts summarize.Cuts) string {
	plain := make([]summarize.Item, len(items))
	for i := range items {
		plain[i] = items[i].Item
	}
	return summarize.Transcript(plain, cuts)
}

// items lists the blocks of a region that the model reads: the others have no tokens, though their text has.
func (q *requester) items(r *Region) []entry {
	var items []entry
	add := func(ref msg.Ref) {
		m := &q.in.Conversation.Messages[ref.Message]
		it := summarize.Item{Turn: q.turns[ref.Message], Role: m.Role, Block: &m.Blocks[ref.Block],
			Injected: m.Meta || provenance.IsInjected(m, ref.Block), Important: q.marks != nil && q.marks[ref.Message]}
		if it.Block.Kind == msg.KindToolResult {
			it.Tool = q.in.Pairing.ToolName(q.in.Conversation, ref)
		}
		if tokens := q.in.Counts.Messages[ref.Message].Blocks[ref.Block]; tokens > 0 || q.in.Meter.Block(it.Block) == 0 {
			items = append(items, entry{it, tokens})
		}
	}
	if r.Blocks != nil {
		for _, ref := range r.Blocks {
			add(ref)
		}
		return items
	}
	for _, s := range r.Spans {
		for it := q.in.Conversation.WalkIn(s); it.Next(); {
			ref := it.Ref
			add(ref)
		}
	}
	return items
}

// json returns the first or last chars characters of the messages' JSON, as the published designs send it.
func (q *requester) json(r *Region, chars int) string {
	var messages []msg.Message
	for _, s := range r.Spans {
		messages = append(messages, q.in.Conversation.Messages[s.Start:s.End]...)
	}
	format := q.in.Conversation.Format
	if q.p.Summary.InputEnd == "last" {
		return summarize.JSONEnd(format, messages, chars)
	}
	return summarize.JSONStart(format, messages, chars)
}
