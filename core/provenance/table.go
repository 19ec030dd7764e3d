package provenance

import "strings"

// This file is the only list of texts that programs insert into user-role messages. Its sources are the public source
// code of the clients and recorded sessions.

// tags are the elements whose content a program writes, in spaces. An element counts with or without attributes.
const tags = " " +
	// Claude Code and its SDK
	"system-reminder command-name command-message command-args command-contents local-command-stdout " +
	"local-command-stderr local-command-caveat bash-input bash-stdout bash-stderr ide_selection ide_opened_file " +
	"ide_diagnostics new-diagnostics user-prompt-submit-hook pre-tool-use-hook post-tool-use-hook session-start-hook " +
	"user-memory-input task-notification task-status agent-message agent-notification teammate-message channel " +
	"channel-message cross-session-message mcp-resource mcp-resource-update mcp-polling-update fork-boilerplate " +
	"tool_use_error persisted-output background-task-output tick " +
	// Codex
	"environment_context user_instructions user_shell_command turn_aborted user_action subagent_notification " +
	"permissions collaboration_mode model_switch personality_spec skills_instructions apps_instructions " +
	"plugins_instructions realtime_conversation INSTRUCTIONS skill " +
	// Cline and Roo Code
	"environment_details file_content folder_content url_content workspace_diagnostics terminal_output " +
	"git_working_state " +
	"git_commit explicit_instructions hook_context user_edits final_file_content auto_formatting_edits slash_command " +
	// Copilot
	"current_datetime sql_tables system_reminder system_notification reminder reminderInstructions attachments " +
	"attachment editorContext environment_info workspace_info conversation-summary repoMemory tool_calls_result " +
	// Gemini CLI
	"session_context state_snapshot loaded_context extension_context project_context background_output " +
	// Pi, opencode, Kimi, OpenHands, Cursor
	"dcp-system-reminder dcp-message-id pty_exited file_diagnostics project_diagnostics system_warning system " +
	"open_and_recently_viewed_files additional_data user_info git_status project_layout attached_files " +
	"cursor_commands_instructions system_reminder_message EXTRA_INFO REPO_CONTEXT tool_response tool_result " +
	"function_results function_result "

// taskStarts are the first words of texts that a client inserts for a command or an approved plan of the user.
var taskStarts = [...]string{"<command-message>", "<command-name>", "Implement the following plan:"}

// extent is how far inserted text reaches from its first words.
type extent uint8

const (
	toEnd       extent = iota // to the end of the block
	toNext                    // to the end of the block, and the whole following text block
	toLine                    // to the end of the line
	toMarker                  // to the marker, after which the user's text begins; to the end without it
	aroundTyped               // what the user typed is between the prefix and the marker, or the end
)

// insertion is a text that a program inserts, recognized by its first words. It counts at the start of a block, after
// other inserted text at most; with extent toLine at the start of every line.
type insertion struct {
	prefix string
	extent extent
	marker string // of toMarker: the last words before the user's text; of aroundTyped: the first after it
}

// insertionStarts has the first bytes of insertions: most lines begin with none of them.
const insertionStarts = "#*-<ABCEFHIOPRSTUWY["

