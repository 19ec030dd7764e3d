package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A rewritten function behaves as before: it executes the same blocks in the same order with the same locals, whatever
// its conditions are and wherever it is unwound and resumed. Of 100 random functions about 73 are rewritten; each is
// executed with 100 random inputs, which are more than 5,000 comparisons.
func TestRestructuredFunctionsBehaveTheSame(t *testing.T) {
	functions, rewritten := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		body := assemble(drawSegments(t))
		functions++

		after, outcome, err := restructureTested(body)

		if err != nil { // no compiler emits such code
			require.ErrorIs(t, err, errDeadResume)
			return
		}
		if outcome != restructured {
			require.Equal(t, irreducible, outcome)
			require.Equal(t, body, after)
			return
		}
		rewritten++
		before, code, short := decode(body), decode(after), decode(shortened(t, after))
		for range 100 {
			input := drawInput(t)
			want := trace(before, input)
			require.Equal(t, want, trace(code, input))
			require.Equal(t, want, trace(short, input))
		}
	})
	require.Greater(t, rewritten, functions/4)
}

func shortened(t *rapid.T, body []byte) []byte {
	short, err := shorten(body, testSymbols.neverContinues)
	require.NoError(t, err)
	return short
}

// drawInput draws what the first 128 calls return.
func drawInput(t *rapid.T) []bool {
	input := make([]bool, 128)
	words := [2]uint64{rapid.Uint64().Draw(t, "input"), rapid.Uint64().Draw(t, "input")}
	for i := range input {
		input[i] = words[i/64]>>(i%64)&1 == 1
	}
	return input
}

// A loop becomes a wasm loop: one branch back, one condition, and no table.
func TestLoopBecomesAWasmLoop(t *testing.T) {
	body := assemble([]segment{{end: fallsThrough}, {end: branches, yes: 3}, {end: jumps, yes: 1}, {end: returns}})

	after, outcome, err := restructureTested(body)

	require.NoError(t, err)
	require.Equal(t, restructured, outcome)
	code := decode(after)
	require.Len(t, only(code, opLoop), 1)
	require.Len(t, only(code, opIf), 2, "of the loop, and of the stack check")
	require.Len(t, only(code, opBr), 1)
	require.Empty(t, only(code, opBrTable, opNop))
}

// A goroutine that resumes inside of two loops enters through both headers.
func TestResumePointInsideOfLoops(t *testing.T) {
	body := assemble([]segment{{end: fallsThrough}, {end: fallsThrough}, {end: calls},
		{end: branches, yes: 2}, {end: branches, yes: 1}, {end: returns}})

	after, outcome, err := restructureTested(body)

	require.NoError(t, err)
	require.Equal(t, restructured, outcome)
	require.Len(t, only(decode(after), opLoop), 2)
	for turn := range 20 {
		input := make([]bool, 100)
		input[turn] = true
		require.Equal(t, trace(decode(body), input), trace(decode(after), input))
	}
}

func TestFunctionsThatStayUnchanged(t *testing.T) {
	straight := []byte{1, 1, typeI32, opGlobalGet, 0, opLocalSet, 1, opI32Const, 0, opEnd}
	resumable := []byte{1, 1, typeI32, opGlobalGet, 0, opLocalSet, 1,
		opBlock, typeVoid, opBlock, typeVoid, opBlock, typeVoid, opLocalGet, 0, opBrTable, 1, 0, 1, opEnd,
		opI32Const, 0, opCall, yield, opBrIf, 1, opEnd,
		opI32Const, 0, opReturn, opEnd, opI32Const, 1, opEnd}
	wrapper := []byte{0, opLocalGet, 0, opEnd}
	for _, test := range []struct {
		why   string
		index uint64
		body  []byte
		want  outcome
	}{
		{"a loop with two entries", calleeCount,
			assemble([]segment{{end: branches, yes: 2}, {end: fallsThrough}, {end: branches, yes: 1}, {end: returns}}),
			irreducible},
		{"a call of runtime.deferreturn", calleeCount,
			assemble([]segment{{end: defers}, {end: branches, yes: 0}, {end: returns}}), deferredCalls},
		{"straight-line code", calleeCount, straight, noJumps},
		{"resume points but no jumps", calleeCount, resumable, noJumps},
		{"a runtime routine of its own calling convention", calleeCount + 1, wrapper, specialABI},
		{"the wrapper of an exported function", calleeCount + 2, wrapper, specialABI},
	} {
		after, outcome, err := testSymbols.restructure(test.index, test.body)

		require.NoError(t, err, test.why)
		require.Equal(t, test.want, outcome, test.why)
		require.Equal(t, test.body, after, test.why)
	}
}

