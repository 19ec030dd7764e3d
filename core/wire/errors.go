package wire

import (
	"errors"

	"tamp/core"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/recall"
)

// What a host in Go needs to name.
type (
	Error   = core.Error
	Request = core.SummaryRequest
	Result  = core.SummaryResult
	Code    = msg.Code
	Query   = recall.Query
)

func badRequest(path, reason string) *Error {
	return msg.NewError(msg.BadRequest, path, "cannot read request: "+reason)
}

// asError returns err as an *Error; any other error is code internal.
func asError(err error) *Error {
	var e *Error
	if !errors.As(err, &e) {
		e = msg.NewError(msg.Internal, "", err.Error())
	}
	return e
}

// EncodeError writes an error as an answer: {"error":{"code","path","message"}}.
func EncodeError(err error) []byte {
	e := asError(err)
	out := rawjson.AppendQuote([]byte(`{"error":{"code":`), string(e.Code))
	out = rawjson.AppendQuote(append(out, `,"path":`...), e.Path)
	out = rawjson.AppendQuote(append(out, `,"message":`...), e.Msg)
	return append(out, "}}"...)
}

// shorten shortens a name of the caller's for an error message.
func shorten(s string) string { return msg.Shorten(s, 40) }
