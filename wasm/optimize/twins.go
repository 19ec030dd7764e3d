package main

import "bytes"

// A twin does what a function of the engine does, with instructions for 16 bytes at once, which Go's compiler does not use for wasm.
// The function in Go says what is right: the engine's tests run as wasm with the twin in its place, and natively without.
type twin struct{ code []byte }

// twins are the bodies of the twins, by the linker's names for the functions.
var twins = map[string][]byte{"tamp_core_tokens.__window_.read": readWindow()}

// Opcodes for vectors, after opVector.
const (
	opVector     = 0xfd
	vLoad        = 0
	vConst       = 12
	vEqual       = 35
	vAtMost      = 42
	vNot         = 77
	vOr          = 80
	vHighestBits = 100 // of each byte, as a number
	vSubtract    = 113
)

// And those that no other part of the program writes.
const (
	opI32Add     = 0x6a
	opI64Load    = 0x29
	opI64Store   = 0x37
	opI64GtU     = 0x56
	opI64Add     = 0x7c
	opI64Or      = 0x84
	opI64Shl     = 0x86
	opI32WrapI64 = 0xa7
	opI64Extend  = 0xad // of an unsigned i32
	typeI64      = 0x7e
	typeVector   = 0x7b
)

// windowKinds are the fields of a window of core/tokens, and how to find the bytes that each has a bit for.
var windowKinds = []struct {
	name string
	find func(t *twin, vector uint64)
}{
	{"letter", func(t *twin, v uint64) {
		t.get(v)
		t.constant(' ')
		t.vector(vOr) // lower case
		t.within('a', 'z')
	}},
	{"capital", func(t *twin, v uint64) { t.get(v); t.within('A', 'Z') }},
	{"digit", func(t *twin, v uint64) { t.get(v); t.within('0', '9') }},
	{"space", func(t *twin, v uint64) { t.get(v); t.constant(' '); t.vector(vEqual) }},
	{"tab", func(t *twin, v uint64) { t.get(v); t.constant('\t'); t.vector(vEqual) }},
	{"newline", func(t *twin, v uint64) { t.get(v); t.within('\n', '\r') }},
	{"other", func(t *twin, v uint64) {
		t.get(v)
		t.within(' ', 0x7f)
		t.get(v)
		t.within('\t', '\r')
		t.vector(vOr)
		t.vector(vNot)
	}},
}

// readWindow is (w *window) read(s string, i int) of core/tokens, which sorts the 64 bytes of s from i on. A call's arguments are on Go's
// stack above the address to return to, eight bytes each.
func readWindow() []byte {
	const window, text, length, from = 8, 16, 24, 32 // arguments
	const stack, at, vector, masks = 1, 2, 3, 4      // locals; as many masks as there are kinds
	t := &twin{code: []byte{3, 2, typeI32, 1, typeVector, byte(len(windowKinds)), typeI64}}
	t.op(opGlobalGet, 0)
	t.op(opLocalSet, stack)
	argument := func(offset uint64) { t.get(stack); t.op(opI64Load, 3, offset) }
	for _, size := range []uint64{0, 64} { // what is beyond the text is no program of ours
		argument(from)
		t.number(size)
		t.op(opI64Add)
		argument(length)
		t.op(opI64GtU)
		t.code = append(t.code, opIf, typeVoid, opUnreachable, opEnd)
	}
	argument(text)
	argument(from)
	t.op(opI64Add)
	t.op(opI32WrapI64)
	t.op(opLocalSet, at)
	for i := range uint64(4) {
		t.get(at)
		t.vector(vLoad, 0, 16*i)
		t.op(opLocalSet, vector)
		for k, kind := range windowKinds {
			kind.find(t, vector)
			t.vector(vHighestBits)
			t.op(opI64Extend)
			if i > 0 {
				t.number(16 * i)
				t.op(opI64Shl)
				t.get(masks + uint64(k))
				t.op(opI64Or)
			}
			t.op(opLocalSet, masks+uint64(k))
		}
	}
	for k := range uint64(len(windowKinds)) {
		argument(window)
		t.op(opI32WrapI64)
		t.get(masks + k)
		t.op(opI64Store, 3, 8*k)
	}
	t.get(stack)
	t.op(opI32Const, 8)
	t.op(opI32Add)
	t.op(opGlobalSet, 0)
	t.op(opI32Const, 0) // it returned
	t.op(opEnd)
	return t.code
}

func (t *twin) op(op byte, args ...uint64) { t.code = appendOp(t.code, op, args...) }

func (t *twin) vector(op uint64, args ...uint64) { t.op(opVector, append([]uint64{op}, args...)...) }

func (t *twin) get(local uint64) { t.op(opLocalGet, local) }

func (t *twin) number(v uint64) { t.code = appendSigned(append(t.code, opI64Const), v) }

// constant puts 16 times the same byte on the stack.
func (t *twin) constant(b byte) {
	t.vector(vConst)
	t.code = append(t.code, bytes.Repeat([]byte{b}, 16)...)
}

// within replaces bytes by ones with all bits set where they are from lo to hi, else none.
func (t *twin) within(lo, hi byte) {
	t.constant(lo)
	t.vector(vSubtract)
	t.constant(hi - lo)
	t.vector(vAtMost)
}
