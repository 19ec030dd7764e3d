package core_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/convtest/validator"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// Whole sessions, as hosts live them: a conversation grows, is compacted, grows on. What a provider accepted before a
// step it accepts after it, by the judgment of a validator that shares no code with the engine; all that is removed is
// in the archive; the rest stays as it is.

// TestSessions walks 2,000 random sessions, and a fifth of them as wasm. With -rapid.checks=N it walks N.
func TestSessions(t *testing.T) {
	seen := map[string]int{}
	convtest.SetCases(t, 2000)
	rapid.Check(t, func(t *rapid.T) { walkSession(t, convtest.Drawn(t), seen) })
	// The walk is worth little where nothing happens on it. Few sessions may have no overflow.
	if seen["sessions"] < 1000 {
		return
	}
	for _, name := range []string{"edits", "regions", "words", "words cut", "merges", "failures", "bound thinking",
		"overflow", "several steps",
		"state lost", "sent whole again", "late: a prompt",
		"late: a finished turn", "late: thinking", "late: an open round"} {
		require.NotZero(t, seen[name], "%s was on the way of some session: %v", name, seen)
	}
}

// FuzzSessions walks the sessions of any seed.
func FuzzSessions(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { walkSession(t, convtest.Seeded(seed), map[string]int{}) })
}

// walk is one session under way.
type walk struct {
	t      require.TestingT
	d      convtest.Dice
	s      *convtest.Session
	seen   map[string]int
	policy policy.Policy
	env    core.Env
	state  core.State
	doc    []byte          // the conversation as the host has it
	at     int             // messages of the session that are in it, or were
	steps  int             // compactions that changed something
	ours   map[string]bool // the messages of the session; all others Tamp wrote or edited
	trace  []func() string
}

func walkSession(t require.TestingT, d convtest.Dice, seen map[string]int) {
	w := &walk{t: t, d: d, seen: seen, s: convtest.NewSession(d, convtest.Of(d, convtest.Formats[:]...))}
	done := false
	defer func() {
		if !done { // what led here, for the report of the failure
			if log, ok := t.(interface{ Logf(string, ...any) }); ok {
				for _, step := range w.trace {
					log.Logf("%s", step())
				}
			}
		}
	}()
	seen["sessions"]++
	w.policy, w.env = w.rollPolicy(), w.rollEnv()
	w.at = 1 + d(len(w.s.Messages))
	w.doc = w.document(w.at)
	w.ours = map[string]bool{}
	for _, m := range w.messages(w.document(len(w.s.Messages))) {
		w.ours[m] = true
	}
	for {
		w.compact()
		if w.at == len(w.s.Messages) && !d.One(3) || w.steps > 6 {
			break
		}
		from := w.at
		w.at += d(len(w.s.Messages) - w.at + 1)
		switch {
		case d.One(8): // a host that keeps no compacted conversation
			w.doc = w.document(w.at)
			w.seen["sent whole again"]++
		default:
			w.doc = rawjson.Whole(w.s.Grow(w.doc, from, w.at))
		}
		if d.One(5) {
			w.state = ""
			w.seen["state lost"]++
		}
		if d.One(6) {
			w.policy = w.rollPolicy()
		}
		w.env = w.rollEnv()
	}
	if w.steps > 1 {
		w.seen["several steps"]++
	}
	done = true
}

// document returns the first messages of the session. Parse reads halves of surrogate pairs as U+FFFD
// (surrogates_test.go), so here they are before it.
func (w *walk) document(n int) []byte { return rawjson.Whole(w.s.Document(n)) }

// note keeps a line for the report of a failure.
func (w *walk) note(layout string, args ...any) {
	w.trace = append(w.trace, func() string { return fmt.Sprintf(layout, args...) })
}

// asJSON is a value that a note writes as JSON.
type asJSON struct{ value any }

func (j asJSON) String() string {
	text, _ := json.Marshal(j.value)
	return string(text)
}

