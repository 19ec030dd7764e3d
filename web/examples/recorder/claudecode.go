package main

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"time"
)

// claudeCodeLog writes a session as a Claude Code session log: one JSON object per line, one line for each block of an
// assistant message (they share message.id), one for each result, each line naming the one before it as its parent.
func claudeCodeLog(s *Session) []byte {
	l := &logWriter{session: s, now: s.Story.Started}
	for i, m := range s.Messages {
		if m.Role == "assistant" {
			l.assistant(i, m)
		} else {
			l.user(m)
		}
	}
	return l.out.Bytes()
}

type logWriter struct {
	session *Session
	out     bytes.Buffer
	now     time.Time
	parent  string // uuid of the line before, "" at the start
	lines   int
	prompt  int // tokens of the conversation so far
	cached  int // tokens that the last call left in the cache
}

// write appends one line of the tree. Its members are between the common head and tail.
func (l *logWriter) write(kind string, body ...member) (uuid string) {
	uuid = deriveUUID(fmt.Sprintf("%s/line/%d", l.session.Story.Name, l.lines))
	var parent any
	if l.parent != "" {
		parent = l.parent
	}
	line := object{
		{"parentUuid", parent}, {"isSidechain", false}, {"userType", "external"}, {"cwd", home},
		{"sessionId", l.sessionID()}, {"version", "2.0.42"}, {"gitBranch", l.session.Story.Branch}, {"type", kind},
	}
	line = append(line, body...)
	l.put(append(line, member{"uuid", uuid}, member{"timestamp", l.stamp()}))
	return uuid
}

func (l *logWriter) put(line object) {
	appendJSON(&l.out, line)
	l.out.WriteByte('\n')
	l.lines++
}

func (l *logWriter) sessionID() string { return deriveUUID(l.session.Story.Name + "/session") }

func (l *logWriter) stamp() string { return l.now.UTC().Format("2006-01-02T15:04:05.000Z") }

// pass advances the clock by a fixed part and a part for each token, in milliseconds.
func (l *logWriter) pass(fixed, each, tokens int) {
	l.now = l.now.Add(time.Duration(fixed+each*tokens) * time.Millisecond)
}

func (l *logWriter) user(m Message) {
	var typed []Part
	for _, p := range m.Parts {
		if p.Kind == Result {
			l.result(p)
			continue
		}
		typed = append(typed, p)
	}
	if len(typed) == 0 {
		return
	}
	tokens := 0
	for _, p := range typed {
		tokens += approxTokens(p.Text)
	}
	l.pass(20_000, 150, tokens)
	l.prompt += tokens
	if onlyReminders(typed) {
		l.parent = l.write("user", member{"message", userMessage(typed)}, member{"isMeta", true})
		return
	}
	// The agent notes which files it could restore before each prompt. The note is not a line of the tree.
	id := deriveUUID(fmt.Sprintf("%s/line/%d", l.session.Story.Name, l.lines+1))
	l.put(object{{"type", "file-history-snapshot"}, {"messageId", id}, {"snapshot", object{
		{"messageId", id}, {"trackedFileBackups", object{}}, {"timestamp", l.stamp()},
	}}, {"isSnapshotUpdate", false}})
	if m.Retyped != "" { // an abandoned branch: its line has the same parent as the prompt that replaced it
		l.write("user", member{"message", userMessage([]Part{{Kind: Text, Text: m.Retyped}})})
		l.pass(9_000, 0, 0)
	}
	l.parent = l.write("user", member{"message", userMessage(typed)})
}

func onlyReminders(parts []Part) bool {
	for _, p := range parts {
		if p.Kind != Reminder {
			return false
		}
	}
	return true
}

func userMessage(parts []Part) object {
	return object{{"role", "user"}, {"content", anthropicContent(Message{Role: "user", Parts: parts})}}
}

func (l *logWriter) result(p Part) {
	l.pass(400, 2, approxTokens(p.Text))
	l.prompt += approxTokens(p.Text)
	message := object{{"role", "user"}, {"content", array{anthropicBlock(p, "", nil)}}}
	l.parent = l.write("user", member{"message", message}, member{"toolUseResult", toolUseResult(p)})
}

