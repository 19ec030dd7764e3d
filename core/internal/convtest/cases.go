package convtest

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// EachFormat checks a property for each format. It draws half of the cases for each (see SetCases), because there are
// many formats.
func EachFormat(t *testing.T, property func(t *rapid.T, format string)) {
	cases, err := strconv.Atoi(flag.Lookup("rapid.checks").Value.String())
	require.NoError(t, err)
	for _, format := range Formats {
		t.Run(format, func(t *testing.T) {
			SetCases(t, cases/2)
			rapid.Check(t, func(t *rapid.T) { property(t, format) })
		})
	}
}

// SetCases sets how many cases rapid.Check draws in this test, unless a number is asked for (-rapid.checks or
// RAPID_CHECKS), even the default one. As wasm it is a fifth: the same engine natively draws all, with another seed.
// With -short rapid itself draws a fifth.
func SetCases(t *testing.T, cases int) {
	asked := os.Getenv("RAPID_CHECKS") != ""
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if asked {
		return
	}
	if runtime.GOARCH == "wasm" {
		cases /= 5
	}
	checks := flag.Lookup("rapid.checks").Value
	was := checks.String()
	require.NoError(t, checks.Set(strconv.Itoa(cases)))
	t.Cleanup(func() { require.NoError(t, checks.Set(was)) })
}

// Fewer reports whether tests take a part of their inputs: with -short (`make check` and `make test`), and as wasm,
// where each takes several times as long.
func Fewer() bool { return testing.Short() || runtime.GOARCH == "wasm" }

// OneOfFew returns the list, or only one element of it if tests take fewer inputs: another one for each i. A test of
// many files by many presets takes each of them in `make test-all`.
func OneOfFew[T any](list []T, i int) []T {
	if Fewer() {
		return list[i%len(list):][:1]
	}
	return list
}

// InTurn returns the list, or with -short one element of it, by the seed of the property tests: the same one until the
// sources of core change, then another one (see SEED in the Makefile). `make test-all` takes all. It is for tests that
// take seconds for each element and test the same of each.
func InTurn[T any](list []T) []T {
	if !testing.Short() {
		return list
	}
	seed, err := strconv.ParseUint(os.Getenv("RAPID_SEED"), 10, 64)
	if err != nil {
		seed = 0 // go test without make
	}
	return list[seed%uint64(len(list)):][:1]
}
