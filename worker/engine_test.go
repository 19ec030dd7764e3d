package worker

import "tamp/core/wire"

// engineAnswer is the answer of a new engine, an error too.
func engineAnswer(op string, request []byte) []byte {
	answer, err := new(wire.Engine).Do(op, request, nil)
	if err != nil {
		return wire.EncodeError(err)
	}
	return answer.Header
}
