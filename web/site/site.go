// Package site serves the playground: web/ at /, and wasm/npm at /npm/. Export writes the same files for a static host.
// Start with New.
//
// It is not a part of the API (see package core).
package site

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tamp/wasm/npm"
	"tamp/web"
)

// Site is the set of files of the playground. Rules:
//   - A file is part of it only if its extension is in types and no part of its path is hidden or in excluded. Every
//     other path is not found.
//   - Paths are those of the site, so /index.html imports ./npm/index.js.
//   - No file outside of the two folders is reachable, neither with ".." nor with a symbolic link.
type Site struct {
	// Gateway marks the page, so that it shows the sessions of the gateway at /v1/sessions: a question of the page
	// would be an error in the console of every static host.
	Gateway bool

	web, npm fs.FS
	encoder  encoder
}

// types are the content types by extension. JavaScript modules and streaming compilation of wasm require theirs.
var types = map[string]string{
	".bin":   "application/octet-stream", // the vocabularies of the exact counters
	".gz":    "application/gzip",         // the long example
	".css":   "text/css; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".ico":   "image/x-icon",
	".js":    "text/javascript; charset=utf-8",
	".json":  "application/json",
	".jsonl": "application/jsonl; charset=utf-8",
	".md":    "text/plain; charset=utf-8", // the notice of the vocabularies, which browsers show as text
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".wasm":  "application/wasm",
}

// excluded are names of files and folders for development, which are not part of the site.
var excluded = []string{
	"bench", "bundlers", "frameworks", "inline", "mcp", "node_modules", "package-lock.json", "package.json",
	"screenshots", "server", "site", "test", "testdata", "tsconfig.json",
}

// headers restrict the page to its own files, even if a conversation that it shows contains an attack.
var headers = map[string]string{
	"Cache-Control": "no-cache", // revalidated each time by ETag, so that a rebuilt wasm is used after a reload
	"Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src " +
		"'self' data: blob:; " +
		"connect-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
}

// New returns the site of the folder webDir and the built package npmDir; "" means the files that are part of the
// program. Files are read for every request. It returns an error if a folder does not exist.
func New(webDir, npmDir string) (*Site, error) {
	s := &Site{web: web.Files, npm: npm.Files}
	if webDir != "" {
		root, err := os.OpenRoot(webDir)
		if err != nil {
			return nil, fmt.Errorf("cannot read the page: %w", err)
		}
		s.web = root.FS()
	}
	if npmDir != "" {
		root, err := os.OpenRoot(npmDir)
		if err != nil {
			return nil, fmt.Errorf("cannot read the package: %w", err)
		}
		s.npm = root.FS()
	}
	return s, nil
}

// HasEngine reports whether the site has the program that the page runs. `make wasm` builds it.
func (s *Site) HasEngine() bool {
	_, err := fs.Stat(s.npm, "tamp.wasm")
	return err == nil
}

// contentType returns the content type of a file, "" if it is not part of the site.
func contentType(name string) string {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") || slices.Contains(excluded, part) {
			return ""
		}
	}
	return types[path.Ext(name)]
}

func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	content, err := s.content(name)
	if err != nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", contentType(name))
	tag := fmt.Sprintf("%x", sha256.Sum256(content))
	w.Header().Set("Vary", "Accept-Encoding")
	content, encoding := s.encoder.encode(r, name, content)
	if encoding != "" {
		w.Header().Set("Content-Encoding", encoding)
		tag += "-" + encoding
	}
	w.Header().Set("ETag", `"`+tag+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

func (s *Site) read(name string) ([]byte, error) {
	if contentType(name) == "" {
		return nil, fs.ErrNotExist
	}
	if inside, ok := strings.CutPrefix(name, "npm/"); ok {
		return fs.ReadFile(s.npm, inside)
	}
	content, err := fs.ReadFile(s.web, name)
	if s.Gateway && name == "index.html" {
		content = bytes.Replace(content, []byte("<html "), []byte("<html data-gateway "), 1)
	}
	return content, err
}

// content returns the content of a file: listing is generated, the others are read.
func (s *Site) content(name string) ([]byte, error) {
	if name == listing {
		return s.list()
	}
	return s.read(name)
}

// names lists the files of the site, except listing.
func (s *Site) names() ([]string, error) {
	var names []string
	collect := func(tree fs.FS, prefix string) error {
		return fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && name != "." && (slices.Contains(excluded, entry.Name()) || prefix+name == "npm") {
				return fs.SkipDir // /npm/ has only files of the package
			}
			if entry.Type().IsRegular() && contentType(prefix+name) != "" {
				names = append(names, prefix+name)
			}
			return nil
		})
	}
	if err := collect(s.web, ""); err != nil {
		return nil, err
	}
	return names, collect(s.npm, "npm/")
}

// Export writes the site to dir, for any static host, and returns the number of files. Other files in dir stay.
func (s *Site) Export(dir string) (int, error) {
	names, err := s.names()
	if err != nil {
		return 0, fmt.Errorf("cannot list the site: %w", err)
	}
	names = append(names, listing)
	for _, name := range names {
		content, err := s.content(name)
		if err != nil {
			return 0, fmt.Errorf("cannot read %s: %w", name, err)
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return 0, fmt.Errorf("cannot write %s: %w", to, err)
		}
		if err := os.WriteFile(to, content, 0o644); err != nil {
			return 0, fmt.Errorf("cannot write %s: %w", to, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "_headers"), headersFile(), 0o644); err != nil {
		return 0, fmt.Errorf("cannot write the site's headers: %w", err)
	}
	return len(names), nil
}

// headersFile returns the content of _headers, from which Cloudflare and other static hosts read the headers.
func headersFile() []byte {
	text := "/*\n"
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		text += "  " + name + ": " + headers[name] + "\n"
	}
	return []byte(text)
}
