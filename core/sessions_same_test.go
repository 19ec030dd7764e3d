package core_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest/validator"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// The outcomes of a session do not depend on how the host keeps the conversation.

// archiveRef is the reference of an archive in a label.
var archiveRef = regexp.MustCompile(`originals(:)? [0-9a-f]{16}(, [0-9a-f]{16})*`)

// madeID is the id of a new record of a client, or line of a log. It depends on the content and on the other ids.
var madeID = regexp.MustCompile(`"msg_[0-9a-fz]{24,}"|"request_[0-9a-f]{32}"|"([0-9a-f]{8}|[0-9a-f]{32})"`)

// requireSame asserts that the same input gives the same outcome and bytes, whether or not the conversation was
// rendered and read in between; the uuids of new lines in a log aside, which are drawn from the lines before the
// change.
func (w *walk) requireSame(c *msg.Conversation, plan *core.Plan, results []core.SummaryResult, out *core.Outcome,
	rendered []byte, late bool) {
	var read core.Plan // a plan travels as JSON
	require.NoError(w.t, json.Unmarshal(mustJSON(w.t, plan), &read))
	second, err := core.Apply(c, w.state, w.policy, w.env, &read, results)
	require.NoError(w.t, err)
	require.Equal(w.t, out, second, "the same outcome")
	same, err := format.Render(second.Conversation)
	require.NoError(w.t, err)
	require.Equal(w.t, string(rendered), string(same), "the same bytes")
	size := func() int { return tokens.NewMeter(w.env.Count, c).Text(core.Ref(core.Archive(c, plan))) }
	sizeBefore := size()
	c = w.parse(w.doc)
	second, err = core.Apply(c, w.state, w.policy, w.env, plan, results)
	if size() != sizeBefore && isOverflow(err) {
		return // a label that is a token longer may be what no longer fits
	}
	require.NoError(w.t, err)
	bytes, err := format.Render(second.Conversation)
	require.NoError(w.t, err)
	if w.s.Format == msg.ClaudeCode {
		rendered, bytes = []byte(strings.Join(w.messages(rendered), "\n")), []byte(strings.Join(w.messages(bytes), "\n"))
	}
	// An archive of messages that were changed and not rendered yet has other bytes, and so another reference.
	withoutRefs := func(document []byte) string {
		return madeID.ReplaceAllString(archiveRef.ReplaceAllString(string(document), "originals ref"), `"id"`)
	}
	if size() != sizeBefore && withoutRefs(rendered) != withoutRefs(bytes) {
		return // a summary whose label is a token longer may be no shorter than its region
	}
	require.Equal(w.t, withoutRefs(rendered), withoutRefs(bytes), "the same bytes")
	// State has digests of all texts, labels with references included. It can also tell that a log lost its last assistant
	// message, and so its model.
	if c.Model == out.Conversation.Model && withoutRefs(rendered) == string(rendered) {
		require.Equal(w.t, out.State, second.State)
	}
	if late || slices.ContainsFunc(plan.Regions, func(r core.Region) bool { return r.Level == 2 }) {
		return // the plan is of another document, or of another step
	}
	replanned, err := core.NewPlan(c, w.state, w.policy, w.env)
	once, onceErr := core.NewPlan(w.parse(w.doc), w.state, w.policy, w.env)
	require.Equal(w.t, onceErr, err)
	if isOverflow(err) {
		return
	}
	require.NoError(w.t, err)
	require.Equal(w.t, string(mustJSON(w.t, once)), string(mustJSON(w.t, replanned)), "the same plan")
}

// parted reports roles of a last message and of the next one that a written message comes between, where one of the two
// is a system message (docs/algorithms.md, section 9): it follows the user, and an answer follows it.
func parted[Role ~string](last, next Role) bool {
	return last == "assistant" && next == "system" || last == "system" && next == "user"
}

// requireGrowth asserts that Apply(grow(c)) = grow(Apply(c)). On models that bind thinking it need not hold: thinking
// that came later goes too. Nor where parted says that a written message comes between.
func (w *walk) requireGrowth(head []byte, plan *core.Plan, results []core.SummaryResult, after *validator.Request) {
	if w.s.Format == msg.VSCodeChat {
		return // later messages are in the last request, which has many
	}
	short := w.parse(head)
	if short.Model != w.parse(w.doc).Model {
		return // the log of a client names its model from the first answer on
	}
	out, err := core.Apply(short, w.state, w.policy, w.env, plan, results)
	if isOverflow(err) {
		return
	}
	require.NoError(w.t, err)
	rendered, err := format.Render(out.Conversation)
	require.NoError(w.t, err)
	want := w.decode(rendered).Messages
	whole := w.decode(w.doc).Messages
	was := len(w.decode(head).Messages)
	require.GreaterOrEqual(w.t, len(whole), was)
	if len(whole) > was && len(want) > 0 && parted(want[len(want)-1].Role, whole[was].Role) {
		return
	}
	want = append(want[:len(want):len(want)], whole[was:]...)
	require.Len(w.t, after.Messages, len(want))
	for i := range want {
		expected, actual := validator.Canonical(want[i].Value), validator.Canonical(after.Messages[i].Value)
		require.Equal(w.t, expected, actual, "message %d", i)
	}
}
