package apply

import (
	"strconv"

	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/plan"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/summarize"
	"tamp/core/tokens"
	"tamp/core/view"
)

// The extractive summarizer, which needs no model: it selects facts and sentences of a region by the probability of
// their use.

// Summarize answers requests of a plan without a model: it is core.Summarize, whose comment has its rules.
func Summarize(c *msg.Conversation, st view.State, p *policy.Policy, env *plan.Env, pl *plan.Plan,
	ids []string) ([]plan.SummaryResult, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	cache := plan.CacheOf(env)
	m, err := cache.Decode(st)
	if err != nil {
		return nil, err
	}
	p = policyOf(p, pl)
	strategy := plan.StrategyOf(p)
	if err := checkPlan(c, &view.Snapshot{Digest: cache.DigestFor(c)}, cache, p, pl, nil); err != nil {
		return nil, err
	}
	focus := env.Focus
	if called, ok := view.CompactCall(c); ok && focus == "" {
		focus = called
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	requests := map[string]*plan.SummaryRequest{}
	for i := range pl.Requests {
		requests[pl.Requests[i].ID] = &pl.Requests[i]
	}
	counter := tokens.NewMeter(env.Count, c).Texts() // the counter with which Apply counts the answers
	marked := view.MarkSummaries(c, &m, cache)
	turns, pairs := view.TurnsOf(marked), cache.PairsFor(c, len(c.Messages))
	if strategy.Condenses {
		c = marked // its regions may contain earlier summaries
	}
	grouped := groupByRegion(c, pl, turns)
	index := cache.Texts().New(grouped.c, grouped.spans, grouped.turns)
	index.PreferNames(m.OftenKeys)
	most := pl.Limit - pl.Before // tokens of an answer without which the conversation is over its hard limit
	for i := range pl.Edits {
		most += pl.Edits[i].Tokens - pl.Edits[i].After
	}
	for i := range pl.Regions {
		most += pl.Regions[i].Tokens - pl.Regions[i].Words - strategy.Frame(p, i)
	}
	if most = max(most/max(len(pl.Requests), 1), choice.MinLine); pl.Limit == 0 {
		most = 1 << 30
	}
	said := map[string]int{} // of requests: tokens of the user's words next to the answer
	for i := range pl.Regions {
		for _, id := range pl.Regions[i].Requests {
			said[id] = pl.Regions[i].Words / len(pl.Regions[i].Requests)
		}
	}
	loaded := map[string]string{} // the line of the last request of a region
	for i, names := range plan.Unloaded(marked, pairs, pl.Regions) {
		if ids := pl.Regions[i].Requests; len(ids) > 0 {
			loaded[ids[len(ids)-1]] = marker.Loaded(names)
		}
	}
	results, answered := []plan.SummaryResult{}, map[string]bool{}
	for n, id := range grouped.ids {
		request := requests[id]
		if request == nil || ids != nil && !wanted[id] {
			continue
		}
		// An answer that, with its label and the user's words, is not smaller than the replaced text would be refused.
		replaces := request.Tokens - said[id]
		room := strategy.AnswerRoom(request.MaxTokens, replaces, most)
		text, line := "", loaded[id]
		if room -= counter.Count(line); room <= 0 {
			room, line = room+counter.Count(line), ""
		}
		text = index.Summarize(n, summarize.Options{Counter: counter, MaxTokens: room, Focus: focus})
		result := plan.SummaryResult{ID: id}
		if result.Text = text + line; text == "" {
			result.Text, result.Err = "", "no fact could be extracted within "+strconv.Itoa(max(room, 0))+" tokens"
		}
		results = append(results, result)
		delete(requests, id)
		answered[id] = true
	}
	for _, id := range ids {
		if !answered[id] {
			return nil, msg.NewError(msg.BadRequest, "/ids",
				"cannot summarize: no request of the plan has the id \""+msg.Shorten(id, 60)+"\"")
		}
	}
	return results, nil
}
