package site

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// playground is a site with files of every kind that must be refused.
func playground(t *testing.T) (s *Site, web, npm string) {
	t.Helper()
	dir := t.TempDir()
	web, npm = filepath.Join(dir, "web"), filepath.Join(dir, "npm")
	for name, content := range map[string]string{
		"secret.txt":               "secret",
		"web/index.html":           "<!doctype html>",
		"web/style.css":            "body{}",
		"web/app/main.js":          "export {}",
		"web/examples/a.jsonl":     "{}\n",
		"web/.env.txt":             "secret",
		"web/.git/a.txt":           "secret",
		"web/site/main.go":         "secret",
		"web/site/a.js":            "secret",
		"web/test/a.test.js":       "secret",
		"web/node_modules/a.js":    "secret",
		"web/package.json":         "secret",
		"web/npm/index.js":         "secret", // /npm/ has only files of the package
		"npm/index.js":             "export const load = 1",
		"npm/tamp.wasm":            "\x00asm",
		"npm/vocab/o200k_base.bin": "\x00\x01",
		"npm/vocab/NOTICE.md":      "# Whose work",
		"npm/test/a.js":            "secret",
		"npm/bench/a.js":           "secret",
		"npm/server/web/a.js":      "secret", // the package of the server has the page once more
	} {
		to := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, []byte(content), 0o644))
	}
	require.NoError(t, os.Symlink(filepath.Join(dir, "secret.txt"), filepath.Join(web, "link.txt")))
	s, err := New(web, npm)
	require.NoError(t, err)
	return s, web, npm
}

func ask(h http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path = path
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestServesTheSite(t *testing.T) {
	s, _, _ := playground(t)
	for path, kind := range map[string]string{
		"/":                 "text/html; charset=utf-8",
		"/index.html":       "text/html; charset=utf-8",
		"/style.css":        "text/css; charset=utf-8",
		"/app/main.js":      "text/javascript; charset=utf-8",
		"/examples/a.jsonl": "application/jsonl; charset=utf-8",
		"/npm/index.js":     "text/javascript; charset=utf-8",
		"/npm/tamp.wasm":    "application/wasm",

		"/npm/vocab/o200k_base.bin": "application/octet-stream",
		"/npm/vocab/NOTICE.md":      "text/plain; charset=utf-8",
	} {
		w := ask(s, "GET", path)
		require.Equal(t, http.StatusOK, w.Code, path)
		require.Equal(t, kind, w.Header().Get("Content-Type"), path)
		require.NotContains(t, w.Body.String(), "secret", path)
	}
}

// The page of a gateway is marked, in the list of digests, too; an exported one is not.
func TestGatewayMarksThePage(t *testing.T) {
	s, web, _ := playground(t)
	require.NoError(t, os.WriteFile(filepath.Join(web, "index.html"), []byte(`<html lang="en">`), 0o644))
	require.Equal(t, `<html lang="en">`, ask(s, "GET", "/").Body.String())
	before := ask(s, "GET", "/files.json").Body.String()
	s.Gateway = true
	require.Equal(t, `<html data-gateway lang="en">`, ask(s, "GET", "/").Body.String())
	require.NotEqual(t, before, ask(s, "GET", "/files.json").Body.String())
}

func TestRefusesEverythingElse(t *testing.T) {
	s, _, _ := playground(t)
	for _, path := range []string{
		"/../secret.txt", "/app/../../secret.txt", "//secret.txt", "/npm/../secret.txt", "/link.txt", "/./index.html",
		"/.env.txt", "/.git/a.txt", "/site/main.go", "/site/a.js", "/test/a.test.js", "/node_modules/a.js", "/package.json",
		"/npm/test/a.js", "/npm/bench/a.js", "/npm/server/web/a.js", "/npm/vocab", "/npm/vocab/gpt2.bin",
		"/app", "/app/", "/npm", "/npm/", "/absent.html", "/index.html/", "/index.html\x00.js", `/..\secret.txt`,
	} {
		w := ask(s, "GET", path)
		require.Equal(t, http.StatusNotFound, w.Code, path)
		require.NotContains(t, w.Body.String(), "secret", path)
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		w := ask(s, method, "/")
		require.Equal(t, http.StatusMethodNotAllowed, w.Code, method)
		require.Equal(t, "GET, HEAD", w.Header().Get("Allow"), method)
	}
}

func TestEveryResponseHasTheHeaders(t *testing.T) {
	s, _, _ := playground(t)
	for _, path := range []string{"/", "/npm/tamp.wasm", "/absent"} {
		h := ask(s, "GET", path).Header()
		for name, value := range headers {
			require.Equal(t, value, h.Get(name), path)
		}
		require.NotContains(t, h.Get("Content-Security-Policy"), "unsafe-inline")
		require.NotContains(t, h.Get("Content-Security-Policy"), "'unsafe-eval'")
	}
}

func TestETagsFollowTheFiles(t *testing.T) {
	s, _, npm := playground(t)
	tag := ask(s, "GET", "/npm/index.js").Header().Get("ETag")
	require.Equal(t, http.StatusNotModified, ask(s, "GET", "/npm/index.js", "If-None-Match", tag).Code)

	require.NoError(t, os.WriteFile(filepath.Join(npm, "index.js"), []byte("export const load = 2"), 0o644))
	w := ask(s, "GET", "/npm/index.js", "If-None-Match", tag)
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Body.String(), "2")
	require.Empty(t, ask(s, "HEAD", "/npm/index.js").Body.String())
}

func TestExportWritesTheServedFiles(t *testing.T) {
	s, _, _ := playground(t)
	out := filepath.Join(t.TempDir(), "site")
	files, err := s.Export(out)
	require.NoError(t, err)
	require.Equal(t, 9, files) // and files.json

	written := 0
	require.NoError(t, filepath.WalkDir(out, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(out, file)
		require.NoError(t, err)
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		if name == "_headers" {
			for name, value := range headers {
				require.Contains(t, string(content), "\n  "+name+": "+value+"\n")
			}
			return nil
		}
		require.Equal(t, ask(s, "GET", "/"+filepath.ToSlash(name)).Body.String(), string(content), name)
		written++
		return nil
	}))
	require.Equal(t, 9, written)
}

func TestListNamesTheFilesForOfflineUse(t *testing.T) {
	s, _, _ := playground(t)
	var list struct{ Files map[string]string }
	require.NoError(t, json.Unmarshal(ask(s, "GET", "/files.json").Body.Bytes(), &list))
	require.Len(t, list.Files, 6)
	require.Contains(t, list.Files, "npm/tamp.wasm")
	require.NotContains(t, list.Files, "npm/vocab/o200k_base.bin", "a vocabulary is loaded at its first use")
}

func TestMissingFoldersAreNamed(t *testing.T) {
	_, err := New("absent", ".")
	require.ErrorContains(t, err, "cannot read the page")
	_, err = New(".", "absent")
	require.ErrorContains(t, err, "cannot read the package")
}
