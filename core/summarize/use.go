package summarize

import "strings"

// agentTools are the tools whose result is the report of another agent: of Claude Code (Agent, before 2.1.63 Task;
// TaskOutput reads that of one in the background), Kimi (the same), OpenCode and Copilot (task), Codex (wait_agent),
// Cline and Roo (new_task), and extensions of pi (subagent).
const agentTools = " agent task taskoutput agentoutputtool waitagent newtask subagent "

// ReadUse calls visit with each decoded value of the input of a call, and with each text that the call replaces in a
// file (old). The result is equal for two calls that read, search or run the same, and "" if the call changes files or
// lists of tasks. Values that only explain a call do not count.
func ReadUse(name, input string, visit func(text string, old bool)) (key string) {
	k := readCall(name, input)
	edits := k.act != actRead && k.act != actShell && k.act != actSearch && k.act != actOther
	replaced := func(_ string, _ act, c change) {
		if c.old != "" {
			edits = true
			visit(c.old, true)
		}
	}
	for i := range k.fields {
		text := k.fields[i].text
		visit(text, false)
		if strings.Contains(text, "*** Update File: ") {
			patchFiles(text, replaced)
		}
	}
	if k.act == actEdit || k.act == actOther {
		for _, c := range k.changes() {
			replaced("", k.act, c)
		}
	}
	if edits {
		return ""
	}
	if key = k.path + " " + k.where; k.act != actRead || key == " " {
		key = input
	}
	if k.act == actShell && k.command != "" {
		key = k.command
	}
	return name + " " + key
}

// Files calls visit with the files that a call reads or changes, and with the report of a subagent, which only the same
// work gives again. part is the part of a file that it reads, "" for all; that of a command is the command. bare says
// that a command reads the file, or a patch changes it. about is the file, the command or the search, for people.
func Files(name, input string, visit func(file, part string, changes, bare bool)) (about string) {
	k := readCall(name, input)
	if file := k.act >= actRead && k.act <= actMove; file && k.path != "" {
		visit(k.path, k.where, k.act != actRead, false)
	}
	if k.act == actShell {
		shellFiles(k.command, func(a act, path string) {
			if a == actRead {
				visit(path, k.command, false, true)
			}
		})
	}
	for i := range k.fields {
		if text := k.fields[i].text; strings.Contains(text, "*** Update File: ") {
			patchFiles(text, func(file string, _ act, _ change) { visit(file, "", true, true) })
		}
	}
	if isOneOf(name, agentTools) {
		visit(name+" "+input, "", false, false)
	}
	about = k.path
	if k.where != "" {
		about += ":" + k.where
	}
	if k.act == actShell || k.act == actSearch || about == "" {
		if about = k.command; about == "" && len(k.fields) > 0 {
			about = k.fields[0].text
		}
	}
	return about
}
