package main

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

// A conversation of a whole day of work is about 4 MB; 32 MB leaves room for images, and fits into a Worker's memory.
const maxBody = 32 << 20

// whole is a request's body that is already here. On Cloudflare it comes over from JavaScript in one piece.
type whole struct {
	bytes.Reader
	data []byte
}

func newWhole(data []byte) *whole {
	b := &whole{data: data}
	b.Reset(data)
	return b
}

func (*whole) Close() error { return nil }

// readBody returns the body of a request that sends JSON.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if err := checkType(r.Header); err != nil {
		return nil, err
	}
	tooLarge := refusal("too_large", "", "cannot read request: it is larger than 32 MB")
	if r.ContentLength > maxBody {
		return nil, tooLarge
	}
	if b, ok := r.Body.(*whole); ok {
		if len(b.data) > maxBody {
			return nil, tooLarge
		}
		return b.data, nil
	}
	var into bytes.Buffer
	if r.ContentLength > 0 {
		into.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	_, err := into.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody))
	var limit *http.MaxBytesError
	switch {
	case errors.As(err, &limit):
		return nil, tooLarge
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, refusal("bad_request", "", "cannot read request: its body broke off")
	case err != nil:
		return nil, refusal("bad_request", "", "cannot read request: its body cannot be read")
	}
	return into.Bytes(), nil
}

// checkType wants JSON. A page elsewhere cannot send that without asking first (CORS), which is why a body of no type is
// taken from programs only.
func checkType(h http.Header) error {
	if encoding := h.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return refusal(unsupportedType, "", "cannot read request: send the body without a Content-Encoding")
	}
	given := h.Get("Content-Type")
	if given == "" && h.Get("Origin") == "" {
		return nil
	}
	kind, _, err := mime.ParseMediaType(given)
	if err != nil || kind != "application/json" && !(strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")) {
		return refusal(unsupportedType, "", "cannot read request: send it as Content-Type: application/json")
	}
	return nil
}
