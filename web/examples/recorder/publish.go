package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// writers are the formats that every session can be written in, under the names that Tamp detects them by.
var writers = []struct {
	format, extension string
	write             func(*Session) []byte
}{
	{"anthropic", ".json", anthropicBody},
	{"openai-chat", ".json", openAIBody},
	{"claude-code", ".jsonl", claudeCodeLog},
}

func formats() []string {
	var names []string
	for _, w := range writers {
		names = append(names, w.format)
	}
	return names
}

// example is one published file.
type example struct {
	story       string
	file        string
	format      string
	title       string // default: that of the story
	description string
	write       func(*Session) []byte
}

// examples are the examples of the playground, in the order of its menu.
var examples = []example{
	{story: "tour", file: "tour.jsonl.gz", format: "claude-code", write: compressed(claudeCodeLog)},
	{story: "bughunt", file: "bughunt.jsonl", format: "claude-code", write: claudeCodeLog},
	{story: "spans", file: "spans.json", format: "anthropic", write: anthropicBody},
	{story: "pairing", file: "pairing.json", format: "openai-chat", write: openAIBody},
	{
		story: "bughunt", file: "broken.json", format: "anthropic",
		write: func(s *Session) []byte { return anthropicArray(broken(s)) },
		title: "A broken session",
		description: "Part of the bug hunt, damaged as aborts and sliding windows damage histories: results without their " +
			"call, calls without a result, " +
			"text before a result. Check lists each problem, Repair removes it.",
	},
}

// compressed returns a writer of the same session, packed with gzip: a long one is downloaded when it is opened.
func compressed(write func(*Session) []byte) func(*Session) []byte {
	return func(s *Session) []byte {
		var out bytes.Buffer
		w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
		w.Write(write(s))                                       // writing to memory does not fail
		w.Close()
		return out.Bytes()
	}
}

// unpacked returns the session of a published file.
func unpacked(file string, data []byte) ([]byte, error) {
	if !strings.HasSuffix(file, ".gz") {
		return data, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// entry is one line of index.json, which the page reads to offer the examples.
type entry struct {
	File        string `json:"file"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Format      string `json:"format"`
	Bytes       int    `json:"bytes"`
	Messages    int    `json:"messages"`
}

// publish writes the examples, and their index if all of them were recorded.
func publish(o options, sessions map[string]*Session, progress io.Writer) error {
	var index []entry
	for _, e := range examples {
		session := sessions[e.story]
		if session == nil {
			continue
		}
		data := e.write(session)
		if err := os.WriteFile(filepath.Join(o.out, e.file), data, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(progress, "recorder: wrote %s (%s, %d bytes)\n", e.file, e.format, len(data))
		whole, err := unpacked(e.file, data)
		if err != nil {
			return err
		}
		line := entry{e.file, e.title, e.description, e.format, len(data), countMessages(e.format, whole)}
		if line.Title == "" {
			line.Title, line.Description = session.Story.Title, session.Story.Description
		}
		index = append(index, line)
	}
	if o.only != "" {
		return nil
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(index); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.out, "index.json"), out.Bytes(), 0o644)
}

// writeFormats writes every recorded session in the given formats, as NAME.FORMAT.json or .jsonl.
func writeFormats(o options, sessions map[string]*Session, progress io.Writer) error {
	for name, session := range sessions {
		for _, w := range writers {
			if o.format != "all" && o.format != w.format {
				continue
			}
			file := name + "." + w.format + w.extension
			data := w.write(session)
			if err := os.WriteFile(filepath.Join(o.out, file), data, 0o644); err != nil {
				return err
			}
			fmt.Fprintf(progress, "recorder: wrote %s (%d bytes)\n", file, len(data))
		}
	}
	return nil
}

// countMessages counts the messages of a written session as the model would see them: the lines of a log that share a
// message id are one message, and so are the results of one round.
func countMessages(format string, data []byte) int {
	if format != "claude-code" {
		var body struct{ Messages []json.RawMessage }
		if json.Unmarshal(data, &body) != nil {
			json.Unmarshal(data, &body.Messages)
		}
		return len(body.Messages)
	}
	n, role := 0, ""
	for line := range bytes.Lines(data) {
		var l struct{ Type string }
		if json.Unmarshal(line, &l) == nil && (l.Type == "user" || l.Type == "assistant") && l.Type != role {
			n++
			role = l.Type
		}
	}
	return n
}
