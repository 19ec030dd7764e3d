//go:build !js

package gateway

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"time"
)

// read reads the body of the client: into data if it is empty or may be compacted, else stream is its reader, and x.p
// has the reason.
func (x *exchange) read() (data []byte, stream io.Reader, err error) {
	x.p = &Prepared{Reason: unread(x.r.Method), credential: credential(x.r.Header, cmp.Or(x.e, new(endpoint)))}
	r, coding := x.r, codingOf(x.r.Header)
	slow := &slowBody{r.Body, http.NewResponseController(x.w), cmp.Or(x.g.BodyTimeout, DefaultBodyTimeout)}
	switch {
	case r.ContentLength == 0:
		return nil, nil, nil
	case x.e == nil:
		return nil, slow, nil
	case coding != "" && !decodes(coding):
		x.p.Reason = reasonEncoded
		return nil, slow, nil
	case r.ContentLength > MaxBody:
		x.p.Reason = reasonTooLarge
		return nil, slow, nil
	}
	slow.extend()
	if data, err = readUpTo(r.Body, MaxBody, r.ContentLength); err != nil {
		return nil, nil, err // The deadline stays, else the server would wait for the rest of the body.
	}
	slow.end()
	if len(data) > MaxBody {
		x.p.Reason = reasonTooLarge
		return nil, io.MultiReader(bytes.NewReader(data), slow), nil
	}
	return data, nil, nil
}

// slowBody is a body that is streamed through: it may not pause for longer than a time.
type slowBody struct {
	body    io.Reader
	control *http.ResponseController
	pause   time.Duration
}

// An error of SetReadDeadline means that the server has no deadlines, as in tests without a connection.
func (b *slowBody) extend() { _ = b.control.SetReadDeadline(time.Now().Add(b.pause)) }

func (b *slowBody) end() { _ = b.control.SetReadDeadline(time.Time{}) }

func (b *slowBody) Read(p []byte) (int, error) {
	b.extend()
	n, err := b.body.Read(p)
	if err == io.EOF {
		b.end()
	}
	return n, err
}

// readUpTo reads until the end or one byte over the limit.
func readUpTo(r io.Reader, limit, length int64) ([]byte, error) {
	var buffer bytes.Buffer
	if length > 0 {
		buffer.Grow(int(min(length, limit)) + bytes.MinRead)
	}
	_, err := buffer.ReadFrom(io.LimitReader(r, limit+1))
	return buffer.Bytes(), err
}
