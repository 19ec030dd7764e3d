package summarize

import "strings"

// The base worth of units, in the unit of an atom's worth: permille of one later use. Set by hand: the facts that a
// reader would miss are worth more.
const (
	worthNow        = 700 // the first sentences
	worthTodo       = 700
	worthDecision   = 250
	worthFinding    = 150
	worthPlan       = 80
	worthSaid       = 8
	worthTalk       = 80 // the same in a conversation without files: what is said is the work
	worthFiller     = 6
	worthError      = 120
	worthFirstError = 400 // with its command
	worthOldError   = 10
	worthFailed     = 300  // a command that failed and did not succeed later
	worthRunning    = 1500 // work in the background: without its ID, the agent can neither read nor stop it
	worthReport     = 700  // of such work when it has ended
	worthEdited     = 150
	worthRead       = 80
	worthRun        = 40 // a command that succeeded
	worthTest       = 60
	worthChange     = 20
	worthDeclared   = 3 // the file can be read again
	worthLine       = 0
	minLineWorth    = 8 // the minimal worth of a line, with its atoms
	minNameWorth    = 7 // the minimal worth of an atom that is listed as a bare name
)

// The base worth of units of earlier summaries. It is low, so that a line is kept for its names: sentences without any
// fill a summary of summaries otherwise. Paths and identifiers count as much as a finding at any age: the lines do not
// say how often they were used, and the State only names those that were written in several messages.
const (
	worthOldFirst    = 3000 // a value of the first turns: at 1000 often written names displace it
	worthOldDecision = 250
	worthOldSaid     = 30
	worthOldTodo     = 200 // a task that is not completed
	worthOldRun      = 20  // also of a deleted file
	worthOldLine     = 8
	worthOldName     = 200  // a path or an identifier
	worthOftenName   = 1200 // any name that was often written: at 900 fewer of them are left, at 1600 fewer of the others

	worthElsewhere = 50 // percent of the worth of a name of an earlier summary that is also outside of the span
)

// isFirstValue reports whether a sentence states a value in the first turns: the rest of the session is built on it.
func isFirstValue(sentence string, turn int) bool {
	return turn <= firstTurns && strings.ContainsAny(sentence, "0123456789")
}

const (
	firstTurns     = 3
	maxFirstValues = 8 // of earlier summaries: a session of one prompt has only one turn
)