// rollPolicy is a preset whose limits a session of a few thousand tokens reaches.
func (w *walk) rollPolicy() policy.Policy {
	d := w.d
	p, err := policy.Preset(convtest.Of(d, policy.Names()...))
	require.NoError(w.t, err)
	p.Clear.KeepRecent = min(p.Clear.KeepRecent, d(4))
	p.Clear.MinSavings = min(p.Clear.MinSavings, convtest.Of(d, 0, 300))
	p.Clear.ProtectTokens = min(p.Clear.ProtectTokens, convtest.Of(d, 0, 500))
	p.Clear.TriggerTokens = min(p.Clear.TriggerTokens, convtest.Of(d, 0, 500))
	p.Clear.Enabled = p.Clear.Enabled || d.One(4)
	if d.One(4) {
		p.Clear.ClearToolInputs = []string{"*"}
	}
	if p.Preset == "clear_thinking" || d.One(6) {
		p.Thinking.KeepTurns = 1 + d(3)
	}
	p.Intake.MaxBytes, p.Intake.MaxChars = convtest.Of(d, 0, 0, 0, 900), convtest.Of(d, 0, 0, 0, 400)
	p.Trigger.Window = convtest.Of(d, 400, 1500, 4000, 200_000)
	p.Trigger.ReserveOutput = min(p.Trigger.ReserveOutput, p.Trigger.Window/4)
	p.Trigger.BufferTokens = min(p.Trigger.BufferTokens, p.Trigger.Window/20)
	p.Trigger.Tokens = min(p.Trigger.Tokens, convtest.Of(d, 300, 2000))
	p.Pin.RecentTurns = min(p.Pin.RecentTurns, d(4))
	p.Pin.RecentTokens = min(p.Pin.RecentTokens, convtest.Of(d, 0, 400))
	p.Pin.KeepTurns = min(p.Pin.KeepTurns, d(4))
	p.Summary.ChunkMessages = min(p.Summary.ChunkMessages, 2+d(6))
	p.Summary.ShareExtra = min(p.Summary.ShareExtra, convtest.Of(d, 5, 200))
	p.Summary.MaxTokens = min(p.Summary.MaxTokens, convtest.Of(d, 40, 400))
	p.Summary.MergeTokens = min(p.Summary.MergeTokens, convtest.Of(d, 40, 400))
	p.Summary.Window = max(4000, min(p.Summary.Window, convtest.Of(d, 128_000, 4000)))
	require.NoError(w.t, p.Validate())
	return p
}

func (w *walk) rollEnv() core.Env {
	counter, ok := tokens.Lookup(convtest.Of(w.d, "estimate", "estimate", "chars4", "chars3", "cjk"))
	require.True(w.t, ok)
	return core.Env{Count: counter, Force: w.d.One(6), IdleSec: convtest.Of(w.d, 0, 600),
		Focus: convtest.Of(w.d, "", "", "the names", convtest.Hostile[0]),
		Lean:  w.d.One(2)}
}

// compact makes a plan and applies it, and those that follow from it.
func (w *walk) compact() {
	w.note("%d messages of the session, preset %s, window %d, format %s, model %s",
		w.at, w.policy.Preset, w.policy.Trigger.Window, w.s.Format, w.s.Model)
	c := w.parse(w.doc)
	plan, err := core.NewPlan(c, w.state, w.policy, w.env)
	if err != nil {
		w.requireCode(err, msg.ContextOverflow)
		w.seen["overflow"]++
		return
	}
	parsed := true
	for round := 0; plan != nil; round++ {
		require.Less(w.t, round, 10, "it ends")
		results := w.answer(c, plan)
		late := w.at < len(w.s.Messages) && w.d.One(3)
		head := w.doc
		if late {
			from := w.at
			w.at += 1 + w.d(min(len(w.s.Messages)-w.at, 5))
			w.doc = rawjson.Whole(w.s.Grow(w.doc, from, w.at))
			c = w.parse(w.doc)
			w.seen["late: "+came(w.s.Messages[from:w.at])]++
		} else {
			w.requireStale(c, plan)
		}
		out := w.apply(c, plan, results, head, late, round == 0 || late || parsed)
		if out == nil {
			return
		}
		if plan, c = out.Next, out.Conversation; plan == nil {
			return
		}
		w.seen["merges"]++
		if parsed = !w.d.One(2); parsed {
			c = w.parse(w.doc)
		}
	}
}

