package main

// A story is the scripted half of a session: a text file that reads from top to bottom. A long story continues in
// further files: NAME-1-….story, NAME-2-….story.
//
//	title: A bug hunt              members of the head, one per line
//	== plant                       an edit before the session starts; not part of the session
//	== system                      the system prompt
//	== user                        a prompt; "== picture" after it adds the drawing to the same message
//	== retyped                     a prompt given up for the one that follows
//	== reminder                    text that the agent injects into the user message at that place
//	== think / == say              what the assistant thinks and says
//	== call read_file              a tool call, its arguments one per line, or "name:" with lines that begin with "|"
//	== turn                        the assistant continues without text; adjacent calls are one parallel round
//	== rows                        names of columns, then rows, all separated by " | "; the sections up to "== end" are
//	                               repeated for each row, with {column} replaced by its cell
//
// Results are not in the story: they are the output of the tools. A call may state conditions on its result:
// "expect: fails" (default: succeeds), "shows: text" that must be in it, "label: x" and "same as: x" to compare two.
// "at: text" makes the numbers of read_file count from the first line that holds the text, so that a story does not
// depend on the line number of a function.

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed stories/*.story
var storyFiles embed.FS

// Story is one parsed story.
type Story struct {
	Name, Title, Description string
	Model                    string // of the Anthropic formats
	ModelOpenAI              string
	Branch                   string
	Package                  string // the package that the story works on; it must build before the session begins
	Started                  time.Time
	System                   string
	Steps                    []Step

	loop *loop // between rows and end
}

// loop is the table of a repeated part of a story.
type loop struct {
	columns []string
	rows    [][]string
	first   int // index of the first repeated step
}

// Step is one section of a story.
type Step struct {
	File string
	Line int
	Word string // plant, user, retyped, picture, reminder, think, say, call, turn
	Tool string
	Text string
	Args map[string]string
}

// directives are arguments for the recorder, not for the tool.
var directives = map[string]bool{"expect": true, "shows": true, "label": true, "same as": true, "at": true}

func loadStories() ([]*Story, error) {
	names, err := fs.Glob(storyFiles, "stories/*.story")
	if err != nil {
		return nil, err
	}
	var stories []*Story
	last := ""
	for _, name := range names { // sorted, so that the files of one story are adjacent
		text, err := storyFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		stem, _, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".story"), "-")
		if stem != last {
			stories = append(stories, &Story{Name: stem})
			last = stem
		}
		if err := stories[len(stories)-1].parse(path.Base(name), string(text)); err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", name, err)
		}
	}
	return stories, nil
}

// parse appends the sections of one file of the story.
func (s *Story) parse(file, text string) error {
	var body []string
	var step *Step
	for i, line := range strings.Split(text, "\n") {
		if head, ok := strings.CutPrefix(line, "== "); ok {
			if err := s.add(step, body); err != nil {
				return err
			}
			word, tool, _ := strings.Cut(head, " ")
			step, body = &Step{File: file, Line: i + 1, Word: word, Tool: tool}, nil
			continue
		}
		if step != nil {
			body = append(body, line)
			continue
		}
		if err := s.head(line); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return s.add(step, body)
}

// add finishes a section; there is none before the first.
func (s *Story) add(step *Step, body []string) error {
	if step == nil {
		return nil
	}
	text := strings.TrimSpace(strings.Join(body, "\n"))
	switch step.Word {
	case "system":
		s.System = text
		return nil
	case "rows":
		return s.open(step.Line, text)
	case "end":
		return s.repeat(step.Line)
	case "plant", "call":
		args, err := parseArgs(body)
		if err != nil {
			return fmt.Errorf("line %d: %w", step.Line, err)
		}
		step.Args = args
	case "user", "retyped", "picture", "reminder", "think", "say", "turn":
		step.Text = text
	default:
		return fmt.Errorf("line %d: unknown section %q", step.Line, step.Word)
	}
	s.Steps = append(s.Steps, *step)
	return nil
}

// open starts a repeated part. The first line of text names the columns.
func (s *Story) open(line int, text string) error {
	if s.loop != nil {
		return fmt.Errorf("line %d: rows inside of rows", line)
	}
	s.loop = &loop{first: len(s.Steps)}
	for i, row := range strings.Split(text, "\n") {
		cells := strings.Split(row, " | ")
		if i == 0 {
			s.loop.columns = cells
			continue
		}
		if len(cells) != len(s.loop.columns) {
			return fmt.Errorf("line %d: row %d has %d cells, not %d", line, i, len(cells), len(s.loop.columns))
		}
		s.loop.rows = append(s.loop.rows, cells)
	}
	return nil
}

// repeat ends a repeated part: its steps are copied for each row.
func (s *Story) repeat(line int) error {
	if s.loop == nil {
		return fmt.Errorf("line %d: end without rows", line)
	}
	l, body := s.loop, slices.Clone(s.Steps[s.loop.first:])
	s.Steps, s.loop = s.Steps[:s.loop.first], nil
	for _, row := range l.rows {
		pairs := make([]string, 0, 2*len(row))
		for i, cell := range row {
			pairs = append(pairs, "{"+l.columns[i]+"}", cell)
		}
		fill := strings.NewReplacer(pairs...)
		for _, step := range body {
			step.Text = fill.Replace(step.Text)
			args := make(map[string]string, len(step.Args))
			for name, value := range step.Args {
				args[name] = fill.Replace(value)
			}
			step.Args = args
			s.Steps = append(s.Steps, step)
		}
	}
	return nil
}

func (s *Story) head(line string) error {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	key, value, ok := strings.Cut(line, ": ")
	if !ok {
		return fmt.Errorf("cannot read %q: a head line is \"name: value\"", line)
	}
	fields := map[string]*string{
		"title": &s.Title, "description": &s.Description, "model": &s.Model,
		"openai model": &s.ModelOpenAI, "branch": &s.Branch, "package": &s.Package,
	}
	if key == "started" {
		at, err := time.Parse(time.RFC3339, value)
		s.Started = at
		return err
	}
	field := fields[key]
	if field == nil {
		return fmt.Errorf("unknown head line %q", key)
	}
	*field = value
	return nil
}

func parseArgs(body []string) (map[string]string, error) {
	args := map[string]string{}
	open := "" // the argument whose block of lines is being read
	for _, line := range body {
		if block, ok := strings.CutPrefix(line, "|"); ok {
			if open == "" {
				return nil, fmt.Errorf("a line of text without an argument before it: %q", line)
			}
			args[open] += strings.TrimPrefix(block, " ") + "\n"
			continue
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("cannot read %q: an argument is \"name: value\"", line)
		}
		open = key
		args[key] = strings.TrimPrefix(value, " ")
	}
	return args, nil
}

// input makes a call's input in the order of the tool's parameters. Numbers count from the line base.
func (s *Step) input(base int) (object, error) {
	tool, ok := toolNamed(s.Tool)
	if !ok {
		return nil, fmt.Errorf("unknown tool %q", s.Tool)
	}
	in, known := object{}, 0
	for _, p := range tool.params {
		value, given := s.Args[p.name]
		if !given {
			if p.required {
				return nil, fmt.Errorf("%s needs %q", s.Tool, p.name)
			}
			continue
		}
		known++
		if p.kind != "integer" {
			in = append(in, member{p.name, value})
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %q is not a number", p.name, value)
		}
		in = append(in, member{p.name, max(base+n, 1)})
	}
	for name := range s.Args {
		if directives[name] {
			known++
		}
	}
	if known != len(s.Args) {
		return nil, fmt.Errorf("%s has an argument that it does not know", s.Tool)
	}
	return in, nil
}
