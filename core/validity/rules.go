package validity

import "slices"

// Rule is the stable id of one rule that makes a conversation valid for its provider. Tests and pages name rules by it.
type Rule string

const (
	A1Empty         Rule = "A1_empty"
	A1Role          Rule = "A1_role"
	A2Unanswered    Rule = "A2_unanswered"
	A3Orphan        Rule = "A3_orphan"
	A4Order         Rule = "A4_order"
	A5Duplicate     Rule = "A5_duplicate"
	A6ID            Rule = "A6_id"
	A7ServerTool    Rule = "A7_server_tool"
	A9ThinkingOpen  Rule = "A9_thinking_open"
	A11Cache        Rule = "A11_cache_control"
	A12Compaction   Rule = "A12_compaction"
	A13MediaType    Rule = "A13_media_type"
	A14Name         Rule = "A14_name"
	A15Type         Rule = "A15_type"
	A16Reference    Rule = "A16_reference"
	A17Size         Rule = "A17_size"
	A18System       Rule = "A18_system"
	A19SystemModel  Rule = "A19_system_model"
	A20Programmatic Rule = "A20_programmatic"
	A21Fallback     Rule = "A21_fallback"
	A22Deferred     Rule = "A22_deferred"
	O1Unanswered    Rule = "O1_unanswered"
	O2Orphan        Rule = "O2_orphan"
	O3Empty         Rule = "O3_empty"
	O4Role          Rule = "O4_role"
	O5Duplicate     Rule = "O5_duplicate"
	O6ID            Rule = "O6_id"
	O7Calls         Rule = "O7_calls"
	O8Name          Rule = "O8_name"
	O9Type          Rule = "O9_type"
	O10Reasoning    Rule = "O10_reasoning"
	O11Alternation  Rule = "O11_alternation"
	R1Orphan        Rule = "R1_orphan"
	R1Unanswered    Rule = "R1_unanswered"
	R2Reasoning     Rule = "R2_reasoning"
	R3Stored        Rule = "R3_stored"
	R3Sealed        Rule = "R3_sealed"
	R4Compaction    Rule = "R4_compaction"
	R5Context       Rule = "R5_context"
	R6Role          Rule = "R6_role"
	R7ID            Rule = "R7_id"
	R8Content       Rule = "R8_content"
	R9Duplicate     Rule = "R9_duplicate"
	R10Name         Rule = "R10_name"
	R11Type         Rule = "R11_type"
	G1Order         Rule = "G1_order"
	G2Count         Rule = "G2_count"
	G3Signature     Rule = "G3_signature"
	G4Empty         Rule = "G4_empty"
	G5Name          Rule = "G5_name"
	S1Unanswered    Rule = "S1_unanswered"
	S2Orphan        Rule = "S2_orphan"
	S3Schema        Rule = "S3_schema"
	L1Line          Rule = "L1_line"
	J1Surrogate     Rule = "J1_lone_surrogate"
	J2Image         Rule = "J2_image"
)

// IsSingle reports a rule on one text, name, id, part or image. A request that breaks it has the same messages before
// and after a compaction that does not touch them.
func (r Rule) IsSingle() bool { return slices.Contains(single[:], r) }

var single = [...]Rule{A1Empty, A6ID, A13MediaType, A14Name, A15Type, A16Reference, A17Size, A19SystemModel,
	A22Deferred, O6ID, O7Calls, O8Name, O9Type, O10Reasoning, R10Name, R11Type, G5Name, J2Image}

// RuleText describes a rule and the provider's answer to a violation of it.
type RuleText struct {
	Rule  Rule   `json:"rule"`
	Holds string `json:"holds"`           // one sentence
	Error string `json:"error,omitempty"` // the provider's error text, with "…" in place of ids; "" if unknown
}

