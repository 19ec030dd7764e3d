package summarize

import "strings"

// This file reads the words of agents about work in the background: commands, other agents, monitors.

// starts has the words, up to the ID, with which those results of Claude Code and Codex begin whose work goes on after
// the call.
var starts = [...]string{
	"Process running with session ID ",
	"Command running in background with ID: ",
	"Async agent launched successfully. agentId: ",
	"Monitor started (task ",
	`{"agent_id":"`,
}

// started returns the ID of the work that a result leaves in the background, and its words up to the end of the line
// with the ID; both are "" if the result leaves none.
func started(text string) (id, words string) {
	text = strings.TrimLeft(text, " \t\r\n")
	head := oneLine(text[:min(len(text), maxCommandFrame)])
	for _, s := range starts {
		rest, found := strings.CutPrefix(head, s)
		if id = rest[:len(rest)-len(strings.TrimLeft(rest, idLetters))]; !found || id == "" {
			continue
		}
		words, rest, _ = strings.Cut(text, "\n")
		if !strings.Contains(words, id) {
			second, _, _ := strings.Cut(rest, "\n")
			words += " " + second
		}
		return id, shortLine(words, maxReason)
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
