package main

import (
	"fmt"
	"strings"
)

// recording is a session that is being recorded.
type recording struct {
	story   *Story
	tree    *tree
	session *Session
	pending []Part            // results of the round, for the next user message
	retyped string            // for the next prompt
	labels  map[string]string // results that the story gave a name
}

// record plays one story over a scratch copy of the repository at root.
func record(root string, story *Story) (*Session, error) {
	t, err := newTree(root)
	if err != nil {
		return nil, err
	}
	defer t.remove()
	r := &recording{story: story, tree: t, session: &Session{Story: story}, labels: map[string]string{}}
	built := false
	for i := range story.Steps {
		step := &story.Steps[i]
		if step.Word != "plant" && !built {
			// Downloads and compiler messages belong before the session. A tree that does not build cannot be recorded.
			if out, ok := t.goTool("vet", story.Package); !ok {
				return nil, fmt.Errorf("cannot record %s: %s does not build:\n%s", story.Name, story.Package, out)
			}
			built = true
		}
		if err := r.play(step); err != nil {
			return nil, fmt.Errorf("cannot record %s: stories/%s:%d: %w", story.Name, step.File, step.Line, err)
		}
	}
	r.flush()
	return r.session, nil
}

func (r *recording) play(step *Step) error {
	switch step.Word {
	case "plant":
		out, failed := r.tree.edit(step.Args["path"], step.Args["old"], step.Args["new"])
		if failed {
			return fmt.Errorf("cannot plant: %s", out)
		}
	case "retyped":
		r.retyped = step.Text
	case "user":
		r.flush()
		m := r.message("user")
		m.Parts = append(m.Parts, Part{Kind: Text, Text: step.Text})
		m.Retyped, r.retyped = r.retyped, ""
	case "picture":
		m := r.message("user")
		m.Parts = append(m.Parts, Part{Kind: Picture, PNG: drawSpans()})
	case "reminder":
		r.flush()
		text := "<system-reminder>\n" + step.Text + "\n</system-reminder>"
		m := r.message("user")
		m.Parts = append(m.Parts, Part{Kind: Reminder, Text: text})
	case "turn":
		r.flush()
	case "think", "say":
		r.flush()
		kind := Text
		if step.Word == "think" {
			kind = Thinking
		}
		m := r.message("assistant")
		m.Parts = append(m.Parts, Part{Kind: kind, Text: step.Text})
	case "call":
		return r.call(step)
	}
	return nil
}

func (r *recording) call(step *Step) error {
	base := 0
	if text := step.Args["at"]; text != "" {
		var err error
		if base, err = r.tree.line(step.Args["path"], text); err != nil {
			return err
		}
	}
	input, err := step.input(base)
	if err != nil {
		return err
	}
	out, failed := r.tree.use(step.Tool, input)
	if failed != (step.Args["expect"] == "fails") {
		return fmt.Errorf("%s was to %s, and said:\n%s", step.Tool, map[bool]string{true: "succeed", false: "fail"}[failed],
			out)
	}
	if want := step.Args["shows"]; !strings.Contains(out, want) {
		return fmt.Errorf("%s was to show %q, and said:\n%s", step.Tool, want, out)
	}
	if label := step.Args["same as"]; label != "" && out != r.labels[label] {
		return fmt.Errorf("%s was to say the same as at %q, and said:\n%s", step.Tool, label, out)
	}
	if label := step.Args["label"]; label != "" {
		r.labels[label] = out
	}
	part := Part{Kind: Call, Seed: fmt.Sprintf("%s/call/%d", r.story.Name, r.session.calls()), Tool: step.Tool,
		Input: input}
	m := r.message("assistant")
	m.Parts = append(m.Parts, part)
	part.Kind, part.Text, part.Error = Result, out, failed
	r.pending = append(r.pending, part)
	return nil
}

// flush ends the round: its results become one user message.
func (r *recording) flush() {
	if len(r.pending) == 0 {
		return
	}
	m := r.message("user")
	m.Parts = append(m.Parts, r.pending...)
	r.pending = nil
}

// message returns the last message if it has that role, else a new one.
func (r *recording) message(role string) *Message {
	all := &r.session.Messages
	if n := len(*all); n == 0 || (*all)[n-1].Role != role {
		*all = append(*all, Message{Role: role})
	}
	return &(*all)[len(*all)-1]
}
