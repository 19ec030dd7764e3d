package gateway

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
)

// hopByHop lists the headers that are about one connection (RFC 9110, section 7.6.1, and RFC 2616, section 13.5.1).
var hopByHop = [...]string{"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection",
	"Te", "Trailer", "Transfer-Encoding", "Upgrade"}

// forwarded returns the headers to pass on: all except those of one connection and those of the gateway, x-tamp*.
func forwarded(h http.Header) http.Header {
	out := make(http.Header, len(h)+1)
	for name, values := range h {
		if !strings.HasPrefix(strings.ToLower(name), "x-tamp") {
			out[name] = append([]string(nil), values...)
		}
	}
	for _, line := range h["Connection"] {
		for name := range strings.SplitSeq(line, ",") {
			out.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range hopByHop {
		out.Del(name)
	}
	return out
}

// confine keeps what a provider sends from acting as a page of this server: a response that is neither JSON nor a
// stream of events runs nothing, and a browser gets no cookie, service worker or other address for this host from it.
// worker.mjs does the same.
func confine(h, request http.Header) {
	if kind := h.Get("Content-Type"); !IsJSON(kind) && !strings.HasPrefix(kind, "text/event-stream") {
		h.Set("Content-Security-Policy", "sandbox")
		h.Set("X-Content-Type-Options", "nosniff")
	}
	if request.Get("Origin") != "" || request.Get("Sec-Fetch-Mode") != "" {
		for _, name := range []string{"Set-Cookie", "Service-Worker-Allowed", "Alt-Svc"} {
			h.Del(name)
		}
	}
}

// requestHeaders returns the headers of the forwarded request.
func requestHeaders(h http.Header) http.Header {
	out := forwarded(h)
	// The transport sets the length and the host; the body has been requested from the client already.
	out.Del("Content-Length")
	out.Del("Expect")
	out.Del("Host")
	if out["User-Agent"] == nil {
		out["User-Agent"] = []string{""} // keeps net/http from adding its own
	}
	return out
}

// codingOf returns the Content-Encoding of a request's body, "" if it has none.
func codingOf(h http.Header) string {
	coding := strings.ToLower(strings.TrimSpace(strings.Join(h.Values("Content-Encoding"), ", ")))
	if coding == "identity" {
		return ""
	}
	return coding
}

// decodes reports whether bodies of requests with this Content-Encoding are read.
func decodes(coding string) bool {
	return coding == "gzip" || coding == "deflate" || coding == "br" || coding == "zstd"
}

// isWebSocket reports a request to change to WebSocket. Requests that offer HTTP/2 in the same way are ordinary ones.
func isWebSocket(method string, h http.Header) bool {
	return method == http.MethodGet && strings.EqualFold(h.Get("Upgrade"), "websocket")
}

// noWebSocket explains why a path with a history has no WebSocket. Codex goes on over HTTP after status 426.
const noWebSocket = "this gateway compacts requests over HTTP only: use POST, or turn WebSocket off in the client " +
	"(Codex: supports_websockets = false)"

// errorBody is an error in the form that both vendors' clients read.
func errorBody(kind, sentence string) []byte {
	return []byte(`{"type":"error","error":{"type":"` + kind + `","message":"tamp: ` + sentence + `"}}`)
}

// readableOnly removes the content codings that the gateway cannot read from Accept-Encoding: it must read errors, and
// the usage natively.
func readableOnly(h http.Header) {
	given := h.Values("Accept-Encoding")
	if len(given) == 0 {
		return
	}
	var kept []string
	for coding := range strings.SplitSeq(strings.Join(given, ","), ",") {
		name, _, _ := strings.Cut(coding, ";")
		if readable(strings.TrimSpace(name)) && strings.TrimSpace(name) != "" {
			kept = append(kept, strings.TrimSpace(coding))
		}
	}
	h.Set("Accept-Encoding", cmp.Or(strings.Join(kept, ", "), "identity"))
}

// readable reports whether the gateway can read a body with this Content-Encoding.
func readable(coding string) bool {
	return coding == "" || strings.EqualFold(coding, "gzip") || strings.EqualFold(coding, "identity")
}

// Note is the value of the header x-tamp.
func (p *Prepared) Note() string {
	var out strings.Builder
	if p.refusesThread() {
		return "error reason=" + reasonThread
	}
	if p.Reason != "" {
		out.WriteString("passed reason=" + p.Reason)
	}
	if r := p.Result; r != nil {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		checkpoint := "none"
		if p.Hit {
			checkpoint = "hit"
		}
		fmt.Fprintf(&out, "before=%d after=%d cleared=%d summaries=%d checkpoint=%s", r.Before, r.After, r.Cleared,
			r.Summaries, checkpoint)
		count := func(name string, n int) {
			if n > 0 {
				fmt.Fprintf(&out, " %s=%d", name, n)
			}
		}
		count("provider_clears", r.Clear.Uses)
		count("summary_failed", r.Failed)
		count("open_round_cut", r.OpenCut)
		if r.Lost > 0 {
			by := "strip"
			if p.thinking.asks || p.thinking.sets {
				by = dropBlock
			}
			fmt.Fprintf(&out, " thinking_lost=%d lost_by=%s", r.Lost, by)
		}
		count("read_again", r.ReadAgain)
		if p.plugin {
			out.WriteString(" plugin_removed=" + contextCompression)
		}
		if r.Overflow {
			out.WriteString(" warning=context_overflow")
		}
		if !p.Known {
			out.WriteString(" warning=unknown_model")
		}
	}
	if p.Repaired {
		out.WriteString(" repaired=lone_surrogate")
	}
	return out.String()
}
