package forward

import (
	"bytes"
	"slices"

	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Live is what a gateway keeps in memory of a request for the next one of its session, which has the same messages and
// some more: only these are read then, and the fold goes on. A Live belongs to one request at a time, and to one
// policy, model and caller. It only saves time: without it a fold has the same result.
type Live struct {
	messages []msg.Message // of the history, without cache_control
	same     int           // messages of the last request that this one has, too
	size     int

	walk    *walk  // of the last request; nil: start from the checkpoint
	context []byte // the members of its document that a fold reads besides the messages
	drops   bool   // Options.DropBlock, Clears and Join of its fold
	clears  bool
	joins   bool
}

// Same returns the number of messages, from the first on, that are those of the request before.
func (b *Body) Same() int {
	if b.live == nil {
		return 0
	}
	return b.live.same
}

// Size returns the bytes of memory that l takes, about.
func (l *Live) Size() int { return l.size }

// known returns the messages of the last request; none of a nil Live.
func (l *Live) known() []msg.Message {
	if l == nil {
		return nil
	}
	return l.messages
}

// hasOneElement reports a format each of whose messages is one element of the list.
func hasOneElement(name format.Name) bool { return name == msg.Anthropic || name == msg.OpenAIChat }

// setLive sets b.live. before is that of the request before, or nil.
func (b *Body) setLive(before *Live) {
	l := &Live{}
	if before != nil {
		*l, l.same = *before, 0
		for l.same < min(len(before.messages), len(b.plain)) &&
			rawjson.IsSame(b.plain[l.same].Raw, before.messages[l.same].Raw) {
			l.same++
		}
	}
	l.messages, l.size = b.plain, 4*len(b.data)
	b.live = l
}

// readContext returns the members of the document that a fold reads besides the messages.
func (b *Body) readContext() (context []byte) {
	for _, name := range []string{"model", "system", "tools", "functions", "thinking", "thread", cacheControl} {
		context = append(append(context, b.members[name]...), 0)
	}
	return append(context, b.model...)
}

// Resumes reports whether Fold goes on from the last request, so that it needs no checkpoint, and whether that had one.
func (b *Body) Resumes(o *Options) (goesOn, hadCheckpoint bool) {
	l := b.live
	if l == nil || l.walk == nil || o.Force || o.Summarize != nil || l.walk.at > l.same ||
		!slices.Contains(b.points, l.walk.at) || l.drops != o.DropBlock || l.clears != o.Clears || l.joins != o.Join ||
		!bytes.Equal(l.context, b.readContext()) {
		return false, false
	}
	return true, l.walk.Messages+l.walk.passed > 0
}

// resume returns the walk of the last request, if the fold can go on from there; else nil.
func (b *Body) resume(o *Options) (w *walk) {
	if goesOn, _ := b.Resumes(o); goesOn {
		w = b.live.walk
		w.b, w.o = b, o
	}
	if b.live != nil {
		b.live.walk = nil // also if it is of another branch: the messages of live are those of this request
	}
	return w
}

// HasLive reports whether a fold of b is kept for the next request.
func (b *Body) HasLive() bool { return b.live != nil && b.live.walk != nil }

// TakeLive returns what to keep for the next request of the session, once; nil if that is nothing.
func (b *Body) TakeLive() *Live {
	l := b.live
	b.live = nil
	return l
}

// keep keeps a walk for the next request.
func (b *Body) keep(w *walk) {
	l, o := b.live, w.o
	if l == nil || o.Force || o.Summarize != nil || w.spent != nil {
		return
	}
	w.b, w.o = nil, nil // they have the document
	l.walk, l.context = w, b.readContext()
	l.drops, l.clears, l.joins = o.DropBlock, o.Clears, o.Join
}
