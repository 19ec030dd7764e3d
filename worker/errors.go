package main

import (
	"net/http"

	"tamp/core/wire"
)

// Codes of the HTTP side. Those of the engine come through as they are.
const (
	unauthorized     = "unauthorized"
	notFound         = "not_found"
	methodNotAllowed = "method_not_allowed"
	unsupportedType  = "unsupported_media_type"
	rateLimited      = "rate_limited"
	badKey           = "bad_key"            // the caller's own key for the summarizer: no key, or refused by the provider
	refusedRequest   = "summarizer_refused" // the provider refuses the request itself, and would again
	summarizerFailed = "summarizer_failed"  // a setting of the operator's; a failure that may pass is part of a good answer
	archiveFailed    = "archive_failed"     // the originals could not be saved, so nothing was compacted
	misconfigured    = "misconfigured"      // the operator's settings are wrong; a log says how
	internal         = "internal"
)

// statusOf is the status of each code; what is not in it is a mistake of ours.
var statusOf = map[string]int{
	"bad_json": http.StatusBadRequest, "unknown_format": http.StatusBadRequest, "bad_message": http.StatusBadRequest,
	"bad_request": http.StatusBadRequest, badKey: http.StatusBadRequest,
	unauthorized: http.StatusUnauthorized,
	notFound:     http.StatusNotFound, methodNotAllowed: http.StatusMethodNotAllowed,
	"stale_plan":    http.StatusConflict,
	"too_large":     http.StatusRequestEntityTooLarge,
	unsupportedType: http.StatusUnsupportedMediaType,
	"bad_policy":    http.StatusUnprocessableEntity, "bad_plan": http.StatusUnprocessableEntity, "context_overflow": http.StatusUnprocessableEntity,
	"too_much_work":  http.StatusUnprocessableEntity,
	refusedRequest:   http.StatusUnprocessableEntity,
	rateLimited:      http.StatusTooManyRequests,
	summarizerFailed: http.StatusBadGateway, archiveFailed: http.StatusBadGateway,
	misconfigured: http.StatusInternalServerError, internal: http.StatusInternalServerError,
	"invalid_outcome": http.StatusInternalServerError,
}

// refusal makes an error of a finished sentence. It must hold nothing of a request's content.
func refusal(code, path, sentence string) *wire.Error {
	e := &wire.Error{Path: path, Msg: sentence}
	e.Code = wire.Code(code)
	return e
}
