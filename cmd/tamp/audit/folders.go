package audit

import (
	"encoding/json"
	"runtime"
	"strings"
)

// folders are where agents write their sessions, below the user's folder; a variable of the environment in front of
// a line replaces the text up to the next space.
const folders = `CODEX_HOME=/.codex /sessions
CODEX_HOME=/.codex /archived_sessions
/.pi/agent/sessions
/.gemini/tmp
/.qwen/projects
/.kimi/sessions
KIMI_CODE_HOME=/.kimi-code /sessions
XDG_DATA_HOME=/.local/share /opencode/opencode.db
/.copilot/session-state
GROK_HOME=/.grok /sessions
/.cline/data/sessions`

// Variable returns the value of a variable, "" if there is none. env has lines such as "CODEX_HOME=/x".
func Variable(env []string, name string) string {
	for _, line := range env {
		given, value, _ := strings.Cut(line, "=")
		if given == name || runtime.GOOS == "windows" && strings.EqualFold(given, name) {
			return value
		}
	}
	return ""
}

// CrushProjects is the file in which Crush lists its projects, whether it exists or not: each has a database.
func CrushProjects(home string, env []string) string {
	folder := Variable(env, "CRUSH_GLOBAL_DATA")
	if data := Variable(env, "XDG_DATA_HOME"); folder == "" && data != "" {
		folder = data + "/crush"
	} else if folder == "" {
		folder = home + "/.local/share/crush"
	}
	return folder + "/projects.json"
}

// CrushDatabases are the databases of the projects in such a file.
func CrushDatabases(projects []byte) (all []string) {
	var list struct {
		Projects []struct {
			Data string `json:"data_dir"`
		} `json:"projects"`
	}
	if json.Unmarshal(projects, &list) != nil {
		return nil // it is being written, or has another form
	}
	for _, project := range list.Projects {
		all = append(all, project.Data+"/crush.db")
	}
	return all
}

// Folders lists the folders in which agents write their sessions, and the database of opencode, whether they exist or
// not.
func Folders(home string, env []string) (all []string) {
	claude := Variable(env, "CLAUDE_CONFIG_DIR")
	if claude == "" {
		claude = home + "/.claude," + home + "/.config/claude"
	}
	for _, folder := range strings.Split(claude, ",") {
		all = append(all, strings.TrimSpace(folder)+"/projects")
	}
	for _, line := range strings.Split(folders, "\n") {
		if name, rest, found := strings.Cut(line, "="); found {
			base, below, _ := strings.Cut(rest, " ")
			if own := Variable(env, name); own != "" {
				all = append(all, own+below)
				continue
			}
			line = base + below
		}
		all = append(all, home+line)
	}
	return all
}
