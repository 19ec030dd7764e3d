package bench

import (
	"regexp"
	"slices"
	"strings"

	"tamp/core/msg"
)

// A message of the user role is not always written by the user. These openings are those of texts that programs insert;
// the table is the judge's own, so that the engine does not judge itself.
var insertedPrefixes = []string{
	"<environment_details>", "<task-notification", "<agent-message", "Base directory for this skill:",
	"This session is being continued from a previous conversation", "<command-name>", "<command-message>",
	"<command-args>", "<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>", "Caveat:",
	"[Request interrupted", "<user_shell_command>",
	"<environment_context>", "<system-reminder>", "<ide_selection>", "<ide_opened_file>", "<user-prompt-submit-hook>",
	"<bash-input>", "<bash-stdout>", "<bash-stderr>", "<user_instructions>", "<INSTRUCTIONS>", "# AGENTS.md instructions",
	"<turn_aborted>", "<skill>", "<tool_result", "OBSERVATION:", "Observation:", "API output:",
}

var toolResultPrefix = regexp.MustCompile(`^\[[\w./-]+(?: for '[^']*')?\] Result:`)

// The user also writes behind a slash command, and to reject a call.
var (
	commandArgs     = regexp.MustCompile(`(?s)^\s*<command-(?:name|message)>.*<command-args>(.+)</command-args>`)
	rejectionReason = regexp.MustCompile(`(?s)^The user doesn't want to proceed with this tool use\. .*` +
		`(?:the user said:|reason for the rejection:)(.+)`)
)

// insertedBlock is a tagged block that a program puts before or after the user's own words.
var insertedBlock = regexp.MustCompile(`(?s)<(system-reminder|environment_details|environment_context|ide_selection|` +
	`ide_opened_file|local-command-stdout|task-notification|user-prompt-submit-hook)[^>]*>.*?</(?:system-reminder|` +
	`environment_details|environment_context|ide_selection|ide_opened_file|local-command-stdout|task-notification|` +
	`user-prompt-submit-hook)>`)

// realText is what the user wrote in a message, or "".
func realText(m *msg.Message) string {
	if m.Role != msg.User || m.Meta {
		return ""
	}
	var out []string
	command := false
	for b := range m.Blocks {
		block := &m.Blocks[b]
		if reason := rejectionReason.FindStringSubmatch(block.Text); block.Kind == msg.KindToolResult && reason != nil {
			out = append(out, reason[1])
		}
		if args := commandArgs.FindStringSubmatch(block.Text); block.Kind == msg.KindText && args != nil {
			out = append(out, args[1])
		}
		if block.Kind != msg.KindText || block.IsSummary() || isSummaryText(block.Text) {
			continue
		}
		text := strings.TrimSpace(insertedBlock.ReplaceAllString(block.Text, ""))
		if toolResultPrefix.MatchString(text) {
			break // and the blocks after it are the result
		}
		if command {
			command = false
			continue
		}
		// The block after it is the file of the slash command. A command of the client has no file, and begins with its name.
		command = strings.HasPrefix(text, "<command-message>")
		inserted := slices.ContainsFunc(insertedPrefixes, func(p string) bool { return strings.HasPrefix(text, p) })
		if text == "" || inserted {
			continue
		}
		out = append(out, text)
	}
	return strings.Join(out, "\n")
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?]\s+|[。！？]|\n+`)
	codeFence   = regexp.MustCompile("(?s)```.*?```")
)

// typedIn lists the distinct sentences in the user's own words: those of at most 300 characters, outside of code and
// tags.
// Prompts of over 4,000 characters, which are mostly pasted, are not read.
func typedIn(messages []msg.Message) []string {
	var out []string
	for m := range messages {
		text := realText(&messages[m])
		if characters(text) > 4000 {
			continue
		}
		for sentence := range slices.Values(splitSentences(codeFence.ReplaceAllString(text, "\n"))) {
			n := characters(sentence)
			if len(sentence) >= 12 && n <= 300 && sentence[0] != '<' && !slices.Contains(out, sentence) {
				out = append(out, sentence)
			}
		}
	}
	return out
}

// splitSentences splits a text at the ends of sentences and lines. Questions are left out.
func splitSentences(text string) []string {
	var out []string
	for len(text) > 0 {
		at := sentenceEnd.FindStringIndex(text)
		if at == nil {
			at = []int{len(text), len(text)}
		}
		sentence := strings.TrimSpace(text[:at[1]])
		if sentence != "" && !strings.HasSuffix(sentence, "?") && !strings.HasSuffix(sentence, "？") {
			out = append(out, sentence)
		}
		text = text[at[1]:]
	}
	return out
}
