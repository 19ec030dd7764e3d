//go:build !js

package main

// helpers is compiled into the package under test; %s is its name and %d the number of its mutants. MUTANT is the
// mutant that is switched on, 0 or nothing for none. MUTANT_REACHED is a file to which the mutants that were reached
// are written.
const helpers = `package %s

import (
	"cmp"
	"os"
	"strconv"
	"sync/atomic"
)

var (
	mutantActive, _ = strconv.Atoi(os.Getenv("MUTANT"))
	mutantSeen      [%d + 1]atomic.Bool
	mutantReached   = func() *os.File {
		f, _ := os.OpenFile(os.Getenv("MUTANT_REACHED"), os.O_APPEND|os.O_WRONLY, 0)
		return f
	}()
)

func mutantOn(id int) bool {
	if mutantReached != nil && !mutantSeen[id].Swap(true) {
		mutantReached.WriteString(strconv.Itoa(id) + "\n")
	}
	return mutantActive == id
}

type mutantInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func mutantLess[T cmp.Ordered](id int, a, b T) bool         { return a < b || a == b && mutantOn(id) }
func mutantLessEqual[T cmp.Ordered](id int, a, b T) bool    { return a < b || a == b && !mutantOn(id) }
func mutantGreater[T cmp.Ordered](id int, a, b T) bool      { return a > b || a == b && mutantOn(id) }
func mutantGreaterEqual[T cmp.Ordered](id int, a, b T) bool { return a > b || a == b && !mutantOn(id) }

func mutantAdd[T mutantInteger](id int, a, b T) T {
	if mutantOn(id) {
		return a - b
	}
	return a + b
}

func mutantSub[T mutantInteger](id int, a, b T) T {
	if mutantOn(id) {
		return a + b
	}
	return a - b
}

func mutantMul[T mutantInteger](id int, a, b T) T {
	if mutantOn(id) {
		return a / b
	}
	return a * b
}

func mutantQuo[T mutantInteger](id int, a, b T) T {
	if mutantOn(id) {
		return a * b
	}
	return a / b
}

func mutantMore[T mutantInteger](id int, a T) T {
	if mutantOn(id) {
		return a + 1
	}
	return a
}

func mutantZero[T any](id int, a T) T {
	if mutantOn(id) {
		var zero T
		return zero
	}
	return a
}
`
