package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/convtest"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// TestGolden runs the scenarios of testdata. Every number of account.txt is computed by hand in the prose above it, so
// -update does not write it.
func TestGolden(t *testing.T) {
	convtest.Golden(t, "replay_*.txtar", func(t *testing.T, s *convtest.Scenario) {
		names := s.Names()
		require.Len(t, names, 2)
		o := Options{None: true, Breakpoints: FromRequest, Count: tokens.Chars4}
		table, automatic := strings.CutPrefix(string(s.Section(names[0])), "breakpoints automatic\n")
		if automatic {
			o.Breakpoints = Automatic
		}
		r, err := Replay(parse(t, session(t, table)), policy.Policy{}, o)
		require.NoError(t, err)
		s.WantByHand(names[1], []byte(accountOf(r)))
	})
}

// session makes a request body from a table: role, second, tokens, and one star for a breakpoint of five minutes, two
// for an hour.
func session(t *testing.T, table string) string {
	var messages []string
	system := ""
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		f := strings.Fields(line)
		size, err := strconv.Atoi(f[2])
		require.NoError(t, err)
		block := map[string]any{"type": "text", "text": strings.Repeat("text", size)}
		if len(f) > 3 {
			block["cache_control"] = map[string]string{"type": "ephemeral", "ttl": map[string]string{"*": "5m",
				"**": "1h"}[f[3]]}
		}
		content, err := json.Marshal([]any{block})
		require.NoError(t, err)
		if f[0] == "system" {
			system = string(content)
			continue
		}
		seconds, err := strconv.Atoi(f[1])
		require.NoError(t, err)
		at := time.Date(2026, 2, 28, 23, 59, 30, 0, time.UTC).Add(time.Duration(seconds) * time.Second)
		messages = append(messages, fmt.Sprintf(`{"role":%q,"timestamp":%q,"content":%s}`, f[0],
			at.Format(time.RFC3339), content))
	}
	return `{"model":"claude-opus-4-5","system":` + system + `,"messages":[` + strings.Join(messages, ",") + `]}`
}

func accountOf(r *Report) string {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%4s %4s %5s %5s %5s %5s %6s %6s\n", "call", "idle", "sent", "read", "write", "input", "output",
		"cost")
	for _, c := range r.Calls {
		fmt.Fprintf(&out, "%4d %4d %5d %5d %5d %5d %6d %6d\n", c.Number, c.IdleSec, c.Sent, c.CacheRead, c.CacheWrite,
			c.Input, c.Output, c.Cost)
	}
	t := &r.Totals
	fmt.Fprintf(&out, "%4s %4s %5d %5d %5d %5d %6d %6d\n", "all", "", t.Sent, t.CacheRead, t.CacheWrite, t.Input,
		t.Output, t.Cost)
	return out.String()
}
