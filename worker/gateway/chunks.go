//go:build !js

package gateway

import (
	"context"
	"io"
	"time"
)

// chunks reads a body in the background, so that a reader can stop waiting. It ends with the context.
type chunks struct {
	body io.ReadCloser
	stop context.CancelFunc
	read chan []byte
	err  error // of body, when read is closed
	rest []byte
}

func newChunks(ctx context.Context, body io.ReadCloser) *chunks {
	ctx, cancel := context.WithCancel(ctx)
	c := &chunks{body: body, stop: cancel, read: make(chan []byte)}
	go func() {
		defer close(c.read)
		for {
			buffer := make([]byte, 32<<10)
			n, err := body.Read(buffer)
			if n > 0 {
				select {
				case c.read <- buffer[:n]:
				case <-ctx.Done():
					c.err = ctx.Err()
					return
				}
			}
			if err != nil {
				c.err = err
				return
			}
		}
	}()
	return c
}

// next returns the next chunk; false at the end of the body and when the time is over.
func (c *chunks) next(late <-chan time.Time) ([]byte, bool) {
	select {
	case chunk, ok := <-c.read:
		return chunk, ok
	case <-late:
		return nil, false
	}
}

// Read returns the rest of a chunk, or the next one.
func (c *chunks) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		chunk, ok := <-c.read
		if !ok {
			return 0, c.err
		}
		c.rest = chunk
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// Close ends the reading of the body.
func (c *chunks) Close() error {
	c.stop()
	return c.body.Close()
}
