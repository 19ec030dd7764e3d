package site

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"
)

func TestFilesAreCompressedIfTheRequestAcceptsIt(t *testing.T) {
	s, _, _ := playground(t)
	plain := ask(s, "GET", "/style.css")
	for _, c := range []struct{ accept, path, want, why string }{
		{"gzip, deflate, br, zstd", "/style.css", "br", "as browsers ask"},
		{"gzip", "/style.css", "gzip", "as proxies ask"},
		{"br;q=0, gzip;q=0.5", "/style.css", "gzip", "brotli is refused"},
		{"br;q=0.0, gzip;q=0", "/style.css", "", "both are refused"},
		{"", "/style.css", "", "nothing is accepted"},
		{"br", "/npm/vocab/o200k_base.bin", "", "it is compressed already"},
	} {
		w := ask(s, "GET", c.path, "Accept-Encoding", c.accept)
		require.Equal(t, http.StatusOK, w.Code, c.why)
		require.Equal(t, c.want, w.Header().Get("Content-Encoding"), c.why)
		require.Equal(t, "Accept-Encoding", w.Header().Get("Vary"), c.why)
		if c.path != "/style.css" {
			continue
		}
		var r io.Reader = w.Body
		switch c.want {
		case "br":
			r = brotli.NewReader(w.Body)
		case "gzip":
			var err error
			r, err = gzip.NewReader(w.Body)
			require.NoError(t, err, c.why)
		}
		got, err := io.ReadAll(r)
		require.NoError(t, err, c.why)
		require.Equal(t, plain.Body.Bytes(), got, c.why)
	}
}

func TestEachEncodingHasItsOwnETag(t *testing.T) {
	s, _, _ := playground(t)
	tags := map[string]bool{}
	for _, accept := range []string{"", "gzip", "br"} {
		tag := ask(s, "GET", "/style.css", "Accept-Encoding", accept).Header().Get("ETag")
		tags[tag] = true
		w := ask(s, "GET", "/style.css", "Accept-Encoding", accept, "If-None-Match", tag)
		require.Equal(t, http.StatusNotModified, w.Code, accept)
	}
	require.Len(t, tags, 3)
}

func TestKeptEncodingsAreThoseOfTheContent(t *testing.T) {
	var e encoder
	r := &http.Request{Header: http.Header{"Accept-Encoding": {"gzip"}}}
	for i := range maxEncoded + 2 {
		content := bytes.Repeat([]byte{byte('a' + i%26)}, i+1)
		packed, encoding := e.encode(r, "a.js", content)
		require.Equal(t, "gzip", encoding)
		u, err := gzip.NewReader(bytes.NewReader(packed))
		require.NoError(t, err)
		got, err := io.ReadAll(u)
		require.NoError(t, err)
		require.Equal(t, content, got)
	}
	require.LessOrEqual(t, len(e.files), maxEncoded)
}