// came says what a conversation has grown by.
func came(messages []string) string {
	last := rawjson.Value(messages[len(messages)-1])
	switch all := strings.Join(messages, "\n"); {
	case strings.Contains(all, `"signature"`) || strings.Contains(all, `"redacted_thinking"`):
		return "thinking"
	case strings.Contains(string(last), `"tool_use"`) || last.Member("tool_calls") != nil:
		return "an open round"
	case last.Member("role").Text() == "assistant":
		return "a finished turn"
	}
	return "a prompt"
}

// requireStale asserts that a plan is of no use to another conversation.
func (w *walk) requireStale(c *msg.Conversation, plan *core.Plan) {
	_, err := core.Apply(c.WithMessages(c.Messages[1:]), w.state, w.policy, w.env, plan, nil)
	w.requireCode(err, msg.StalePlan)
}

// apply applies one plan to the document, checks all that must hold, and returns the outcome; nil where the plan is
// stale. head is the document that the plan was made for; late says that the document has grown since, parsed that c
// was read from the document rather than left by the step before.
func (w *walk) apply(c *msg.Conversation, plan *core.Plan, results []core.SummaryResult, head []byte,
	late, parsed bool) *core.Outcome {
	w.note("plan: %s\nresults: %s\ndocument, late %v: %s\nstate: %s", asJSON{plan}, asJSON{results}, late, w.doc, w.state)
	out, err := core.Apply(c, w.state, w.policy, w.env, plan, results)
	if err != nil {
		if w.requireCode(err, msg.StalePlan, msg.ContextOverflow); err.(*core.Error).Code == msg.ContextOverflow {
			w.seen["overflow"]++
			return nil
		}
		require.True(w.t, late, "a plan of this very conversation is good: %v", err)
		w.seen["stale"]++
		return nil
	}
	if out.Next == nil && !late {
		require.LessOrEqual(w.t, out.After, plan.Limit)
	}
	rendered, err := format.Render(out.Conversation)
	require.NoError(w.t, err)
	w.note("outcome: %s", rendered)
	if len(plan.Edits)+len(plan.Regions) == 0 {
		require.Equal(w.t, string(w.doc), string(rendered), "nothing to do changes nothing")
		require.Empty(w.t, core.Archive(c, plan))
		w.state = out.State
		return out
	}
	before, after := w.decode(w.doc), w.decode(rendered)
	w.requireAccepted(before, after)
	w.requireLossless(w.messages(w.doc), w.messages(rendered), w.archived(core.Archive(c, plan)), parsed)
	w.requireUntouched(plan, rendered)
	for i, text := range core.SetAside(c, plan) {
		ref := core.Ref([]byte(text))
		named := slices.ContainsFunc(plan.Edits, func(e core.Edit) bool { return strings.Contains(e.Text, ref) })
		require.True(w.t, named, "text %d has its ref in a placeholder", i)
	}
	again := w.parse(rendered)
	require.LessOrEqual(w.t, out.After, out.Before, "tokens never grow")
	// By the model of the request: a log that lost its last assistant message names none.
	meter := tokens.NewMeter(w.env.Count, c)
	recount := meter.Conversation(again).Total
	// Two answers of Responses without anything between them are read as one.
	recount += meter.Profile.PerMessage * (len(out.Conversation.Messages) - len(again.Messages))
	require.Equal(w.t, out.After, recount, "the count is that of the rendered bytes")
	if s := w.policy.Summary.Strategy; s == "regions" || s == "none" {
		w.requirePrompts(c, again, plan)
	}
	w.requireWords(c, again, plan)
	if w.d.One(4) {
		w.requireSame(c, plan, results, out, rendered, late)
	}
	if late && !validator.Binds(before.Model) {
		w.requireGrowth(head, plan, results, after)
	}
	w.count(plan, out, before)
	w.doc, w.state = rendered, out.State
	return out
}

