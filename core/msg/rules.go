package msg

// Rule is the stable id of one rule that makes a conversation valid for its provider. Tests and pages name rules by it.
type Rule string

const (
	A1Empty        Rule = "A1_empty"
	A1Role         Rule = "A1_role"
	A2Unanswered   Rule = "A2_unanswered"
	A3Orphan       Rule = "A3_orphan"
	A4Order        Rule = "A4_order"
	A5Duplicate    Rule = "A5_duplicate"
	A6ID           Rule = "A6_id"
	A7ServerTool   Rule = "A7_server_tool"
	A9ThinkingOpen Rule = "A9_thinking_open"
	A11Cache       Rule = "A11_cache_control"
	A12Compaction  Rule = "A12_compaction"
	O1Unanswered   Rule = "O1_unanswered"
	O2Orphan       Rule = "O2_orphan"
	O3Empty        Rule = "O3_empty"
	O4Role         Rule = "O4_role"
	O5Duplicate    Rule = "O5_duplicate"
	O6ID           Rule = "O6_id"
)

// RuleText describes a rule and the provider's answer to a violation of it.
type RuleText struct {
	Rule  Rule   `json:"rule"`
	Holds string `json:"holds"`           // one sentence
	Error string `json:"error,omitempty"` // the provider's error text, with "…" in place of ids; "" if unknown
}

// Rules lists every rule of Check, in the order of their ids. It does not include A9_thinking_bound, the rule on thinking
// that is bound to its prefix, because CheckAppend needs two consecutive requests to find a violation.
var Rules = [...]RuleText{
	{A1Empty, "There is a message, and no message and no text block is empty; only the last message may be, where it is the assistant's.",
		"all messages must have non-empty content except for the optional final assistant message"},
	{A1Role, "Roles are user, assistant and system; the first message is the user's, except for a leading compaction block; " +
		"calls and thinking are the assistant's.", ""},
	{A2Unanswered, "Each tool_use is answered in the next user message.",
		"`tool_use` ids were found without `tool_result` blocks immediately after: …"},
	{A3Orphan, "Each tool_result answers a tool_use of the previous assistant message.",
		"unexpected `tool_use_id` found in `tool_result` blocks: …"},
	{A4Order, "Tool results come first in a user message, everything else after them.", ""},
	{A5Duplicate, "The ids of tool_use blocks are unique, and each has one result.",
		"`tool_use` ids must be unique"},
	{A6ID, "Each call has an id, and each result has that of its call.", "…: Field required"},
	{A7ServerTool, "A call that the provider runs itself has its result in the same assistant turn.",
		"`…` tool use with id … was found without a corresponding `…` block"},
	{A9ThinkingOpen, "While a tool round is open, the thinking of its assistant message goes back unmodified.",
		"`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified"},
	{A11Cache, "There are at most 4 cache breakpoints, a 1h one never comes after a 5m one, and none is on thinking or empty text.",
		"A maximum of 4 blocks with cache_control may be provided. Found …."},
	{A12Compaction, "A compaction block is the first block of its message, the only one, and unchanged.", "…"},
	{O1Unanswered, "An assistant message with tool_calls is followed by one tool message for each id, before anything else.",
		"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
			"The following tool_call_ids did not have response messages: …"},
	{O2Orphan, "A tool message answers a call of the assistant message before it.",
		"messages with role 'tool' must be a response to a preceding message with 'tool_calls'"},
	{O3Empty, "There is a message, and each has content; an assistant message has content, tool_calls, refusal or audio.",
		"Invalid assistant message: content or tool_calls must be set"},
	{O4Role, "Roles are system, developer, user, assistant and tool, and the deprecated function.", ""},
	{O5Duplicate, "The ids of calls are unique within their round, and each has one result.", ""},
	{O6ID, "Each call has an id.", "Missing required parameter: '…'."},
}

// Further provider texts, for rules with several.
const (
	errEmptyText    = "text content blocks must be non-empty"
	errNullContent  = "Invalid value for 'content': expected a string, got null."
	errSingleResult = "each tool_use must have a single result"
	errMisplaced    = "compaction_block_misplaced"
	errAmbiguous    = "compaction_block_ambiguous"
	errMismatch     = "compaction_block_content_mismatch"
)
