package summarize

import (
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/msg"
)

// This file is the only list of the calls and the texts that load a skill: instructions in a folder of their own, with
// a file SKILL.md. Its sources are the public source code of the clients.

// skillTools load a skill by its name: Skill of Claude Code and Copilot, skill of opencode and Kilo, activate_skill of
// Gemini CLI, use_skill of Cline, load_skill of LangChain's agents, skill_view of Hermes. The names are as
// normalizeToolName returns them.
const skillTools = " skill activateskill useskill loadskill skillview readskill "

// skillFile is the file of a skill, which any tool that reads, or a command such as cat, loads.
const skillFile = "SKILL.md"

// skillTexts are the first words of texts of the role user with a skill, the mark before its name, and what is after
// it. A name that is a path is that of its last folder.
var skillTexts = [...]struct{ start, name, end string }{
	{"Base directory for this skill:", "Base directory for this skill:", "\n"},        // Claude Code
	{"<system-reminder>", "Base directory for this skill:", "\n"},                     // the same, in a reminder
	{"<system-reminder>", "### Skill: ", "\n"},                                        // Claude Code, after its compaction
	{"<skill_content ", "name=\"", "\""},                                              // opencode
	{"<skill>", "<name>", "</name>"},                                                  // Codex
	{"<activated_skill ", "name=\"", "\""}, {"<skill_instructions ", "name=\"", "\""}, // Gemini CLI, agents of the SDK
}

// minSkill is the number of bytes of a result from which it has the text of a skill: less says that one is launched.
const minSkill = 200

// LoadsSkill returns how a call loads a skill, such as "Skill release-flow", in one line; "" if it loads none.
func LoadsSkill(name, input string) string {
	if !strings.Contains(input, skillFile) && !isOneOf(name, skillTools) {
		return ""
	}
	k := readCall(name, input)
	if isOneOf(name, skillTools) {
		for _, member := range [...]string{"skill", "name", "skill_name", "command", "skillName"} {
			if skill := first(k.fields, member); skill != "" {
				return loading(name, skill)
			}
		}
		return ""
	}
	if k.act == actRead && strings.HasSuffix(k.path, skillFile) {
		return loading(name, k.path)
	}
	if k.act == actShell { // cat …/SKILL.md
		for _, word := range strings.Fields(k.command) {
			if word = strings.Trim(word, "\"';"); strings.HasSuffix(word, skillFile) && isReader(k.command) {
				return loading("cat", word)
			}
		}
	}
	return ""
}

// isReader reports a command that prints a file.
func isReader(command string) bool {
	apart := func(r rune) bool { return r <= ' ' || strings.ContainsRune(";|&()\"'", r) }
	for _, word := range strings.FieldsFunc(command, apart) {
		switch word {
		case "cat", "sed", "head", "bat", "less", "more", "nl", "Get-Content", "type":
			return true
		}
	}
	return false
}

// loading writes how a skill is loaded.
func loading(tool, skill string) string {
	return shortLine(strings.ReplaceAll(strings.Join(strings.Fields(tool+" "+skill), " "), "`", "'"), maxLoading)
}

const maxLoading = 160 // code points

// SkillAt returns how the skill was loaded whose text is in block b of a message; "" if it has none. call is the call
// that a result answers, nil for other blocks.
func SkillAt(message *msg.Message, b int, call *msg.Block) string {
	block := &message.Blocks[b]
	switch {
	case block.IsSummary() || block.IsError:
	case block.Kind == msg.KindToolResult && call != nil && !block.Server:
		if skill := LoadsSkill(call.Name, call.Text); skill != "" && (len(block.Text) >= minSkill ||
			marker.BeginsLikePlaceholder(block.Text)) {
			return skill
		}
	case block.Kind == msg.KindText && message.Role == msg.User:
		return skillIn(block.Text)
	}
	return ""
}

// skillIn returns how the skill of a client's text is loaded.
func skillIn(text string) string {
	text = strings.TrimLeft(text, " \t\r\n")
	if len(text) < minSkill {
		return ""
	}
	for _, row := range skillTexts {
		if !strings.HasPrefix(text, row.start) {
			continue
		}
		_, rest, found := strings.Cut(text, row.name)
		name, _, closed := strings.Cut(rest, row.end)
		name = strings.TrimRight(strings.TrimSpace(name), "/")
		if name = name[strings.LastIndexByte(name, '/')+1:]; found && closed && name != "" {
			return loading("Skill", name)
		}
	}
	return ""
}

// NewestSkill returns the blocks with the text of the skill that was loaded last; none if none was. pairs are those of
// the conversation, whose summaries are marked.
func NewestSkill(c *msg.Conversation, pairs *msg.Pairing) (refs []msg.Ref) {
	for m := len(c.Messages) - 1; m >= 0; m-- {
		for b := len(c.Messages[m].Blocks) - 1; b >= 0; b-- {
			at := msg.Ref{Message: m, Block: b}
			var call *msg.Block
			r, ok := pairs.Call(at)
			if ok {
				call = c.At(r)
			}
			if SkillAt(&c.Messages[m], b, call) == "" {
				continue
			}
			if refs = append(refs, at); ok {
				refs = append(refs, r)
			}
			return refs
		}
	}
	return nil
}
