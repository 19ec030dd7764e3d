package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