// Code that deviates from what Go's compiler emits is an error. It is never left unchanged without a message.
func TestUnknownShapesFail(t *testing.T) {
	standard := []byte{1, 1, typeI32, opGlobalGet, 0, opLocalSet, 1}
	result := []byte{opI32Const, 0, opEnd}
	code := func(code ...byte) []byte { return append(append(bytes.Clone(standard), code...), result...) }
	body := assemble([]segment{{end: branches, yes: 1}, {end: calls}, {end: jumps, yes: 0}, {end: returns}})
	replaced := func(old, with []byte) []byte {
		require.True(t, bytes.Contains(body, old))
		return bytes.Replace(body, old, with, 1)
	}
	jump := []byte{opI32Const, 0, opLocalSet, 0, opBr}
	table := []byte{opLocalGet, 0, opBrTable, 14, 0}
	end := []byte{opUnreachable, opEnd, opI32Const, 1}
	for why, body := range map[string][]byte{
		"another prologue":                         {1, 1, typeI32, opGlobalGet, 1, opLocalSet, 1, opI32Const, 0, opEnd},
		"no prologue":                              {0, opI32Const, 0, opEnd},
		"a loop that is not a dispatch loop":       code(opLoop, typeVoid, opBr, 0, opEnd),
		"a branch table without a dispatch loop":   code(opBlock, typeVoid, opI32Const, 0, opBrTable, 0, 0, opEnd),
		"a branch without a dispatch loop":         code(opBlock, typeVoid, opBr, 0, opEnd),
		"a conditional branch that is no unwind":   code(opI32Const, 0, opIf, typeVoid, opI32Const, 0, opBrIf, 0, opEnd),
		"an unknown instruction":                   code(0xfd, 12),
		"code after the end":                       code(opI32Const, 0, opEnd),
		"an instruction before the dispatch table": replaced(table, []byte{opNop, opLocalGet, 0, opBrTable, 14, 0}),
		"a table of another local":                 replaced(table, []byte{opLocalGet, 2, opBrTable, 14, 0}),
		"a target outside of the dispatch table":   replaced(table, []byte{opLocalGet, 0, opBrTable, 14, 9}),
		"a jump with local.tee":                    replaced(jump, []byte{opI32Const, 0, 0x22, 0, opBr}),
		"a jump to an unknown block":               replaced(jump, []byte{opI32Const, 63, opLocalSet, 0, opBr}),
		"a value after the dispatch loop":          replaced(end, []byte{opUnreachable, opEnd, opI32Const, 0}),
		"an unknown instruction in a segment":      replaced([]byte{opCall, yield}, []byte{0x12, yield}),
	} {
		_, _, err := restructureTested(body)
		require.Error(t, err, why)
	}
	for cut := range body {
		_, _, err := restructureTested(body[:cut])
		require.Error(t, err, "cut after %d bytes", cut)
	}
}

// A corrupt function is rewritten, left unchanged or an error, but never a crash.
func TestCorruptFunctions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := assemble(drawSegments(t))
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			body[rapid.IntRange(0, len(body)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		_, _, _ = restructureTested(body)
	})
}

