package policy_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
)

func TestPresetsAreTheTableOfTheirDesigns(t *testing.T) {
	rows := []struct {
		name         string
		consumedOnly bool
		keepRecent   int
		minChars     int
		keepTools    []string
		protect      int
		savings      int
		placeholder  string
		trigger      int
	}{
		{"harness", true, 3, 100, []string{"read_file"}, 0, 0, "[Previous: used {tool}]", 0},
		{"s06", false, 3, 100, []string{}, 0, 0, "[Previous: used {tool}]", 0},
		{"prune", false, 0, 0, []string{}, 20000, 10000, "[Old tool result content cleared]", 0},
		{"clear_tool_uses", false, 3, 0, []string{}, 0, 0, "[cleared to save context]", 100000},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p, err := policy.Preset(row.name)
			require.NoError(t, err)
			require.NoError(t, p.Validate())
			require.Equal(t, row.name, p.Preset)
			require.True(t, p.Clear.Enabled)
			require.Equal(t, row.consumedOnly, p.Clear.ConsumedOnly)
			require.Equal(t, row.keepRecent, p.Clear.KeepRecent)
			require.Equal(t, row.minChars, p.Clear.MinChars)
			require.Equal(t, row.keepTools, p.Clear.KeepTools)
			require.Equal(t, row.protect, p.Clear.ProtectTokens)
			require.Equal(t, row.savings, p.Clear.MinSavings)
			require.Equal(t, row.placeholder, p.Clear.Placeholder)
			require.Equal(t, row.trigger, p.Clear.TriggerTokens)
		})
	}
}

// Writing to the result of Preset does not change the preset for other callers.
func TestPresetIsACopy(t *testing.T) {
	p, err := policy.Preset("harness")
	require.NoError(t, err)
	p.Clear.KeepTools[0] = "bash"
	again, err := policy.Preset("harness")
	require.NoError(t, err)
	require.Equal(t, []string{"read_file"}, again.Clear.KeepTools)
}

// The table of fields lists exactly the values that a policy has on the wire.
func TestFieldsCoverThePolicy(t *testing.T) {
	for _, info := range policy.Presets() {
		wire, err := json.Marshal(info.Policy)
		require.NoError(t, err)
		again, err := policy.Parse(info.Name, wire)
		require.NoError(t, err, "what a policy marshals to can be parsed")
		require.Equal(t, info.Policy, again)
		require.NotEmpty(t, info.Params)
		require.NotEmpty(t, info.Description)
		for _, p := range info.Params {
			part, key, _ := strings.Cut(p.Path, ".")
			var tree map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(wire, &tree))
			require.NoError(t, json.Unmarshal(tree[part], &tree))
			require.Contains(t, tree, key)
		}
	}
}

func TestParsePolicy(t *testing.T) {
	rows := []struct {
		why, preset, policy string
		check               func(*testing.T, policy.Policy)
	}{
		{"absent means the preset's", "harness", `{"clear":{"keepRecent":5}}`, func(t *testing.T, p policy.Policy) {
			require.Equal(t, 5, p.Clear.KeepRecent)
			require.Equal(t, 100, p.Clear.MinChars)
		}},
		{"no policy at all is the preset", "prune", ``,
			func(t *testing.T, p policy.Policy) { require.Equal(t, 20000, p.Clear.ProtectTokens) }},
		{"null too", "prune", `null`, func(t *testing.T, p policy.Policy) { require.Equal(t, 20000, p.Clear.ProtectTokens) }},
		{"the preset may be named inside", "", `{"preset":"s06"}`,
			func(t *testing.T, p policy.Policy) { require.Equal(t, "s06", p.Preset) }},
		{"no preset is the default", "", `{}`, func(t *testing.T,
			p policy.Policy) {
			require.Equal(t, policy.Default, p.Preset)
		}},
		{"true means every tool", "s06", `{"clear":{"clearToolInputs":true}}`,
			func(t *testing.T, p policy.Policy) { require.Equal(t, []string{"*"}, p.Clear.ClearToolInputs) }},
		{"false means none", "s06", `{"clear":{"clearToolInputs":false}}`,
			func(t *testing.T, p policy.Policy) { require.Empty(t, p.Clear.ClearToolInputs) }},
		{"money off: nothing is cleared to save money", "", `{"money":"off"}`, func(t *testing.T, p policy.Policy) {
			want, err := policy.Preset("balanced")
			require.NoError(t, err)
			want.SetMoney(policy.MoneyOff)
			require.Equal(t, want, p)
			require.False(t, p.Clear.Enabled || p.Trigger.LongPrompts || p.Clear.When != "")
		}},
		{"values are stronger than money", "", `{"clear":{"enabled":true},"money":"off"}`,
			func(t *testing.T, p policy.Policy) { require.True(t, p.Clear.Enabled && p.Money == "off") }},
		{"with a price of tokens nothing changes", "", `{"money":"tokens"}`, func(t *testing.T, p policy.Policy) {
			want, err := policy.Preset("balanced")
			require.NoError(t, err)
			want.Money = policy.MoneyTokens
			require.Equal(t, want, p)
		}},
		{"a list replaces the preset's", "harness", `{"clear":{"keepTools":["a","b"]}}`,
			func(t *testing.T, p policy.Policy) { require.Equal(t, []string{"a", "b"}, p.Clear.KeepTools) }},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			p, err := policy.Parse(row.preset, []byte(row.policy))
			require.NoError(t, err)
			row.check(t, p)
		})
	}
}

