package gateway

import (
	"bytes"
	"time"
)

// The Responses API reports a prompt that is too long with status 200, as one of the first events of the stream. So the
// first events are held back until one that is neither response.created nor response.in_progress, for a short time, if
// the request can be sent again with a smaller prompt. They have no output of the model, and once the client has one of
// them, the response cannot be replaced by that of another request. The clients of Gemini expect an error in a stream,
// too (@google/genai, processStreamResponse): there the first event counts.

// maxHeld is the size in bytes from which on nothing is held back any more: the first events repeat the request's
// settings and tools.
const maxHeld = 1 << 20

// maxHold is the time after which nothing is held back any more: a model may think for long before the first event that
// counts, and a prompt is refused before it thinks.
const maxHold = time.Second

// opening reads the first events of a stream. Each byte is read once.
type opening struct {
	text   []byte
	event  int  // where the current event begins
	line   int  // where its last line begins that was not read yet
	done   bool // the first event that counts has been read, or too much
	failed bool // that event is response.failed or an error
}

func (o *opening) write(p []byte) {
	if o.done = o.done || len(o.text) >= maxHeld; o.done {
		return
	}
	o.text = append(o.text, p...)
	for !o.done {
		n := bytes.IndexByte(o.text[o.line:], '\n')
		if n < 0 {
			return
		}
		line := bytes.TrimSuffix(o.text[o.line:o.line+n], []byte("\r"))
		if o.line += n + 1; len(line) > 0 {
			continue
		}
		switch kind := eventType(o.text[o.event:o.line]); kind {
		case "response.created", "response.in_progress", "response.queued", "":
			o.event = o.line
		default:
			o.done, o.failed = true, kind == "response.failed" || kind == "error" || isError(o.text[o.event:o.line])
		}
	}
}

// isError reports an event whose data is an error, as that of Gemini, which has no names of events.
func isError(event []byte) bool {
	data, ok := bytes.CutPrefix(bytes.TrimSpace(event), []byte("data:"))
	data, brace := bytes.CutPrefix(bytes.TrimSpace(data), []byte("{"))
	return ok && brace && bytes.HasPrefix(bytes.TrimSpace(data), []byte(`"error"`))
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
