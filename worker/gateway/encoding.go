//go:build !js

package gateway

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// Some clients compress their requests: Codex sends zstd with the login of ChatGPT.

// decode returns the text of a request's body; reason is not empty if it cannot be read, or has more than MaxBody
// bytes. decodes lists the codings.
func decode(coding string, data []byte) (text []byte, reason string) {
	from, err := decoder(coding, bytes.NewReader(data))
	if err != nil {
		return nil, reasonEncoded
	}
	defer from.Close()
	switch text, err = io.ReadAll(io.LimitReader(from, MaxBody+1)); {
	case err != nil:
		return nil, reasonEncoded
	case len(text) > MaxBody:
		return nil, reasonTooLarge
	}
	return text, ""
}

func decoder(coding string, data io.Reader) (io.ReadCloser, error) {
	switch coding {
	case "gzip":
		return gzip.NewReader(data)
	case "deflate":
		return zlib.NewReader(data)
	case "br":
		return io.NopCloser(brotli.NewReader(data)), nil
	}
	from, err := zstd.NewReader(data, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(MaxBody))
	if err != nil {
		return nil, err
	}
	return from.IOReadCloser(), nil
}

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

// pass is Write, and returns when all text that p completes has been passed on: a second write, of nothing, ends when
// the reader asks for more.
func (g *gunzip) pass(p []byte) {
	_, _ = g.Write(p)
	_, _ = g.Write(nil)
}

// end returns when everything that was written has been passed on.
func (g *gunzip) end() {
	_ = g.Close()
	<-g.ended
}
