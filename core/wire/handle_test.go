package wire_test

import "tamp/core/wire"

// handle is the answer of a new engine to a request that holds its conversation, an error too.
func handle(op string, request []byte) []byte {
	answer, _ := handleBody(new(wire.Engine), op, request, nil)
	return answer
}

// handleBody is the answer of an engine to a request and its body, an error too.
func handleBody(e *wire.Engine, op string, header, body []byte) (out, rendered []byte) {
	answer, err := e.Do(op, header, body)
	if err != nil {
		return wire.EncodeError(err), nil
	}
	return answer.Header, answer.Body
}
