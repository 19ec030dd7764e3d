package replay

import (
	"slices"
	"sort"
	"strconv"

	"tamp/core/msg"
	"tamp/core/policy"
)

// Replay computes what the session c would have sent and cost under policy p. c itself is not changed. Of a session log
// with compactions of its agent, every segment is replayed. The errors are bad_policy, bad_request (invalid options),
// too_much_work, and those of Options.Summarize. A policy that fails at one call is not an error: Call.Error reports
// it.
func Replay(c *msg.Conversation, p policy.Policy, o Options) (*Report, error) {
	w, err := replayed(c, p, o)
	if err != nil {
		return nil, err
	}
	return w.report, nil
}

// replayed is Replay, with what the report does not have.
func replayed(c *msg.Conversation, p policy.Policy, o Options) (*replayer, error) {
	w, err := newReplayer(c, p, o)
	if err != nil {
		return nil, err
	}
	if err := w.replaySegments(); err != nil {
		return nil, err
	}
	if o.Progress != nil && !w.report.Stopped {
		o.Progress(w.calls, w.calls)
	}
	finish(w)
	return w, nil
}

// At returns the conversation that the model would have received at a call, counted from 1: the prompt that Replay
// accounts for, without the breakpoints that it sets. The errors are those of Replay, and bad_request for a call that
// does not exist.
func At(c *msg.Conversation, p policy.Policy, o Options, call int) (*msg.Conversation, error) {
	w, err := newReplayer(c, p, o)
	if err != nil {
		return nil, err
	}
	if call < 1 || call > w.calls {
		return nil, badCall(call, "the session has "+strconv.Itoa(w.calls))
	}
	number := 0
	for i := range w.segments {
		s := &w.segments[i]
		if err := w.begin(s); err != nil {
			return nil, err
		}
		for _, m := range s.answers {
			if o.Progress != nil && !o.Progress(number, call) {
				return nil, badCall(call, "the replay was stopped")
			}
			number++
			w.advance(m)
			if err := w.spend(0, m); err != nil {
				return nil, err
			}
			step := Call{Number: number, Message: m}
			w.tickCall(&step)
			if err := w.compact(&step); err != nil {
				return nil, err
			}
			if number == call {
				return w.conversation(), nil
			}
		}
	}
	return w.conversation(), nil // not reached: call is at most w.calls
}

func badCall(call int, reason string) error {
	return msg.NewError(msg.BadRequest, "/call", "cannot replay up to call "+strconv.Itoa(call)+": "+reason)
}

// finish completes the report.
func finish(w *replayer) {
	w.report.Misses.finish(&w.report.Totals)
	w.report.Hidden, w.report.Factor, w.report.Segments = w.fit.hidden, w.fit.factor, len(w.segments)
	if w.fit.factor == 0 {
		w.report.Factor = 1000
	}
	readAgent(w)
	w.report.Others = sumOthers(w)
	w.report.Fixed = fixedOf(w)
	setInterval(w)
	w.report.Notes = notesOf(w)
}

// readAgent adds what the log says about its agent. A compaction is after the calls whose answers are before its line.
func readAgent(w *replayer) {
	if w.log.Agent == nil {
		return
	}
	a := *w.log.Agent
	a.Compactions = slices.Clone(a.Compactions)
	w.report.Agent = &a
	answers := answerLines(w.sessionLog)
	for i := range a.Compactions {
		a.Compactions[i].Calls = sort.SearchInts(answers, lineOf(a.Compactions[i].Path))
	}
}
