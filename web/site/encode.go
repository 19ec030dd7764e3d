package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// packedTypes are the extensions of files that are sent compressed. Pictures, vocabularies and archives are already.
var packedTypes = []string{".css", ".html", ".js", ".json", ".jsonl", ".md", ".svg", ".txt", ".wasm"}

// levels of compression: higher ones take seconds for the wasm and save less than a tenth.
const (
	brotliLevel = 5
	gzipLevel   = 6
)

// encoder compresses files and keeps the results, since compressing the wasm takes a second. Safe for concurrent use.
type encoder struct {
	mutex sync.Mutex
	files map[encodedName][]byte
}

type encodedName struct {
	digest   [sha256.Size]byte
	encoding string
}

// maxEncoded is the maximum number of kept results; files that were edited leave old ones behind.
const maxEncoded = 500

// encode returns the content in an encoding that the request accepts, and its name; "" if it stays as it is.
func (e *encoder) encode(r *http.Request, name string, content []byte) ([]byte, string) {
	encoding := acceptedEncoding(r)
	if encoding == "" || !slices.Contains(packedTypes, path.Ext(name)) {
		return content, ""
	}
	key := encodedName{sha256.Sum256(content), encoding}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if packed, ok := e.files[key]; ok {
		return packed, encoding
	}
	var out bytes.Buffer
	var w io.WriteCloser = brotli.NewWriterLevel(&out, brotliLevel)
	if encoding == "gzip" {
		w, _ = gzip.NewWriterLevel(&out, gzipLevel) // the level is valid
	}
	w.Write(content) // writing to memory does not fail
	w.Close()
	if e.files == nil || len(e.files) >= maxEncoded {
		e.files = map[encodedName][]byte{}
	}
	e.files[key] = out.Bytes()
	return out.Bytes(), encoding
}

// acceptedEncoding returns "br" or "gzip" if the request accepts it without a quality of zero, else "".
func acceptedEncoding(r *http.Request) string {
	best := ""
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.Trim(strings.TrimPrefix(strings.TrimSpace(quality), "q="), "0.") == "" && quality != "" {
			continue
		}
		switch strings.TrimSpace(name) {
		case "br":
			return "br"
		case "gzip":
			best = "gzip"
		}
	}
	return best
}
