package replay

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// Multipliers change each cost by their product, and nothing else; the report names them with the factors that it used.
// A factor of the caller's counts before that of the catalog.
func TestMultipliers(t *testing.T) {
	text := `{"model":"claude-opus-4-6","max_tokens":9,"messages":[` + strings.Repeat(`{"role":"user","content":"`+
		strings.Repeat("one two three ", 200)+`"},{"role":"assistant","content":"`+strings.Repeat("four ", 100)+`"},`, 6) +
		`{"role":"user","content":"go"}]}`
	p, err := policy.Preset("balanced")
	require.NoError(t, err)
	replayed := func(o Options) *Report {
		c, err := format.Parse([]byte(text), "")
		require.NoError(t, err)
		o.Count = tokens.Chars4
		r, err := Replay(c, p, o)
		require.NoError(t, err)
		return r
	}
	plain := replayed(Options{})
	require.Empty(t, plain.Multipliers)
	known := map[string]int{"batch": 500, "regional": 1100, "fast": 6000}
	rapid.Check(t, func(t *rapid.T) {
		var given, want []models.Multiplier
		product := 1.0
		for _, name := range []string{"batch", "regional", "fast", "my own"} {
			if !rapid.Bool().Draw(t, name) {
				continue
			}
			m := models.Multiplier{Name: name}
			if known[name] == 0 || rapid.Bool().Draw(t, "own factor") {
				m.Permille = rapid.SampledFrom([]int{500, 1000, 1100, 2000}).Draw(t, "permille")
			}
			given = append(given, m)
			if m.Permille == 0 {
				m.Permille = known[name]
			}
			want, product = append(want, m), product*float64(m.Permille)/1000
		}
		r := replayed(Options{Multipliers: given})
		require.Equal(t, want, r.Multipliers)
		require.InEpsilon(t, float64(plain.Totals.Cost)*product, float64(r.Totals.Cost), 0.002)
		require.Equal(t, plain.Totals.Sent, r.Totals.Sent)
	})
	c, err := format.Parse([]byte(text), "")
	require.NoError(t, err)
	audit, err := Audit(c, p, Options{Count: tokens.Chars4, Multipliers: []models.Multiplier{{Name: "batch"}}})
	require.NoError(t, err)
	require.Equal(t, []models.Multiplier{{Name: "batch", Permille: 500}}, audit.Multipliers)
	require.InEpsilon(t, plain.Totals.Cost, 2*audit.Compacted, 0.002)
	resent, err := Resent(c, p, Options{Count: tokens.Chars4, Multipliers: []models.Multiplier{{Name: "batch"}}})
	require.NoError(t, err)
	require.Less(t, resent.Cost, plain.Totals.Cost)
	for path, list := range map[string][]models.Multiplier{"/multipliers/0": {{Name: "fsat"}},
		"/multipliers/1": {{Name: "batch"}, {Name: "x", Permille: -1}}, "/multipliers/2": {{Name: "batch"}, {Name: "x",
			Permille: 1}, {Name: "fast", Permille: MaxMultiplier + 1}}} {
		_, err := Replay(c, p, Options{Multipliers: list})
		var e *msg.Error
		require.ErrorAs(t, err, &e)
		require.Contains(t, e.Msg, "cannot replay: no factor is known")
		require.Equal(t, path, e.Path)
	}
	// A factor of other models changes nothing: of a folder, the other sessions have it.
	for _, o := range []Options{{Multipliers: []models.Multiplier{{Name: "priority"}}},
		{Model: "a-model-of-my-own", Multipliers: []models.Multiplier{{Name: "batch"}}}} {
		r, without := replayed(o), replayed(Options{Model: o.Model})
		require.Equal(t, []models.Multiplier{{Name: o.Multipliers[0].Name, Permille: 1000}}, r.Multipliers)
		require.Equal(t, without.Totals.Cost, r.Totals.Cost)
	}
}
