package replay

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// requireUsed compares Usage with what Audit says about the same session and reports whether Usage counted tokens.
func requireUsed(t require.TestingT, c *msg.Conversation, o Options) (counted bool) {
	audited, err := Audit(c, preset(t, "balanced"), o)
	require.NoError(t, err)
	o.Count = spyingCounter{tokens.Estimate, &counted}
	used, err := Usage(c, o)
	require.NoError(t, err)
	want := audited.Used
	want.Bills = nil
	for _, b := range audited.Bills {
		b.Compacted, b.Breaks = b.Cost, nil
		want.Bills = append(want.Bills, b)
	}
	require.Len(t, used.Bills, len(want.Bills))
	if len(want.Bills) == 0 {
		used.Bills = nil
	}
	require.Equal(t, want, *used)
	return counted
}

// spyingCounter says whether a text was counted.
type spyingCounter struct {
	tokens.Counter
	counted *bool
}

func (s spyingCounter) Count(text string) int {
	*s.counted = true
	return s.Counter.Count(text)
}

// A session costs the same with and without a simulation, whether the log has the usage of all calls, some or none.
// With the usage of all, no token is counted.
func TestUsageIsThatOfAnAudit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{msg.ClaudeCode, msg.Codex, msg.Pi}).Draw(t, "format")
		n := rapid.SliceOfN(rapid.IntRange(0, 6), 1, 8).Draw(t, "calls")
		doc := logOf(name, rapid.SampledFrom([]string{"s", "tt"}).Draw(t, "session"), n)
		missing := rapid.Bool().Draw(t, "a call has no usage")
		if missing {
			doc += withoutUsage[name]
		}
		c, err := format.Parse([]byte(doc), "")
		require.NoError(t, err)
		o := Options{}
		if rapid.Bool().Draw(t, "prices") {
			o.Prices = &models.Price{Input: 5000, Output: 25_000, Read: 100, Write5m: 1250, Write1h: 2000}
			o.Multipliers = []models.Multiplier{{Name: "own", Permille: 1500}}
		}
		require.Equal(t, missing, requireUsed(t, c, o))
	})
}

// withoutUsage are lines of logs with a call that has no usage.
var withoutUsage = map[string]string{
	msg.ClaudeCode: `{"type":"user","uuid":"u","parentUuid":null,"message":{"role":"user","content":"Go"}}` + "\n" +
		`{"type":"assistant","uuid":"v","parentUuid":"u","message":{"id":"x","role":"assistant","content":"Gone"}}` + "\n",
	msg.Codex: `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text",` +
		`"text":"Go"}]}}` + "\n" +
		`{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text",` +
		`"text":"x"}]}}` +
		"\n",
	msg.Pi: `{"type":"message","id":"u","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"Go"}]}}` + "\n" +
		`{"type":"message","id":"v","parentId":"u","message":{"role":"assistant","content":[{"type":"text","text":"x"}]}}` + "\n",
}

// The same of real logs, with their subagents, branches and compactions.
func TestUsageOfRealLogs(t *testing.T) {
	files := convtest.Corpus(t, "claude-code", "codex", "pi")
	counted := 0
	for i, file := range files {
		if convtest.Fewer() && i%4 != 0 {
			continue
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		c, err := format.Parse(data, "")
		if err != nil {
			continue
		}
		if requireUsed(t, c, Options{}) {
			counted++
		}
	}
	require.LessOrEqual(t, counted, len(files)/4, "almost all logs of agents have the usage of their calls")
}
