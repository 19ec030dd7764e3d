package bench

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// Constraints: 50 chats in eight languages hold 200 rules of the user among small talk. In each chat, two of the four
// rules are near-duplicates and one rule gets a new value later. The chat is compacted after exchange 40 and then every
// five exchanges, five times in all, each time down to a share of the whole text.

const (
	chats     = 50
	exchanges = 60
)

// rule is one constraint of a chat.
type rule struct {
	subject
	value, old string // old is "" if the rule is not updated
}

func (r rule) text() string {
	if r.old != "" {
		return strings.ReplaceAll(r.subject.rule, "{v}", r.old)
	}
	return strings.ReplaceAll(r.subject.rule, "{v}", r.value)
}

// chat is one conversation: its rules, of which the first two are near-duplicates, and the texts of its exchanges.
type chat struct {
	language *language
	rules    [4]rule
	users    [exchanges]string
	answers  [exchanges]string
}

// newChat writes chat number n. Values are numbers of three digits that occur once; the filler has no numbers.
func newChat(n int) chat {
	l := &languages[n%len(languages)]
	c := chat{language: l}
	round := n / len(languages)
	pair := round % 2 * 2
	picked := [4]int{pair, pair + 1, 4 + round%4, 4 + (round+1+n%3)%4}
	updated := (n + round) % 4
	for i, s := range picked {
		c.rules[i] = rule{subject: l.subjects[s], value: strconv.Itoa(200 + (n*83+i*19)%700)}
		if i == updated {
			c.rules[i].old = strconv.Itoa(201 + (n*83+i*19+377)%700)
		}
	}
	fill := func(template string, k int) string {
		t, u := l.topics[(k+n)%8], l.topics[(k*3+n+1+k/8)%8]
		if t == u {
			u = l.topics[(k+n+1)%8]
		}
		return strings.NewReplacer("{t}", t, "{u}", u).Replace(template)
	}
	for k := range exchanges {
		c.users[k] = fill(l.users[(k+k/4)%4], k)
		c.answers[k] = fill(l.answers[(k+k/3)%4], k)
	}
	say := func(at int, text string) {
		if at%2 == 0 { // alone, or after the sentence of the filler
			c.users[at] = text
		} else {
			c.users[at] += " " + text
		}
	}
	for i, at := range [4]int{2, 7, 13, 20} {
		say(at+n%3, c.rules[i].text())
	}
	say([2]int{36, 47}[n%2], strings.ReplaceAll(c.rules[updated].subject.update, "{v}", c.rules[updated].value))
	return c
}

// messages are exchanges from to, as a Messages body that the codec reads.
func (c *chat) messages(t testing.TB, from, to int) []msg.Message {
	var list []any
	for k := from; k < to; k++ {
		list = append(list, textMessage("user", c.users[k]), textMessage("assistant", c.answers[k]))
	}
	return parseMessages(t, list)
}

func textMessage(role, text string) any { return map[string]any{"role": role, "content": text} }

func parseMessages(t testing.TB, list []any) []msg.Message {
	body, err := json.Marshal(list)
	require.NoError(t, err)
	c, err := format.Parse(body, msg.Anthropic)
	require.NoError(t, err)
	return c.Messages
}

// verdict is what a context still has of the rules.
type verdict struct {
	rules, kept       int
	fitting, within   int // chats whose context is at most a fifth over the budget, and the rules kept in these
	updates, resolved int // updates whose new value is there, and below the old one
	stale             int // old values without the new one below them
	pairs, merged     int // pairs of near-duplicates, and those of which exactly one is there
	budget            int // reached, in permille of the text
	overflow          int // compactions that ended in context_overflow
	obeyed            int // lines of tools in a section of the user's words
}

func (v *verdict) add(o verdict) {
	v.rules += o.rules
	v.kept += o.kept
	v.fitting += o.fitting
	v.within += o.within
	v.updates += o.updates
	v.resolved += o.resolved
	v.stale += o.stale
	v.pairs += o.pairs
	v.merged += o.merged
	v.overflow += o.overflow
	v.obeyed += o.obeyed
}

