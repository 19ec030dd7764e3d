package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// Which messages the strategy regions summarizes, and when the recent window becomes shorter, a turn at a time: its
// tokens make way where the target would be missed, down to 35 % of it; its turns only where they alone are over the
// target; and all but the open round where the hard limit would be missed. A message takes 100 tokens; a summary may
// take a tenth of its region and 10 tokens.
func TestRecentWindowMakesWay(t *testing.T) {
	const talk = "uaaaaaaaaaaaaaaaaaaa" // 2000 tokens, a turn a message, the first with the prompt
	const system = "uaaaasaaaaaaaaaaaaaa"
	const prompt = "uaaaaaaaaaaauuaaaaaa"
	const results = "ucrcrcrcrcrcrcrcraua"
	const short = "ucrcRcrcrcrcrcrcraua"
	long := "u" + strings.Repeat("a", 59)
	rows := []struct {
		why, letters  string
		turns, recent int // the recent window
		target, hard  int
		share         int // permille
		blocks        bool
		want          string // S for what a summary takes the place of
		shorter       bool
	}{
		{"the target can be met: 900 stay, and 120 of a summary", talk, 4, 800, 1020, 9999, 100, false,
			"uSSSSSSSSSSSaaaaaaaa", false},
		{"a token less, and a turn makes way", talk, 4, 800, 1019, 9999, 100, false, "uSSSSSSSSSSSSaaaaaaa", true},
		{"the turns are at the target", talk, 10, 0, 1000, 9999, 100, false, "uSSSSSSSSSaaaaaaaaaa", false},
		{"the turns are over the target", talk, 11, 0, 1000, 9999, 100, false, "uSSSSSSSSSaaaaaaaaaa", true},
		{"35 % of the target stays", long, 1, 700, 2000, 9999, 500, false, "u" + strings.Repeat("S", 52) + "aaaaaaa", false},
		{"more than that makes way", long, 1, 700, 1999, 9999, 500, false, "u" + strings.Repeat("S", 53) + "aaaaaa", true},
		{"down to the turns, although they are more", long, 7, 900, 1000, 9999, 500, false,
			"u" + strings.Repeat("S", 52) + "aaaaaaa", true},
		{"the hard limit can be met: 1900 stay, and 20", talk, 18, 0, 1920, 1920, 100, false, "uSaaaaaaaaaaaaaaaaaa", false},
		{"a token less", talk, 18, 0, 1919, 1919, 100, false, "uSSaaaaaaaaaaaaaaaaa", true},
		{"no limit can be met", talk, 18, 0, 100, 100, 100, false, "uSSSSSSSSSSSSSSSSSSS", true},
		{"no summary takes the place of instructions", system, 4, 800, 1110, 9999, 100, false, "uSSSSsSSSSSSaaaaaaaa", false},
		{"a token less than with them", system, 4, 800, 1109, 9999, 100, false, "uSSSSsSSSSSSSaaaaaaa", true},
		{"a prompt that makes way stays", prompt, 4, 1000, 1019, 9999, 100, false, "uSSSSSSSSSSSuuSaaaaa", true},
		// Of a result, 16 tokens are for the label: three free 252, and their summaries take 35.
		{"results: the hard limit can be met", results, 6, 0, 1500, 1783, 100, true, "ucScScScrcrcrcrcraua", false},
		{"results: a token less", results, 6, 0, 1500, 1782, 100, true, "ucScScScScrcrcrcraua", true},
		{"a short result frees nothing", short, 6, 0, 1500, 1807, 100, true, "ucScRcScrcrcrcrcraua", false},
		{"a short result: a token less", short, 6, 0, 1500, 1806, 100, true, "ucScRcScScrcrcrcraua", true},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			p, err := policy.Parse("", []byte(`{"preset":"regions","clear":{"enabled":false}}`))
			require.NoError(t, err)
			p.Trigger = policy.Triggers{Measure: "counter", Window: row.hard, HardPermille: 1000, Tokens: row.target}
			p.Pin.RecentTurns, p.Pin.RecentTokens = row.turns, row.recent
			p.Summary.SharePermille, p.Summary.ShareExtra = row.share, 10
			p.Summary.Granularity = "span"
			if row.blocks {
				p.Summary.Granularity = "block"
			}
			plan, err := core.NewPlan(spelled(t, row.letters), "", p, core.Env{Count: tokens.Chars4})
			require.NoError(t, err)
			have := []byte(row.letters)
			for _, r := range plan.Regions {
				for m := r.Spans[0].Start; m < r.Spans[0].End; m++ {
					have[m] = 'S'
				}
			}
			shorter := len(plan.Warnings) > 0 && plan.Warnings[0].Code == "window_shrunk"
			require.Equal(t, row.want, string(have))
			require.Equal(t, row.shorter, shorter, "%v", plan.Warnings)
		})
	}
}

