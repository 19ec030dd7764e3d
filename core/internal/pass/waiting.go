package pass

import "tamp/core/msg"

// Files that wait. An agent reads the files of a task first and edits them one by one later, and an edit needs the
// exact text. An economic policy therefore keeps what was read for this prompt of the user or for the one before, until
// the agent reads or changes that file again: after a change it reads again what it needs, so that a longer wait saves
// no edit. The report of a subagent waits like a file. The output of a command or a search does not wait: it is out of
// date when it is needed, and the agent runs it again. A command that prints a file is a read only after the agent has
// patched a file, since an agent that has nothing but a shell would never clear.

// Reads reads a call. It calls visit for each file that the call reads or changes, and for the report of a subagent.
// part is the part of the file that it reads, "" for all. bare says that a command reads it, or a patch changes it.
// about is the file, the command or the search, for people.
type Reads func(name, input string, visit func(file, part string, changes, bare bool)) (about string)

// waits says which results wait. A wait that has ended does not begin again, so that the sums only grow and no call
// reads all results that wait. Invariant: a copy of it stays valid, since the results of an ended wait count only with
// the list of the tracker that ended it.
type waits struct {
	ended       []int // the results that wait no more
	free        sums  // over the results that do not wait
	first       int   // the first of these that has an edit, counted from 1; 0 for none
	old, prompt int   // the results for older prompts end before old, those for the prompt before end before prompt
	files       int   // the size of fileReads
	patches     bool  // the agent has patched a file
}

// fileReads has the reads and changes of files, oldest first.
type fileReads struct {
	list []fileRead
	last map[string]int // the newest one of a file, and of a part of a file, counted from 1
}

type fileRead struct {
	file, part string // part: with the name of the file; "" for all
	result     int
	before     int // the one before it of the same file, counted from 1
	same       int // the one before it of the same part, counted from 1
}

// truncate goes back to an earlier size.
func (f *fileReads) truncate(size int) {
	for n := len(f.list) - 1; n >= size; n-- {
		x := &f.list[n]
		if f.last[x.file] = x.before; x.part != "" {
			f.last[x.part] = x.same
		}
	}
	f.list = f.list[:size]
}

// add adds a read or change of a file, and calls stale with the results that it replaces. Everything before a read of
// the whole file was replaced by that, so that each read is visited once as a part of its file.
func (f *fileReads) add(file, part string, result int, stale func(result int)) {
	if f.last == nil {
		f.last = map[string]int{}
	}
	x := fileRead{file: file, result: result, before: f.last[file]}
	if part != "" {
		x.part = file + "\x00" + part
		if x.same = f.last[x.part]; x.same > 0 {
			stale(f.list[x.same-1].result)
		}
		f.last[x.part] = len(f.list) + 1
	}
	for n := x.before; part == "" && n > 0; n = f.list[n-1].before {
		if stale(f.list[n-1].result); f.list[n-1].part == "" {
			break
		}
	}
	f.list = append(f.list, x)
	f.last[file] = len(f.list)
}

// The result with the text of the skill that was loaded last waits until another one is loaded, in every policy: the
// agent works under its rules.
const (
	skillInUse = "\x00skill" // in place of a file
	minSkill   = 200         // bytes: a shorter result says that a skill was launched, and its text follows
)

// wait decides whether the last result waits, and ends the waits of what it makes stale.
func (w *ChangeTracker) wait(call, result *msg.Block) {
	last, failed := len(w.results)-1, result.IsError
	if call != nil && !failed && len(result.Text) >= minSkill && w.Clear.Skill != nil && w.Clear.Skill(call) != "" {
		w.files.add(skillInUse, "", last, w.endWait)
		w.waits.files = len(w.files.list)
		w.results[last].waits, w.results[last].skill = true, true
	} else if call != nil && !failed && w.Clear.Reads != nil && w.Clear.When == Economic {
		w.Clear.Reads(call.Name, call.Text, func(file, part string, changes, bare bool) {
			if bare {
				if w.waits.patches = w.waits.patches || changes; !w.waits.patches {
					return
				}
			}
			if changes {
				part = ""
			}
			w.files.add(file, part, last, w.endWait)
			w.waits.files = len(w.files.list)
			w.results[last].waits = w.results[last].waits || !changes && w.own(last).freed > 0
		})
	}
	if !w.results[last].waits {
		w.release(last)
	}
}

// nextPrompt ends the waits of what was read before the prompt before.
func (w *ChangeTracker) nextPrompt() {
	for ; w.waits.old < w.waits.prompt; w.waits.old++ {
		w.endWait(w.waits.old)
	}
	w.waits.prompt = len(w.results)
}

// endWait ends the wait of a result before the last one, if it waits.
func (w *ChangeTracker) endWait(i int) {
	if i < len(w.results)-1 && w.Waits(i) {
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

// InUse reports whether the result with an index has the skill in use.
func (w *ChangeTracker) InUse(result int) bool { return w.results[result].skill && w.Waits(result) }

// Waits reports whether the result with an index waits.
func (w *ChangeTracker) Waits(result int) bool {
	r, ended := &w.results[result], w.waits.ended
	return r.waits && (r.end == 0 || r.end > len(ended) || ended[r.end-1] != result)
}