// requireAccepted asserts that the provider would refuse nothing that it did not refuse before.
func (w *walk) requireAccepted(before, after *validator.Request) {
	known := map[string]int{}
	for _, b := range before.Check() {
		require.True(w.t, b.Last, "the generator and the steps before made a valid conversation: %s", b)
		known[b.Rule+b.ID]++
	}
	for _, b := range append(after.Check(), validator.Compare(before, after)...) {
		require.NotZero(w.t, known[b.Rule+b.ID], "the provider refuses the outcome: %s", b)
		known[b.Rule+b.ID]--
	}
}

// requireLossless asserts that each message from before is in the outcome or in the archive, each as often as it was.
// Where the host goes on with what Apply returned, the archive has the messages of the session as they came in, not as
// Apply edited them.
func (w *walk) requireLossless(before, after, archive []string, parsed bool) {
	rest := map[string]int{}
	for _, m := range append(after, archive...) {
		rest[m]++
	}
	for _, m := range before {
		if parsed || w.ours[m] {
			require.NotZero(w.t, rest[m], "neither the outcome nor the archive has %s", m)
			rest[m]--
		}
	}
}

// messages lists the messages of a document, as its bytes have them; of a log, a message or an item a line.
func (w *walk) messages(document []byte) []string {
	var values []string
	if w.s.Format == msg.ClaudeCode {
		for line := range strings.Lines(string(document)) {
			if m := lineMessage(line); m != "" {
				values = append(values, m)
			}
		}
		return values
	}
	if w.s.Format == msg.Codex {
		for line := range strings.Lines(string(document)) {
			if raw := rawjson.Value(strings.TrimSuffix(line, "\n")); raw.Member("type").Text() == "response_item" {
				values = append(values, string(raw.Member("payload")))
			}
		}
		return values
	}
	if convtest.IsLines(w.s.Format, document) {
		for line := range strings.Lines(string(document)) {
			raw := rawjson.Value(strings.TrimSpace(line))
			if w.s.Format == msg.Pi {
				raw = raw.Member("message") // an entry without one, or its parent, may be another
			}
			if raw.Member("content") != nil {
				values = append(values, parts(raw)...)
			}
		}
		return values
	}
	list := rawjson.Value(document)
	if list.Kind() == '{' {
		list = list.Member(convtest.List(w.s.Format))
	}
	for _, m := range list.Elements() {
		if w.s.Format == msg.VSCodeChat {
			values = append(values, ofRequest(m)...)
		} else {
			values = append(values, parts(m)...)
		}
	}
	return values
}

// ofRequest are the messages of a request of VS Code: its prompt, rounds and results.
func ofRequest(request rawjson.Value) (values []string) {
	if prompt := request.Member("message"); prompt.Member("text").Text() != "" {
		values = append(values, string(prompt.Line()))
	} else if prompt.Text() != "" {
		values = append(values, string(rawjson.Value("{}").With("message", prompt).Line()))
	}
	metadata := request.Member("result").Member("metadata")
	for _, round := range metadata.Member("toolCallRounds").List() {
		if round.Member("response").Text() != "" || len(round.Member("toolCalls").List()) > 0 {
			values = append(values, string(round.Line()))
		}
	}
	for it := metadata.Member("toolCallResults").Walk(); it.Next(); {
		values = append(values, string(it.Value.Line()))
	}
	return values
}

// parts are the parts of the record of a client, and the message itself in other formats.
func parts(m rawjson.Value) (values []string) {
	isRecord := m.Member("info") != nil || m.Member("id") != nil && m.Member("parts") != nil
	switch kind := m.Member("type").Text(); {
	case m.Member("role") == nil && (kind == "user" || kind == "gemini"):
	case !isRecord:
		return []string{string(m.Line())}
	}
	for _, name := range [...]string{"parts", "content", "toolCalls"} {
		for _, part := range m.Member(name).List() {
			if part.Member("type").Text() == "step-start" { // it separates answers, and has nothing
				continue
			}
			values = append(values, string(part.Line()))
		}
	}
	return values
}