// Regions come largest first and the older one first on a tie, also where another was chosen first: one long result
// goes before several that are longer together.
func TestRegionsComeLargestFirst(t *testing.T) {
	text := func(bytes int) string { return strings.Repeat("word", bytes/4) }
	call := func(ids ...int) string {
		var calls []string
		for _, id := range ids {
			calls = append(calls, fmt.Sprintf(`{"id":"%d","type":"function","function":{"name":"run","arguments":"{}"}}`, id))
		}
		return `{"role":"assistant","content":null,"tool_calls":[` + strings.Join(calls, ",") + `]}`
	}
	result := func(id, bytes int) string {
		return fmt.Sprintf(`{"role":"tool","tool_call_id":"%d","content":"%s"}`, id, text(bytes))
	}
	c := parse(t, `{"model":"gpt-5","messages":[`+strings.Join([]string{`{"role":"user","content":"Go."}`,
		call(1), result(1, 4000), call(2), result(2, 12_000), call(3, 4, 5), result(3, 8000), result(4, 8000),
		result(5, 8000),
		call(6), result(6, 4000), call(8), result(8, 24_000), call(7), result(7, 600),
		`{"role":"assistant","content":"Done."}`, `{"role":"user","content":"And?"}`,
	}, ",")+`]}`)
	p, err := policy.Parse("", []byte(`{"preset":"regions","clear":{"enabled":false}}`))
	require.NoError(t, err)
	p.Pin.RecentTurns, p.Pin.RecentTokens = 1, 0
	plan, err := core.NewPlan(c, "", p, core.Env{Count: tokens.Chars4, Force: true})
	require.NoError(t, err)
	var sizes, starts, spans []int
	for i, r := range plan.Regions {
		sizes, starts = append(sizes, r.Tokens), append(starts, r.Spans[0].Start)
		spans = append(spans, plan.Requests[i].Span.Start)
	}
	require.Equal(t, []int{6000, 6000, 3000, 1000, 1000}, sizes)
	require.Equal(t, []int{6, 12, 4, 2, 10}, starts)
	require.Equal(t, starts, spans, "the requests come in the order of their regions")
}

// The newest messages stay, and so does the message with which they reach 20,000 tokens, whatever it has.
func TestMessageThatReachesTheNewestTokensStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		preset := rapid.SampledFrom([]string{"regions", "balanced"}).Draw(t, "preset")
		p, err := policy.Parse("", []byte(`{"preset":"`+preset+`","trigger":{"window":200000}}`))
		require.NoError(t, err)
		require.Equal(t, 20_000, p.Pin.RecentTokens)
		env := core.Env{Count: tokens.Chars4, Force: preset == "regions" && rapid.Bool().Draw(t, "force")}
		var out strings.Builder
		out.WriteString(`[{"role":"user","content":"Read all files."}`)
		for i, total := 0, 0; total < 170_000; i++ {
			n := rapid.IntRange(1000, 8000).Draw(t, "tokens")
			total += n
			text, result := strings.Repeat("wide ", n*4/5), "Read."
			if preset == "regions" {
				text, result = "Next.", text
			}
			fmt.Fprintf(&out, `,{"role":"assistant","content":[{"type":"text","text":%q},`+
				`{"type":"tool_use","id":"%d","name":"read","input":{}}]}`, text, i)
			fmt.Fprintf(&out, `,{"role":"user","content":[{"type":"tool_result","tool_use_id":"%d","content":%q}]}`, i, result)
		}
		c := parse(t, out.String()+`,{"role":"assistant","content":"Done."},{"role":"user","content":"Go on."}]`)
		counts := tokens.NewMeter(tokens.Chars4, c).Conversation(c)
		reaches, sum := len(c.Messages), 0
		for sum < p.Pin.RecentTokens {
			reaches--
			sum += counts.Messages[reaches].Tokens
		}
		plan, err := core.NewPlan(c, "", p, env)
		require.NoError(t, err)
		require.NotEmpty(t, plan.Regions)
		for _, span := range plan.Archive {
			require.LessOrEqual(t, span.End, reaches, "of %d messages", len(c.Messages))
		}
	})
}
