package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"tamp/core/msg"
)

// resumed is the compacted log of an agent as a session of its own. The page makes the same (wasm/npm/resume.js): as an
// operation of the engine it adds 4 KB to tamp.wasm, gzipped.
type resumed struct {
	name    string // of its file, next to the log
	text    []byte
	command string // resumes it
}

// resumes returns the error for a format whose logs no agent resumes from a file.
func resumes(format string) error {
	switch format {
	case msg.ClaudeCode, msg.Codex, msg.Pi, msg.OpenCode:
		return nil
	}
	return errors.New("cannot resume: a session of " + format + " is resumed by the program that keeps it; the logs of " +
		"Claude Code, Codex and pi and the export of opencode can be resumed. tamp compact FILE writes it compacted")
}

var (
	sessionID  = regexp.MustCompile(`"sessionId":("[^"\\]+")`)
	workFolder = regexp.MustCompile(`"cwd":("(?:[^"\\]|\\.)*")`)
	openCodeID = regexp.MustCompile(`"((?:ses|msg|prt)_[0-9A-Za-z]{14,})[0-9A-Za-z]{6}"`)
)

// resumable gives a compacted log an id of its own, since two files with the same id are one session for the agent.
// file is the path of the log, id a new UUID.
func resumable(format, file string, text []byte, id string, now time.Time) (*resumed, error) {
	head, _, _ := bytes.Cut(text, []byte("\n"))
	stamp := strings.NewReplacer(":", "-", ".", "-").Replace(now.UTC().Format("2006-01-02T15:04:05.000Z"))
	r := &resumed{name: id + ".jsonl", command: "claude --resume " + id}
	var session struct {
		ID      string
		Payload struct{ ID string }
		Info    struct{ ID string }
	}
	switch format {
	case msg.ClaudeCode:
		r.text = withoutRequests(text)
		if cwd := workFolder.FindSubmatch(r.text); cwd != nil {
			var folder string
			_ = json.Unmarshal(cwd[1], &folder) // it is a string
			r.command = "cd " + quoted(folder) + " && " + r.command
		}
		if old := sessionID.FindSubmatch(r.text); old != nil {
			r.text = bytes.ReplaceAll(r.text, old[0], []byte(`"sessionId":"`+id+`"`))
		}
		return r, nil
	case msg.OpenCode:
		tail := id[:6] // the rest of an id is its time, which gives the order
		r.text = openCodeID.ReplaceAll(text, []byte(`"${1}`+tail+`"`))
		r.name = strings.TrimSuffix(filepath.Base(file), ".json") + "-" + tail + ".json"
		if json.Unmarshal(r.text, &session) != nil || !openCodeID.MatchString(`"`+session.Info.ID+`"`) {
			return nil, errors.New("cannot resume: the export has no id of a session")
		}
		r.command = "opencode import " + quoted(filepath.Join(filepath.Dir(file), r.name)) + " && opencode --session " +
			session.Info.ID
		return r, nil
	}
	_ = json.Unmarshal(head, &session) // without an id
	old := session.ID
	if format == msg.Codex {
		old = session.Payload.ID
		r.name, r.command = "rollout-"+stamp[:len("2006-01-02T15-04-05")]+"-"+r.name, "codex resume "+id
	} else {
		r.name = stamp + "_" + r.name
		r.command = "pi --session " + quoted(filepath.Join(filepath.Dir(file), r.name))
	}
	if old == "" {
		return nil, errors.New("cannot resume: the log does not begin with the id of its session")
	}
	r.text = append(bytes.ReplaceAll(head, []byte(`"`+old+`"`), []byte(`"`+id+`"`)), text[len(head):]...)
	return r, nil
}

// withoutRequests leaves out the requests that Claude Code logs since version 2.1.332: they are those of the other
// session.
func withoutRequests(log []byte) (text []byte) {
	const request = `{"type":"api-request`
	for line := range bytes.Lines(log) {
		if !bytes.HasPrefix(line, []byte(request+`"`)) && !bytes.HasPrefix(line, []byte(request+`-`)) {
			text = append(text, line...)
		}
	}
	return text
}

func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
