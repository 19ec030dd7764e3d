package audit

import (
	"slices"
	"sort"
	"strings"
)

// logNames is what the names of session logs and request bodies end with, for people.
const logNames = "*.json, *.jsonl, *.ndjson, also with .zst; .aider.chat.history.md"

// Found are the files below a folder, with their paths.
type Found struct {
	Files []string `json:"files"`
	Links []string `json:"links,omitempty"` // symbolic links to files outside of the folder; only logs are listed
	Odd   []Unread `json:"odd,omitempty"`   // no files, such as pipes, and files that cannot be opened; likewise
	// the host reads those of opencode and Crush
	Databases bool `json:"databases,omitempty"`
}

// Chosen are the files to read.
type Chosen struct {
	Logs []Log `json:"logs"` // sorted by name
	Others
}

// Log is one session log.
type Log struct {
	File string `json:"file"`
	// a file whose content follows that of File, after a line break, if it exists: Kimi CLI has the usage of its calls
	// there
	Next     string `json:"next,omitempty"`
	Usage    string `json:"usage,omitempty"`    // a file with the usage of its calls, if it exists (WithUsage)
	Database bool   `json:"database,omitempty"` // it has several sessions
}

// Choose divides files into session logs and others, by their names.
func Choose(f Found) *Chosen {
	c := &Chosen{Logs: []Log{}, Others: Others{[]Unread{}, []Unread{}}}
	all := append(append([]string{}, f.Files...), f.Links...)
	known := map[string]bool{}
	for _, file := range f.Files {
		known[file] = true
	}
	for i, file := range all {
		log := Log{File: file}
		folder, name := split(file)
		log.Database = f.Databases && isDatabase(name)
		reason := leftOut(name)
		switch {
		case log.Database:
			reason = ""
		case reason != "":
		case notSession(folder, name) != "":
			reason = notSession(folder, name)
		case isPart(name) && known[folder+kimiContext]:
			reason = "its calls are counted with " + kimiContext + " next to it"
		case name == kimiContext:
			log.Next = folder + kimiWire
		case name == grokHistory:
			log.Usage = folder + "updates.jsonl"
		}
		if reason == "" {
			c.Logs = append(c.Logs, log)
		} else if i < len(f.Files) {
			c.Skipped = append(c.Skipped, Unread{file, reason})
		}
	}
	for _, odd := range f.Odd {
		if _, name := split(odd.File); leftOut(name) == "" {
			c.Unread = append(c.Unread, odd)
		}
	}
	sort.SliceStable(c.Logs, func(i, j int) bool { return c.Logs[i].File < c.Logs[j].File })
	return c
}

// split returns the folder of a path, with the separator, and the name in it.
func split(path string) (folder, name string) {
	at := strings.LastIndexAny(path, `/\`) + 1
	return path[:at], path[at:]
}

// leftOut returns why a file is left out by its name, "" for a log.
func leftOut(name string) string {
	base := strings.TrimSuffix(name, ".zst")
	for _, ending := range [...]string{".json", ".jsonl", ".ndjson"} {
		if len(base) > len(ending) && strings.HasSuffix(base, ending) {
			return ""
		}
	}
	if name == ".aider.chat.history.md" {
		return ""
	}
	if at := strings.Index(name, ".jsonl."); at > 0 {
		switch word, _, _ := strings.Cut(name[at+len(".jsonl."):], "."); word {
		case "deleted":
			return "its agent has deleted the session"
		case "reset":
			return "its agent has reset the session: it began again in another file"
		}
	}
	return "its name is not that of a session log (" + logNames + ")"
}

// kimiContext is the log of a session of Kimi CLI, kimiWire has the usage of its calls. Kimi Code has only the latter.
const (
	kimiContext = "context.jsonl"
	kimiWire    = "wire.jsonl"
)

// grokHistory is the log of a session of Grok CLI.
const grokHistory = "chat_history.jsonl"

// sessions are the agents that have other files next to their sessions, with the ends of the names of sessions.
var sessions = [...]struct {
	agent, folder, names string
	ends                 []string
}{
	{"Kimi Code", "/.kimi-code/", kimiWire, []string{"/" + kimiWire}},
	{"Copilot CLI", "/.copilot/", "events.jsonl", []string{"/events.jsonl"}},
	{"Grok CLI", "/.grok/", grokHistory, []string{"/" + grokHistory}},
	{"Cline", "/.cline/", "*.messages.json", []string{".messages.json", "/api_conversation_history.json"}},
}

// notSession returns why a file in the folder of an agent is no session, "" for any other.
func notSession(folder, name string) string {
	for _, s := range sessions {
		isIn := strings.Contains(strings.ReplaceAll(folder, `\`, "/"), s.folder)
		if isIn && !slices.ContainsFunc(s.ends, func(end string) bool { return strings.HasSuffix("/"+name, end) }) {
			return "it is no session: " + s.agent + " has those in " + s.names
		}
	}
	return ""
}

// isPart reports a file of Kimi CLI whose calls are those of kimiContext: its usage, and the part before a compaction.
func isPart(name string) bool {
	number, isOld := strings.CutPrefix(name, "context_")
	number, isLog := strings.CutSuffix(number, ".jsonl")
	return name == kimiWire || isOld && isLog && number != "" && strings.Trim(number, "0123456789") == ""
}

// isDatabase reports a database of opencode or Crush, by its name.
func isDatabase(name string) bool {
	if name == "crush.db" {
		return true
	}
	channel, is := strings.CutSuffix(name, ".db")
	channel, named := strings.CutPrefix(channel, "opencode")
	return is && named && (channel == "" || channel[0] == '-')
}
