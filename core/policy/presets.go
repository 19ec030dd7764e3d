package policy

import (
	"slices"
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/internal/pass"
	"tamp/core/msg"
)

// PresetInfo describes a preset for users, for example in a menu.
type PresetInfo struct {
	Name        string  `json:"name"`
	Title       string  `json:"title"`
	Description string  `json:"description"`
	Policy      Policy  `json:"policy"`
	Params      []Param `json:"params"` // the values relevant to it, in display order
}

// summarizerWindow is a context window that every current small model has, in tokens.
const summarizerWindow = 128_000

// criticalTools lists tools with side effects, from a published design.
var criticalTools = []string{"write_file", "execute_code", "database_query", "api_call", "create_resource"}

// minGain is the share of the window that a compaction must free. The published designs do not set one. If they keep
// most messages, they compact at every call for a few tokens, and each time the prompt cache is written again: critical
// then costs up to 6.5 times as much as no compaction (make measures MEASURE=money).
const minGain = 80

// tail has the common values of the presets turns, critical and hierarchical: summarize above three quarters of the
// window, with texts truncated for the summarizer. The published designs count three characters as a token, and no
// system prompt: on logs with much of that they compacted at 97 to 100 % of the window.
var tail = Policy{
	Trigger: Triggers{Measure: "counter", SoftPermille: 750},
	Pin:     Pin{KeepTurns: 3},
	Summary: Summary{Strategy: "tail", Kind: "general", MaxTokens: 1024, MergeTokens: 2000, Window: summarizerWindow,
		CutString: 2000, CutText: 1000, CutResult: 500, CutInput: 200},
}

