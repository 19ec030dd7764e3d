package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The code and the table for floats stay if the program itself formats or parses one. Otherwise the runtime prints
// none, and a program that dies of a panic whose value is a float still ends with Go's exit code.
func TestFloatsArePrintedOnlyIfTheProgramDoes(t *testing.T) {
	needsTime(t)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node to run wasm")
	}
	hasPowers := func(module []byte) bool {
		return slices.ContainsFunc(powerTables[:], func(table struct{ first, last uint64 }) bool {
			return bytes.Contains(module, binary.LittleEndian.AppendUint64(nil, table.first))
		})
	}
	for why, c := range map[string]struct {
		body    string
		detail  detail
		kept    bool
		printed string
	}{
		"no floats":        {`println(6*7)`, withoutNames, false, "42"},
		"with names":       {`println(6*7)`, withNames, true, "42"},
		"prints a float":   {`println(half)`, withoutNames, true, "0.5"},
		"formats a float":  {`println(strconv.FormatFloat(half, 'g', -1, 64))`, withoutNames, true, "0.5"},
		"through a value":  {`format = strconv.FormatFloat; println(format(half, 'g', -1, 64))`, withoutNames, true, "0.5"},
		"parses a float":   {`f, _ := strconv.ParseFloat("5e-1", 64); println(f == half)`, withoutNames, true, "true"},
		"parses a complex": {`c, _ := strconv.ParseComplex("5e-1", 64); println(real(c) == half)`, withoutNames, true, "true"},
	} {
		path := buildSource(t, "package main\nimport \"strconv\"\nvar half, format = 0.5, func(float64, byte, int, int) string "+
			"{ return strconv.Itoa(1) }\nfunc main() { "+c.body+"; panic(half) }\n")
		_, _, _, err := optimizeFile(path, c.detail)
		require.NoError(t, err)
		module, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, c.kept, hasPowers(module), why)
		out, code := runWasm(t, node, path)
		require.Equal(t, 2, code, why)
		require.Contains(t, out, c.printed+"\npanic: ", why)
	}
}

// buildSource returns the path of a program of one file as wasm.
func buildSource(t *testing.T, source string) string {
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
	return buildWasm(t, file, "build", "-ldflags=-w")
}