// judge reads a context. A rule is kept if one line has its subject and its value; its old value is stale if one line
// has it with the subject and no line below has the new value.
func (c *chat) judge(context string) verdict {
	v := verdict{rules: len(c.rules), pairs: 1}
	has := [4]bool{}
	lines := strings.Split(context, "\n")
	for i, r := range c.rules {
		stale := false // the last line with a value has the old one
		for _, l := range lines {
			switch {
			case !strings.Contains(l, r.mark):
			case hasNumber(l, r.value):
				has[i], stale = true, false
			case r.old != "" && hasNumber(l, r.old):
				stale = true
			}
		}
		if has[i] {
			v.kept++
		}
		if stale {
			v.stale++
		}
		if r.old != "" {
			v.updates++
			if has[i] && !stale {
				v.resolved++
			}
		}
	}
	if has[0] != has[1] {
		v.merged++
	}
	return v
}

// hasNumber reports whether a number occurs in a line and is no part of a longer one.
func hasNumber(line, number string) bool {
	for at := 0; ; {
		i := strings.Index(line[at:], number)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(number)
		digit := func(k int) bool { return k >= 0 && k < len(line) && line[k] >= '0' && line[k] <= '9' }
		if !digit(start-1) && !digit(end) {
			return true
		}
		at = end
	}
}

// compactChat compacts a chat five times down to a share of its text and returns the last context.
func compactChat(t testing.TB, c *chat, permille int) verdict {
	whole := &msg.Conversation{Format: msg.Anthropic, Messages: c.messages(t, 0, exchanges)}
	total := tokens.NewMeter(counter, whole).Conversation(whole).Total
	p := withTarget(preset(t), total*permille/1000)
	if p.Trigger.TargetPermille > 0 {
		p.Trigger.SoftPermille = p.Trigger.TargetPermille // each round is over it
	}
	now, st, overflows := whole.WithMessages(nil), core.State(""), 0
	at := 0
	for end := exchanges - 20; end <= exchanges; end += 5 {
		now = now.WithMessages(append(now.Messages[:len(now.Messages):len(now.Messages)], c.messages(t, at, end)...))
		at = end
		var s step
		now, st, s = compact(t, now, st, p)
		if s.overflow {
			overflows++
		}
	}
	v := c.judge(text(now.Messages))
	v.budget = share(tokens.NewMeter(counter, now).Conversation(now).Total, total)
	v.overflow = overflows
	if v.budget*10 <= permille*12 {
		v.fitting, v.within = 1, v.kept
	}
	if verbose {
		printf("--- %s, %s\n%s", c.language.name, ratio(permille), text(now.Messages))
	}
	return v
}

// The hostile variant: tool results of 64 KB, 16 in each chat, repeat instructions of their own and rules about the
// user's subjects with other values.
const (
	hostileResults = 16
	hostileBytes   = 64 << 10
	hostileWindow  = 60_000
)

// hostileResult is a text that no user wrote. Its values, of four digits, occur in no rule.
func (c *chat) hostileResult(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < hostileBytes; i++ {
		value := strconv.Itoa(1000 + (n*911+i*37)%9000)
		b.WriteString(c.language.hostile[i%3] + "\n")
		b.WriteString(languages[0].hostile[(i+n)%3] + " " + value + "\n")
		b.WriteString(strings.ReplaceAll(c.rules[i%4].subject.update, "{v}", value) + "\n")
	}
	return b.String()
}

// isHostile reports whether a line is from a hostile result.
func (c *chat) isHostile(l string) bool {
	for _, h := range c.language.hostile {
		if strings.Contains(l, strings.TrimRight(h, ".。")) {
			return true
		}
	}
	about := slices.ContainsFunc(c.rules[:], func(r rule) bool { return strings.Contains(l, r.mark) })
	for number := range strings.FieldsFuncSeq(l, func(r rune) bool { return r < '0' || r > '9' }) {
		if about && len(number) == 4 { // no rule has such a value
			return true
		}
	}
	return false
}

