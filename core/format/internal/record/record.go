// Package record reads and writes histories whose elements are records of a client: an object around one or more
// messages, with its parts in one or more lists. A part can hold a call and its result; the results come out in a user
// message after the call, as in Anthropic's API. A Shape describes one format. Start with Shape.Read and Shape.Items.
package record

import (
	"strconv"
	"strings"

	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Shape describes a format. Paths have a "/" between members, lists of them a "|".
type Shape struct {
	Lists string // the members of a record that hold its parts, each a list or the string of one text
	// Joined is the list that is a string of all of its texts, to which new ones are added; "" if a list is made of them.
	Joined string
	ID     string // the path of a record's id; "" if new records are given none
	Role   string // the path of its role
	Parts  []Part // the parts that have a block
	Text   string // a new part for a text, without the text
	// New is a new record without its parts, of the user and of the assistant; Copy has the paths of what it has of the
	// record before it, Model the path of the model, which the other records may not name any more.
	New         [2]string
	Copy, Model string
	// Finish completes a new record that has its id, after another one; nil if nothing is left to do.
	Finish func(raw, near rawjson.Value) rawjson.Value
	// Head reads a record without its parts. A record without a role is not part of the conversation.
	Head func(raw rawjson.Value, path string) (Head, error)
	// Type reads parts that Parts does not describe, and Write writes them, and new results of such calls; nil if there
	// are none, and if they are never changed.
	Type  func(b *msg.Block) error
	Write func(b *msg.Block) (rawjson.Value, error)
	// Result completes the result of a call, and Made writes a new one at a path of its part; nil if it is a text there.
	Result func(call, b *msg.Block)
	Made   func(part rawjson.Value, path string, b *msg.Block) (rawjson.Value, error)
	// Whole writes a record that is one block, and a new result where results are records of their own; else nil.
	Whole func(b *msg.Block) (rawjson.Value, error)
}

// NewStep is the type of a part that begins another answer of the model.
const NewStep = "step-start"

// Head is what a record says about its messages.
type Head struct {
	Role  msg.Role
	Whole *msg.Block // of a record that is one block: Raw and Path are the record's
	ID    string
	Usage *msg.Usage
	Cost  int
	Model string
	Meta  bool
	// when the record, and when its last result, was written
	Time, Done rawjson.Value
}

// Place is the Origin of a message: a step of a record, and the parts of the record's lists that belong to it.
type Place struct {
	Record      int
	raw         rawjson.Value // the record
	step, steps int
	from, to    int
}

// Read appends the messages of record k.
func (s *Shape) Read(out []msg.Message, k int, raw rawjson.Value, path string, room *document.Room) ([]msg.Message,
	error) {
	h, err := s.Head(raw, path)
	if err != nil || h.Role == "" {
		return out, err
	}
	r := reader{head: h, out: out, at: Place{Record: k, raw: raw}}
	if h.Whole != nil {
		if err := room.Take(path); err != nil {
			return nil, err
		}
		r.blocks = []msg.Block{*h.Whole}
	} else if err := s.lists(&r, raw, path, room); err != nil {
		return nil, err
	}
	r.step()
	made := r.out[len(out):]
	for i := range made {
		if m := &made[i]; len(made) == 1 {
			m.Raw, m.Lines, m.Path = raw.Clip(), nil, path
		} else {
			for b := range m.Blocks {
				m.Blocks[b].Bare = false
			}
		}
		at := made[i].Origin.(Place)
		at.steps = len(made)
		made[i].Origin = at
	}
	return r.out, nil
}

// Blocks reads the parts of a record as blocks, without a step or a result.
func (s *Shape) Blocks(raw rawjson.Value, path string, room *document.Room) ([]msg.Block, error) {
	r := reader{}
	err := s.lists(&r, raw, path, room)
	return r.all, err
}

// reader is a record that is being read.
type reader struct {
	head            Head
	out             []msg.Message
	blocks, results []msg.Block
	all             []msg.Block     // the blocks and results of all steps; only their Path and Raw are used
	lines, answers  []rawjson.Value // the parts that they are from
	at              Place
}

func (s *Shape) lists(r *reader, raw rawjson.Value, path string, room *document.Room) error {
	for _, name := range strings.Split(s.Lists, "|") {
		list, prefix := raw.Member(name), path+"/"+name
		if r.calls() {
			break // a list of calls after one that has them is the client's own record
		}
		switch list.Kind() {
		case '"':
			if text := list.Text(); text != "" {
				r.addBlock(&msg.Block{Kind: msg.KindText, Type: "text", Raw: list, Path: prefix, Text: text, Bare: true}, nil, list)
			}
		case '[':
			for i, part := range list.List() {
				if err := s.part(r, part, prefix, i, room); err != nil {
					return err
				}
			}
		default:
			if !list.IsNull() {
				return msg.NewError(msg.BadMessage, prefix, "cannot read the message: "+name+" is "+document.What(list)+
					", it must be an array of parts")
			}
		}
	}
	return nil
}

func (s *Shape) part(r *reader, raw rawjson.Value, prefix string, i int, room *document.Room) error {
	b := msg.Block{Raw: raw.Clip(), Path: document.At(prefix, i)}
	if raw.Kind() != '{' {
		return msg.NewError(msg.BadMessage, b.Path, "cannot read the part: it is "+document.What(raw)+
			", it must be an object")
	}
	if err := room.Take(b.Path); err != nil {
		return err
	}
	result, err := s.read(&b)
	if err != nil {
		return err
	}
	if b.Type == NewStep && len(r.blocks) > 0 {
		r.step()
		r.at.from = i
	}
	r.at.to = i + 1
	if b.Kind == msg.KindToolUse && r.head.Role != "" && r.head.Role != msg.Assistant {
		b.Kind = "" // no client sends it
	}
	if b.Kind == "" { // the client's own: the archive has it with the message
		r.lines = append(r.lines, b.Raw)
		return nil
	}
	r.addBlock(&b, result, b.Raw)
	return nil
}

func (r *reader) addBlock(b, result *msg.Block, line rawjson.Value) {
	r.blocks, r.lines = append(r.blocks, *b), append(r.lines, line)
	r.all = append(r.all, *b)
	if result != nil {
		r.all = append(r.all, *result)
		r.results, r.answers = append(r.results, *result), append(r.answers, line)
	}
}

func (r *reader) calls() bool {
	for b := range r.blocks {
		if r.blocks[b].Kind == msg.KindToolUse {
			return true
		}
	}
	return false
}

// step ends an answer of the model: it becomes a message, and its results another one.
func (r *reader) step() {
	add := func(role msg.Role, blocks []msg.Block, lines []rawjson.Value, time rawjson.Value) {
		if len(blocks) > 0 {
			r.out = append(r.out, msg.Message{Role: role, Blocks: blocks, Lines: lines, Path: blocks[0].Path,
				ID: r.head.ID, Usage: r.head.Usage, Cost: r.head.Cost, Model: r.head.Model, Meta: r.head.Meta, Time: time,
				Origin: r.at})
			r.at.step++
			r.head.Usage, r.head.Cost = nil, 0 // it is that of the whole record: the first call's
		}
	}
	add(r.head.Role, r.blocks, r.lines, r.head.Time)
	add(msg.User, r.results, r.answers, r.head.Done)
	r.blocks, r.lines, r.results, r.answers = nil, nil, nil, nil
}

// place returns the list and the number of the part that a block was read from. A string in place of a list has the
// number -1. isOld is false for a new block; inner reports a result within the part of its call.
func place(b *msg.Block, path string) (list string, n int, isOld, inner bool) {
	rest, isOld := strings.CutPrefix(b.Path, path+"/")
	if !isOld || len(b.Raw) == 0 {
		return "", 0, false, false
	}
	list, rest, isPart := strings.Cut(rest, "/")
	if !isPart {
		return list, -1, true, false
	}
	number, _, inner := strings.Cut(rest, "/")
	n, err := strconv.Atoi(number)
	return list, n, err == nil, inner
}
