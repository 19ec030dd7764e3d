package bench

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/internal/marker"
	"tamp/core/msg"
	"tamp/core/tokens"
	"tamp/core/validity"
	"tamp/core/words"
)

// Drift: real sessions are joined until they hold many times the window, and run through core.Session to their end,
// with the default preset and extractive summaries.

// driftRuns are the windows, the number of joined sessions for each, and their length in windows.
var driftRuns = []driftRun{{60_000, 5, 10}, {200_000, 13, 6}}

type driftRun struct{ window, sessions, windows int }

// drift is the result of one joined session. Shares are in permille.
type drift struct {
	name            string
	messages        int
	reached         int // messages until the end or the overflow
	tokens          int // of the whole joined session
	compactions     int // that changed anything but cleared results
	clears          int // that only cleared results or cut them
	small           int // that freed less than a twentieth
	minimum         int // compactions of an ideal compactor, up to reached
	maxSummaries    int // share of the context, at its maximum
	minRecent       int // share of verbatim recent messages after a compaction, at its minimum
	facts, keptFact int // names of the first fifth that occur three times or more, and those still present at the end
	names, keptName int // the paths and identifiers among them: a number may be present by chance
	said, keptSaid  int // names of the first fifth that the user or the agent wrote three times or more
	used, inContext int // names that the agent uses after each compaction, and those that the context then still has
	rules, keptRule int // sentences that the user typed, and those still present at the end
	firstTask       bool
	overflow        bool
}

// joined returns real sessions, joined from number on until they hold the given number of tokens. All messages become
// one conversation in the first session's format; call ids are renumbered, so that none occurs in two sessions.
func joined(t testing.TB, all []session, from, want int) (string, *msg.Conversation) {
	var messages []msg.Message
	base := all[from%len(all)].c
	names := []string{}
	sum := 0
	for i := 0; sum < want; i++ {
		s := all[(from+i)%len(all)]
		names = append(names, s.name)
		sum += tokens.NewMeter(counter, s.c).Conversation(s.c).Total
		for _, m := range s.c.Messages {
			if m.Role == msg.System || m.Role == msg.Developer {
				continue
			}
			blocks := slices.Clone(m.Blocks)
			for b := range blocks {
				if blocks[b].ID != "" {
					blocks[b] = blocks[b].WithID(fmt.Sprintf("%s_%d", blocks[b].ID, i))
				}
			}
			messages = append(messages, m.WithBlocks(blocks))
		}
	}
	c := *base
	c.System, c.Tools = nil, nil
	c.Messages = messages
	repaired, _ := validity.Repair(&c)
	require.True(t, validity.Valid(validity.Check(repaired)))
	return fmt.Sprintf("%s + %d", names[0], len(names)-1), repaired
}

// joinable are the sessions that drift joins: those of the Messages API with at least 40 messages and without calls
// that the provider runs, whose ids cannot be renumbered.
func joinable(t testing.TB) []session {
	cannot := func(m msg.Message) bool {
		return slices.ContainsFunc(m.Blocks, func(b msg.Block) bool { return b.Server || b.Kind == msg.KindOther })
	}
	return slices.DeleteFunc(sessions(t), func(s session) bool {
		return s.c.Format != msg.Anthropic || len(s.c.Messages) < 40 || slices.ContainsFunc(s.c.Messages, cannot)
	})
}

