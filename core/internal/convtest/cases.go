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

// EachFormat checks a property for each format. It draws half of the cases for each, unless a number is asked for,
// because there are many formats.
func EachFormat(t *testing.T, property func(t *rapid.T, format string)) {
	cases, err := strconv.Atoi(flag.Lookup("rapid.checks").Value.String())
	require.NoError(t, err)
	for _, format := range Formats {
		t.Run(format, func(t *testing.T) {
			setCases(t, cases/2)
			rapid.Check(t, func(t *rapid.T) { property(t, format) })
		})
	}
}

// SetCases sets how many cases rapid.Check draws in this test, as wasm a tenth of them, unless a number is asked for
// (-rapid.checks or RAPID_CHECKS), even the default one.
func SetCases(t *testing.T, cases int) {
	if runtime.GOARCH == "wasm" {
		cases /= 10
	}
	setCases(t, cases)
}

func setCases(t *testing.T, cases int) {
	asked := os.Getenv("RAPID_CHECKS") != ""
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if checks := flag.Lookup("rapid.checks").Value; !asked {
		was := checks.String()
		require.NoError(t, checks.Set(strconv.Itoa(cases)))
		t.Cleanup(func() { require.NoError(t, checks.Set(was)) })
	}
}
