package policy

import "tamp/core/internal/pass"

// The table of policy values: JSON name, range, label and description of each. Decoding, Validate, suggestions and the
// page's controls all use this table.

// Param describes one value of a policy, for documentation and for the controls of a page.
type Param struct {
	Path        string   `json:"path"` // "clear.keepRecent"
	Label       string   `json:"label"`
	Description string   `json:"description"`
	Type        string   `json:"type"` // "int", "bool", "string", "strings"
	Min         int      `json:"min"`
	Max         int      `json:"max"` // of an int; 0 if the type has no range
	Unit        string   `json:"unit,omitempty"`
	Choices     []string `json:"choices,omitempty"` // of a string that must be one of these
}

// field is a Param with a function that returns a pointer to its value.
type field struct {
	Param
	at func(*Policy) any // *int, *bool, *string or *[]string
}

// maxTokens is larger than every context window, maxCount larger than every session. They only reject mistyped values.
const (
	maxTokens = 100_000_000
	maxCount  = 1_000_000
)

var fields = []field{
	flag("clear.enabled", "Clear tool results", "Whether old tool results are cleared.",
		func(p *Policy) any { return &p.Clear.Enabled }),
	flag("clear.consumedOnly", "Only answered results", "Clear a result only after the model has answered it.",
		func(p *Policy) any { return &p.Clear.ConsumedOnly }),
	count("clear.keepRecent", "Keep newest results", "The number of newest tool results that are kept.", "results",
		func(p *Policy) any { return &p.Clear.KeepRecent }),
	size("clear.minChars", "Keep short results", "Results up to this number of characters are kept.", "characters",
		func(p *Policy) any { return &p.Clear.MinChars }),
	names("clear.keepTools", "Keep these tools", "Results of these tools are always kept.",
		func(p *Policy) any { return &p.Clear.KeepTools }),
	size("clear.protectTokens", "Protect newest",
		"The newest tool results up to this total are kept; 0 turns it off.", "tokens",
		func(p *Policy) any { return &p.Clear.ProtectTokens }),
	count("clear.protectExchanges", "Protect newest exchanges",
		"Results since this number of newest prompts are kept; 0 turns it off.", "prompts",
		func(p *Policy) any { return &p.Clear.ProtectExchanges }),
	size("clear.minSavings", "Wait for", "Nothing is cleared unless the old results hold more than this.", "tokens",
		func(p *Policy) any { return &p.Clear.MinSavings }),
	size("clear.triggerTokens", "Start above",
		"Nothing is cleared until the conversation is over this size; 0 always clears.", "tokens",
		func(p *Policy) any { return &p.Clear.TriggerTokens }),
	count("clear.triggerToolUses", "Start above calls",
		"Clear above this number of tool calls, instead of by tokens; 0 uses tokens.", "calls",
		func(p *Policy) any { return &p.Clear.TriggerToolUses }),
	size("clear.clearAtLeast", "Free at least", "Nothing is cleared unless this many tokens are freed.", "tokens",
		func(p *Policy) any { return &p.Clear.ClearAtLeast }),
	names("clear.clearToolInputs", "Clear inputs of",
		"Tools whose calls lose their inputs with their results; * means all.",
		func(p *Policy) any { return &p.Clear.ClearToolInputs }),
	text("clear.placeholder", "Placeholder",
		"The text that replaces a cleared result. {tool} is the name of the tool, {about} the file or the command of the "+
			"call, {tokens} the size of the result, {ref} the name of its original.",
		func(p *Policy) any { return &p.Clear.Placeholder }),
	size("clear.bytesPerName", "Keep lines with names",
		"A cleared result keeps its lines that have a name for each of this number of bytes, which no text before has; 0 "+
			"keeps none. Only with a placeholder that has {ref}.", "bytes",
		func(p *Policy) any { return &p.Clear.BytesPerName }),
	flag("clear.sticky", "Clear in steps",
		"Cleared results stay cleared. New ones are cleared only when enough tokens can be freed at once.",
		func(p *Policy) any { return &p.Clear.Sticky }),
	choice("clear.when", "Clear when",
		"When old results are cleared: as soon as the limits allow it, or (economic) when the kept results have cost as "+
			"much as writing the prompt cache again. Economic includes clearing in steps and replaces clear.minSavings.",
		[]string{"", pass.Economic}, func(p *Policy) any { return &p.Clear.When }),
	field{Param{Path: "clear.rentPermille", Label: "Rent to pay",
		Description: "With economic: clear when the kept results have cost this share of what clearing costs; less clears " +
			"earlier.", Type: "int", Max: 10_000, Unit: "‰"}, func(p *Policy) any { return &p.Clear.RentPermille }},

	count("thinking.keepTurns", "Keep thinking of",
		"The number of newest turns that keep their thinking; 0 keeps all.", "turns",
		func(p *Policy) any { return &p.Thinking.KeepTurns }),

	size("intake.maxBytes", "Cut outputs over",
		"A tool output over this size keeps its head and its tail; 0 turns it off.", "bytes",
		func(p *Policy) any { return &p.Intake.MaxBytes }),
	size("intake.maxChars", "Set aside inputs over",
		"A user's text over this size is saved and replaced by a reference; 0 turns it off.", "characters",
		func(p *Policy) any { return &p.Intake.MaxChars }),

	choice("trigger.measure", "Counted by",
		"How the trigger counts: by the counter, or by a published rule.", []string{"counter", "chars4_json", "chars3"},
		func(p *Policy) any { return &p.Trigger.Measure }),
	size("trigger.tokens", "Summarize above", "Summaries are due above this size; 0 turns it off.", "tokens",
		func(p *Policy) any { return &p.Trigger.Tokens }),
	size("trigger.window", "Context window", "The size of the context window; 0 uses the model's own.", "tokens",
		func(p *Policy) any { return &p.Trigger.Window }),
	permille("trigger.softPermille", "Start at",
		"A share of the window: above it, compaction down to the target is due; 0 turns it off.",
		func(p *Policy) any { return &p.Trigger.SoftPermille }),
	permille("trigger.hardPermille", "Must fit",
		"A share of the window that the next request must stay below; 0 turns it off.",
		func(p *Policy) any { return &p.Trigger.HardPermille }),
	permille("trigger.targetPermille", "Go down to", "A share of the window; 0 compacts just below the limit that fired.",
		func(p *Policy) any { return &p.Trigger.TargetPermille }),
	size("trigger.bufferTokens", "Room for a request", "Kept free below the hard limit.", "tokens",
		func(p *Policy) any { return &p.Trigger.BufferTokens }),
	size("trigger.reserveOutput", "Room for the answer",
		"Fires above the window minus this size; 0 turns it off.", "tokens",
		func(p *Policy) any { return &p.Trigger.ReserveOutput }),
	permille("trigger.minGainPermille", "Free at least",
		"A share of the window that a compaction must free before the hard limit; 0 compacts for any gain.",
		func(p *Policy) any { return &p.Trigger.MinGainPermille }),
	flag("trigger.scale", "Scale with the window",
		"Shares are of the window without system prompt and tools; the room for a request and the newest tokens shrink "+
			"with it.",
		func(p *Policy) any { return &p.Trigger.Scale }),
	flag("trigger.longPrompts", "Below long prompts",
		"Summaries are due before a request has the higher price that the vendor sets for long prompts. Off if a policy "+
			"sets trigger.tokens or trigger.softPermille.",
		func(p *Policy) any { return &p.Trigger.LongPrompts }),
	flag("trigger.taskSwitch", "On a new task",
		"Fires when a new prompt shares almost no words with earlier text. A heuristic.",
		func(p *Policy) any { return &p.Trigger.TaskSwitch }),

	count("pin.recentTurns", "Keep newest turns", "The number of newest turns that are kept verbatim.", "turns",
		func(p *Policy) any { return &p.Pin.RecentTurns }),
	size("pin.recentTokens", "Keep newest tokens",
		"The newest messages are kept verbatim, including the one with which they reach this total.", "tokens",
		func(p *Policy) any { return &p.Pin.RecentTokens }),
	permille("pin.recentPermille", "Keep newest share",
		"A share of the target that the newest messages keep verbatim, even if the target is tight.",
		func(p *Policy) any { return &p.Pin.RecentPermille }),
	count("pin.keepTurns", "Keep newest exchanges", "Twice this number of newest messages are kept verbatim.", "pairs",
		func(p *Policy) any { return &p.Pin.KeepTurns }),
	names("pin.criticalTools", "Critical tools", "Calls of these tools and their results are kept verbatim.",
		func(p *Policy) any { return &p.Pin.Critical.Tools }),

	choice("summary.strategy", "Summarize",
		"Which messages are summarized.", []string{"none", "whole", "tail", "critical", "chunks", "regions"},
		func(p *Policy) any { return &p.Summary.Strategy }),
	choice("summary.shape", "Shape",
		"The form of one summary of all messages.", []string{"", "harness", "s06", "question"},
		func(p *Policy) any { return &p.Summary.Shape }),
	choice("summary.granularity", "Granularity",
		"Whether regions consist of blocks or of whole messages.", []string{"", "block", "span"},
		func(p *Policy) any { return &p.Summary.Granularity }),
	choice("summary.kind", "Prompt",
		"The purpose of the summary.", []string{"", "general", "coding", "research", "handoff"},
		func(p *Policy) any { return &p.Summary.Kind }),
	size("summary.maxTokens", "Summary of at most", "A longer answer is truncated; 0 uses the share.", "tokens",
		func(p *Policy) any { return &p.Summary.MaxTokens }),
	permille("summary.sharePermille", "Summary share", "The max length of a summary, as a share of the replaced text.",
		func(p *Policy) any { return &p.Summary.SharePermille }),
	size("summary.shareExtra", "Summary extra", "Tokens added to the share.", "tokens",
		func(p *Policy) any { return &p.Summary.ShareExtra }),
	permille("summary.summaryPermille", "All summaries",
		"A share of the target that all summaries may take: over it, the oldest are condensed; 0 keeps them all.",
		func(p *Policy) any { return &p.Summary.SummaryPermille }),
	count("summary.maxRequests", "Requests at once",
		"The most summaries that one plan requests: neighboring regions are joined, and the rest waits for the next plan; "+
			"0 sets no limit.", "requests", func(p *Policy) any { return &p.Summary.MaxRequests }),
	size("summary.inputChars", "Summarize the",
		"This number of characters of the messages' JSON is sent; 0 sends all, as text.", "characters",
		func(p *Policy) any { return &p.Summary.InputChars }),
	choice("summary.inputEnd", "Which end",
		"Whether the first or the last characters are sent.", []string{"", "first", "last"},
		func(p *Policy) any { return &p.Summary.InputEnd }),
	count("summary.chunkMessages", "Chunks of", "Messages that share one summary.", "messages",
		func(p *Policy) any { return &p.Summary.ChunkMessages }),
	count("summary.mergeAbove", "Merge above", "More summaries than this are merged by another request.", "summaries",
		func(p *Policy) any { return &p.Summary.MergeAbove }),
	size("summary.mergeTokens", "Merged summary of at most",
		"A longer answer is truncated. Balanced takes the tokens of one summary.", "tokens",
		func(p *Policy) any { return &p.Summary.MergeTokens }),
	size("summary.cutString", "Cut strings at",
		"The max length sent of a message that is one string; 0 sends all.", "characters",
		func(p *Policy) any { return &p.Summary.CutString }),
	size("summary.cutText", "Cut texts at", "The max length sent of a text block; 0 sends all.", "characters",
		func(p *Policy) any { return &p.Summary.CutText }),
	size("summary.cutResult", "Cut results at", "The max length sent of a tool result; 0 sends all.", "characters",
		func(p *Policy) any { return &p.Summary.CutResult }),
	size("summary.cutInput", "Cut inputs at", "The max length sent of a call's input; 0 sends all.", "characters",
		func(p *Policy) any { return &p.Summary.CutInput }),
	size("summary.window", "Summarizer's window", "A request that would not fit is split.", "tokens",
		func(p *Policy) any { return &p.Summary.Window }),
}