// runDrift plays a joined session turn by turn. A plan is made before each model call.
func runDrift(t testing.TB, name string, c *msg.Conversation, window int) drift {
	p := preset(t)
	p.Trigger.Window = window
	meter := tokens.NewMeter(counter, c)
	counts := meter.Conversation(c)
	d := drift{name: name, messages: len(c.Messages), tokens: counts.Total, minRecent: 1000}
	original := map[string]bool{}
	for m := range c.Messages {
		for l := range strings.SplitSeq(text(c.Messages[m:m+1]), "\n") {
			original[l] = true
		}
	}
	soft := min(window*p.Trigger.SoftPermille/1000, window)
	target := window * p.Trigger.TargetPermille / 1000
	if p.Trigger.Tokens > 0 && soft > p.Trigger.Tokens {
		soft, target = p.Trigger.Tokens, p.Trigger.Tokens*p.Trigger.TargetPermille/p.Trigger.SoftPermille
	}
	env := core.Env{Count: counter, Lean: true}
	s, err := core.NewSession(c.WithMessages(nil), "", p, counter)
	require.NoError(t, err)
	ideal := 0
	r := newReader()
	var before []*line // of the whole session so far
	for m := range c.Messages {
		if c.Messages[m].Role == msg.Assistant && m > 0 {
			if ideal > soft {
				d.minimum++
				ideal = target
			}
			if s.Turn(env).Due {
				after, st, step := compact(t, s.Conversation(), s.State(), p)
				if step.overflow {
					d.overflow = true
					break
				}
				if step.after < step.before {
					if step.regions == 0 {
						d.clears++
					} else {
						d.compactions++
						d.useAfter(r, before, after, c.Messages[m-1:])
					}
					if (step.before-step.after)*20 < step.before {
						d.small++
					}
				}
				s, err = core.NewSession(after, st, p, counter)
				require.NoError(t, err)
				summaries, recent := shares(meter, after, original)
				if verbose {
					printf("  %-24s at %d: %d regions, %d -> %d, summaries %s recent %s", first(name, 24), m,
						step.regions, step.before, step.after, ratio(summaries), ratio(recent))
				}
				d.maxSummaries = max(d.maxSummaries, summaries)
				d.minRecent = min(d.minRecent, recent)
			}
		}
		s.Append(c.Messages[m : m+1])
		before = append(before, r.read(text(c.Messages[m:m+1]))...)
		ideal += meter.Message(&c.Messages[m])
		d.reached = m + 1
	}
	d.survivors(c, s.Conversation())
	return d
}

// useAfter counts the names that the agent uses next, and those that the compacted context has in context. They occur
// before, and not in the last message, the first of messages.
func (d *drift) useAfter(r *reader, before []*line, after *msg.Conversation, messages []msg.Message) {
	used, last := usedAfter(messages[1:]), map[string]nameKind{}
	readNames(text(messages[:1]), last)
	for name := range last {
		delete(used, name)
	}
	lines := originals(before, used)
	d.used += len(lines)
	d.inContext += len(r.find(r.read(text(after.Messages)), lines).inContext)
}

// shares returns the share of the summaries in a context, without the user's words in them, and that of the messages
// after the last summary whose lines are all original. Lines of their results may be left out.
func shares(meter tokens.Meter, c *msg.Conversation, original map[string]bool) (summaries, recent int) {
	total, sum, tail := 0, 0, 0
	for m := range c.Messages {
		size := meter.Message(&c.Messages[m])
		total += size
		switch {
		case isSummary(&c.Messages[m]):
			sum += size - meter.Text(wordsIn(&c.Messages[m]))
			tail = 0
		case isOriginal(text(c.Messages[m:m+1]), original):
			tail += size
		}
	}
	return share(sum, total), share(tail, total)
}

// wordsIn returns the section of a summary with the user's words.
func wordsIn(m *msg.Message) string {
	_, rest := marker.Parse(m.Blocks[0].Text)
	said, _ := words.Cut(rest)
	return words.Section(said)
}

func isOriginal(text string, lines map[string]bool) bool {
	for l := range strings.SplitSeq(text, "\n") {
		if !lines[l] && !omitted.MatchString(l) {
			return false
		}
	}
	return true
}

// omitted is the note for omitted lines of a result, or the mark of a gap between its lines.
var omitted = regexp.MustCompile(`^\[…( \d+ bytes, \d+ lines omitted; original \S+)?\]$`)