// archived lists the messages of an archive, a JSON object a line.
func (w *walk) archived(archive []byte) []string {
	var values []string
	for line := range strings.Lines(string(archive)) {
		require.True(w.t, strings.HasPrefix(line, "{"), "a line of the archive: %q", line)
		if m := lineMessage(line); m != "" {
			values = append(values, m)
		} else {
			values = append(values, parts(rawjson.Value(strings.TrimSuffix(line, "\n")))...)
		}
	}
	return values
}

// lineMessage is the message of a line of a log, "" for a line without one.
func lineMessage(line string) string {
	raw := rawjson.Value(strings.TrimSuffix(line, "\n"))
	if kind := raw.Member("type").Text(); kind != "user" && kind != "assistant" {
		return ""
	}
	return string(raw.Member("message"))
}

// count notes what happened.
func (w *walk) count(plan *core.Plan, out *core.Outcome, before *validator.Request) {
	if len(plan.Edits) > 0 {
		w.seen["edits"]++
	}
	if len(plan.Regions) > 0 {
		w.seen["regions"]++
	}
	if len(plan.Edits)+len(plan.Regions) > 0 {
		w.steps++
	}
	for _, a := range out.Actions {
		switch a.Kind {
		case "truncate":
			w.seen["failures"]++
		case "thinking_dropped":
			w.seen["bound thinking"]++
		}
	}
}

// answer answers a plan's requests as models and networks do.
func (w *walk) answer(c *msg.Conversation, plan *core.Plan) []core.SummaryResult {
	d := w.d
	results := []core.SummaryResult{}
	if len(plan.Requests) == 0 {
		return results
	}
	all := d.One(3) // of one kind, so that some steps go well all through
	for i, q := range plan.Requests {
		r := core.SummaryResult{ID: q.ID}
		switch kind := d(10); {
		case all || kind <= 1:
			r.Text = convtest.Vouched(q.User, fmt.Sprintf("Part %d: the tests pass.", i))
		case kind == 2:
			extracts, err := core.Summarize(c, "", w.policy, w.env, plan, []string{q.ID})
			require.NoError(w.t, err)
			require.Len(w.t, extracts, 1)
			r = extracts[0]
			require.Equal(w.t, q.ID, r.ID)
		case kind == 3:
			r.Text = strings.Repeat("It went on and on. ", 300)
		case kind == 4:
			r.Text = strings.Repeat("没有换行的一长段文字", 3000)
		case kind == 5:
			r.Text = convtest.Of(d, "", " \n", "<summary></summary>")
		case kind == 6:
			r.Text = convtest.Of(d, convtest.Hostile[:]...)
		case kind == 7:
			r.Text = convtest.Of(d, convtest.Hostile[:]...) + "\n- a line of a summary"
		case kind == 8:
			r.Err = "overloaded"
		default:
			continue
		}
		results = append(results, r)
	}
	return results
}

func (w *walk) parse(document []byte) *msg.Conversation {
	c, err := format.Parse(document, w.s.Format)
	require.NoError(w.t, err)
	return c
}

func (w *walk) decode(document []byte) *validator.Request {
	r, err := validator.Decode(w.s.Format, document)
	require.NoError(w.t, err)
	return r
}

func (w *walk) requireCode(err error, codes ...core.Code) {
	var e *core.Error
	require.ErrorAs(w.t, err, &e)
	require.Contains(w.t, codes, e.Code, e.Msg)
}

// firstText returns the text of the first block of a message, "" if there is none.
func firstText(c *msg.Conversation, m int) string {
	if m < 0 || len(c.Messages[m].Blocks) == 0 {
		return ""
	}
	return c.Messages[m].Blocks[0].Text
}
