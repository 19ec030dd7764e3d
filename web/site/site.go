// Package site is the playground as a handler: web/ at /, wasm/npm at /npm/, the same tree that any static host can carry.
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
)

// Site is what the playground consists of. Its rules:
//   - a file is part of it only if its kind is in types and no part of its path is hidden or in left; everything else is not found
//   - paths are those of the site, so a page at /index.html imports ./npm/index.js
//   - nothing outside the two folders is reachable, by ".." or by symbolic link
type Site struct{ web, npm fs.FS }

// types are the kinds of file the page is made of. JavaScript modules and streaming wasm demand these very types.
var types = map[string]string{
	".bin":   "application/octet-stream", // the vocabularies of the exact counters
	".css":   "text/css; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".ico":   "image/x-icon",
	".js":    "text/javascript; charset=utf-8",
	".json":  "application/json",
	".jsonl": "application/jsonl; charset=utf-8",
	".md":    "text/plain; charset=utf-8", // whose the vocabularies are: browsers show it as text
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".wasm":  "application/wasm",
}

// left are names of files and folders that stand beside the site and serve its makers.
var left = []string{"bench", "node_modules", "package-lock.json", "package.json", "recorder", "screenshots", "site", "test", "testdata", "tsconfig.json"}

// headers keep the page to its own files, even if a conversation shown in it should try otherwise.
var headers = map[string]string{
	"Cache-Control": "no-cache", // asked anew each time, answered by ETag: a rebuilt wasm shows on reload
	"Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
		"connect-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
}

// New reads the page from the folder web and the built package from npm, anew for every request.
func New(web, npm string) (*Site, error) {
	w, err := os.OpenRoot(web)
	if err != nil {
		return nil, fmt.Errorf("cannot read the page: %w", err)
	}
	n, err := os.OpenRoot(npm)
	if err != nil {
		return nil, fmt.Errorf("cannot read the package: %w", err)
	}
	return &Site{w.FS(), n.FS()}, nil
}

// kind is the content type of the file of that name; "" is no part of the site.
func kind(name string) string {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") || slices.Contains(left, part) {
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
	w.Header().Set("Content-Type", kind(name))
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(content)))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

func (s *Site) read(name string) ([]byte, error) {
	if kind(name) == "" {
		return nil, fs.ErrNotExist
	}
	if inside, ok := strings.CutPrefix(name, "npm/"); ok {
		return fs.ReadFile(s.npm, inside)
	}
	return fs.ReadFile(s.web, name)
}

// content reads a file, or makes the one that is not on disk.
func (s *Site) content(name string) ([]byte, error) {
	if name == listing {
		return s.list()
	}
	return s.read(name)
}

// names lists the whole site.
func (s *Site) names() ([]string, error) {
	var names []string
	collect := func(tree fs.FS, prefix string) error {
		return fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && name != "." && (slices.Contains(left, entry.Name()) || prefix+name == "npm") {
				return fs.SkipDir // /npm/ is the package's alone
			}
			if entry.Type().IsRegular() && kind(prefix+name) != "" {
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

// Export writes the site to dir, for any static host, and says how many files it has. What else lies in dir stays.
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
	if err := os.WriteFile(filepath.Join(dir, "_headers"), rules(), 0o644); err != nil {
		return 0, fmt.Errorf("cannot write the site's headers: %w", err)
	}
	return len(names), nil
}

// rules are the headers once more, in the file from which Cloudflare and other static hosts read them.
func rules() []byte {
	text := "/*\n"
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		text += "  " + name + ": " + headers[name] + "\n"
	}
	return []byte(text)
}
