//go:build !js

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A module whose tests check some of what its code does.
var module = map[string]string{
	"go.mod": "module example\n\ngo 1.26\n",
	"a/a.go": `package a

import "errors"

type Level int

// Checked is checked at both sides of its limit.
func Checked(n int) bool { return n < 10 && n != 3 }

// Loose is not checked at its limit.
func Loose(a, b Level) Level {
	if a>=b {
		return a-b
	}
	return 0
}

func Unreached(text string) (string, error) {
	if text == "" {
		return "", errors.New("empty")
	}
	return text, nil
}

func Loop(items []string) (n int) {
	for i := 0; i < len(items); i++ {
		if items[i] == "" {
			continue
		}
		n++
	}
	out := make([]string, 0, n+1)
	return n + len(out)
}
`,
	"a/a_test.go": `package a

import "testing"

func TestChecked(t *testing.T) {
	if !Checked(9) || Checked(10) || Checked(3) {
		t.Fatal()
	}
}

func TestLoose(t *testing.T) {
	if Loose(5, 3) != 2 || Loose(3, 5) != 0 {
		t.Fatal()
	}
}
`,
	"b/b_test.go": `package b

import (
	"testing"

	"example/a"
)

func TestLoop(t *testing.T) {
	if a.Loop([]string{"x", "", "y"}) != 2 {
		t.Fatal()
	}
}
`,
}

// Every mutant of the module, and what became of it.
const fatesOfModule = `
killed    a/a.go:8  Checked: negate n < 10 && n != 3  (a TestChecked)
killed    a/a.go:8  Checked: n < 10 && n != 3 without n < 10  (a TestChecked)
killed    a/a.go:8  Checked: n < 10 && n != 3 without n != 3  (a TestChecked)
killed    a/a.go:8  Checked: n < 10 && n != 3 → n < 10 || n != 3  (a TestChecked)
killed    a/a.go:8  Checked: n < 10 → n <= 10  (a TestChecked)
killed    a/a.go:12  Loose: negate a>=b  (a TestLoose)
killed    a/a.go:12  Loose: a>=b → false  (a TestLoose)
unreached a/a.go:12  Loose: a>=b → a > b
killed    a/a.go:13  Loose: return a-b + 1  (a TestLoose)
killed    a/a.go:13  Loose: a-b → a + b  (a TestLoose)
killed    a/a.go:15  Loose: return 0 + 1  (a TestLoose)
unreached a/a.go:19  Unreached: negate text == ""
unreached a/a.go:19  Unreached: text == "" → false
unreached a/a.go:20  Unreached: return the zero value, not errors.New("empty")
unreached a/a.go:22  Unreached: return the zero value, not text
killed    a/a.go:26  Loop: i < len(items) → false  (b TestLoop)
killed    a/a.go:26  Loop: i < len(items) → i <= len(items)  (b TestLoop)
killed    a/a.go:27  Loop: negate items[i] == ""  (b TestLoop)
killed    a/a.go:27  Loop: items[i] == "" → false  (b TestLoop)
killed    a/a.go:28  Loop: remove continue  (b TestLoop)
killed    a/a.go:30  Loop: remove n++  (b TestLoop)
killed    a/a.go:33  Loop: return n + len(out) + 1  (b TestLoop)
survived  a/a.go:33  Loop: n + len(out) → n - len(out)
`

func TestMutants(t *testing.T) {
	root := t.TempDir()
	for name, text := range module {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	fates, all, err := measure(root, target{pkg: "a", tests: []string{"a", "b"}}, nil,
		options{slowest: time.Minute, checks: 1, workers: 2})
	require.NoError(t, err)
	require.Equal(t, len(fates), all)
	var lines []string
	for _, f := range fates {
		lines = append(lines, strings.TrimSpace(f.String()))
	}
	require.ElementsMatch(t, strings.Split(strings.TrimSpace(fatesOfModule), "\n"), lines)

	// What is listed as equivalent is left out, and the sample is the same for the same seed.
	known, problems := readEquivalent("# comment\n\na/a.go: Loop: n + len(out) → n - len(out) # out is empty\n")
	require.Empty(t, problems)
	o := options{sample: 5, seed: 7, slowest: time.Minute, checks: 1, workers: 1}
	first, all, err := measure(root, target{pkg: "a", tests: []string{"a"}}, known, o)
	require.NoError(t, err)
	require.Equal(t, len(fates)-1, all)
	require.Len(t, first, 5)
	for _, e := range known {
		require.True(t, e.used)
	}
	second, _, err := measure(root, target{pkg: "a", tests: []string{"a"}}, known, o)
	require.NoError(t, err)
	require.Equal(t, first, second)
	for name, text := range module {
		now, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		require.Equal(t, text, string(now), "the tree is not touched")
	}

	// Tests that all fail measure nothing.
	failing := filepath.Join(root, "b/b_test.go")
	require.NoError(t, os.WriteFile(failing, []byte(strings.Replace(module["b/b_test.go"], "!= 2", "!= 3", 1)), 0o644))
	_, _, err = measure(root, target{pkg: "a", tests: []string{"a", "b"}}, nil, o)
	require.EqualError(t, err, "cannot use the tests of b: none passes without a mutant")
}

// The checked-in list can be read; an entry needs a reason and is listed once.
func TestReadEquivalent(t *testing.T) {
	_, problems := readEquivalent(equivalent)
	require.Empty(t, problems)
	_, problems = readEquivalent("a.go: f: x\nb.go: f: x # same\nb.go: f: x # again\n")
	require.Equal(t, []string{"no reason: a.go: f: x", "listed twice: b.go: f: x"}, problems)
}
