package replay

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/msg"
)

// logOf writes a session with one call for each number, as an agent does. A fork has lines of its own: new sessions and
// uuids (Claude Code), new times (Codex), or the same entries (pi).
func logOf(name, session string, calls []int) string {
	var lines []string
	switch name {
	case msg.Codex:
		lines = append(lines, fmt.Sprintf(`{"timestamp":"2026-10-01T10:00:00Z","type":"session_meta","payload":{"id":%q}}`, session))
	case msg.Pi:
		lines = append(lines, fmt.Sprintf(`{"type":"session","version":3,"id":%q}`, session))
	}
	parent := "null"
	for k, n := range calls {
		at := fmt.Sprintf("2026-10-01T10:%02d:%02dZ", len(session), k)
		for i, text := range []string{fmt.Sprintf("Prompt %d", n), fmt.Sprintf("Answer %d", n)} {
			role := []string{"user", "assistant"}[i]
			switch name {
			case msg.Codex:
				lines = append(lines, fmt.Sprintf(`{"timestamp":%q,"type":"response_item","payload":{"type":"message","role":%q,`+
					`"content":[{"type":%q,"text":%q}]}}`, at, role, []string{"input_text", "output_text"}[i], text))
				if i == 1 {
					lines = append(lines, fmt.Sprintf(`{"timestamp":%q,"type":"event_msg","payload":{"type":"token_count","info":`+
						`{"last_token_usage":{"input_tokens":%d,"output_tokens":9}}}}`, at, 1000+n))
				}
			case msg.ClaudeCode:
				uuid := fmt.Sprintf("%s-%d-%d", session, k, i)
				lines = append(lines, fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":%q,"timestamp":%q,"requestId":"r%d",`+
					`"message":{"id":"m%d","role":%q,"content":%q,"usage":{"input_tokens":%d,"output_tokens":9}}}`, role, uuid, parent,
					session, at, n, n, role, text, 1000+n))
				parent = `"` + uuid + `"`
			case msg.Pi:
				id := fmt.Sprintf("e%d-%d", n, i)
				lines = append(lines, fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":"t%d","message":{"role":%q,`+
					`"content":[{"type":"text","text":%q}],"usage":{"input":%d,"output":9}}}`, id, parent, n, role, text, 1000+n))
				parent = `"` + id + `"`
			}
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// idsOf audits a log and returns the IDs of its calls, those apart last.
func idsOf(t require.TestingT, log string) (ids []string) {
	c, err := format.Parse([]byte(log), "")
	require.NoError(t, err)
	a, err := Audit(c, preset(t, "balanced"), Options{})
	require.NoError(t, err)
	cost, compacted := 0, 0
	for _, b := range a.Bills {
		ids = append(ids, b.ID)
		if b.Kind == "" {
			cost, compacted = cost+b.Cost, compacted+b.Compacted
		}
	}
	require.Equal(t, a.Cost, cost)
	require.Equal(t, a.Compacted, compacted)
	require.Len(t, a.Bills, a.Calls+a.Subagents.Calls+a.Branches.Calls)
	return ids
}

// The calls that a fork repeats have the IDs that they have in the log of their session, and no others do.
func TestForksRepeatIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{msg.Codex, msg.ClaudeCode, msg.Pi}).Draw(t, "format")
		shared := rapid.IntRange(0, 4).Draw(t, "shared")
		var first, second []int
		for n := range 6 {
			first = append(first, n)
			if n >= shared {
				n += 100
			}
			second = append(second, n)
		}
		a, b := idsOf(t, logOf(name, "P", first)), idsOf(t, logOf(name, "fork", second))
		require.Len(t, a, len(first))
		require.Len(t, b, len(second))
		for k := range first {
			require.Equal(t, k < shared, a[k] == b[k], "%d: %v %v", k, a, b)
		}
		slices.Sort(a)
		require.Len(t, slices.Compact(a), len(first), "no two calls of a log have one ID")
	})
}

// Requests have no IDs: a call is that of another file if everything up to it is the same.
func TestRequestsHaveDigests(t *testing.T) {
	request := func(prompts ...string) string {
		var messages []string
		for _, p := range prompts {
			messages = append(messages, `{"role":"user","content":"`+p+`"},{"role":"assistant","content":"Yes."}`)
		}
		return `{"messages":[` + strings.Join(messages, ",") + `]}`
	}
	short, long, other := idsOf(t, request("a", "b")), idsOf(t, request("a", "b", "c")), idsOf(t, request("x", "b", "c"))
	require.Equal(t, short, long[:2])
	for k := range other {
		require.NotEqual(t, long[k], other[k])
	}
}

// A session of Codex names those that it was forked from.
func TestSessionOfCodex(t *testing.T) {
	fork := `{"timestamp":"t","type":"session_meta","payload":{"id":"F","forked_from_id":"P"}}` + "\n" + logOf(msg.Codex, "P", []int{1})
	c, err := format.Parse([]byte(fork), "")
	require.NoError(t, err)
	id, from := format.SessionOf(c)
	require.Equal(t, "F", id)
	require.Equal(t, []string{"P"}, from)
}

// Calls of subagents in a log are apart.
func TestSubagentsAreApart(t *testing.T) {
	log := logOf(msg.ClaudeCode, "P", []int{1, 2})
	side := strings.ReplaceAll(logOf(msg.ClaudeCode, "side", []int{7, 8, 9}), `"sessionId"`, `"isSidechain":true,"sessionId"`)
	c, err := format.Parse([]byte(log+side), "")
	require.NoError(t, err)
	alone, err := format.Parse([]byte(log), "")
	require.NoError(t, err)
	p := preset(t, "balanced")
	a, err := Audit(c, p, Options{})
	require.NoError(t, err)
	want, err := Audit(alone, p, Options{})
	require.NoError(t, err)
	require.Equal(t, 3, a.Subagents.Calls)
	require.Positive(t, a.Subagents.Cost)
	require.Equal(t, want.Cost, a.Cost)
	require.Equal(t, want.Calls, a.Calls)
	require.Equal(t, idsOf(t, side), idsOf(t, log+side)[2:], "the same calls in a log of their own")
}