func flag(path, label, description string, at func(*Policy) any) field {
	return field{Param{Path: path, Label: label, Description: description, Type: "bool"}, at}
}

func count(path, label, description, unit string, at func(*Policy) any) field {
	return field{Param{Path: path, Label: label, Description: description, Type: "int", Max: maxCount, Unit: unit}, at}
}

func size(path, label, description, unit string, at func(*Policy) any) field {
	return field{Param{Path: path, Label: label, Description: description, Type: "int", Max: maxTokens, Unit: unit}, at}
}

func permille(path, label, description string, at func(*Policy) any) field {
	return field{Param{Path: path, Label: label, Description: description, Type: "int", Max: 1000, Unit: "‰"}, at}
}

func names(path, label, description string, at func(*Policy) any) field {
	return field{Param{Path: path, Label: label, Description: description, Type: "strings"}, at}
}

func text(path, label, description string, at func(*Policy) any) field {
	return field{Param{Path: path, Label: label, Description: description, Type: "string"}, at}
}

func choice(path, label, description string, choices []string, at func(*Policy) any) field {
	return field{Param{Path: path, Label: label, Description: description, Type: "string", Choices: choices}, at}
}

// fieldAt returns the field of a path. It panics if the path is not in the table: that is a bug of tamp.
func fieldAt(path string) *field {
	for i := range fields {
		if fields[i].Path == path {
			return &fields[i]
		}
	}
	panic("tamp: internal error: no policy field " + path)
}
