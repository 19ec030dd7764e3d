package gateway

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"tamp/core/forward"
	"tamp/core/msg"
)

// Message threads of Anthropic: a request of type create has the whole conversation, which the provider keeps for
// minutes; one of type continue has only the newest messages, so nothing can be compacted, and it is passed as it is. A
// client that gets thread_unsupported_request sends the turn again as a whole, and later ones too. That is the answer
//
//   - to a create whose conversation has to be compacted: its continuations would grow without a limit;
//   - to a continue that the provider refuses as too long;
//   - to both for a plain upstream, which keeps no threads, and would answer the newest messages alone.
//
// Source: Anthropic's page on message threads; Claude Code and pi do that.

const (
	threadCreate   = "create"
	threadContinue = "continue"
	reasonThread   = "thread_unsupported_request"
)

const noThread = `{"type":"error","error":{"type":"invalid_request_error","message":"tamp: the conversation is ` +
	`compacted, which a message thread cannot be: send it whole, without thread","details":{"error_code":"` + reasonThread + `"}}}`

// readThread reads the member thread of a request that calls a model.
func (p *Prepared) readThread(e *endpoint, body *forward.Body) {
	var thread struct {
		Type string `json:"type"`
	}
	if member := body.Member("thread"); e.format == msg.Anthropic && !e.counts && member != nil &&
		json.Unmarshal(member, &thread) == nil {
		p.thread = thread.Type
	}
}

// refusesThread reports that the client has to send the conversation again without a thread.
func (p *Prepared) refusesThread() bool {
	return p.thread != "" && (p.upstream.Plain ||
		p.thread == threadCreate && p.Result != nil && p.Result.Changed && p.Reason == "")
}

// refuseThread makes a response of the provider the answer that the thread cannot go on.
func refuseThread(response *http.Response) {
	response.Body.Close()
	response.StatusCode, response.Body = http.StatusBadRequest, io.NopCloser(strings.NewReader(noThread))
	response.Header.Set("Content-Type", "application/json")
	response.Header.Del("Content-Encoding")
	response.Header.Del("Content-Length")
}

// outgrows reports a continued thread that the provider refuses as too long, by its status and its error.
func (p *Prepared) outgrows(status int, text []byte) bool {
	_, _, tooLong := readTooLong(status, text)
	return tooLong && p.thread == threadContinue
}
