// Command recorder makes the example sessions of the playground.
//
// Prompts and answers are scripted (stories/*.story, written by us); every tool call in them is executed in a scratch
// copy of this repository, so that the page compacts real tool output. It is not an agent: it uses no model, and writes
// nothing outside the scratch copy and the output directory.
//
//	go run ./web/examples/recorder                       record all and publish web/examples/*.json, *.jsonl, index.json
//	go run ./web/examples/recorder -only pairing         record one session and publish its files; the index stays
//	go run ./web/examples/recorder -format all -out DIR  write every session in every format into DIR, without an index
//
// The same tree gives the same bytes: times, ids and signatures are derived, and paths of this machine are renamed.
// If a story no longer matches the tree, recording stops with the story and its line.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// options are the flags of one run.
type options struct {
	root   string // of this repository
	out    string // directory to write to
	only   string // the name of one story, or "" for all
	format string // "" publishes the examples in their chosen formats
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", "", "repository to record over (default: the one around the working directory)")
	flag.StringVar(&o.out, "out", "", "directory to write to (default: web/examples of the repository)")
	flag.StringVar(&o.only, "only", "", "record only the story of this name")
	flag.StringVar(&o.format, "format", "",
		"write each session as anthropic, openai-chat, claude-code or all, without an index")
	flag.Parse()
	if err := run(o, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "recorder:", err)
		os.Exit(1)
	}
}

// run records the stories that o selects and reports each step on progress.
func run(o options, progress io.Writer) error {
	if o.root == "" {
		root, err := findRoot()
		if err != nil {
			return err
		}
		o.root = root
	}
	if o.out == "" {
		o.out = filepath.Join(o.root, "web", "examples")
	}
	if o.format != "" && o.format != "all" && !slices.Contains(formats(), o.format) {
		return fmt.Errorf("cannot write format %q: it is none of %s", o.format, strings.Join(formats(), ", "))
	}
	sessions, err := recordAll(o, progress)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	if o.format != "" {
		return writeFormats(o, sessions, progress)
	}
	return publish(o, sessions, progress)
}

func recordAll(o options, progress io.Writer) (map[string]*Session, error) {
	stories, err := loadStories()
	if err != nil {
		return nil, err
	}
	sessions := map[string]*Session{}
	for _, story := range stories {
		if o.only != "" && o.only != story.Name {
			continue
		}
		fmt.Fprintf(progress, "recorder: recording %s …\n", story.Name)
		session, err := record(o.root, story)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(progress, "recorder: %s: %d messages, %d tool calls\n", story.Name, len(session.Messages),
			session.calls())
		sessions[story.Name] = session
	}
	if len(sessions) == 0 {
		return nil, fmt.Errorf("cannot record %q: there is no story of that name", o.only)
	}
	return sessions, nil
}

// findRoot walks up from the working directory to the go.mod of this module.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(mod), "module tamp\n") {
			return dir, nil
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("cannot find the repository: no go.mod of module tamp here or above; use -root")
		}
		dir = up
	}
}