func TestReportFailsIfTooFewFunctionsAreRewritten(t *testing.T) {
	report := func(counts [outcomes]int) *report {
		var r report
		for o, n := range counts {
			r[o] = make([]string, n)
		}
		return &r
	}
	for _, test := range []struct {
		why    string
		counts [outcomes]int
		fails  string
	}{
		{"a program like those that were measured", [outcomes]int{2066, 552, 25, 9, 1}, ""},
		{"a program with many deferred calls", [outcomes]int{6207, 2918, 21, 287, 6}, ""},
		{"no function", [outcomes]int{}, "only 0 of 0 functions"},
		{"most functions have no jumps", [outcomes]int{49, 51}, "only 49 of 100 functions"},
		{"many functions are irreducible", [outcomes]int{1000, 0, 0, 0, 11},
			"11 of 1011 functions with jumps have irreducible"},
	} {
		err := report(test.counts).check()
		if test.fails == "" {
			require.NoError(t, err, test.why)
		} else {
			require.ErrorContains(t, err, test.fails, test.why)
		}
	}
}

func TestReportNamesWhatStayedUnchanged(t *testing.T) {
	r := report{restructured: {"a", "b"}, deferredCalls: {"c", "d"}}
	require.Contains(t, r.String(), "     2 restructured\n")
	require.Contains(t, r.String(), "     2 deferred calls: c d\n")
}

// A testFunction is a function of a module that is assembled for a test.
type testFunction struct {
	name string
	body []byte
}

// assembleModule returns a module as the Go linker writes it, as far as this command reads it.
func assembleModule(version string, functions ...testFunction) []byte {
	vector := func(n int, items []byte) []byte { return append(binary.AppendUvarint(nil, uint64(n)), items...) }
	sized := func(b string) []byte { return vector(len(b), []byte(b)) }
	var code, names []byte
	for i, f := range functions {
		code = append(code, sized(string(f.body))...)
		names = append(binary.AppendUvarint(names, uint64(i)), sized(f.name)...)
	}
	names = vector(len(functions), names)
	language := append(append(sized("language"), 1), append(sized("Go"), sized(version)...)...)
	return joinSections([]section{
		{importSection, []byte{0}},
		{codeSection, vector(len(functions), code)},
		{dataSection, []byte{1, activeSegment, opI32Const, 8, opEnd, 1, 'x'}},
		{customSection, append(sized("producers"), vector(1, language)...)},
		{customSection, append(append(sized("name"), 1), sized(string(names))...)},
	})
}

// functionsOfAProgram returns n functions with a loop, and last runtime.deferreturn.
func functionsOfAProgram(n int) []testFunction {
	loop := assemble([]segment{{end: fallsThrough}, {end: branches, yes: 3}, {end: jumps, yes: 1}, {end: returns}})
	var functions []testFunction
	for i := range n {
		functions = append(functions, testFunction{fmt.Sprintf("main.loop%d", i), loop})
	}
	straight := []byte{1, 1, typeI32, opGlobalGet, 0, opLocalSet, 1, opI32Const, 0, opEnd}
	return append(functions, testFunction{deferReturn, straight})
}

func TestModuleFailsAsAWhole(t *testing.T) {
	program := functionsOfAProgram(10)

	after, report, err := optimize(assembleModule(newestGo, program...), withNames)

	require.NoError(t, err)
	require.Len(t, report[restructured], 10)
	sections, err := splitSections(after)
	require.NoError(t, err)
	require.Len(t, sections, 3, "no custom section")

	odd := testFunction{"main.odd", []byte{0, opI32Const, 0, opEnd}}
	_, _, err = optimize(assembleModule(newestGo, append(program, odd)...), withNames)
	require.ErrorContains(t, err, "main.odd is not what Go's compiler is known to emit")

	_, _, err = optimize(assembleModule(newestGo, program[:10]...), withNames)
	require.ErrorContains(t, err, "no function is named runtime.deferreturn")

	_, _, err = optimize(assembleModule(newestGo, program[10:]...), withNames)
	require.ErrorContains(t, err, "only 0 of 1 functions")
}

func only(code []decoded, ops ...byte) []byte {
	var found []byte
	for _, d := range code {
		if bytes.IndexByte(ops, d.op) >= 0 {
			found = append(found, d.op)
		}
	}
	return found
}
