package audit

import "strings"

// folders are where agents write their sessions, below the user's folder; a variable of the environment in front of
// a line replaces what is between it and the next space.
const folders = `CODEX_HOME=/.codex /sessions
CODEX_HOME=/.codex /archived_sessions
/.pi/agent/sessions
/.gemini/tmp
/.qwen/projects
/.kimi/sessions
KIMI_CODE_HOME=/.kimi-code /sessions
XDG_DATA_HOME=/.local/share /opencode/opencode.db
/.copilot/session-state
/.cline/data/sessions`

// Folders lists the folders in which agents write their sessions, and the database of opencode, whether they exist or
// not. env has lines such as "CODEX_HOME=/x".
func Folders(home string, env []string) (all []string) {
	variable := func(name string) string {
		for _, line := range env {
			if value, found := strings.CutPrefix(line, name+"="); found {
				return value
			}
		}
		return ""
	}
	claude := variable("CLAUDE_CONFIG_DIR")
	if claude == "" {
		claude = home + "/.claude," + home + "/.config/claude"
	}
	for _, folder := range strings.Split(claude, ",") {
		all = append(all, strings.TrimSpace(folder)+"/projects")
	}
	for _, line := range strings.Split(folders, "\n") {
		if name, rest, found := strings.Cut(line, "="); found {
			base, below, _ := strings.Cut(rest, " ")
			if own := variable(name); own != "" {
				all = append(all, own+below)
				continue
			}
			line = base + below
		}
		all = append(all, home+line)
	}
	return all
}
