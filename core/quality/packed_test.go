package quality_test

import (
	"tamp/core/msg"
	"tamp/core/summarize"
	"tamp/core/tokens"
)

// summaryAndTail is a simple planner: it keeps the real prompts and a tail of tailPermille of the budget, and
// summarizes the spans between them with the rest of the budget.
func summaryAndTail(c *msg.Conversation, budget, tailPermille int) *msg.Conversation {
	meter := tokens.NewMeter(futureCounter(), c)
	n := len(c.Messages)
	sizes := make([]int, n)
	for m := range c.Messages {
		sizes[m] = meter.Message(&c.Messages[m])
	}
	// A long prompt that is not the last one is mostly pasted text: the summary contains its first sentences and its
	// constraints.
	last := -1
	for m := range c.Messages {
		if c.Messages[m].IsPrompt() {
			last = m
		}
	}
	keeps := func(m int) bool { return c.Messages[m].IsPrompt() && (m == last || sizes[m] <= max(budget/16, 300)) }
	prompts := 0
	for m := range c.Messages {
		if keeps(m) {
			prompts += sizes[m]
		}
	}
	room := max(budget-prompts, budget/3)
	start, sum := n, 0
	for m := n - 1; m >= 0; m-- {
		sum += sizes[m]
		if sum > room*tailPermille/1000 && start < n {
			break
		}
		if c.Messages[m].Role == msg.Assistant || keeps(m) {
			start = m
		}
	}
	tail := 0
	for m := start; m < n; m++ {
		tail += sizes[m]
	}
	var spans []msg.Span
	total := 0
	for m := 0; m < start; m++ {
		if keeps(m) {
			continue
		}
		if k := len(spans) - 1; k >= 0 && spans[k].End == m {
			spans[k].End++
		} else {
			spans = append(spans, msg.Span{Start: m, End: m + 1})
		}
		total += sizes[m]
	}
	left := budget - tail
	for m := 0; m < start; m++ {
		if keeps(m) {
			left -= sizes[m]
		}
	}
	left = max(left, min(budget/4, total/4))
	index := summarize.New(c, spans)
	shares := index.Shares(left)
	var out []msg.Message
	next := 0
	for m := 0; m < n; m++ {
		if next < len(spans) && m == spans[next].Start {
			if left > 0 && total > 0 {
				text := index.Summarize(next, summarize.Options{Counter: futureCounter(), MaxTokens: shares[next]})
				out = append(out, msg.TextMessage(msg.User, text))
			}
			m = spans[next].End - 1
			next++
			continue
		}
		out = append(out, c.Messages[m])
	}
	return c.WithMessages(out)
}

func tailOnly(c *msg.Conversation, budget int) *msg.Conversation {
	meter := tokens.NewMeter(futureCounter(), c)
	start, sum := len(c.Messages), 0
	for m := len(c.Messages) - 1; m >= 0; m-- {
		if sum += meter.Message(&c.Messages[m]); sum > budget {
			break
		}
		start = m
	}
	return c.WithMessages(c.Messages[start:])
}
