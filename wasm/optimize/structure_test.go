package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A function does the same before and after: it passes the same pieces in the same order, with the same values in its locals,
// whatever its conditions say and wherever another goroutine's turn comes.
func TestStructuredFunctionDoesTheSame(t *testing.T) {
	structured := 0
	rapid.Check(t, func(t *rapid.T) {
		body := assemble(drawPieces(t))
		chance := rapid.SliceOfN(rapid.Bool(), 100, 100).Draw(t, "chance")

		after := namesOfTests.structure(body)

		require.Equal(t, trace(body, chance), trace(after, chance))
		if !bytes.Equal(body, after) {
			structured++
		}
	})
	require.Greater(t, structured, 50, "of 100 functions")
}

// A loop becomes a loop: one branch back, a condition, and no table.
func TestLoopBecomesALoop(t *testing.T) {
	body := assemble([]piece{{ends: goesOn}, {ends: forks, yes: 3}, {ends: jumps, yes: 1}, {ends: returns}})

	code := decode(namesOfTests.structure(body))

	require.Len(t, only(code, opLoop), 1)
	require.Len(t, only(code, opIf), 2, "the loop's, and that of the stack")
	require.Len(t, only(code, opBr), 1)
	require.Empty(t, only(code, opBrTable, opNop))
}

// A goroutine that goes on within two loops comes in through both.
func TestLoopIsEnteredAfterACall(t *testing.T) {
	body := assemble([]piece{{ends: goesOn}, {ends: goesOn}, {ends: calls}, {ends: forks, yes: 2}, {ends: forks, yes: 1}, {ends: returns}})

	after := namesOfTests.structure(body)

	require.Len(t, only(decode(after), opLoop), 2)
	for turn := range 20 {
		chance := make([]bool, 100)
		chance[turn] = true
		require.Equal(t, trace(body, chance), trace(after, chance))
	}
}

func TestFunctionIsLeftAsItIs(t *testing.T) {
	for why, pieces := range map[string][]piece{
		"a loop with two entries":     {{ends: forks, yes: 2}, {ends: goesOn}, {ends: forks, yes: 1}, {ends: returns}},
		"a call that runs the defers": {{ends: defers}, {ends: forks, yes: 0}, {ends: returns}},
	} {
		body := assemble(pieces)
		require.Equal(t, body, namesOfTests.structure(body), why)
	}
	body := assemble([]piece{{ends: forks, yes: 1}, {ends: returns}})
	for cut := range body {
		require.Equal(t, body[:cut], namesOfTests.structure(body[:cut]), "a body that is cut short")
	}
}

func only(code []op, which ...byte) []byte {
	var found []byte
	for _, o := range code {
		if bytes.IndexByte(which, o.op) >= 0 {
			found = append(found, o.op)
		}
	}
	return found
}
