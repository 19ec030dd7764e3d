//go:build !js

package worker

import (
	"bufio"
	"compress/gzip"
	"compress/zlib"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// testEncoded has the cases of requests with a Content-Encoding: they are compacted too, and forwarded as they are
// otherwise.
func testEncoded(t *testing.T, s *running, u *upstream) {
	u.set(func(http.ResponseWriter, *http.Request, string) {})
	post := func(body, coding string) (note string, forwarded string, header http.Header) {
		answer := s.send(t, "POST", "/up/v1/messages", body, "Content-Encoding: "+coding)
		require.Equal(t, 200, answer.StatusCode, readAll(t, answer))
		seen, forwarded, _ := u.seen()
		return answer.Header.Get("X-Tamp"), forwarded, seen.Header
	}
	answer := s.send(t, "POST", "/up/v1/messages", agentCall(40))
	readAll(t, answer)
	_, compacted, _ := u.seen()
	for coding, encode := range encoders {
		note, forwarded, header := post(encode(agentCall(40)), coding)
		require.Regexp(t, `^before=\d+ after=\d+ cleared=[1-9]`, note, coding)
		require.Equal(t, compacted, forwarded)
		require.Empty(t, header.Get("Content-Encoding"))

		short := encode(agentCall(2))
		note, forwarded, header = post(short, coding)
		require.Regexp(t, "^passed reason=below_limits", note, coding)
		require.True(t, forwarded == short, "byte for byte")
		require.Equal(t, coding, header.Get("Content-Encoding"))

		bodies := map[string]string{short[:len(short)/2]: "encoded", "{}": "encoded"}
		if coding == "gzip" || coding == "zstd" { // the others take seconds to be written
			bodies[encode(strings.Repeat(" ", maxBody+1))] = "too_large"
		}
		for body, reason := range bodies {
			note, forwarded, header = post(body, coding)
			require.Equal(t, "passed reason="+reason, note, coding)
			require.True(t, forwarded == body, coding)
			require.Equal(t, coding, header.Get("Content-Encoding"))
		}
	}
	note, forwarded, _ := post("any", "compress")
	require.Equal(t, "passed reason=encoded", note)
	require.Equal(t, "any", forwarded)

	// The first form of a refused request is that of the client.
	short := encoders["zstd"](agentCall(40))
	u.set(func(w http.ResponseWriter, r *http.Request, body string) {
		if body == compacted {
			w.WriteHeader(400)
		}
	})
	note, forwarded, header := post(short, "zstd")
	require.Contains(t, note, "passed reason=refused")
	require.True(t, forwarded == short)
	require.Equal(t, "zstd", header.Get("Content-Encoding"))
}

// encoders are the content codings that the gateway reads.
var encoders = map[string]func(text string) string{
	"gzip":    encoder(func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }),
	"deflate": encoder(func(w io.Writer) (io.WriteCloser, error) { return zlib.NewWriter(w), nil }),
	"br":      encoder(func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriter(w), nil }),
	"zstd":    encoder(func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }),
}

func encoder(open func(w io.Writer) (io.WriteCloser, error)) func(text string) string {
	return func(text string) string {
		var out strings.Builder
		to, err := open(&out)
		if err == nil {
			_, err = io.WriteString(to, text)
			err = errors.Join(err, to.Close())
		}
		if err != nil {
			panic(err)
		}
		return out.String()
	}
}

// testWebSocket has the cases of a client that asks for a WebSocket.
func testWebSocket(t *testing.T, s *running, u *upstream) {
	const key, accept = "dGhlIHNhbXBsZSBub25jZQ==", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" // of RFC 6455, section 1.3
	open := func(path string) (net.Conn, *bufio.Reader, *http.Response) {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		_, err = io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
			"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "+key+"\r\nAuthorization: Bearer k\r\nX-Tamp-Policy: {}\r\n\r\n")
		require.NoError(t, err)
		from := bufio.NewReader(c)
		answer, err := http.ReadResponse(from, nil)
		require.NoError(t, err)
		return c, from, answer
	}
	// It answers each frame with the same text.
	u.set(func(w http.ResponseWriter, r *http.Request, _ string) {
		if r.Header.Get("Upgrade") != "websocket" {
			w.WriteHeader(400)
			return
		}
		digest := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
		c, both, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		fmt.Fprintf(both, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
			"Sec-WebSocket-Accept: %s\r\n\r\n", base64.StdEncoding.EncodeToString(digest[:]))
		_ = both.Flush()
		frame := make([]byte, 2+4+2) // a masked text of two bytes
		if _, err := io.ReadFull(both, frame); err == nil {
			_, _ = both.Write([]byte{frame[0], 2, frame[6] ^ frame[2], frame[7] ^ frame[3]})
			_ = both.Flush()
			_, _ = io.ReadFull(both, frame[:2])
		}
	})
	c, from, answer := open("/up/v1/realtime?model=m")
	require.Equal(t, 101, answer.StatusCode)
	require.Equal(t, accept, answer.Header.Get("Sec-WebSocket-Accept"))
	require.Equal(t, "passed reason=no_history", answer.Header.Get("X-Tamp"))
	_, err := c.Write([]byte{0x81, 0x80 | 2, 1, 2, 3, 4, 'h' ^ 1, 'i' ^ 2})
	require.NoError(t, err)
	got := make([]byte, 4)
	_, err = io.ReadFull(from, got)
	require.NoError(t, err)
	require.Equal(t, "\x81\x02hi", string(got))
	seen, _, calls := u.seen()
	require.Equal(t, 1, calls)
	require.Equal(t, "/v1/realtime?model=m", seen.RequestURI)
	require.Equal(t, "Bearer k", seen.Header.Get("Authorization"))
	require.Empty(t, seen.Header.Get("X-Tamp-Policy"))

	_, _, answer = open("/up/v1/responses") // Codex goes on over HTTP then
	require.Equal(t, 426, answer.StatusCode)
	require.Equal(t, "error reason=websocket", answer.Header.Get("X-Tamp"))
	require.Contains(t, readAll(t, answer), "supports_websockets")
	_, _, calls = u.seen()
	require.Equal(t, 1, calls)
}

// testBroken has the cases of bodies that break off. The next request is not harmed.
func testBroken(t *testing.T, s *running, u *upstream) {
	u.set(func(http.ResponseWriter, *http.Request, string) {})
	for range 3 {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		require.NoError(t, err)
		_, err = io.WriteString(c, "POST /up/v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"+
			"Transfer-Encoding: chunked\r\n\r\n5\r\n{\"mod\r\nzz\r\nabc\r\n")
		require.NoError(t, err)
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		require.NoError(t, err)
		require.Equal(t, 400, answer.StatusCode, readAll(t, answer))
		if !s.node { // whose own server refuses it
			require.Equal(t, "error reason=bad_body", answer.Header.Get("X-Tamp"))
		}
		require.NoError(t, c.Close())
		answer = s.send(t, "POST", "/up/v1/messages", agentCall(1))
		require.Equal(t, 200, answer.StatusCode, readAll(t, answer))
	}
}
