package core_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// What goes wrong for users of other compaction tools, by the rows of docs/complaints.md. The rows that Check and
// Repair answer (C3, C16, C17, C18, C19, C22, C23) have their tests in core/validity.

// compacted goes round with the same answer to everything, and returns what a provider would get.
func compacted(t *testing.T, input, values, answer string, env core.Env) (*msg.Conversation, []core.Action) {
	c := parse(t, input)
	p, err := policy.Parse("", []byte(values))
	require.NoError(t, err)
	var actions []core.Action
	c, _ = allRounds(t, c, "", p, env, sameAnswer(answer), func(out *core.Outcome) {
		requireNoErrors(t, reread(t, out.Conversation))
		actions = append(actions, out.Actions...)
	})
	return c, actions
}

const fullWindow = `"trigger":{"window":4000,"bufferTokens":0}`

// roomyWindow is larger than the sessions that are compacted by force.
const roomyWindow = `"trigger":{"window":300000,"bufferTokens":0}`

func TestC1ThinkingBoundToTheOldPrefixIsDropped(t *testing.T) {
	c, actions := compacted(t, session("claude-opus-5-5", 30, 100), `{"preset":"balanced",`+fullWindow+`}`,
		"They read on.", core.Env{})
	require.NotContains(t, whole(t, c), `"thinking"`, "none of it would be accepted behind the summary")
	said := false
	for _, a := range actions {
		said = said || a.Kind == "thinking_dropped"
	}
	require.True(t, said, "an action says so")

	kept, _ := compacted(t, session("claude-opus-4-5", 30, 100), `{"preset":"balanced",`+fullWindow+`}`, "They read on.",
		core.Env{})
	require.Contains(t, whole(t, kept), `"thinking"`, "where thinking is not bound it stays")
}

func TestC2ThinkingIsKeptExactlyOrDroppedWhole(t *testing.T) {
	input := session("claude-opus-4-5", 30, 100)
	for _, preset := range policy.Names() {
		c, _ := compacted(t, input, `{"preset":"`+preset+`","thinking":{"keepTurns":3},`+roomyWindow+`}`, "They read on.",
			core.Env{Force: true})
		for _, block := range c.Blocks() {
			if block.Kind == msg.KindThinking {
				require.Contains(t, input, string(block.Raw), preset)
			}
		}
	}
}

func TestC4ASecondCompactionRightAfterTheFirstIsHarmless(t *testing.T) {
	for _, preset := range policy.Names() {
		window := fullWindow
		if strings.HasPrefix(preset, "clear_") { // no summaries
			window = roomyWindow
		}
		once, _ := compacted(t, session("", 30, 100), `{"preset":"`+preset+`",`+window+`}`, "They read on.",
			core.Env{Force: true})
		twice, _ := compacted(t, whole(t, once), `{"preset":"`+preset+`",`+window+`}`, "They read on.",
			core.Env{Force: true})
		require.Equal(t, whole(t, once), whole(t, twice), preset)
	}
}

func TestC5NothingIsPutInsideAnOpenRound(t *testing.T) {
	input := strings.Replace(session("", 30, 100),
		`,{"role":"assistant","content":"That was file 29."},{"role":"user","content":"And now write the report."}`, "", 1)
	for _, preset := range []string{"turns", "critical", "hierarchical", "regions", "prune", "balanced"} {
		c, _ := compacted(t, input, `{"preset":"`+preset+`",`+fullWindow+`}`, "They read on.", core.Env{Force: true})
		last := c.Messages[len(c.Messages)-2:]
		require.Equal(t, "t29", last[0].Blocks[len(last[0].Blocks)-1].ID, preset)
		require.Equal(t, "t29", last[1].Blocks[0].ID, preset)
	}
}

func TestC6AndC25OldOutputsAreNotEditedInEveryTurn(t *testing.T) {
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	p.Clear.MinSavings, p.Pin.RecentTokens = 2000, 1000
	full := parse(t, session("", 60, 1000))
	state, edits, prefix := core.State(""), 0, ""
	changes := 0
	for n := 3; n < len(full.Messages); n += 2 {
		head := full.WithMessages(full.Messages[:n:n]) // the host sends the whole history again in every turn
		plan, err := core.NewPlan(head, state, p, core.Env{})
		require.NoError(t, err)
		out, err := core.Apply(head, state, p, core.Env{}, plan, nil)
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(plan.Edits), edits, "what was cleared stays cleared")
		edits, state = len(plan.Edits), out.State
		now := strings.Join(texts(out.Conversation.Messages), "\n")
		if !strings.HasPrefix(now, prefix) {
			changes++
		}
		prefix = now
	}
	require.NotZero(t, edits)
	require.LessOrEqual(t, changes, 6, "the prefix changes only when much can be freed at once, not in each of 60 turns")
}

func TestC7ItStopsWhenNothingIsLeft(t *testing.T) {
	c := parse(t, `{"system":"`+strings.Repeat("Be brief. ", 2000)+`","messages":[{"role":"user","content":"Hi."}]}`)
	p, err := policy.Parse("balanced", []byte(`{`+fullWindow+`}`))
	require.NoError(t, err)
	_, err = core.NewPlan(c, "", p, core.Env{})
	var e *core.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, msg.ContextOverflow, e.Code)
	require.Contains(t, e.Msg, "start a new session")
}

