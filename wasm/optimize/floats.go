package main

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// The runtime contains the code that formats floats, and its table of powers of ten, in every program: it prints a
// panic's value that is a float, and the pace of the garbage collector for a setting of GODEBUG. If nothing else in a
// program formats or parses floats, the runtime prints none instead.

// floatPrinting are the functions of the runtime that print a float.
var floatPrinting = set("runtime.printfloat32", "runtime.printfloat64", "runtime.printcomplex64",
	"runtime.printcomplex128")

// floatCode are prefixes of the names of functions that run for floats only: all that use the table or lead to those.
var floatCode = []string{
	"internal_strconv.AppendComplex", "internal_strconv.AppendFloat", "internal_strconv.FormatComplex",
	"internal_strconv.FormatFloat", "internal_strconv.ParseComplex", "internal_strconv.ParseFloat",
	"internal_strconv.__decimal_.", "internal_strconv.atof", "internal_strconv.bigFtoa", "internal_strconv.dbox",
	"internal_strconv.eiselLemire", "internal_strconv.fixedFtoa", "internal_strconv.fmt", "internal_strconv.formatDigits",
	"internal_strconv.genericFtoa", "internal_strconv.leftShift", "internal_strconv.parseFloat",
	"internal_strconv.pow10", "internal_strconv.rightShift", "internal_strconv.roundShortest",
	"internal_strconv.trimZeros", "internal_strconv.umul",
	// since Go 1.27:
	"internal_strconv.fixedWidthFloat", "internal_strconv.ftoa", "internal_strconv.setDigits",
	"internal_strconv.shortFloat",
}

func isFloatCode(name string) bool { return floatPrinting[name] || hasPrefix(name, floatCode) }

// usesFloats reports whether a function that calls these formats or parses floats, other than to print them for the
// runtime.
func (m *symbols) usesFloats(caller string, callees []uint64) bool {
	if isFloatCode(caller) {
		return false
	}
	for _, callee := range callees {
		if name := m.names[callee]; isFloatCode(name) && !(floatPrinting[name] && strings.HasPrefix(caller, "runtime.")) {
			return true
		}
	}
	return false
}

// The table of powers of ten (internal/strconv/pow10tab.go) is that from 1e-348 to 1e347, of 128 bits each.
const powersOfTen = 696

// The first and the last 64 bits of the table, which changed its form with Go 1.27.
var powerTables = [...]struct{ first, last uint64 }{
	{0xfa8fd5a0081c0288, 0x4b7195f2d2d1a9fb},
	{0xfa8fd5a0081c0289, 0xb48e6a0d2d2e5604},
}

// clearPowers sets the table of powers of ten to zero, if there is one.
func (m memory) clearPowers() {
	for _, known := range powerTables {
		first, last := binary.LittleEndian.AppendUint64(nil, known.first), binary.LittleEndian.AppendUint64(nil, known.last)
		at := bytes.Index(m.bytes, first)
		if at < 0 || len(m.bytes)-at < 16*powersOfTen {
			continue
		}
		if table := m.bytes[at : at+16*powersOfTen]; bytes.HasSuffix(table, last) {
			clear(table)
		}
	}
}