func (l *logWriter) assistant(index int, m Message) {
	output, calls := 0, false
	for _, p := range m.Parts {
		output += approxTokens(p.Text, compact(p.Input))
		calls = calls || p.Kind == Call
	}
	stop := "end_turn"
	if calls {
		stop = "tool_use"
	}
	written := l.prompt - l.cached
	usage := object{
		{"input_tokens", 4}, {"cache_creation_input_tokens", written}, {"cache_read_input_tokens", l.cached},
		{"cache_creation", object{{"ephemeral_5m_input_tokens", written}, {"ephemeral_1h_input_tokens", 0}}},
		{"output_tokens", output}, {"service_tier", "standard"},
	}
	l.cached = l.prompt
	seed := fmt.Sprintf("%s/message/%d", l.session.Story.Name, index)
	for _, p := range m.Parts {
		tool, input := "", object(nil)
		if p.Kind == Call {
			tool, input = claudeCodeCall(p)
		}
		l.pass(900, 18, approxTokens(p.Text, compact(p.Input)))
		message := object{
			{"model", l.session.Story.Model}, {"id", "msg_01" + derive(22, seed)}, {"type", "message"}, {"role", "assistant"},
			{"content", array{anthropicBlock(p, tool, input)}}, {"stop_reason", stop}, {"stop_sequence", nil}, {"usage", usage},
		}
		l.parent = l.write("assistant", member{"message", message}, member{"requestId", "req_011" + derive(21, seed)})
	}
	l.prompt += output
}

// claudeCodeCall gives a call the tool names of that agent; the work of the tool is the same.
func claudeCodeCall(p Part) (string, object) {
	file := path.Join(home, p.Input.text("path"))
	switch p.Tool {
	case "list_files":
		return "Glob", object{{"pattern", "**/*"}, {"path", file}}
	case "read_file":
		in := object{{"file_path", file}}
		if from := p.Input.number("from"); from > 0 {
			in = append(in, member{"offset", from})
			if to := p.Input.number("to"); to > 0 {
				in = append(in, member{"limit", to - from + 1})
			}
		}
		return "Read", in
	case "search":
		return "Grep", object{{"pattern", p.Input.text("pattern")}, {"path", file}, {"output_mode", "content"}, {"-n", true}}
	case "edit_file":
		return "Edit", object{{"file_path", file}, {"old_string", p.Input.text("old")}, {"new_string", p.Input.text("new")}}
	case "write_file":
		return "Write", object{{"file_path", file}, {"content", p.Input.text("content")}}
	}
	description := map[string]string{"build": "Build and vet", "run_tests": "Run tests",
		"go_doc": "Show the exported API"}[p.Tool]
	return "Bash", object{{"command", commandLine(p.Tool, p.Input)}, {"description", description}}
}

// toolUseResult is the agent's own record of a result, in addition to the text for the model.
func toolUseResult(p Part) any {
	if p.Error {
		return "Error: " + p.Text
	}
	file := path.Join(home, p.Input.text("path"))
	switch p.Tool {
	case "list_files":
		names := array{}
		for _, name := range strings.Split(p.Text, "\n") {
			names = append(names, path.Join(home, name))
		}
		return object{{"filenames", names}, {"durationMs", 12}, {"numFiles", len(names)}, {"truncated", false}}
	case "read_file":
		text, count := unnumbered(p.Text)
		return object{{"type", "text"}, {"file", object{
			{"filePath", file}, {"content", text}, {"numLines", count}, {"startLine", max(p.Input.number("from"), 1)},
		}}}
	case "search":
		return object{{"mode", "content"}, {"numFiles", 0}, {"filenames", array{}}, {"content", p.Text},
			{"numLines", strings.Count(p.Text, "\n") + 1}}
	case "edit_file":
		return object{
			{"filePath", file}, {"oldString", p.Input.text("old")}, {"newString", p.Input.text("new")},
			{"userModified", false}, {"replaceAll", false},
		}
	case "write_file":
		return object{{"type", "create"}, {"filePath", file}, {"content", p.Input.text("content")},
			{"structuredPatch", array{}}}
	}
	return object{{"stdout", p.Text}, {"stderr", ""}, {"interrupted", false}, {"isImage", false}}
}

// unnumbered removes the line numbers that numbered added.
func unnumbered(text string) (string, int) {
	all := strings.Split(text, "\n")
	for i, line := range all {
		_, all[i], _ = strings.Cut(line, "\t")
	}
	return strings.Join(all, "\n"), len(all)
}