func TestC8ARequestFitsTheSummarizer(t *testing.T) {
	c := parse(t, session("", 200, 400))
	for _, preset := range policy.Names() {
		p, err := policy.Parse(preset,
			[]byte(`{"summary":{"window":9000,"cutResult":0,"inputChars":20000,"maxTokens":2000},`+roomyWindow+`}`))
		require.NoError(t, err)
		plan, err := core.NewPlan(c, "", p, core.Env{Force: true})
		require.NoError(t, err)
		for _, q := range plan.Requests {
			size := tokens.Estimate.Count(q.System) + tokens.Estimate.Count(q.User) + q.MaxTokens
			require.LessOrEqual(t, size, 9000, preset) // summary.window of the policy
		}
	}
}

func TestC9SummariesDoNotGrowOnEachOther(t *testing.T) {
	for _, preset := range []string{"harness", "s06", "turns", "critical", "hierarchical", "balanced"} {
		conversation := session("", 10, 100)
		for round := range 5 {
			c, _ := compacted(t, conversation, `{"preset":"`+preset+`","summary":{"maxTokens":200},`+roomyWindow+`}`,
				"They read ten files.", core.Env{Force: true})
			before := strings.Count(whole(t, c), "They read ten files.")
			require.LessOrEqual(t, before, 20, "no summary holds another: %s", preset)
			for _, text := range texts(c.Messages) {
				require.LessOrEqual(t, strings.Count(text, "They read ten files."), 4, preset)
			}
			more := sessionWithIDs("r"+strconv.Itoa(round)+"_", "", 10, 100)
			more = more[strings.Index(more, `"messages":[`)+len(`"messages":[`):]
			conversation = strings.TrimSuffix(whole(t, c), "]}") + "," + more
		}
	}
}

func TestC10AndC11ASummaryIsNoRequest(t *testing.T) {
	for preset, label := range map[string]string{"turns": "as history, not as a request]",
		"critical":     "as history, not as a request]",
		"hierarchical": "as history, not as a request]", "balanced": "[compacted summary of turns "} {
		c, _ := compacted(t, session("", 30, 100), `{"preset":"`+preset+`",`+fullWindow+`}`, "The user asked for a report.",
			core.Env{})
		require.Contains(t, whole(t, c), label)
		require.Equal(t, "And now write the report.", c.Messages[len(c.Messages)-1].Blocks[0].Text,
			"the last real prompt stays outside, word for word")
	}
}

func TestC12ConstraintsSurvive(t *testing.T) {
	for _, preset := range []string{"balanced", "critical"} {
		c, _ := compacted(t, session("", 30, 100), `{"preset":"`+preset+`",`+fullWindow+`}`, "They read on.", core.Env{})
		require.Contains(t, whole(t, c), "You must not change any of them.", preset)
	}
}

func TestC13AnImageIsCountedByItsPixels(t *testing.T) {
	png := "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA10dzkAAAA" + strings.Repeat("A", 400_000)
	c := parse(t, `[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`+png+`"}},{"type":"text","text":"What is it?"}]}]`)
	require.Less(t, tokens.NewMeter(nil, c).Conversation(c).Total, 500, "640 × 480 pixels")
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	require.Equal(t, "none", plan.Trigger.Kind, "a fresh chat with one image is not compacted")
}

func TestC14LongRunsAreNotAQuarter(t *testing.T) {
	run := strings.Repeat("Zm9vYmFyQUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3", 20_000)
	require.Greater(t, tokens.Estimate.Count(run), len(run)/2, "a million characters of base64")
}

func TestC15ChineseTriggersWhereItShould(t *testing.T) {
	text := strings.Repeat("请把这个函数改名，但是不要改变它的行为。", 1000)
	require.Greater(t, tokens.Estimate.Count(text), 2*tokens.Chars4.Count(text))
}

func TestC20TheFailurePathKeepsPairs(t *testing.T) {
	input := session("", 30, 100)
	for _, preset := range policy.Names() {
		p, err := policy.Parse(preset, []byte(`{`+fullWindow+`}`))
		require.NoError(t, err)
		c := parse(t, input)
		plan, err := core.NewPlan(c, "", p, core.Env{})
		if isOverflow(err) {
			require.Equal(t, "none", p.Summary.Strategy)
			continue
		}
		require.NoError(t, err)
		out, err := core.Apply(c, "", p, core.Env{}, plan, nil)
		require.NoError(t, err)
		requireNoErrors(t, out.Conversation)
	}
}

func TestC21AnEmptyAnswerIsAFailure(t *testing.T) {
	c := parse(t, session("", 30, 100))
	p, err := policy.Parse("turns", []byte(`{`+fullWindow+`}`))
	require.NoError(t, err)
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	out, err := core.Apply(c, "", p, core.Env{}, plan, answerAll(plan, core.SummaryResult{Text: " \n\t"}))
	require.NoError(t, err)
	require.Contains(t, whole(t, out.Conversation), "[Summary of")
	require.Contains(t, whole(t, out.Conversation), "Record of earlier work")
	require.Equal(t, "summary_failed", out.Warnings[0].Code)
}

func TestC24AnAbsoluteTriggerNextToTheShare(t *testing.T) {
	c := parse(t, session("", 30, 100))
	p, err := policy.Parse("balanced", []byte(`{"clear":{"when":""},"trigger":{"window":1000000,"tokens":2000}}`))
	require.NoError(t, err)
	plan, err := core.NewPlan(c, "", p, core.Env{})
	require.NoError(t, err)
	require.Equal(t, "tokens", plan.Trigger.Kind)
	require.NotEmpty(t, plan.Requests)
}