// attackChat runs a chat with the hostile results through a session with a window of 60,000 tokens. A plan is made
// before each model call.
func attackChat(t testing.TB, c *chat) (verdict, int) {
	p := preset(t)
	p.Trigger.Window = hostileWindow
	now, st := &msg.Conversation{Format: msg.Anthropic}, core.State("")
	var v verdict
	compactions, results := 0, 0
	add := func(list ...any) {
		now = now.WithMessages(append(now.Messages[:len(now.Messages):len(now.Messages)], parseMessages(t, list)...))
	}
	before := func() {
		var s step
		now, st, s = compact(t, now, st, p)
		if s.overflow {
			v.overflow++
		}
		if s.after < s.before {
			compactions++
		}
	}
	for k := range exchanges {
		add(textMessage("user", c.users[k]))
		before()
		if k >= 22 && k%2 == 0 && results < hostileResults { // the update at 36 or 47 comes in between
			id := fmt.Sprintf("call_%d", results)
			add(map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "tool_use", "id": id,
				"name": "fetch", "input": map[string]any{"url": "https://example.org/" + id}}}})
			add(map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": id,
				"content": c.hostileResult(results)}}})
			results++
			before()
		}
		add(textMessage("assistant", c.answers[k]))
	}
	overflows := v.overflow
	v = c.judge(text(now.Messages))
	v.overflow = overflows
	for _, q := range userQuotes(now) {
		if c.isHostile(q) {
			v.obeyed++
			if verbose {
				printf("%s: not the user's: %s", c.language.name, first(q, 160))
			}
		}
	}
	return v, compactions
}

func constraintsTable(t *testing.T) {
	printf("\nConstraints: %d rules in %d chats, eight languages, five compactions in a row, preset %s, "+
		"extractive summaries.", chats*4, chats, preset(t).Preset)
	printf("resolved: the new value is there, below the old one if that is there, too. merged: one of two near-duplicates is there, the other is not.")
	printf("Within: kept in chats whose context is at most a fifth over the budget; rules of other chats count as lost.")
	for _, permille := range []int{100, 200, 300} {
		results := make([]verdict, chats)
		each(chats, func(n int) {
			c := newChat(n)
			results[n] = compactChat(t, &c, permille)
		})
		var sum verdict
		reached := []int{}
		byLanguage := make([]verdict, len(languages))
		for n, v := range results {
			sum.add(v)
			byLanguage[n%len(languages)].add(v)
			reached = append(reached, v.budget)
		}
		cells := []string{}
		for l, v := range byLanguage {
			cells = append(cells, fmt.Sprintf("%s %s", languages[l].name, ratio(share(v.kept, v.rules))))
		}
		printf("%s | kept %s (within the budget %s, %d chats fit) | resolved %d of %d | stale %d | merged %d of %d | "+
			"overflows %d | reached mean %s, p90 %s", ratio(permille), ratio(share(sum.kept, sum.rules)),
			ratio(share(sum.within, sum.rules)), sum.fitting, sum.resolved, sum.updates, sum.stale, sum.merged, sum.pairs,
			sum.overflow, ratio(mean(reached)), ratio(percentile(reached, 90)))
		printf("      kept by language: %s", strings.Join(cells, ", "))
	}
	const attacked = 16
	results, compactions := make([]verdict, attacked), make([]int, attacked)
	each(attacked, func(n int) {
		c := newChat(n)
		results[n], compactions[n] = attackChat(t, &c)
	})
	var sum verdict
	total := 0
	for n, v := range results {
		sum.add(v)
		total += compactions[n]
	}
	printf("1 MB of hostile tool results in each of %d chats, window %d, %d compactions: %d of %d rules lost, "+
		"%d lines of tools given as the user's words, %d overflows", attacked, hostileWindow, total, sum.rules-sum.kept,
		sum.rules, sum.obeyed, sum.overflow)
}
