// Command bundle writes the page for people: go run ./web/bundle OUT writes web/ to OUT/web and wasm/npm to OUT/npm,
// with the modules in six files and the styles in one, so that a first visit makes 8 requests and not 160. It runs in
// the folder of the repository.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

var (
	modules = []string{"app/main.js", "engine.worker.js", "replay.worker.js", "audit.worker.js", "text.worker.js"}
	skipped = []string{"node_modules", "test", "screenshots", "site", "app", "bundle"}
	// inline/ is for bundles that lose the worker, which these do not.
	external = []string{"node:*", "./inline/*"}
	style    = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">\n`)
	wasm     = regexp.MustCompile(`"\./(tamp\.(\w+\.)?wasm)"`)
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: bundle OUT")
		os.Exit(2)
	}
	if err := bundle(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "cannot bundle the page:", err)
		os.Exit(1)
	}
}

func bundle(folder string) error {
	web, npm := filepath.Join(folder, "web"), filepath.Join(folder, "npm")
	isModule := func(name string) bool { return strings.HasSuffix(name, ".worker.js") }
	notOfPackage := []string{"test", "bench", "bundlers", "frameworks", "inline", "node_modules", "server"}
	return firstError(
		func() error { return os.RemoveAll(folder) },
		func() error { return copyTree("web", web, skipped, isModule) },
		func() error { return copyTree("wasm/npm", npm, notOfPackage, func(string) bool { return false }) },
		func() error { return build(modules, "web", web, packaged(), api.PlatformDefault) },
		func() error { return build([]string{"index.js"}, "wasm/npm", npm, api.Plugin{}, api.PlatformNeutral) },
		func() error { return joinStyles(web) },
	)
}

func firstError(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// copyTree copies a folder without the files and folders of some names.
func copyTree(from, to string, without []string, skip func(name string) bool) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if slices.Contains(without, entry.Name()) && path != from {
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		inside, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, inside)
		switch {
		case entry.IsDir():
			return os.MkdirAll(target, 0o755)
		case !entry.Type().IsRegular() || skip(entry.Name()):
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o644)
	})
}

// packaged bundles the package into each worker, which saves a request in a row; the wasm stays next to the package, as
// on the server, in npm/ below the page.
func packaged() api.Plugin {
	return api.Plugin{Name: "npm", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `^(\.|\.\./\.\.)/npm/`},
			func(a api.OnResolveArgs) (api.OnResolveResult, error) {
				path, err := filepath.Abs(filepath.Join("wasm/npm", filepath.Base(a.Path)))
				return api.OnResolveResult{Path: path}, err
			})
		b.OnLoad(api.OnLoadOptions{Filter: `/npm/source\.js$`}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			content, err := os.ReadFile(a.Path)
			text := wasm.ReplaceAllString(string(content), `"./npm/$1"`)
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, err
		})
	}}
}

func build(entries []string, from, to string, plugin api.Plugin, platform api.Platform) error {
	root, err := filepath.Abs(from)
	if err != nil {
		return err
	}
	out, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	o := api.BuildOptions{AbsWorkingDir: root, EntryPoints: entries, Outdir: out, Outbase: root, External: external,
		Bundle: true, Format: api.FormatESModule, Target: api.ES2022, Platform: platform,
		LegalComments:    api.LegalCommentsNone,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Write: true, AllowOverwrite: true}
	if plugin.Setup != nil {
		o.Plugins = []api.Plugin{plugin}
	}
	_, err = result(api.Build(o))
	return err
}

func result(r api.BuildResult) ([]api.OutputFile, error) {
	if len(r.Errors) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(r.Errors, api.FormatMessagesOptions{}), "\n"))
	}
	return r.OutputFiles, nil
}

// joinStyles writes the styles of the page as one, and says in the page how large the engine is: a response that is
// compressed has no length.
func joinStyles(web string) error {
	page := filepath.Join(web, "index.html")
	html, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	how, err := os.ReadFile(filepath.Join(web, "how.html"))
	if err != nil {
		return err
	}
	engine, err := os.Stat("wasm/npm/tamp.wasm")
	if err != nil {
		return err
	}
	links, imports := style.FindAllSubmatch(html, -1), ""
	for _, link := range links {
		imports += fmt.Sprintf("@import %q;\n", "./"+string(link[1]))
	}
	root, err := filepath.Abs("web")
	if err != nil {
		return err
	}
	files, err := result(api.Build(api.BuildOptions{AbsWorkingDir: root, Bundle: true, MinifyWhitespace: true,
		MinifySyntax: true, Engines: []api.Engine{{Name: api.EngineChrome, Version: "123"}},
		Stdin: &api.StdinOptions{Contents: imports, Loader: api.LoaderCSS, ResolveDir: root}}))
	if err != nil {
		return err
	}
	text := string(html)
	for i, link := range links {
		name, with := string(link[1]), ""
		if i == 0 { // the first link loads all styles; the engine thread loads while the page starts
			with = "<link rel=\"stylesheet\" href=\"style.css\">\n<link rel=\"modulepreload\" href=\"engine.worker.js\">\n"
		}
		text = strings.Replace(text, string(link[0]), with, 1)
		if !strings.Contains(string(how), `href="`+name+`"`) {
			if err := os.Remove(filepath.Join(web, name)); err != nil {
				return err
			}
		}
	}
	text = strings.Replace(text, "<html ", fmt.Sprintf("<html data-engine=%q ", fmt.Sprint(engine.Size())), 1)
	return firstError(
		func() error { return os.WriteFile(filepath.Join(web, "style.css"), files[0].Contents, 0o644) },
		func() error { return os.WriteFile(page, []byte(text), 0o644) },
	)
}
