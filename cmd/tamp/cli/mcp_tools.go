//go:build !js

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tamp/cmd/tamp/audit"
	"tamp/core/recall"
	"tamp/core/wire"
)

// tool is one of mcp.
type tool struct {
	name, description string
	properties        string // of its input, each as in a JSON Schema
	required          []string
	writes            bool
	run               func(in *toolInput) (string, error)
}

// input is a JSON Schema.
func (t *tool) input() any {
	return struct {
		Type       string          `json:"type"`
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required,omitempty"`
		Additional bool            `json:"additionalProperties"`
	}{"object", json.RawMessage("{" + t.properties + "}"), t.required, false}
}

// toolInput is the input of every tool.
type toolInput struct {
	File, Preset, Folder, Archive string
	Window                        int
	recall.Query
}

const fileProperty = `"file":{"type":"string","description":"path of the file, relative to the server's folder"}`

func (f *sharedFolder) tools() []tool {
	archive, optional := []string{"archive"}, ""
	if f.given["archive"] != "" {
		archive, optional = nil, "; optional"
	}
	file := []string{"file"}
	return []tool{
		{"recall", "Reads back what a compaction left out: the original of a ref that a summary or a placeholder names, " +
			"page by page, or its lines that contain a text",
			`"archive":{"type":"string","description":"path of the file with the originals` + optional + `"},
			"ref":{"type":"string","description":"16 hexadecimal digits; absent: the first original"},
			"text":{"type":"string","description":"answer the lines that contain this text, with their offsets"},
			"offset":{"type":"integer","minimum":0,"description":"the character to start at"},
			"limit":{"type":"integer","minimum":1,"maximum":50000,"description":"characters of the page; default 5000"}`,
			archive, false, f.recall},
		{"check", "Lists what the provider would refuse of a request, a list of messages or a session log in a file",
			fileProperty, file, false, f.check},
		{"count", "Estimates the tokens of a request, a list of messages or a session log in a file", fileProperty, file,
			false, f.count},
		{"compact_file", "Compacts a request, a list of messages or a session log in a file, without a model, and writes " +
			"the result and the removed originals as new files next to it; the file stays as it is",
			fileProperty + `,"preset":{"type":"string","description":"the policy; default: balanced"},
			"window":{"type":"integer","minimum":1,
			"description":"the context window in tokens; default: that of the model"}`, file, true, f.compact},
		{"audit", "Ranks the session logs below a folder by the money that compaction would have saved or cost",
			`"folder":{"type":"string","description":"default: the server's folder"}`, nil, false, f.audit},
	}
}

func (f *sharedFolder) recall(in *toolInput) (string, error) {
	originals, err := f.originals(in.Archive)
	if err != nil {
		return "", err
	}
	part, err := recall.Read(originals, in.Query)
	switch {
	case err != nil:
		return "", err
	case in.Text != "" && len(part.Lines) == 0:
		return fmt.Sprintf("no line of %d characters contains it", part.Total), nil
	case part.Next > 0 && in.Text == "":
		return fmt.Sprintf("%s\n[%d of %d characters were read; go on with offset %d]", part.Text, part.Next, part.Total,
			part.Next), nil
	}
	lines := []string{part.Text}
	for i, line := range part.Lines {
		lines = append(lines[:i], strconv.Itoa(line.Offset)+": "+line.Text)
	}
	return strings.Join(lines, "\n"), nil
}

// maxProblems is the maximum number of problems that an answer of check lists.
const maxProblems = 100

func (f *sharedFolder) check(in *toolInput) (string, error) {
	_, text, err := f.contentOf(in.File)
	if err != nil {
		return "", err
	}
	report, _, err := wire.Call[wire.CheckReport](&wire.Engine{}, "check", &wire.ConversationRequest{}, text)
	if err != nil {
		return "", err
	}
	lines := []string{"not valid"}
	if report.Valid {
		lines[0] = "valid"
	}
	for _, p := range report.Problems[:min(len(report.Problems), maxProblems)] {
		lines = append(lines, audit.Visible(fmt.Sprintf("%s: %s (%s at %s)", p.Severity, p.Message, p.Rule, p.Path)))
	}
	if more := len(report.Problems) - maxProblems; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n"), nil
}

func (f *sharedFolder) count(in *toolInput) (string, error) {
	_, text, err := f.contentOf(in.File)
	if err != nil {
		return "", err
	}
	return f.command(text, "count")
}

// command is what another command writes to stdout.
func (f *sharedFolder) command(stdin []byte, args ...string) (string, error) {
	var out strings.Builder
	s := f.System
	s.In, s.Out, s.IsTerminal = bytes.NewReader(stdin), &out, func(io.Writer) bool { return false }
	_, err := run(args, s)
	return strings.TrimRight(out.String(), "\n"), err
}

func (f *sharedFolder) compact(in *toolInput) (string, error) {
	path, text, err := f.contentOf(in.File)
	if err != nil {
		return "", err
	}
	k := compaction{call: f.call, engine: &wire.Engine{}, text: text}
	detected, _, err := wire.Call[wire.Detection](k.engine, "detect", &k.request.ConversationRequest, text)
	if err != nil {
		return "", err
	}
	k.request.Preset, k.request.Force = in.Preset, true
	if in.Window > 0 {
		k.request.Policy = []byte(`{"trigger":{"window":` + strconv.Itoa(in.Window) + `}}`)
	}
	var originals []byte
	k.save = func(jsonl []byte) error { originals = append(originals, jsonl...); return nil }
	outcome, compacted, err := k.run()
	switch {
	case err != nil:
		return "", err
	case outcome.Before == outcome.After && len(originals) == 0:
		return fmt.Sprintf("%d tokens: nothing can be removed, nothing was written", outcome.Before), nil
	}
	id := newID()
	name := strings.TrimSuffix(filepath.Base(path), ".zst")
	end := filepath.Ext(name)
	made := &resumed{name: strings.TrimSuffix(name, end) + ".compacted-" + id[:8] + end, text: compacted}
	if resumes(detected.Format) == nil {
		made, err = resumable(detected.Format, filepath.Join(f.home, path), compacted, id, time.Now())
		if err != nil {
			return "", err
		}
	}
	out := filepath.Join(filepath.Dir(path), made.name)
	if err = f.create(out+".originals", originals); err == nil {
		err = f.create(out, made.text)
	}
	lines := []string{fmt.Sprintf("%d tokens before, %d after", outcome.Before, outcome.After), "compacted: " + out,
		"originals: " + out + ".originals, which recall reads as archive"}
	if made.command != "" {
		lines = append(lines, "resume it with: "+made.command)
	}
	return strings.Join(lines, "\n"), err
}

func (f *sharedFolder) audit(in *toolInput) (string, error) {
	path, err := f.inside(in.Folder)
	if err != nil {
		return "", err
	}
	return f.command(nil, "audit", "--root", f.home, filepath.Join(f.home, path))
}
