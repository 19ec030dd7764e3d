package validity

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// The rows of docs/complaints.md that Check and Repair answer.

func repaired(t *testing.T, format, in string) string {
	t.Helper()
	c, _ := Repair(convtest.FromWords(format, in))
	require.True(t, Valid(Check(c)))
	return convtest.Words(c)
}

func TestC3NoResultSurvivesItsCall(t *testing.T) {
	require.Equal(t, `u =hi a =x u "go"`, repaired(t, msg.Anthropic, `u =hi a =x u ?1 "go"`))
	require.Equal(t, `u =hi a =x`, repaired(t, msg.OpenAIChat, `u =hi t ?1 a =x`))
}

func TestC4ATailThatStartsInsideAPair(t *testing.T) {
	require.Equal(t, `u "go" a =x`, repaired(t, msg.Anthropic, `u ?1 ?2 "go" a =x`))
	require.Equal(t, `u * a =x u =go`, repaired(t, msg.Anthropic, `u ?1 a =x u =go`), "with a first message of the user's")
	require.Equal(t, `u * a !1 u ?1`, repaired(t, msg.Anthropic, `a !1 u ?1`))
}

func TestC16HalvesOfServerPairs(t *testing.T) {
	require.Equal(t, `u =hi a ~ "x" u =go`, repaired(t, msg.Anthropic, `u =hi a ~ $1 "x" u =go`))
	require.Equal(t, `u =hi a ~ "x" u =go`, repaired(t, msg.Anthropic, `u =hi a ~ %1 "x" u =go`))
}

func TestC17ParallelCallsLeaveNoOrphans(t *testing.T) {
	require.Equal(t, `u =hi a =x`, repaired(t, msg.OpenAIChat, `u =hi t ?1 t ?2 t ?3 a =x`))
	require.Equal(t, `u =hi a !1 !2 !3 t ?2 t ?1* t ?3* a =x`, repaired(t, msg.OpenAIChat, `u =hi a !1 !2 !3 t ?2 a =x`))
}

func TestC19NothingIsEmptyAfterwards(t *testing.T) {
	require.Equal(t, `u =hi a =x a =y`, repaired(t, msg.Anthropic, `u =hi a =x u ?1 a =y`))
	require.Equal(t, `u *`, repaired(t, msg.Anthropic, `u ?1`))
	require.Equal(t, `u *`, repaired(t, msg.OpenAIChat, `t ?1`))
}

func TestC22DuplicateIDs(t *testing.T) {
	require.Equal(t, `u =hi a !1 u ?1 a !1_2 u ?1_2 a !1_3 !2 u ?1_3 ?2`,
		repaired(t, msg.Anthropic, `u =hi a !1 u ?1 a !1 u ?1 a !1 !2 u ?1 ?2`))
	same := `u =hi a !1 t ?1 a !1 t ?1`
	require.Equal(t, same, repaired(t, msg.OpenAIChat, same), "no violation across rounds there")
}

func TestC23AnUnfinishedCallStays(t *testing.T) {
	for format, in := range map[string]string{msg.Anthropic: `u =hi a ~ !1 !2 u ?1`, msg.OpenAIChat: `u =hi a !1 !2 t ?1`,
		msg.ClaudeCode: `u =hi a !1`} {
		c := convtest.FromWords(format, in)
		same, reports := Repair(c)
		require.Same(t, c, same)
		require.Empty(t, reports)
		require.Equal(t, SeverityWarning, Check(c)[0].Severity)
	}
	require.Equal(t, `u =hi a !1`, repaired(t, msg.Anthropic, `u =hi a !1 u ?9`),
		"an orphan behind it goes, the call stays")
}

func TestRepairKeepsWhatItDoesNotTouch(t *testing.T) {
	c := convtest.FromWords(msg.Anthropic, `u =hi a !1 u =go a "kept" new u ?9 "x"`)
	for i := range c.Messages {
		c.Messages[i].Raw = rawjson.Value(`{}`)
	}
	result, reports := Repair(c)
	require.Len(t, reports, 2)
	for i, changed := range []bool{false, false, true, false, true} {
		require.Equal(t, changed, result.Messages[i].Changed, "message %d", i)
	}
	require.Equal(t, "a result saying [No result was recorded for this call] is put there", reports[0].Repair)
	made := result.Messages[2].Blocks[0]
	require.True(t, made.IsError, "the model must not take it for an answer")
	require.Equal(t, "[No result was recorded for this call]", made.Text)
}

// For any conversation, the result of Repair has no problem that Repair could repair and loses only blocks that no
// provider accepts. The input is not changed.
func TestRepairAnything(t *testing.T) {
	for _, format := range []string{msg.Anthropic, msg.OpenAIChat} {
		t.Run(format, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				in := convtest.RandomWords(t)
				c := convtest.FromWords(format, in)
				result, reports := Repair(c)
				if got := convtest.Words(c); got != convtest.Words(convtest.FromWords(format, in)) {
					t.Fatalf("the input became %s", got)
				}
				before := map[Rule]bool{}
				for _, p := range Check(c) {
					before[p.Rule] = before[p.Rule] || p.Severity == SeverityError
				}
				for _, p := range Check(result) {
					if p.Severity == SeverityError && !before[p.Rule] {
						t.Fatalf("%s became %s, with %s at %s, which is new", in, convtest.Words(result), p.Rule, p.Path)
					}
					if p.Repair != "" {
						t.Fatalf("%s became %s, with %s left at %s", in, convtest.Words(result), p.Rule, p.Path)
					}
				}
				if (result == c) != (len(reports) == 0) {
					t.Fatalf("%d reports, and the same conversation: %v", len(reports), result == c)
				}
				if again, more := Repair(result); again != result || len(more) > 0 {
					t.Fatalf("%s is not stable", convtest.Words(result))
				}
				require.Equal(t, found(Check(c)), found(Check(convtest.FromWords(format, in))), "the same problems every time")
				if was, is := spoken(c, format), spoken(result, format); was != is {
					t.Fatalf("%s became %s: %d blocks became %d", in, convtest.Words(result), was, is)
				}
			})
		})
	}
}

// spoken counts the blocks that Repair must keep, in any place: texts, and the assistant's calls.
func spoken(c *msg.Conversation, format string) (n int) {
	for m := range c.Messages {
		role := c.Messages[m].Role
		if format == msg.OpenAIChat && (isTool(role)) {
			continue
		}
		for b := range c.Messages[m].Blocks {
			switch block := c.At(msg.Ref{Message: m, Block: b}); {
			case block.Kind == msg.KindText && block.Text != "" && block.Path != "", block.Kind == msg.KindImage,
				block.Kind == msg.KindOther,
				block.Kind == msg.KindSummary, block.Kind == msg.KindToolUse && !block.Server && role == msg.Assistant:
				n++
			}
		}
	}
	return n
}