// Rules lists every rule of Check, in the order of their ids. It does not include A9_thinking_bound, the rule on
// thinking that is bound to its prefix, because CheckAppend needs two consecutive requests to find a violation.
var Rules = [...]RuleText{
	{A1Empty, "There is a message, and no message and no text block is empty or white space; only the last message may " +
		"be empty, where it is the assistant's.",
		"all messages must have non-empty content except for the optional final assistant message"},
	{A1Role, "Roles are user, assistant and system; the first message is the user's, except for a leading compaction " +
		"block; " +
		"calls and thinking are the assistant's.", ""},
	{A2Unanswered, "Each tool_use is answered in the next user message.",
		"`tool_use` ids were found without `tool_result` blocks immediately after: …"},
	{A3Orphan, "Each tool_result answers a tool_use of the previous assistant message.",
		"unexpected `tool_use_id` found in `tool_result` blocks: …"},
	{A4Order, "Tool results come first in a user message, everything else after them.", ""},
	{A5Duplicate, "The ids of tool_use blocks are unique, and each has one result.",
		"`tool_use` ids must be unique"},
	{A6ID, "Each call has an id of letters, digits, _ and -, and each result has that of its call.",
		"…: Field required"},
	{A7ServerTool, "A call that the provider runs itself has its result in the same assistant turn.",
		"`…` tool use with id … was found without a corresponding `…` block"},
	{A9ThinkingOpen, "While a tool round is open, the thinking of its assistant message goes back unmodified.",
		"`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified"},
	{A11Cache, "There are at most 4 cache breakpoints, a 1h one never comes after a 5m one, and none is on thinking, " +
		"empty text or a deferred tool.",
		"A maximum of 4 blocks with cache_control may be provided. Found …."},
	{A12Compaction, "A compaction block is the first block of its message, the only one, and unchanged.", "…"},
	{J2Image, "The data of an image is that of a whole image, in base64.", "Could not process image"},
	{A13MediaType, "An image in base64 is a JPEG, PNG, GIF or WebP image.",
		"….source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"},
	{A14Name, "The names of tools have letters, digits, _ and - only, at most 128; those of calls have 1 to 200 " +
		"characters.",
		"…: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"},
	{A15Type, "Each block has a type.", "….type: Field required"},
	{A16Reference, "Each tool_reference names a tool of the request.",
		"Tool reference '…' not found in available tools"},
	{A17Size, "An image has at most 8,000 pixels a side, 2,000 if the request has more than 20 images, and 10 MB in " +
		"base64; a request has at most 600 images, 100 if the window of the model has 200,000 tokens or less.",
		"At least one of the image dimensions exceed max allowed size: … pixels"},
	{A18System, "A system message with content is right after a user message, or an assistant message that ends in the " +
		"result of a server tool, and before an assistant message or the end; it has text and changes of tools, with " +
		"clear_at only text.", errFollows},
	{A19SystemModel, "The model takes system messages among the messages.",
		"role 'system' is not supported on this model"},
	{A20Programmatic, "While code that the provider runs waits for results, the user message with them has nothing " +
		"else, and they are text.", ""},
	{A21Fallback, "An answer that another model went on with has no call of the client, no thinking and no server tool " +
		"call without a result before its last fallback block.", ""},
	{A22Deferred, "At least one tool is not deferred.", "At least one tool must have defer_loading=false."},
	{O1Unanswered, "An assistant message with tool_calls is followed by one tool message for each id, before anything " +
		"else.",
		"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
			"The following tool_call_ids did not have response messages: …"},
	{O2Orphan, "A tool message answers a call of the assistant message before it.",
		"messages with role 'tool' must be a response to a preceding message with 'tool_calls'"},
	{O3Empty, "There is a message, and each has content; an assistant message has content, tool_calls, refusal or audio.",
		"Invalid assistant message: content or tool_calls must be set"},
	{O4Role, "Roles are system, developer, user, assistant and tool, and the deprecated function.", ""},
	{O5Duplicate, "The ids of calls are unique within their round, and each has one result.", ""},
	{O6ID, "Each call has an id, and each tool message has it as tool_call_id. Other vendors' models take calls without " +
		"an id.", errMissing},
	{O7Calls, "tool_calls is not empty.",
		"Invalid '…': empty array. Expected an array with minimum length 1, but got an empty array instead."},
	{O8Name, "The names of tools have letters, digits, _ and - only, at most 64 in a definition.", errPattern},
	{O9Type, "Each part has a type.", errMissing},
	{O10Reasoning, "For DeepSeek V4, Kimi K2.5 and later models that think, an assistant message with calls has " +
		"reasoning_content, which may be empty; for Kimi with thinking.keep \"all\" each assistant message has.",
		"The reasoning_content in the thinking mode must be passed back to the API."},
	{O11Alternation,
		"For Mistral's models, by the name of the model: besides results and messages with calls, messages of user " +
			"and assistant alternate after the system message. A warning: the chat templates refuse it, Mistral's API does not.",
		"After the optional system message, conversation roles must alternate user/assistant/user/assistant/..."},
	{R1Orphan, "Each output answers a call before it.",
		"No tool call found for function call output with call_id …."},
	{R1Unanswered, "Each call that the client runs has its output, unless it is asynchronous.",
		"No tool output found for function call …."},
	{R2Reasoning, "A reasoning item is followed by the items that it produced, and kept with them.",
		"Item '…' of type 'reasoning' was provided without its required following item."},
	{R3Stored, "With store: false, no item is named by its id alone, and reasoning has encrypted_content.",
		"Item with id '…' not found. Items are not persisted when store is set to false."},
	{R3Sealed, "The id and the encrypted content of an item belong together: it is there once, and unchanged.",
		"The encrypted content could not be verified. Reason: Encrypted content item_id did not match the target item id."},
	{R4Compaction, "A compaction item is opaque, and of the type that the API returns; a compaction_trigger is the last " +
		"item.",
		"Invalid value: '…'. Supported values are: …"},
	{R5Context, "The request is not larger than the context window of its model.",
		"Your input exceeds the context window of this model. Please adjust your input and try again."},
	{R6Role, "Roles are user, assistant, system and developer.",
		"Invalid value: '…'. Supported values are: 'assistant', 'system', 'developer', and 'user'."},
	{R7ID, "Each call that the client runs has an id, and its output has the same.",
		"Invalid '…': empty string. Expected a string with minimum length 1, but got an empty string instead."},
	{R8Content, "Each message has content.", errMissing},
	{R9Duplicate, "Two calls that wait for their outputs have different call_ids.", "Duplicate 'call_id': …"},
	{R10Name, "The names of tools have letters, digits, _ and - only, at most 64 in a definition.", errPattern},
	{R11Type, "Each part has a type.", errMissing},
	{G1Order, "Roles are user and model, the first content is the user's; a call turn comes right after a user turn or " +
		"a response turn.",
		"Please ensure that function call turn comes immediately after a user turn or after a function response turn."},
	{G2Count, "The content after a call turn has one response for each call, by id or else by name and order.",
		"Please ensure that the number of function response parts is equal to the number of function call parts of the " +
			"function call turn."},
	{G3Signature, "For Gemini 3 and later, the first call of each step of the current turn keeps its thoughtSignature.",
		"Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, " +
			"and missing thought_signature may lead to degraded model performance."},
	{G4Empty, "There is a content, each has a part, and each part has data.", "contents.parts must not be empty."},
	{G5Name, "The name of a function begins with a letter or _ and has letters, digits and _ . : - only, at most 128.",
		"Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores " +
			"(_), dots (.), colons (:), or dashes (-), with a maximum length of …."},
	{S1Unanswered, "Each tool-call has its tool-result in a following tool message, before the next user message.",
		"Tool result is missing for tool call …."},
	{S2Orphan, "Each tool-result answers one tool-call before it.", ""},
	{S3Schema, "There is a message; roles are system, user, assistant and tool; each has content and the parts of its " +
		"role.",
		"Invalid prompt: The messages do not match the ModelMessage[] schema."},
	{L1Line, "Each line of a log can be read. A line that is no JSON object is skipped.", ""},
	{J1Surrogate, "In every format, each string is valid Unicode: no half of a surrogate pair, no invalid UTF-8.",
		"The request body is not valid JSON: no low surrogate in string: …"},
}

