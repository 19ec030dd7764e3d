package core

import (
	"slices"
	"strings"

	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// PresetInfo describes a preset for people: what a picker shows.
type PresetInfo struct {
	Name        string  `json:"name"`
	Title       string  `json:"title"`
	Description string  `json:"description"`
	Policy      Policy  `json:"policy"`
	Params      []Param `json:"params"` // the values that matter to it, in the order to show them
}

// Sources of the values: the published designs that each preset is named after. protect and minimum of prune are
// OpenCode's; clear_tool_uses follows Anthropic's clear_tool_uses_20250919.
var presets = []PresetInfo{
	{
		Name: "harness", Title: "Harness",
		Description: "At every turn, clears tool results that the model has answered, except the newest three, short ones and file reads.",
		Policy: Policy{Clear: Clear{Enabled: true, ConsumedOnly: true, KeepRecent: 3, MinChars: 100,
			KeepTools: []string{"read_file"}, Placeholder: pass.PlaceholderUsed}},
	},
	{
		Name: "s06", Title: "Session 06",
		Description: "At every turn, clears every tool result over 100 characters except the newest three.",
		Policy:      Policy{Clear: Clear{Enabled: true, KeepRecent: 3, MinChars: 100, Placeholder: pass.PlaceholderUsed}},
	},
	{
		Name: "prune", Title: "Prune",
		Description: "Keeps the newest 20,000 tokens of tool results, and clears older ones once more than 10,000 tokens can go.",
		Policy: Policy{Clear: Clear{Enabled: true, ProtectTokens: 20000, MinSavings: 10000,
			Placeholder: pass.PlaceholderOld}},
	},
	{
		Name: "clear_tool_uses", Title: "Clear tool uses",
		Description: "The provider's own rule: past 100,000 tokens, clears all tool results except the newest three.",
		Policy: Policy{Clear: Clear{Enabled: true, KeepRecent: 3, TriggerTokens: 100000,
			Placeholder: pass.PlaceholderCleared}},
	},
	{
		Name: "clear_thinking", Title: "Clear thinking",
		Description: "Removes the thinking of older turns, whole blocks only. Choose how many turns keep theirs.",
	},
}

// params lists which values matter to each preset; "clear" stands for all of that part.
var params = map[string][]string{
	"harness":         {"clear.keepRecent", "clear.minChars", "clear.keepTools", "clear.consumedOnly", "clear.placeholder", "thinking.keepTurns"},
	"s06":             {"clear.keepRecent", "clear.minChars", "clear.keepTools", "clear.placeholder", "thinking.keepTurns"},
	"prune":           {"clear.protectTokens", "clear.minSavings", "clear.protectExchanges", "clear.keepTools", "clear.placeholder", "thinking.keepTurns"},
	"clear_tool_uses": {"clear.triggerTokens", "clear.triggerToolUses", "clear.keepRecent", "clear.clearAtLeast", "clear.keepTools", "clear.clearToolInputs", "clear.placeholder", "thinking.keepTurns"},
	"clear_thinking":  {"thinking.keepTurns"},
}

// Preset returns the policy of that name. An unknown name is an error that suggests one.
func Preset(name string) (Policy, error) {
	for i := range presets {
		if presets[i].Name == name {
			return presetPolicy(i), nil
		}
	}
	return Policy{}, msg.NewError(msg.BadPolicy, "/preset",
		"cannot use preset \""+clip(name)+"\": "+didYouMean(name, PresetNames())+"; there are "+strings.Join(PresetNames(), ", "))
}

// Presets describes every preset.
func Presets() []PresetInfo {
	infos := slices.Clone(presets)
	for i := range infos {
		infos[i].Policy = presetPolicy(i)
		for _, path := range params[infos[i].Name] {
			infos[i].Params = append(infos[i].Params, fieldAt(path).Param)
		}
	}
	return infos
}

// PresetNames lists the presets in the order of Presets.
func PresetNames() []string {
	names := make([]string, len(presets))
	for i := range presets {
		names[i] = presets[i].Name
	}
	return names
}

// presetPolicy copies a preset's policy, so that nobody can write to the table.
func presetPolicy(i int) Policy {
	p := presets[i].Policy
	p.Preset = presets[i].Name
	p.Clear.KeepTools = append([]string{}, p.Clear.KeepTools...)
	p.Clear.ClearToolInputs = append([]string{}, p.Clear.ClearToolInputs...)
	return p
}
