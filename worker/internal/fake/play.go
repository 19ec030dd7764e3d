package fake

import (
	"cmp"
	"net/http"
	"strconv"
)

// play sends the response that step describes.
func play(w http.ResponseWriter, p protocol, step Step, stream bool, r reply) {
	for name, value := range map[string]string{"Retry-After": step.RetryAfter, "Retry-After-Ms": step.RetryMS} {
		if value != "" {
			w.Header().Set(name, value)
		}
	}
	switch step.Do {
	case "status":
		fail(w, p, step.Status, cmp.Or(step.Text, "the script says so"))
		return
	case "drop":
		panic(http.ErrAbortHandler)
	case "redirect":
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(http.StatusTemporaryRedirect)
		return
	}
	if stream {
		playStream(w, p, step, r)
		return
	}
	var body any = p.answer(r)
	if step.Do == "error" {
		body = p.err(http.StatusServiceUnavailable, "the script says so")
	}
	text := marshal(body)
	w.Header().Set("Content-Type", "application/json")
	switch step.Do {
	case "malformed":
		text = text[:len(text)/2]
	case "cut":
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		_, _ = w.Write(text[:len(text)/2])
		breakOff(w)
	}
	_, _ = w.Write(text)
}

func playStream(w http.ResponseWriter, p protocol, step Step, r reply) {
	kind, encode := "text/event-stream", serverSent
	if p.frames {
		kind, encode = "application/vnd.amazon.eventstream", frame
	}
	send := func(e event) {
		_, _ = w.Write(encode(e))
		_ = http.NewResponseController(w).Flush()
	}
	w.Header().Set("Content-Type", kind)
	events := p.stream(r)
	half := len(events) / 2
	for i, e := range events {
		if i == half {
			switch step.Do {
			case "cut":
				breakOff(w)
			case "error":
				send(event{"error", p.err(http.StatusServiceUnavailable, "the script says so")})
				return
			case "malformed":
				send(event{e.name, literal(`{"half":`)})
				return
			}
		}
		send(e)
	}
}

// serverSent is a server-sent event.
func serverSent(e event) []byte {
	text := ""
	if e.name != "" {
		text = "event: " + e.name + "\n"
	}
	if word, ok := e.data.(literal); ok {
		return []byte(text + "data: " + string(word) + "\n\n")
	}
	return []byte(text + "data: " + string(marshal(e.data)) + "\n\n")
}

// breakOff flushes the written part and closes the connection.
func breakOff(w http.ResponseWriter) {
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func fail(w http.ResponseWriter, p protocol, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(marshal(p.err(status, message)))
}
