package core

// The table of policy values. Everything that is said of a value is said here once: its name on the wire, its
// range, how a person reads it. Decoding, Validate, suggestions and the page's controls all come from this table.

// Param describes one value of a policy for people and for controls.
type Param struct {
	Path        string `json:"path"` // "clear.keepRecent"
	Label       string `json:"label"`
	Description string `json:"description"`
	Type        string `json:"type"` // "int", "bool", "string", "strings"
	Min         int    `json:"min"`
	Max         int    `json:"max"` // of an int; 0 where the type has no range
	Unit        string `json:"unit,omitempty"`
}

// field is a Param together with where its value is kept.
type field struct {
	Param
	at func(*Policy) any // *int, *bool, *string or *[]string
}

// maxTokens is past every context window; maxCount past every session. They only catch slips.
const (
	maxTokens = 100_000_000
	maxCount  = 1_000_000
)

var fields = []field{
	{Param{"clear.enabled", "Clear tool results", "Whether old tool results are cleared at all.", "bool", 0, 0, ""},
		func(p *Policy) any { return &p.Clear.Enabled }},
	{Param{"clear.consumedOnly", "Only answered results", "Clear a result only after the model has answered it.", "bool", 0, 0, ""},
		func(p *Policy) any { return &p.Clear.ConsumedOnly }},
	{Param{"clear.keepRecent", "Keep newest results", "How many of the newest tool results stay.", "int", 0, maxCount, "results"},
		func(p *Policy) any { return &p.Clear.KeepRecent }},
	{Param{"clear.minChars", "Keep short results", "Results of at most so many characters stay.", "int", 0, maxTokens, "characters"},
		func(p *Policy) any { return &p.Clear.MinChars }},
	{Param{"clear.keepTools", "Keep these tools", "Results of these tools always stay.", "strings", 0, 0, ""},
		func(p *Policy) any { return &p.Clear.KeepTools }},
	{Param{"clear.protectTokens", "Protect newest tokens", "The newest tool results up to this sum stay; 0 turns it off.", "int", 0, maxTokens, "tokens"},
		func(p *Policy) any { return &p.Clear.ProtectTokens }},
	{Param{"clear.protectExchanges", "Protect newest exchanges", "Results since the user's newest prompts stay; 0 turns it off.", "int", 0, maxCount, "prompts"},
		func(p *Policy) any { return &p.Clear.ProtectExchanges }},
	{Param{"clear.minSavings", "Wait for", "Nothing is cleared unless the old results hold more than this.", "int", 0, maxTokens, "tokens"},
		func(p *Policy) any { return &p.Clear.MinSavings }},
	{Param{"clear.triggerTokens", "Start above", "Nothing is cleared until the conversation is over this size; 0 clears always.", "int", 0, maxTokens, "tokens"},
		func(p *Policy) any { return &p.Clear.TriggerTokens }},
	{Param{"clear.triggerToolUses", "Start above calls", "Start by the number of tool calls instead of tokens; 0 goes by tokens.", "int", 0, maxCount, "calls"},
		func(p *Policy) any { return &p.Clear.TriggerToolUses }},
	{Param{"clear.clearAtLeast", "Free at least", "Nothing is cleared unless this many tokens are freed.", "int", 0, maxTokens, "tokens"},
		func(p *Policy) any { return &p.Clear.ClearAtLeast }},
	{Param{"clear.clearToolInputs", "Clear inputs of", "Tools whose calls lose their inputs with their results; * means all.", "strings", 0, 0, ""},
		func(p *Policy) any { return &p.Clear.ClearToolInputs }},
	{Param{"clear.placeholder", "Placeholder", "What stands in for a cleared result; {tool} is the tool's name.", "string", 0, 0, ""},
		func(p *Policy) any { return &p.Clear.Placeholder }},
	{Param{"thinking.keepTurns", "Keep thinking of", "The newest turns that keep their thinking; 0 keeps all.", "int", 0, maxCount, "turns"},
		func(p *Policy) any { return &p.Thinking.KeepTurns }},
}

// fieldAt returns the field of that path. Asking for one that is not in the table is our own slip.
func fieldAt(path string) *field {
	for i := range fields {
		if fields[i].Path == path {
			return &fields[i]
		}
	}
	panic("tamp: internal error: no policy field " + path)
}