func TestParsePolicyRefuses(t *testing.T) {
	rows := []struct {
		why, preset, policy string
		code                core.Code
		path                string
		says                []string
	}{
		{"an unknown preset", "harnes", ``, msg.BadPolicy, "/preset", []string{"did you mean harness?"}},
		{"an unknown part", "harness", `{"claer":{}}`, msg.BadPolicy, "/policy/claer", []string{"did you mean clear?"}},
		{"an unknown key", "harness", `{"clear":{"keepRecents":1}}`, msg.BadPolicy, "/policy/clear/keepRecents",
			[]string{"clear.keepRecents is unknown; did you mean keepRecent?"}},
		{"words that resemble no known one: all known ones are listed", "foo",
			`{"zzz":{},"clear":{"x":1},"summary":{"shape":"foo"}}`, msg.BadPolicy, "/preset",
			[]string{`cannot use preset "foo": the presets are "balanced", `, `zzz is unknown; a policy has "clear", `,
				`clear.x is unknown; clear has "enabled", `, `is "foo"; it can be "", "harness", "s06"`}},
		{"a prototype key", "harness", `{"__proto__":{"clear":{}}}`, msg.BadPolicy, "/policy/__proto__", nil},
		{"all bad fields at once", "harness", `{"clear":{"keepRecent":-1,"minChars":"x","keepTools":[1,"a"]},"thinking":[]}`,
			msg.BadPolicy, "/policy/clear/minChars",
			[]string{"clear.minChars must be a whole number", "clear.keepTools.0 must be a string",
				"thinking must be an object"}},
		{"all of them, whatever is wrong with each", "harness",
			`{"claer":{},"clear":{"keepRecents":1,"minChars":-2},"trigger":{"softPermille":1001},"summary":{"kind":"codng"}}`,
			msg.BadPolicy, "/policy/claer",
			[]string{"did you mean clear?", "did you mean keepRecent?", "clear.minChars is -2",
				"trigger.softPermille is 1001, must be from 0 to 1000", "did you mean coding?"}},
		{"an unknown preset and another error", "balanced2", `{"summary":{"sharePermille":2000}}`, msg.BadPolicy, "/preset",
			[]string{"did you mean balanced?", "summary.sharePermille is 2000"}},
		{"an unknown preset named inside", "", `{"preset":"prun","clear":[]}`, msg.BadPolicy, "/preset",
			[]string{"did you mean prune?", "clear must be an object"}},
		{"negative numbers", "harness", `{"clear":{"keepRecent":-1,"minChars":-2}}`, msg.BadPolicy,
			"/policy/clear/keepRecent", []string{"keepRecent is -1", "minChars is -2"}},
		{"an unknown price", "harness", `{"money":"of"}`, msg.BadPolicy, "/policy/money", []string{`must be "tokens" or "off"`}},
		{"a price that is no text", "harness", `{"money":["off"]}`, msg.BadPolicy, "/policy/money", nil},
		{"a fraction", "harness", `{"clear":{"keepRecent":1.5}}`, msg.BadPolicy, "/policy/clear/keepRecent", nil},
		{"a number past every machine's", "harness", `{"clear":{"keepRecent":123456789012345678901234567890}}`, msg.BadPolicy,
			"/policy/clear/keepRecent", nil},
		{"an empty placeholder", "harness", `{"clear":{"placeholder":" "}}`, msg.BadPolicy, "/policy/clear/placeholder", nil},
		{"not an object", "harness", `[1]`, msg.BadPolicy, "/policy", nil},
		{"not JSON", "harness", `{"clear":`, msg.BadJSON, "", nil},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			_, err := policy.Parse(row.preset, []byte(row.policy))
			var e *core.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, row.code, e.Code)
			require.Equal(t, row.path, e.Path)
			for _, s := range row.says {
				require.Contains(t, e.Msg, s)
			}
		})
	}
}

// balanced stays below the length from which a model's vendor charges more, if the window is larger and the policy has
// no limit of its own.
func TestLimitBelowLongPrompts(t *testing.T) {
	for _, row := range []struct {
		policy        string
		above, window int
		want          int
		lowered       bool
	}{
		{"", 272_000, 1_050_000, 255_000, true},
		{"", 100_000, 200_000, 93_750, true},
		{"", 200_000, 200_000, 400_000, false},
		{"", 0, 1_050_000, 400_000, false},
		{"", 500_000, 1_050_000, 400_000, false},
		{`{"trigger":{"window":300000}}`, 272_000, 300_000, 255_000, true},
		{`{"trigger":{"tokens":400000}}`, 272_000, 1_050_000, 400_000, false}, // the default, but given
		{`{"trigger":{"tokens":300000}}`, 272_000, 1_050_000, 300_000, false},
		{`{"trigger":{"tokens":0}}`, 272_000, 1_050_000, 0, false},
		{`{"trigger":{"softPermille":600}}`, 272_000, 1_050_000, 400_000, false},
		{`{"trigger":{"softPermille":600,"longPrompts":true}}`, 272_000, 1_050_000, 255_000, true},
		{`{"trigger":{"longPrompts":false}}`, 272_000, 1_050_000, 400_000, false},
		{`{"preset":"regions"}`, 272_000, 1_050_000, 0, false},
	} {
		p, err := policy.Parse("", []byte(row.policy))
		require.NoError(t, err)
		below, lowered := p.Trigger.Below(row.above, row.window)
		require.Equal(t, row.want, below.Tokens, row.policy)
		require.Equal(t, row.lowered, lowered, row.policy)
	}
}
