//go:build !js

package main

// A target is what one row of the table measures.
type target struct {
	pkg     string   // relative to the root of the module
	files   []string // patterns of file names; none: all
	tests   []string // the packages whose tests may kill
	without []string // names of tests that are not used
}

// The packages that decide what becomes of a conversation, and the parts of the server that guard a request.
var targets = []target{
	{pkg: "core/internal/pass", tests: []string{"core/internal/pass", "core"}},
	{pkg: "core/msg", tests: []string{"core/msg", "core/format", "core/format/anthropic", "core"}},
	{pkg: "core/internal/rawjson", tests: []string{"core/internal/rawjson", "core/msg", "core/format", "core"}},
	{pkg: "core/validity", tests: []string{"core/validity", "core/format", "core"}},
	{pkg: "core/view", tests: []string{"core/view", "core", "core/wire"}},
	{pkg: "core/plan", tests: []string{"core", "core/wire"}},
	{pkg: "core/apply", tests: []string{"core/apply", "core", "core/wire"}},
	{pkg: "core/promptcache", tests: []string{"core/promptcache", "core"}},
	{pkg: "core/forward", tests: []string{"core/forward", "worker/gateway"}},
	{pkg: "worker/gateway", tests: []string{"worker/gateway"}},
	{
		pkg:   "worker",
		files: []string{"guard.go", "compact.go"},
		tests: []string{"worker"},
		// It waits on the clock for 10 s and more, and a busy machine can fail it: its mutants must fail a quick test too.
		without: []string{"TestNatively"},
	},
}