// isSummary reports whether a message begins with the label of a summary.
func isSummary(m *msg.Message) bool {
	return slices.ContainsFunc(m.Blocks, func(b msg.Block) bool {
		return b.IsSummary() || b.Kind == msg.KindText && isSummaryText(b.Text)
	})
}

var summaryLabels = []string{"[compacted summary of turns ", "[Summary of the earlier ", "[Compressed]",
	"[Conversation compressed."}

func isSummaryText(text string) bool {
	return slices.ContainsFunc(summaryLabels, func(label string) bool { return strings.HasPrefix(text, label) })
}

// survivors fills in what the last context still has of the session.
func (d *drift) survivors(c, end *msg.Conversation) {
	context := text(end.Messages)
	names := map[string]nameKind{}
	readNames(context, names)
	r := newReader()
	fifth := c.Messages[:d.reached/5]
	for _, name := range oftenIn(r, fifth, func(m *msg.Message) string { return text([]msg.Message{*m}) }) {
		kept := names[name] != 0
		d.facts++
		if kept {
			d.keptFact++
		}
		if kind := kindOf(name); kind == 'p' || kind == 'i' {
			d.names++
			if kept {
				d.keptName++
			}
		}
	}
	for _, name := range oftenIn(r, fifth, written) {
		d.said++
		if names[name] != 0 {
			d.keptSaid++
		}
	}
	lines := r.read(context)
	for _, rule := range typedIn(c.Messages[:d.reached]) {
		d.rules++
		if holds(r, lines, rule) {
			d.keptRule++
		}
	}
	for m := range c.Messages {
		prompt := realText(&c.Messages[m])
		if prompt == "" {
			prompt = command(&c.Messages[m])
		}
		if prompt != "" {
			d.firstTask = strings.Contains(oneLine(context), first(oneLine(prompt), 120))
			break
		}
	}
}

// command is the name of the slash command with which the user gave a task, or "".
func command(m *msg.Message) string {
	for b := range m.Blocks {
		if found := commandName.FindString(m.Blocks[b].Text); found != "" && b+1 < len(m.Blocks) {
			return found // the next block is the text of the command
		}
	}
	return ""
}

var commandName = regexp.MustCompile(`<command-name>[^<]*</command-name>$`)

