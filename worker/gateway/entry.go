package gateway

import (
	"crypto/rand"
	"encoding/hex"
	"errors"

	"tamp/core/msg"
)

// Entry is the log entry of one request: figures, names of settings, and the name of the model.
type Entry struct {
	Time       string `json:"time,omitempty"` // of the request, RFC 3339 in UTC
	ID         string `json:"id,omitempty"`   // of the request, also in the header x-tamp-request-id of the response
	Op         string `json:"op"`             // "gateway"
	Upstream   string `json:"upstream"`
	Session    string `json:"session,omitempty"` // see sessionID
	Model      string `json:"model,omitempty"`   // see modelName
	Status     int    `json:"status"`
	Sent       int    `json:"sent"`  // bytes of the forwarded body, if it was read
	Bytes      int    `json:"bytes"` // bytes of the response
	Ms         int64  `json:"ms"`
	AddedMs    int64  `json:"added_ms"` // of them, before the request was forwarded
	Before     int    `json:"tokens_before,omitempty"`
	After      int    `json:"tokens_after,omitempty"`
	Cleared    int    `json:"cleared,omitempty"`
	Summaries  int    `json:"summaries,omitempty"`
	Failed     int    `json:"summary_failed,omitempty"` // summaries of a model that failed, so far: the built-in ones are used
	OpenCut    int    `json:"open_round_cut,omitempty"` // compactions so far that cut results which the model had not read
	Cause      string `json:"cause,omitempty"`
	Lost       int    `json:"thinking_lost,omitempty"`   // thinking blocks, by all compactions so far
	ReadAgain  int    `json:"read_again,omitempty"`      // calls that repeat one whose result was left out, so far
	Clears     int    `json:"provider_clears,omitempty"` // results that the provider is asked to clear
	Checkpoint string `json:"checkpoint,omitempty"`
	Reason     string `json:"reason,omitempty"` // why the request was passed unchanged
	Retried    string `json:"retried,omitempty"`
	CacheMiss  string `json:"cache_miss,omitempty"` // why the cache missed a part of the prompt, by the provider; natively
	Usage      *Usage `json:"usage,omitempty"`      // as the provider reported it; natively
}

// TimeFormat is that of Entry.Time: RFC 3339 with milliseconds.
const TimeFormat = "2006-01-02T15:04:05.000Z07:00"

// NewID returns an id for a request.
func NewID() string {
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

// The reasons for a request that is passed unchanged.
const (
	reasonNoHistory = "no_history" // a request without a body, or a WebSocket
	reasonUnknown   = "unknown_path"
	reasonSigned    = "signed"    // AWS's signature covers the body
	reasonEncoded   = "encoded"   // the body has a Content-Encoding that cannot be read
	reasonTooLarge  = "too_large" // over MaxBody
	reasonBelow     = "below_limits"
	reasonFallback  = "fallback_credit"  // a repeated request, of which it is not known what was sent
	reasonOverflow  = "context_overflow" // nothing more can be removed
	reasonObserve   = "observe"
	reasonStored    = "stored_history" // the provider has a part of the history: previous_response_id, thread
	reasonPolicy    = "bad_policy"     // of x-tamp-policy
	reasonInternal  = "internal"
	reasonRefused   = "refused" // the provider refused the compacted request
	reasonWaiting   = "summaries_pending"
	reasonWebSocket = "websocket" // of the gateway's own error
)

// codeOf returns the code of an error of the core, for the header and the log: it has no content.
func codeOf(err error) string {
	if e := (*msg.Error)(nil); errors.As(err, &e) {
		return string(e.Code)
	}
	return reasonInternal
}
