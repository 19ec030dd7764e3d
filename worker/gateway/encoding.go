//go:build !js

package gateway

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
)

// Providers compress responses if the client accepts it. They pass as they are; the gateway reads copies of them.

// textOf returns the text of data, the beginning of a body: all that data has, at most a little over maxHeld bytes.
func textOf(h http.Header, data []byte) []byte {
	if !isGzip(h) {
		return data
	}
	from, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(from, maxHeld+1)) // data may end anywhere
	return text
}

func isGzip(h http.Header) bool { return strings.EqualFold(h.Get("Content-Encoding"), "gzip") }

// gunzip passes the text of a gzipped body on to a function while the body is written to it.
type gunzip struct {
	*io.PipeWriter
	ended chan struct{}
}

func newGunzip(write func([]byte)) *gunzip {
	from, to := io.Pipe()
	g := &gunzip{to, make(chan struct{})}
	go func() {
		defer close(g.ended)
		if text, err := gzip.NewReader(from); err == nil {
			buffer := make([]byte, 32<<10)
			for n := 0; err == nil; {
				n, err = text.Read(buffer)
				write(buffer[:n])
			}
		}
		_, _ = io.Copy(io.Discard, from) // it is no gzip, or more follows
	}()
	return g
}

// end returns when everything that was written has been passed on.
func (g *gunzip) end() {
	_ = g.Close()
	<-g.ended
}
