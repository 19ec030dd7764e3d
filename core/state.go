package core

import (
	"strconv"

	"tamp/core/msg"
)

// State must survive between calls. Store it beside the conversation; do not look inside. Zero starts a new one.
type State string

// memory is what a State says.
type memory struct {
	compactions int // how many Applies changed something
}

// decodeState reads a State. One that Tamp did not write is an error, since guessing could undo a decision.
func decodeState(st State) (memory, error) {
	var m memory
	if st == "" {
		return m, nil
	}
	bad := msg.NewError(msg.BadRequest, "/state", "cannot use state: it was not written by this version of tamp; leave it out to start anew")
	raw := msg.Raw(st)
	if msg.Validate(raw) != nil || raw.Kind() != '{' || string(raw.Member("v")) != "1" {
		return m, bad
	}
	n, err := strconv.Atoi(string(raw.Member("compactions")))
	if err != nil || n < 0 {
		return m, bad
	}
	m.compactions = n
	return m, nil
}

func (m memory) encode() State {
	return State(`{"v":1,"compactions":` + strconv.Itoa(m.compactions) + `}`)
}
