package pass

import (
	"os"
	"strings"
	"tamp/core/msg"
	"tamp/core/provenance"
)

// Files that wait. An agent reads the files of a task first and edits them one by one later, and an edit needs the exact
// text. An economic policy therefore keeps what was read for this prompt of the user or for the one before, until the
// agent reads or changes that file again. The report of a subagent waits like a file. The output of a command or a
// search does not wait: it is out of date when it is needed, and the agent runs it again.

// Reads reads a call. It calls visit for each file that the call reads or changes, and for the report of a subagent.
// part is the part of the file that it reads, "" for all. about is the file, the command or the search, for people.
type Reads func(name, input string, visit func(file, part string, changes bool)) (about string)

// waits says which results wait. A result that has ended to wait never waits again, so that the sums over the others
// only grow. Invariant: what an ended wait writes into the results says nothing in an earlier copy of the tracker, whose
// list of them is shorter.
type waits struct {
	ended []int // the results that wait no more
	free  sums  // over the results that do not wait
	first int   // the first of these that has an edit, counted from 1; 0 for none
	// results before old do not wait; those before prompt were read for the prompt before
	old, prompt int
	files       int // the size of fileReads
	patches bool
	tools int
}

// fileReads has the reads and changes of files, oldest first. Its newest can be removed again.
type fileReads struct {
	list []fileRead
	last map[string]int // the newest one of a file, and of a part of a file, counted from 1
}

type fileRead struct {
	key    string // the file, or file and part
	result int
	whole  bool // nothing before it waits
	before int  // the one before it of the same file, counted from 1
	same   int  // the one before it of the same part, counted from 1
	part   string
}

// truncate goes back to an earlier size.
func (f *fileReads) truncate(size int) {
	for n := len(f.list) - 1; n >= size; n-- {
		x := &f.list[n]
		f.last[x.key] = x.before
		if x.part != "" {
			f.last[x.part] = x.same
		}
	}
	f.list = f.list[:size]
}

// wait decides whether the last result waits, and ends the waits of those that it makes stale: earlier texts of a file
// that was read again, or changed.
func (w *ChangeTracker) wait(in *Input, ref msg.Ref) {
	c, last := in.Conversation, len(w.results)-1
	origin, ok := in.Pairing.Call(ref)
	if ok && w.Clear.Reads != nil && w.Clear.When == Economic && !c.At(ref).IsError {
		call := c.At(origin)
		if strings.Contains(call.Text, "*** Update File: ") || strings.Contains(call.Text, "*** Begin Patch") {
			w.waits.patches = true
		}
		w.Clear.Reads(call.Name, call.Text, func(file, part string, changes bool) {
			if strings.HasPrefix(part, "$") {
				switch os.Getenv("X_SHELL") {
				case "":
					return
				case "patch":
					if !w.waits.patches {
						return
					}
				}
			}
			w.stale(file, part, changes)
			if changes {
				return
			}
			if w.own(last).freed > 0 {
				w.results[last].waits = true
			}
		})
	}
	if !w.results[last].waits {
		w.release(last)
	}
}

// stale adds the last result as a read or change of a file, and ends the waits of what it replaces.
func (w *ChangeTracker) stale(file, part string, changes bool) {
	f := &w.files
	if f.last == nil {
		f.last = map[string]int{}
	}
	next := fileRead{key: file, result: len(w.results) - 1, whole: changes || part == "", before: f.last[file]}
	if changes && os.Getenv("X_EDIT") == "keep" {
		return
	}
	if next.whole {
		for n := next.before; n > 0; n = f.list[n-1].before {
			w.endWait(f.list[n-1].result)
			if f.list[n-1].whole {
				break
			}
		}
	} else {
		next.part = file + "\x00" + part
		if next.same = f.last[next.part]; next.same > 0 {
			w.endWait(f.list[next.same-1].result)
		}
		f.last[next.part] = len(f.list) + 1
	}
	f.list = append(f.list, next)
	f.last[file] = len(f.list)
	w.waits.files = len(f.list)
}

// nextPrompt ends the waits of what was read before the prompt before.
func (w *ChangeTracker) nextPrompt() {
	if os.Getenv("X_ONE") != "" {
		w.waits.prompt = len(w.results)
	}
	for ; w.waits.old < w.waits.prompt; w.waits.old++ {
		w.endWait(w.waits.old)
	}
	w.waits.prompt = len(w.results)
}

func isTask(m *msg.Message) bool {
	return provenance.IsPrompt(m) || os.Getenv("X_TASK") != "" && provenance.HasTask(m)
}

// endWait ends the wait of a result, if it waits.
func (w *ChangeTracker) endWait(i int) {
	if w.holds(i) {
		w.waits.ended = append(w.waits.ended, i)
		w.results[i].end = len(w.waits.ended)
		w.release(i)
	}
}

// release adds a result to the sums of those that do not wait.
func (w *ChangeTracker) release(i int) {
	own := w.own(i)
	w.waits.free = w.waits.free.plus(own)
	if own.edits > 0 && (w.waits.first == 0 || i < w.waits.first) {
		w.waits.first = i + 1
	}
	if i < w.rent.eligible {
		w.rent.free += own.freed
	}
}

// own returns the sums of one result.
func (w *ChangeTracker) own(i int) sums {
	return w.results[i].sums.minus(w.before(i).sums)
}

// holds reports whether the result with an index waits.
func (w *ChangeTracker) holds(i int) bool {
	r := &w.results[i]
	return r.waits && !(r.end > 0 && r.end <= len(w.waits.ended) && w.waits.ended[r.end-1] == i)
}

// Waits reports whether a result waits.
func (w *ChangeTracker) Waits(result int) bool { return w.holds(result) }