// presets lists Tamp's own design and the published designs, each with the values of its source. protectTokens and
// minSavings of prune are from OpenCode; clear_tool_uses follows Anthropic's clear_tool_uses_20250919.
var presets = []PresetInfo{
	{
		Name: "balanced", Title: "Balanced",
		Description: "Keeps the user's prompts and the recent turns verbatim, summarizes the other messages, and changes " +
			"old messages only if that saves enough.",
		Policy: Policy{
			Clear: Clear{Enabled: true, ConsumedOnly: true, KeepRecent: 3, MinChars: 100, MinSavings: 40_000, Sticky: true,
				When: pass.Economic, Placeholder: marker.PlaceholderLeftOut, BytesPerName: 30},
			Trigger: Triggers{Measure: "counter", Tokens: 400_000, SoftPermille: 725, HardPermille: 900, TargetPermille: 450,
				BufferTokens: 13_000, MinGainPermille: minGain, Scale: true, LongPrompts: true},
			Pin: Pin{Window: pass.Window{RecentTurns: 4, RecentTokens: 20_000}, RecentPermille: 300},
			Summary: Summary{Strategy: "regions", Granularity: "span", Kind: "coding", SharePermille: 300, ShareExtra: 200,
				SummaryPermille: 400, MaxRequests: 8, MergeTokens: 2000, Window: summarizerWindow},
		},
	},
	{
		Name: "harness", Title: "Harness",
		Description: "In every turn, clears answered tool results except the newest three, short ones and file reads. " +
			"Above 50,000 tokens, one summary replaces all messages. Short sessions cost more with it.",
		Policy: Policy{
			Clear: Clear{Enabled: true, ConsumedOnly: true, KeepRecent: 3, MinChars: 100,
				KeepTools: []string{"read_file"}, Placeholder: marker.PlaceholderUsed},
			Trigger: Triggers{Measure: "chars4_json", Tokens: 50_000},
			Summary: Summary{Strategy: "whole", Shape: "harness", Kind: "handoff", MaxTokens: 2048, MergeTokens: 2048,
				InputChars: 80_000, InputEnd: "last", Window: summarizerWindow},
		},
	},
	{
		Name: "s06", Title: "Newest results",
		Description: "In every turn, clears every tool result over 100 characters except the newest three. Above 50,000 " +
			"tokens, one summary replaces all messages. Short sessions may cost more with it.",
		Policy: Policy{
			Clear:   Clear{Enabled: true, KeepRecent: 3, MinChars: 100, Placeholder: marker.PlaceholderUsed},
			Trigger: Triggers{Measure: "chars4_json", Tokens: 50_000},
			Summary: Summary{Strategy: "whole", Shape: "s06", Kind: "general", MaxTokens: 2000, MergeTokens: 2000,
				InputChars: 80_000, InputEnd: "first", Window: summarizerWindow},
		},
	},
	{
		Name: "turns", Title: "Turns",
		Description: "Above three quarters of the window, keeps the newest messages and summarizes all earlier ones.",
		Policy:      with(tail, func(p *Policy) { p.Trigger.MinGainPermille = minGain }),
	},
	{
		Name: "critical", Title: "Critical",
		Description: "Like turns, and keeps every message that changed something or failed.",
		Policy: with(tail, func(p *Policy) {
			p.Trigger.MinGainPermille = minGain
			p.Pin.Critical.Tools = criticalTools
			p.Summary.Strategy, p.Summary.Kind = "critical", "coding"
		}),
	},
	{
		Name: "hierarchical", Title: "Hierarchical",
		Description: "Above three quarters of the window, summarizes chunks of 20 messages, then merges the summaries.",
		Policy: with(tail, func(p *Policy) {
			p.Pin.KeepTurns = 0
			p.Summary.Strategy, p.Summary.ChunkMessages, p.Summary.MergeAbove = "chunks", 20, 3
		}),
	},
	{
		Name: "regions", Title: "Regions",
		Description: "Above 70 % of the window, summarizes the largest old tool results in place until half of the window " +
			"is free.",
		Policy: Policy{
			Trigger: Triggers{Measure: "counter", SoftPermille: 700, HardPermille: 900, TargetPermille: 500,
				BufferTokens: 13_000, MinGainPermille: minGain},
			Pin: Pin{Window: pass.Window{RecentTurns: 4, RecentTokens: 20_000}},
			Summary: Summary{Strategy: "regions", Granularity: "block", Kind: "coding", SharePermille: 200, ShareExtra: 200,
				MergeTokens: 2000, Window: summarizerWindow},
		},
	},
	{
		Name: "prune", Title: "Prune",
		Description: "Keeps the newest 20,000 tokens of tool results, and clears older ones when more than 10,000 tokens " +
			"can be freed. When the window is full, one summary replaces all messages.",
		Policy: Policy{
			Clear:   Clear{Enabled: true, ProtectTokens: 20_000, MinSavings: 10_000, Placeholder: marker.PlaceholderOld},
			Trigger: Triggers{Measure: "counter", ReserveOutput: 32_000},
			Summary: Summary{Strategy: "whole", Shape: "question", Kind: "handoff", SharePermille: 200, ShareExtra: 200,
				MergeTokens: 4000, Window: summarizerWindow},
		},
	},
	{
		Name: "clear_tool_uses", Title: "Clear tool uses",
		Description: "The provider's own rule: above 100,000 tokens, clears all tool results except the newest three.",
		Policy: Policy{
			Clear:   Clear{Enabled: true, KeepRecent: 3, TriggerTokens: 100_000, Placeholder: marker.PlaceholderCleared},
			Trigger: Triggers{Measure: "counter"}, Summary: Summary{Strategy: "none"},
		},
	},
	{
		Name: "clear_thinking", Title: "Clear thinking",
		Description: "Removes the thinking of older turns, whole blocks only. A value sets how many recent turns keep it.",
		Policy:      Policy{Trigger: Triggers{Measure: "counter"}, Summary: Summary{Strategy: "none"}},
	},
}