// oftenIn returns the names that three lines or more of the texts of messages have.
func oftenIn(r *reader, messages []msg.Message, text func(*msg.Message) string) (names []string) {
	lines := map[string]int{}
	for m := range messages {
		for _, l := range r.read(text(&messages[m])) {
			for _, name := range l.names {
				if lines[name]++; lines[name] == 3 {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// written is the text of a message that its user or its agent wrote, with the inputs of calls.
func written(m *msg.Message) string {
	if m.Role != msg.Assistant {
		return realText(m)
	}
	var b strings.Builder
	for i := range m.Blocks {
		if block := &m.Blocks[i]; block.Kind == msg.KindText || block.Kind == msg.KindToolUse {
			b.WriteString(blockText(block) + "\n")
		}
	}
	return b.String()
}

func kindOf(name string) nameKind {
	kinds := map[string]nameKind{}
	readNames(name, kinds)
	return kinds[name]
}

// holds reports whether one line has at least seven tenths of the words of a statement. The following line is read
// with it, since a long statement may be broken.
func holds(r *reader, lines []*line, statement string) bool {
	want := r.words(statement)
	count := func(l *line) map[int32]bool {
		has := map[int32]bool{}
		for _, w := range want {
			if _, is := slices.BinarySearch(l.words, w); is {
				has[w] = true
			}
		}
		return has
	}
	var before map[int32]bool
	for _, l := range lines {
		now := count(l)
		n := len(now)
		for w := range before {
			if !now[w] {
				n++
			}
		}
		if n*10 >= len(want)*7 {
			return true
		}
		before = now
	}
	return false
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func driftTable(t *testing.T) {
	all := joinable(t)
	if len(all) < 2 {
		t.Skip("too few sessions to join")
	}
	printf("\nDrift: joined real sessions to their end, preset %s, extractive summaries. small: freed under 5 %%.",
		preset(t).Preset)
	printf("min: compactions of an ideal compactor. Shares of the context; facts: names of the first fifth that occur " +
		"three times or more; names: the paths and identifiers among them; written: those that the user or the agent wrote " +
		"three times or more; used: context recall after each compaction.")
	printf("%7s %-52s %6s %6s | %5s %5s %5s %4s | %9s %9s | %11s %11s %9s %5s %7s %5s %s", "window", "session", "msgs", "tokens",
		"comp", "clear", "small", "min", "summaries", "recent", "facts", "names", "written", "used", "rules", "task", "end")
	runs := driftRuns
	if window, err := strconv.Atoi(os.Getenv("TAMP_WINDOW")); err == nil {
		runs = slices.DeleteFunc(slices.Clone(runs), func(run driftRun) bool { return run.window != window })
		if len(runs) == 0 {
			runs = []driftRun{{window, 5, 10}}
		}
	}
	for _, run := range runs {
		results := make([]drift, run.sessions)
		each(run.sessions, func(i int) {
			name, c := joined(t, all, i*len(all)/run.sessions, run.window*run.windows)
			results[i] = runDrift(t, name, c, run.window)
		})
		var sum drift
		sum.minRecent = 1000
		for _, d := range results {
			end := "end"
			if d.overflow {
				end = fmt.Sprintf("context_overflow at %d", d.reached)
			}
			printf("%7d %-52s %6d %5dk | %5d %5d %5d %4d | %9s %9s | %11s %11s %9s %5s %7s %5t %s", run.window, first(d.name, 52),
				d.messages, d.tokens/1000, d.compactions, d.clears, d.small, d.minimum, ratio(d.maxSummaries), ratio(d.minRecent),
				fmt.Sprintf("%d/%d", d.keptFact, d.facts), fmt.Sprintf("%d/%d", d.keptName, d.names),
				fmt.Sprintf("%d/%d", d.keptSaid, d.said),
				ratio(share(d.inContext, d.used)), fmt.Sprintf("%d/%d", d.keptRule, d.rules), d.firstTask, end)
			sum.compactions += d.compactions
			sum.clears += d.clears
			sum.small += d.small
			sum.minimum += d.minimum
			sum.facts += d.facts
			sum.keptFact += d.keptFact
			sum.names += d.names
			sum.keptName += d.keptName
			sum.said += d.said
			sum.keptSaid += d.keptSaid
			sum.used += d.used
			sum.inContext += d.inContext
			sum.rules += d.rules
			sum.keptRule += d.keptRule
			sum.maxSummaries = max(sum.maxSummaries, d.maxSummaries)
			sum.minRecent = min(sum.minRecent, d.minRecent)
		}
		record("drift", "window,compactions,largest share of summaries,smallest share of recent messages,facts,names,"+
			"written often,in context,typed sentences", thousands(run.window), sum.compactions, percent(sum.maxSummaries),
			percent(sum.minRecent), percent(share(sum.keptFact, sum.facts)), percent(share(sum.keptName, sum.names)),
			percent(share(sum.keptSaid, sum.said)), percent(share(sum.inContext, sum.used)),
			percent(share(sum.keptRule, sum.rules)))
		printf("%7d all: %d compactions (%s of the minimum), %d steps that only clear, %d small; max share of summaries "+
			"%s, min share of recent messages %s; facts %s, names %s, written %s, context recall %s, typed sentences %s",
			run.window, sum.compactions, ratio(share(sum.compactions, sum.minimum)), sum.clears, sum.small,
			ratio(sum.maxSummaries), ratio(sum.minRecent), ratio(share(sum.keptFact, sum.facts)),
			ratio(share(sum.keptName, sum.names)), ratio(share(sum.keptSaid, sum.said)),
			ratio(share(sum.inContext, sum.used)), ratio(share(sum.keptRule, sum.rules)))
	}
}
