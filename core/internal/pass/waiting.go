package pass

import (
	"sort"

	"tamp/core/msg"
)

// Files that wait. An agent reads a file to use it, and an edit needs its exact text. To read it again costs one more
// call, which reads the prompt before it from the cache, and the text once more. An economic policy keeps the result of
// such a read until its tokens have cost as much as that: the rule of ski rental (terms.go) for one result. A small
// file in a long prompt waits long, since it is cheap to keep. A text that a later call has made stale does not wait.
// The report of a subagent waits like a file. The output of a command or a search does not wait: it is out of date when
// it is needed, and the agent runs it again.

const (
	// To write a text to the cache and read it once costs as much as this number of reads: 1.25 and 0.1 at most models.
	rereadText = 12
	// The longest wait, in calls. A tenth of the names that agents use again are older, and a tracker reads all results
	// that wait at each call.
	maxWait = 100
)

// Reads reads a call. It calls visit for each file that the call reads or changes, and for the report of a subagent.
// part is the part of the file that it reads, "" for all. about is the file, the command or the search, for people.
type Reads func(name, input string, visit func(file, part string, changes bool)) (about string)

// waiting is a result that stays for now.
type waiting struct {
	ref        msg.Ref
	result     int    // index in the results of the tracker
	until      int    // the number of calls after which it may be cleared
	file, part string // that it has
}

// The result with the text of the skill that was loaded last waits until another one is loaded, in every policy: the
// agent works under its rules.
const (
	skillInUse = "\x00skill" // in place of a file
	minSkill   = 200         // bytes: a shorter result says that a skill was launched, and its text follows
	maxCalls   = 1 << 30
)

// wait adds the last result of the tracker to those that wait if it has a file, and removes those that it makes stale:
// earlier texts of a file that was read again, or changed.
func (w *ChangeTracker) wait(in *Input, ref msg.Ref) {
	c := in.Conversation
	origin, ok := in.Pairing.Call(ref)
	if ok && !c.At(ref).IsError && len(c.At(ref).Text) >= minSkill && w.Clear.skill(in, ref) != "" {
		w.endWaits(skillInUse, "", true)
		w.waiting = append(w.waiting, waiting{ref: ref, result: len(w.results) - 1, until: maxCalls, file: skillInUse})
		return
	}
	if !ok || w.Clear.Reads == nil || w.Clear.When != Economic {
		return
	}
	call, failed := c.At(origin), c.At(ref).IsError
	next := waiting{ref: ref, result: len(w.results) - 1}
	w.Clear.Reads(call.Name, call.Text, func(file, part string, changes bool) {
		if !failed {
			w.endWaits(file, part, changes)
		}
		if !changes {
			next.file, next.part = file, part
		}
	})
	if own := w.own(next.result); own.freed > 0 && next.file != "" {
		next.until = w.rent.calls + min(w.results[next.result].before/own.freed+rereadText, maxWait)
		w.waiting = append(w.waiting, next)
	}
}

// endWaits removes the results that have waited long enough, and those of a file that is read or changed. Invariant: no
// element of the list changes in place, since copies of the tracker share it.
func (w *ChangeTracker) endWaits(file, part string, changes bool) {
	left := make([]waiting, 0, len(w.waiting)+1)
	for _, x := range w.waiting {
		stale := file != "" && x.file == file && (changes || part == "" || part == x.part)
		if !stale && x.until > w.rent.calls {
			left = append(left, x)
		}
	}
	if len(left) < len(w.waiting) {
		w.waiting = left
	}
}

// own returns the sums of one result.
func (w *ChangeTracker) own(i int) sums {
	return w.results[i].sums.minus(w.before(i).sums)
}

// held returns the sums of the first results, up to end, that wait.
func (w *ChangeTracker) held(end int) (s sums) {
	for i := range w.waiting {
		if k := w.waiting[i].result; k < end {
			s = s.plus(w.own(k))
		}
	}
	return s
}

// holds reports whether the result with an index waits.
func (w *ChangeTracker) holds(result int) bool {
	at := sort.Search(len(w.waiting), func(i int) bool { return w.waiting[i].result >= result })
	return at < len(w.waiting) && w.waiting[at].result == result
}

// InUse reports whether a result has the skill in use.
func (w *ChangeTracker) InUse(ref msg.Ref) bool {
	for i := range w.waiting {
		if w.waiting[i].ref == ref {
			return w.waiting[i].file == skillInUse
		}
	}
	return false
}

// Waits reports whether a result waits.
func (w *ChangeTracker) Waits(ref msg.Ref) bool {
	for i := range w.waiting {
		if w.waiting[i].ref == ref {
			return true
		}
	}
	return false
}
