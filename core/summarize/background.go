package summarize

import "strings"

// This file reads the words of agents about work in the background: commands, other agents, monitors.

// starts has the words of Codex and Claude Code for work that goes on after its call, with the words before its ID.
var starts = [...]struct{ words, id string }{
	{"Process running with session ID ", "session ID "},
	{"running in background with ID: ", "ID: "},
	{"Async agent launched", "agentId: "},
	{"Monitor started", "task "},
	{`{"agent_id":`, `"agent_id":"`},
}

// started returns the ID of the work that a result leaves in the background, and the words up to the end of its line;
// both are "" if the result leaves none.
func started(text string) (id, words string) {
	head := text[:min(len(text), maxCommandFrame)]
	for _, s := range starts {
		begin := strings.Index(head, s.words)
		if begin < 0 {
			continue
		}
		before, rest, found := strings.Cut(head[begin:], s.id)
		if id = rest[:len(rest)-len(strings.TrimLeft(rest, idLetters))]; !found || id == "" {
			continue
		}
		line, _, _ := strings.Cut(rest, "\n")
		return id, shortLine(head[:begin]+before+s.id+line, maxReason)
	}
	return "", ""
}

const idLetters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"

// notification is the message of Claude Code that work in the background has ended.
type notification struct{ id, status, result string }

// readNotification reads a notification of an end; ok is false for another text.
func readNotification(text string) (n notification, ok bool) {
	if !strings.HasPrefix(strings.TrimSpace(text), "<task-notification>") {
		return n, false
	}
	n = notification{tagged(text, "task-id"), tagged(text, "status"), tagged(text, "result")}
	if n.result == "" {
		n.result = tagged(text, "summary")
	}
	return n, n.id != "" && n.status != "" && n.status != stillRuns
}

// asksForRunning reports the result of a call that asked for the output of work which still runs.
func asksForRunning(text string) bool {
	return tagged(text[:min(len(text), maxCommandFrame)], "status") == stillRuns
}

const (
	stillRuns  = "running"             // the status of work that was asked for its output
	background = "in the background, " // begins the outcome of work that has ended there
	maxReport  = 400                   // code points of the report of an agent, which only its whole work gets again
)

// tagged is the text of the first element with this name, "" if there is none.
func tagged(text, name string) string {
	_, text, _ = strings.Cut(text, "<"+name+">")
	text, _, found := strings.Cut(text, "</"+name+">")
	if !found {
		return ""
	}
	return strings.TrimSpace(text)
}