// params lists the policy values relevant to each preset, in display order.
var params = map[string]string{
	"balanced": "trigger.softPermille trigger.targetPermille trigger.tokens trigger.window trigger.minGainPermille " +
		"trigger.scale trigger.longPrompts pin.recentTurns pin.recentTokens pin.recentPermille summary.sharePermille " +
		"summary.summaryPermille summary.maxRequests summary.kind " +
		"clear.when clear.rentPermille clear.keepRecent clear.bytesPerName clear.keepTools intake.maxBytes",
	"harness": "clear.keepRecent clear.minChars clear.keepTools clear.placeholder clear.when trigger.tokens " +
		"summary.maxTokens summary.inputChars thinking.keepTurns",
	"s06": "clear.keepRecent clear.minChars clear.keepTools clear.placeholder clear.when trigger.tokens " +
		"summary.maxTokens summary.inputChars thinking.keepTurns",
	"turns": "trigger.softPermille trigger.window trigger.minGainPermille pin.keepTurns summary.maxTokens " +
		"summary.cutResult summary.kind",
	"critical": "trigger.softPermille trigger.window trigger.minGainPermille pin.keepTurns pin.criticalTools " +
		"summary.maxTokens summary.cutResult summary.kind",
	"hierarchical": "trigger.softPermille trigger.window summary.chunkMessages summary.maxTokens summary.mergeAbove " +
		"summary.mergeTokens summary.kind",
	"regions": "trigger.softPermille trigger.hardPermille trigger.targetPermille trigger.window " +
		"trigger.minGainPermille " +
		"pin.recentTurns pin.recentTokens summary.sharePermille summary.kind",
	"prune": "clear.protectTokens clear.minSavings clear.protectExchanges clear.keepTools clear.placeholder " +
		"trigger.reserveOutput trigger.window",
	"clear_tool_uses": "clear.triggerTokens clear.triggerToolUses clear.keepRecent clear.clearAtLeast clear.keepTools " +
		"clear.clearToolInputs clear.placeholder thinking.keepTurns",
	"clear_thinking": "thinking.keepTurns",
}

// with returns a copy of p, changed by change.
func with(p Policy, change func(*Policy)) Policy {
	change(&p)
	return p
}

// Preset returns the policy of a preset. An unknown name is the error bad_policy with a suggestion.
func Preset(name string) (Policy, error) {
	for i := range presets {
		if presets[i].Name == name {
			return presetPolicy(i), nil
		}
	}
	return Policy{}, msg.NewError(msg.BadPolicy, "/preset",
		"cannot use preset \""+clip(name)+"\": "+suggest(name, Names(), "the presets are"))
}

// Title is the name of a preset for people: its own name if there is no such preset.
func Title(name string) string {
	for i := range presets {
		if presets[i].Name == name {
			return presets[i].Title
		}
	}
	return name
}

// Presets describes every preset.
func Presets() []PresetInfo {
	infos := slices.Clone(presets)
	for i := range infos {
		infos[i].Policy = presetPolicy(i)
		for _, path := range strings.Fields(params[infos[i].Name]) {
			infos[i].Params = append(infos[i].Params, fieldAt(path).Param)
		}
	}
	return infos
}

// Names lists the presets in the order of Presets.
func Names() []string {
	names := make([]string, len(presets))
	for i := range presets {
		names[i] = presets[i].Name
	}
	return names
}

// presetPolicy returns a deep copy of a preset's policy, so that callers cannot change the table.
func presetPolicy(i int) Policy {
	p := presets[i].Policy
	p.Preset = presets[i].Name
	p.Clear.KeepTools = append([]string{}, p.Clear.KeepTools...)
	p.Clear.ClearToolInputs = append([]string{}, p.Clear.ClearToolInputs...)
	p.Pin.Critical.Tools = append([]string{}, p.Pin.Critical.Tools...)
	p.Clear.RentPermille = 1000 // the ratio with the lowest worst case
	if p.Clear.Placeholder == "" {
		p.Clear.Placeholder = marker.PlaceholderUsed
	}
	return p
}
