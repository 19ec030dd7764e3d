package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// shareAddress returns a body with the number of the function in a local.
func shareAddress(body []byte) ([]byte, error) {
	c, err := testSymbols.readCaller(body)
	if err != nil || c == nil {
		return body, err
	}
	return c.body(), nil
}

// The number of a function is a local, in the first place behind the stack pointer.
func TestReturnAddressesShareTheFunction(t *testing.T) {
	const function = 0x1001 << 16
	constant := func(v uint64) []byte { return appendSleb([]byte{opI64Const}, v) }
	start := []byte{opGlobalGet, 0, opLocalSet, stackPointer}
	direct := []byte{opI64Store, 3, 0, opI32Const, 0, opCall, 9}
	indirect := []byte{opI64Store, 3, 0, opCall, 9}
	used := []byte{opLocalGet, 0, opLocalGet, 2, opLocalSet, 3, opLocalTee, 4}
	shifted := []byte{opLocalGet, 0, opLocalGet, 3, opLocalSet, 4, opLocalTee, 5}
	set := join(constant(function), []byte{opLocalSet, 2})
	end := []byte{opI32Const, 0, opEnd}
	for name, c := range map[string]struct{ body, want []byte }{
		"calls": {
			join([]byte{2, 1, typeI32, 3, typeI64}, start, used, constant(function+7), direct, constant(function), indirect,
				constant(7), constant(function+1<<16), constant(function+3), end),
			join([]byte{2, 1, typeI32, 4, typeI64}, start, set, shifted, []byte{opLocalGet, 2, opI64Const, 7, opI64Or},
				direct, []byte{opLocalGet, 2}, indirect, constant(7), constant(function+1<<16),
				[]byte{opLocalGet, 2, opI64Const, 3, opI64Or}, end),
		},
		"no local of 64 bits": {
			join([]byte{1, 1, typeI32}, start, constant(function+7), direct, end),
			join([]byte{2, 1, typeI32, 1, typeI64}, start, set, []byte{opLocalGet, 2, opI64Const, 7, opI64Or}, direct, end),
		},
		"other locals": {
			join([]byte{2, 1, typeI32, 1, typeI32}, start, []byte{opLocalGet, 2}, constant(function), direct, end),
			join([]byte{3, 1, typeI32, 1, typeI64, 1, typeI32}, start, set, []byte{opLocalGet, 3, opLocalGet, 2}, direct,
				end),
		},
	} {
		t.Run(name, func(t *testing.T) {
			after, err := shareAddress(c.body)

			require.NoError(t, err)
			require.Equal(t, c.want, after)
		})
	}
	for name, body := range map[string][]byte{
		"no call":                  join([]byte{1, 1, typeI32}, start, constant(function), end),
		"another prologue":         join([]byte{1, 1, typeI32}, start[:2], constant(function+7), direct, end),
		"two stack pointers":       join([]byte{1, 2, typeI32}, start, constant(function+7), direct, end),
		"a number of the program":  join([]byte{1, 1, typeI32}, start, constant(7), direct, end),
		"the field of a structure": join([]byte{1, 1, typeI32}, start, constant(function+7), []byte{opI64Store, 3, 8}, end),
	} {
		t.Run(name, func(t *testing.T) {
			after, err := shareAddress(body)

			require.NoError(t, err)
			require.Equal(t, body, after)
		})
	}
}

// Return addresses get the numbers from 1 on, and those of calls for nil pointers the number 1. The table at the begin
// of the function has the same labels for them.
func TestReturnAddressesAreRenumbered(t *testing.T) {
	const function, sigpanic, other = 0x1001 << 16, 3, 4
	m := &symbols{names: map[uint64]string{sigpanic: "runtime.sigpanic"}}
	call := func(number uint64, callee byte) []byte {
		return join(appendSleb([]byte{opI64Const}, function+number), []byte{opI64Store, 3, 0, opI32Const, 0, opCall, callee})
	}
	called := func(number, callee byte) []byte {
		address := []byte{opLocalGet, 2, opI64Const, number, opI64Or}
		if number == 0 {
			address = address[:2]
		}
		return join(address, []byte{opI64Store, 3, 0, opI32Const, 0, opCall, callee})
	}
	locals, after := []byte{1, 1, typeI32}, []byte{2, 1, typeI32, 1, typeI64}
	start := []byte{opGlobalGet, 0, opLocalSet, stackPointer}
	set := join(appendSleb([]byte{opI64Const}, function), []byte{opLocalSet, 2})
	table := []byte{opLocalGet, 0, opBrTable}
	calls := join(call(0, other), call(7, other), call(5, sigpanic), call(3, other), call(8, other), call(7, other))
	body := join(locals, start, table, []byte{8, 0, 0, 0, 1, 1, 1, 1, 2, 2}, calls, []byte{opEnd})

	c, err := m.readCaller(body)
	require.NoError(t, err)
	require.NoError(t, c.renumber())

	require.Equal(t, returnAddresses{[]uint64{3, 7, 8}, true}, c.returnAddresses)
	require.Equal(t, join(after, start, set, table, []byte{2, 0, 1, 2}, called(0, other), called(2, other),
		called(1, sigpanic), called(1, other), called(3, other), called(2, other), []byte{opEnd}), c.body())

	// A table that is not at the begin belongs to a loop.
	table = []byte{opLocalGet, 3, opBrTable, 1, 0, 1}
	c, err = m.readCaller(join(locals, start, table, call(7, other), []byte{opEnd}))
	require.NoError(t, err)
	require.NoError(t, c.renumber())
	require.Equal(t, join(after, start, set, []byte{opLocalGet, 4}, table[2:], called(1, other), []byte{opEnd}), c.body())
}