// Further provider texts, for rules with several.
const (
	errEmptyText = "text content blocks must be non-empty"
	errBlankText = "text content blocks must contain non-whitespace text"
	errIDPattern = ": String should match pattern '^[a-zA-Z0-9_-]+$'"
	errPattern   = "Invalid '…': string does not match pattern. Expected a string that matches the pattern " +
		"'^[a-zA-Z0-9_-]+$'."
	errDeferred = "Tool '…' cannot have both defer_loading=true and cache_control set. Tools with defer_loading " +
		"cannot use prompt caching."
	errMissing      = "Missing required parameter: '…'."
	errNullContent  = "Invalid value for 'content': expected a string, got null."
	errSingleResult = "each tool_use must have a single result"
	errMisplaced    = "compaction_block_misplaced"
	errAmbiguous    = "compaction_block_ambiguous"
	errMismatch     = "compaction_block_content_mismatch"
	// The provider's text for a repeated item.
	errDuplicateItem = "Duplicate item found with id …. Remove duplicate items from your input and try again."
	// The provider's text for an item whose reasoning is missing.
	errReasoningLost = "Item '…' of type '…' was provided without its required 'reasoning' item: '…'."
	errGeminiRole    = "Please use a valid role: user, model."
	errNoContents    = "contents is not specified"
	// Of a part that only has a thoughtSignature, as a client wrote one (genkit-ai/genkit#3816).
	errNoData = "* GenerateContentRequest.contents[…].parts[…].data: required oneof field 'data' must have one " +
		"initialized field"
	errNoPrompt = "Invalid prompt: messages must not be empty"
	// Of system messages in the middle of a conversation.
	systemText = "role 'system' "
	systemForm = "; the directive-only form (content: [] with output_config) is accepted at any position"
	errInitial = "messages.…: use the top-level 'system' parameter for the initial system prompt" + systemForm
	errFollows = "messages.…: " + systemText + "must follow a 'user' message or an 'assistant' message ending in a " +
		"server tool result" + systemForm
	errPrecedes = "messages.…: " + systemText + "must precede an 'assistant' message or end the array" + systemForm
	errBlocks   = "messages.…: " + systemText + "supports text, tool_addition, and tool_removal blocks only"
	errNoBlock  = "messages.…: system content must contain at least one block"
)
