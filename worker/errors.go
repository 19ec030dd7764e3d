package worker

import (
	"net/http"

	"tamp/core/wire"
)

// Error codes of the HTTP API, in addition to those of the engine.
const (
	unauthorized     = "unauthorized"
	notFound         = "not_found"
	methodNotAllowed = "method_not_allowed"
	unsupportedType  = "unsupported_media_type"
	rateLimited      = "rate_limited"
	badKey           = "bad_key"            // the caller's key for the summarizer is malformed, or the provider refused it
	refusedRequest   = "summarizer_refused" // the provider refuses the request itself; a retry would fail as well
	// a setting of the operator is wrong; temporary failures are reported with status 200
	summarizerFailed = "summarizer_failed"
	archiveFailed    = "archive_failed" // the originals could not be saved, so nothing was compacted
	misconfigured    = "misconfigured"  // the operator's settings are wrong; the log names them
	internal         = "internal"
)

// statusOf maps each code to its HTTP status. A code that is missing here gets 500.
var statusOf = map[string]int{
	"bad_json": http.StatusBadRequest, "unknown_format": http.StatusBadRequest, "bad_message": http.StatusBadRequest,
	"bad_request": http.StatusBadRequest, badKey: http.StatusBadRequest,
	unauthorized: http.StatusUnauthorized,
	notFound:     http.StatusNotFound, methodNotAllowed: http.StatusMethodNotAllowed,
	"stale_plan":    http.StatusConflict,
	"too_large":     http.StatusRequestEntityTooLarge,
	unsupportedType: http.StatusUnsupportedMediaType,
	"bad_policy":    http.StatusUnprocessableEntity, "bad_plan": http.StatusUnprocessableEntity,
	"context_overflow": http.StatusUnprocessableEntity,
	"too_much_work":    http.StatusUnprocessableEntity,
	refusedRequest:     http.StatusUnprocessableEntity,
	rateLimited:        http.StatusTooManyRequests,
	summarizerFailed:   http.StatusBadGateway, archiveFailed: http.StatusBadGateway,
	misconfigured: http.StatusInternalServerError, internal: http.StatusInternalServerError,
	"invalid_outcome": http.StatusInternalServerError,
}

// newError returns an error. The message must not contain anything of a request's content.
func newError(code, path, sentence string) *wire.Error {
	e := &wire.Error{Path: path, Msg: sentence}
	e.Code = wire.Code(code)
	return e
}