// insertions has no common words alone: each prefix is long enough that a user hardly types it.
var insertions = [...]insertion{
	// Claude Code
	{"[Request interrupted", toLine, ""},
	{"Caveat: The messages below were generated", toLine, ""},
	{"This session is being continued from a previous conversation", toEnd, ""},
	{"Base directory for this skill:", toEnd, ""},
	{"Your task is to create a detailed summary of", toEnd, ""},
	{"Please continue the conversation from where we left", toEnd, ""},
	{"Continue from where you left off.", toLine, ""},
	{"Implement the following plan:", toEnd, ""}, // the agent wrote the plan
	{"Stop hook feedback:", toEnd, ""},
	{"Plan mode is active.", toEnd, ""},
	{"The user opened the file ", toLine, ""},
	{"The user selected the lines ", toEnd, ""},
	{"Another Claude session sent a message", toEnd, ""},
	{"[SYSTEM NOTIFICATION", toEnd, ""},
	{"[Image: ", toLine, ""},
	{"Read the output file to retrieve the result: ", toLine, ""},
	{"Result of calling the ", toEnd, ""},
	// opencode
	{"Called the ", toNext, ""}, // "Called the Read tool with the following input: …", then the file
	{"The following tool was executed by the user", toNext, ""},
	{"Summarize the task tool output above and continue", toEnd, ""},
	{"Continue if you have next steps", toEnd, ""},
	// Codex
	{"# AGENTS.md instructions", toMarker, "</INSTRUCTIONS>"},
	{"# Context from my IDE setup:", toMarker, "## My request for Codex:"},
	{"Another language model started to solve this problem", toEnd, ""},
	{"You are performing a CONTEXT CHECKPOINT COMPACTION", toEnd, ""},
	{"Warning: apply_patch was requested via", toEnd, ""},
	{"Warning: The maximum number of unified exec", toEnd, ""},
	{"## User Input\n\n```text\n", aroundTyped, "\n```"}, // spec-kit
	// OpenClaw: events before the user's message, with the metadata of the message between them
	{"System: [", toMarker, "\n```\n"},
	{"Conversation info (untrusted metadata):", toMarker, "\n```\n"},
	{"Read HEARTBEAT.md if it exists", toEnd, ""},
	{"Pre-compaction memory flush", toEnd, ""},
	// Cline and Roo Code; "[tool for '…'] Result:" is in split.go
	{"[TASK RESUMPTION]", toEnd, ""},
	{"[ERROR] You did not use a tool", toEnd, ""},
	{"[Response interrupted by", toLine, ""},
	{"# Reminder: Instructions for Tool Use", toEnd, ""},
	{"# todo_list", toEnd, ""},
	{`<user_input mode="act">`, aroundTyped, "</user_input>"},
	{`<user_input mode="plan">`, aroundTyped, "</user_input>"},
	{"The current conversation is rapidly running out of", toEnd, ""},
	// aider
	{"I have *added these files to the chat*", toEnd, ""},
	{"*Trust this message as the true contents of", toEnd, ""},
	{"Here are summaries of some files present in my git", toEnd, ""},
	{"Here are some READ ONLY files", toEnd, ""},
	{"I switched to a new code base.", toEnd, ""},
	{"I'm not sharing any files that you can edit", toEnd, ""},
	{"I spoke to you previously about a number of things.", toEnd, ""},
	{"I ran this command:", toEnd, ""},
	{"I committed the changes with git hash", toEnd, ""},
	{"I updated the files.", toLine, ""},
	{"Find the \"AI\" comments below", toEnd, ""},
	{"The LLM did not conform to the edit format", toEnd, ""},
	{"# Fix any errors below, if possible.", toEnd, ""},
	// Gemini CLI
	{"User steering update:\n<user_input>\n", aroundTyped, "\n</user_input>"}, // typed while the agent works
	{"This is the Gemini CLI. We are setting up the", toEnd, ""},
	{"--- Content from referenced files ---", toEnd, ""},
	{"System: Please continue", toEnd, ""},
	// Grok CLI, Cursor
	{"<user_query>\n", aroundTyped, "\n</user_query>"},
	// Pi
	{"The conversation history before this point was compacted", toEnd, ""},
	{"The following is a summary of a branch that", toEnd, ""},
	// Copilot
	{"<context>\nThe current date is", toMarker, "</context>"},
	{"<file name=", toMarker, "</file>"},
	{"The following is a compressed version of the preceding history", toEnd, ""},
	// agents whose tools answer in user-role text
	{"OBSERVATION:", toEnd, ""},
	{"EXECUTION RESULT of [", toEnd, ""},
	{"<returncode>", toEnd, ""},
	{"[File: /", toEnd, ""},
	{"Your proposed edit has introduced new", toEnd, ""},
	{"Your command ran successfully and did not produce any", toEnd, ""},
	// Tamp: core/internal/marker
	{"[Earlier turns truncated due to compactor error]", toLine, ""},
	{"[compacted with the result before]", toLine, ""},
	{"[Conversation continues]", toLine, ""},
}

// SWE-agent ends each observation, and the task before the first one, with the state of its shell.
const (
	swePrompt    = "\nbash-$"
	sweDirectory = "\n(Current directory: "
	sweTask      = "We're currently solving the following "
)

// isObservation reports an observation of SWE-agent.
func isObservation(text string) bool {
	text = strings.TrimRight(text, " \t\r\n")
	if !strings.HasSuffix(text, swePrompt) {
		return false
	}
	at := strings.LastIndex(text, sweDirectory)
	return at >= 0 && !strings.Contains(text[at+1:len(text)-len(swePrompt)], "\n") && !strings.HasPrefix(text, sweTask)
}

// askTools are the tools of Cline and Roo Code whose result is the user's own reply, by replyTags.
const askTools = " ask_followup_question attempt_completion plan_mode_respond "

var replyTags = [...]string{"answer", "user_message", "feedback"}

// feedbackIntro precedes a reply to attempt_completion.
const feedbackIntro = "The user has provided feedback on the results."

// questionTools have the user's answer to a question of the agent as their result. The names are in lower case, without
// marks between their words.
const questionTools = " askuserquestion askuser askfollowupquestion requestuserinput question "

// Claude Code puts these around the answers.
const (
	answersStart = "User has answered your questions: "
	answersEnd   = " You can now continue with the user's answers in mind."
)

// Claude Code sends the reason of a user who rejects a call in its result, behind one of two texts.
const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected"

var reasonStarts = [...]string{"To tell you how to proceed, the user said:", "The user provided the " +
	"following reason for the rejection:"}

// clarifies is the client's own text in place of a reason.
const clarifies = "The user wants to clarify these questions."
