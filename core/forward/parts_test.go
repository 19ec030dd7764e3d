package forward

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

// What comes before the newest compaction block of the provider is no part of the history; the first message still
// names the session.
func TestHistoryAfterABlock(t *testing.T) {
	const block = `{"role":"assistant","content":[{"type":"compaction","content":"So far."},{"type":"text","text":"b"}]}`
	const prompt, other = `{"role":"user","content":[{"type":"text","text":"one","cache_control":{"type":"ephemeral"}}]}`,
		`{"role":"user","content":"two"}`
	for _, row := range []struct {
		messages string
		left     int
		first    string
	}{
		{prompt + "," + block + "," + other, 2, `{"role":"user","content":[{"type":"text","text":"one"}]}`},
		{prompt + "," + block + "," + other + "," + block + "," + other, 2, `{"role":"user","content":[{"type":"text","text":"one"}]}`},
		{block + "," + other, 2, block},
		{prompt + "," + other, 2, `{"role":"user","content":[{"type":"text","text":"one"}]}`},
	} {
		b, err := Read([]byte(`{"model":"claude-opus-4-5","messages":[`+row.messages+`]}`), msg.Anthropic)
		require.NoError(t, err)
		require.Len(t, b.Conversation().Messages, row.left, row.messages)
		require.Equal(t, row.first, string(b.First()))
		require.Equal(t, row.left, b.Points()[len(b.Points())-1])
	}
	failed := bytes.ReplaceAll([]byte(`{"messages":[`+prompt+","+block+","+other+`]}`), []byte(`"So far."`), []byte("null"))
	b, err := Read(failed, msg.Anthropic)
	require.NoError(t, err)
	require.Len(t, b.Conversation().Messages, 3)
}

// The messages that a compaction left as they were, up to the boundary of the one before.
func TestKept(t *testing.T) {
	for _, row := range []struct {
		before, after string
		boundary      int
		want          int
	}{
		{"", `[1,2]`, 1, -1}, {`[1,2,3]`, `[1,2,3]`, 2, 2}, {`[1,2,3]`, `[1,2,3]`, 1, 1}, {`[1,2,3]`, `[1,9,3]`, 2, 0},
		{`[1,2,3]`, `[9,2,3]`, 2, -1}, {`[1]`, `[1,2]`, 5, 0}, {`[1,2]`, `[1]`, 5, 0}, {`[1,2]`, `[1,2]`, -1, -1}, {`[1,2]`, `[]`, 1, -1},
	} {
		before := &Checkpoint{Prefix: []byte(row.before), Boundary: row.boundary}
		require.Equal(t, row.want, kept(before, []byte(row.after)), "%+v", row)
	}
}

// A request that the provider would refuse is an error, so that the host forwards the client's own.
func TestInvalidOutcomes(t *testing.T) {
	s := rounds(12, 300)
	s.list = s.list[:len(s.list)-1]
	last := len(s.list) - 1
	s.list[last] = bytes.Replace(s.list[last], []byte(`"call_11"`), []byte(`"another"`), 1)
	b, err := Read(s.body(t, len(s.list)), s.format)
	require.NoError(t, err)
	_, err = b.Fold(Options{Policy: small(t, 2000)})
	var e *msg.Error
	require.True(t, errors.As(err, &e))
	require.Equal(t, msg.InvalidOutcome, e.Code)
	r, err := b.Fold(Options{Policy: small(t, 200_000)})
	require.NoError(t, err)
	require.False(t, r.Changed, "it is not ours to judge")
}

// The policy of the options is the one that decides.
func TestBadPolicies(t *testing.T) {
	s := rounds(2, 100)
	b, err := Read(s.body(t, 3), s.format)
	require.NoError(t, err)
	p := small(t, 2000)
	p.Trigger.Window = -1
	_, err = b.Fold(Options{Policy: p})
	require.Error(t, err)
}
