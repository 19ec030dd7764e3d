package policy

import (
	flags "flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flags.Bool("update", false, "write ../policy.go")

// The comment of core.Policy lists every field with its unit and default. To write it: go test ./core/policy -update
func TestPolicyIsDocumentedInCore(t *testing.T) {
	const file = "../policy.go"
	defaults, err := Preset("balanced")
	require.NoError(t, err)
	var b strings.Builder
	b.WriteString(`package core

import "tamp/core/policy"

// Policy decides which blocks to keep and which to compact: policy.Policy. policy.Preset returns one with the values of
// a preset, policy.Parse one with changed values; Validate checks one that was changed in Go. Shares are in permille
// (1,000 = all), "characters" are code points.
//
// The fields by their JSON names, in Go capitalized (clear.keepRecent is Clear.KeepRecent), with the defaults of the
// preset balanced:
//
`)
	for _, f := range fields {
		unit := f.Type
		if f.Unit != "" {
			unit = f.Unit
		}
		fmt.Fprintf(&b, "//   - %s (%s; %s):\n", f.Path, unit, shown(f.at(&defaults)))
		for _, line := range wrap(f.Description, 110) {
			fmt.Fprintf(&b, "//     %s\n", line)
		}
		if len(f.Choices) > 0 {
			for _, line := range wrap(fmt.Sprintf("One of %q.", f.Choices), 110) {
				fmt.Fprintf(&b, "//     %s\n", line)
			}
		}
	}
	b.WriteString("type Policy = policy.Policy\n")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
	}
	written, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, b.String(), string(written), "run go test ./core/policy -update")
}

// shown returns a default as the comment shows it.
func shown(value any) string {
	switch v := value.(type) {
	case *int:
		return fmt.Sprint("default ", *v)
	case *bool:
		return fmt.Sprint("default ", *v)
	case *string:
		return fmt.Sprintf("default %.40q", *v)
	case *[]string:
		return fmt.Sprintf("default %d names", len(*v))
	}
	return "no default"
}

// wrap breaks a text into lines of at most so many bytes.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
