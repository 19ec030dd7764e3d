package gateway

import (
	"bytes"
)

// The Responses API reports a prompt that is too long with status 200, as one of the first events of the stream. So the
// first events are held back until one that is neither response.created nor response.in_progress.

// maxHeld is the size in bytes above which nothing is held back any more: the first events repeat the request's
// settings and tools.
const maxHeld = 1 << 20

// heldBack reads the first events of a stream. done is false if more of the stream is needed. failed is true if the
// first event that counts is response.failed or an error.
func heldBack(data []byte) (failed, done bool) {
	for {
		event, rest, found := bytes.Cut(data, []byte("\n\n"))
		if other, tail, ok := bytes.Cut(data, []byte("\r\n\r\n")); ok && (!found || len(other) < len(event)) {
			event, rest, found = other, tail, true
		}
		if !found {
			return false, len(data) > maxHeld
		}
		switch kind := eventType(event); kind {
		case "response.created", "response.in_progress", "response.queued", "":
			data = rest
		default:
			return kind == "response.failed" || kind == "error", true
		}
	}
}

// eventType returns the name of an event, "" for a comment.
func eventType(event []byte) string {
	for line := range bytes.SplitSeq(event, []byte{'\n'}) {
		if name, ok := bytes.CutPrefix(line, []byte("event:")); ok {
			return string(bytes.TrimSpace(name))
		}
	}
	if bytes.HasPrefix(bytes.TrimSpace(event), []byte("data:")) {
		return "message"
	}
	return ""
}
