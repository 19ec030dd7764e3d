package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"strings"
)

// The linker writes tables for the runtime: for each function its name, which line of which file an instruction comes
// from, which calls were inlined, where its arguments are, and which stack slots hold pointers. The garbage collector
// and stack growth need the last; only tracebacks read the others. These tables are a seventh of the compressed module,
// since they barely compress.
//
// Behavior that depends on them stays: panics read the name of a method's wrapper, and recover counts inlined calls, so
// functions that need those keep them (kept.go).
//
// The layout is that of runtime/symtab.go and runtime/runtime2.go, which the Go versions of version.go have in common:
//
//	header:   magic, 0, 0, 1, 8, then as 64 bits: number of functions, number of files, 0, and the offsets from the
//	          header of names, compilation units, files, tables, functions
//	list:     for each function as 32 bits: number, offset from the list; then the end of the last function
//	function: as 32 bits: number, name, size of arguments, deferreturn, and the offsets in tables of: stack sizes,
//	          files, lines; number of other tables, compilation unit, first line; 1 byte each: kind, flags, 0, number of
//	          records; as 32 bits: offsets of the other tables in tables, offsets of records from go:func.*
//	table:    pairs of varints, the end of which is a 0 that is not the first value
//	record:   stack maps, positions of stack objects, inlined calls …; its size is not written down
//
// Functions share tables and records with equal content.

// The header of the tables: the magic number of Go 1.20 and later, instructions of 1 byte, pointers of 8.
var tableHeader = []byte{0xF1, 0xFF, 0xFF, 0xFF, 0, 0, 1, 8}

const (
	tableHeaderSize = 72
	functionSize    = 44 // without the offsets of the other tables and records
	noRecord        = 1<<32 - 1
)

// The offsets of fields of a function.
const (
	atName        = 4
	atDeferReturn = 12
	atStack       = 16
	atFile        = 20
	atLine        = 24
	atCount       = 28
	atUnit        = 32
	atFirst       = 36
	atRecords     = 43 // 1 byte
)

// Indexes of the other tables and of records: internal/abi/symtab.go. Unsafe points are for preemption by signals,
// which WebAssembly does not have.
const (
	tableUnsafePoint, tableInlined, tableLiveArguments                           = 0, 2, 3
	recordInlined, recordArgumentInfo, recordLiveArgumentInfo, recordWrappedFunc = 3, 5, 6, 7
)

// functionTables are the tables of a module.
type functionTables struct {
	names, units, tables []byte
	list                 []byte // of functions, with the functions
	count                uint64
	records              []byte // from go:func.* to the end of the memory; nil if its address is unknown
	index                []byte // from addresses to functions; nil if its address is unknown
	indexAt              uint64 // its address
}

// readTables finds the tables. It returns nil if the module has none.
func (m memory) readTables() (*functionTables, error) {
	at := bytes.Index(m.bytes, tableHeader)
	if at < 0 {
		return nil, nil
	}
	all := m.bytes[at:]
	if len(all) < tableHeaderSize {
		return nil, errModule
	}
	field := func(i int) uint64 { return binary.LittleEndian.Uint64(all[8+8*i:]) }
	count, names, units, files, tables, functions := field(0), field(3), field(4), field(5), field(6), field(7)
	if names > units || units > files || files > tables || tables > functions || functions > uint64(len(all)) ||
		count > (uint64(len(all))-functions)/8 {
		return nil, errModule
	}
	t := &functionTables{
		names: all[names:units], units: all[units:tables], tables: all[tables:functions],
		list: all[functions:], count: count,
	}
	if data, found := m.moduleData(); found {
		start, from, to := data.word(data.records), data.word(indexWord), data.word(data.end())
		if end := uint64(len(m.bytes)); start > end || from > to || to > end {
			return nil, errModule
		}
		t.records, t.index, t.indexAt = m.bytes[start:], m.bytes[from:to], from
	}
	return t, nil
}

// A functionEntry is one function: its fixed part, and the offsets that follow it.
type functionEntry struct {
	fixed           []byte
	tables, records []byte // 4 bytes each
}

func (t *functionTables) entry(i uint64) (functionEntry, error) {
	start := uint64(binary.LittleEndian.Uint32(t.list[8*i+4:]))
	if start+functionSize > uint64(len(t.list)) {
		return functionEntry{}, errModule
	}
	fixed := t.list[start:]
	tables, records := uint64(binary.LittleEndian.Uint32(fixed[atCount:])), uint64(fixed[atRecords])
	if tables+records > uint64(len(fixed)-functionSize)/4 {
		return functionEntry{}, errModule
	}
	rest := fixed[functionSize:]
	return functionEntry{fixed[:functionSize], rest[:4*tables], rest[4*tables : 4*(tables+records)]}, nil
}

// prune sets to zero what the program does not need, and returns the number of functions that lost their line numbers.
// A module without tables is left unchanged.
func (m memory) prune(d detail, keep keptFunctions) (int, error) {
	t, err := m.readTables()
	if t == nil || err != nil {
		return 0, err
	}
	removed := 0
	var runtimeName uint32 // of all functions of which the runtime reads only the prefix
	uses := uses{names: make([]bool, len(t.names))}
	for i := range t.count {
		f, err := t.entry(i)
		if err != nil {
			return 0, err
		}
		name, ok := t.name(f.word(atName))
		if !ok {
			return 0, errModule
		}
		line := f.word(atLine)
		name = sectionName(name)
		keepsName := keep.names[name]
		if d == withoutNames && keep.runtime[name] && !keepsName {
			runtimeName = cmp.Or(runtimeName, f.word(atName))
			binary.LittleEndian.PutUint32(f.fixed[atName:], runtimeName)
			keepsName = true
		}
		uses.dropped = append(uses.dropped, f.forget(d, keepsName, keep.inlined[name])...)
		if line != f.word(atLine) {
			removed++
		}
		if !uses.add(t, f) {
			return 0, errModule
		}
	}
	if d < withLines {
		clear(t.units)
		clearUnused(t.names, uses.names)
	}
	uses.clearRecords(t)
	if err := t.shareTables(keep.returns); err != nil {
		return 0, err
	}
	return removed, nil
}

func (f functionEntry) word(at int) uint32 { return binary.LittleEndian.Uint32(f.fixed[at:]) }

// forget removes the references of a function to data that it does not need, and returns the records among them.
func (f functionEntry) forget(d detail, keepsName, keepsInlined bool) (records []uint32) {
	keepsName = keepsName || d > withoutNames
	keepsInlined = keepsInlined || d == withLines
	var fields []int
	if d < withLines {
		fields = append(fields, atFile, atLine, atUnit, atFirst)
	}
	if !keepsName {
		fields = append(fields, atName)
	}
	for _, at := range fields {
		clear(f.fixed[at : at+4])
	}
	for i, at := range eachWord(f.tables) {
		if i == tableUnsafePoint || i == tableLiveArguments || i == tableInlined && !keepsInlined {
			clear(at)
		}
	}
	for i, at := range eachWord(f.records) {
		switch i {
		case recordArgumentInfo, recordLiveArgumentInfo, recordWrappedFunc:
		case recordInlined:
			if keepsInlined {
				continue
			}
		default:
			continue
		}
		records = append(records, binary.LittleEndian.Uint32(at))
		binary.LittleEndian.PutUint32(at, noRecord)
	}
	return records
}

// eachWord yields the words of four bytes in list, with their indices.
func eachWord(list []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		for i := 0; 4*i < len(list); i++ {
			if !yield(i, list[4*i:4*i+4]) {
				return
			}
		}
	}
}

// name returns the name at an offset; "" at 0, which is none.
func (t *functionTables) name(at uint32) (string, bool) {
	if at == 0 {
		return "", true
	}
	name, _, ok := bytes.Cut(t.names[min(int(at), len(t.names)):], []byte{0})
	return string(name), ok
}

// sectionName returns the name of a function as the linker writes it to the name section.
func sectionName(name string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, name)
}

// uses are what some function needs.
type uses struct {
	names            []bool   // by byte
	records, dropped []uint32 // offsets
}

// add marks what a function refers to. It returns false if its name has no end.
func (u *uses) add(t *functionTables, f functionEntry) bool {
	for _, at := range eachWord(f.records) {
		u.records = append(u.records, binary.LittleEndian.Uint32(at))
	}
	return markName(t.names, u.names, f.word(atName))
}

// clearRecords sets the records that no function needs to zero. A record ends where the next one begins; the end of the
// last one is unknown.
func (u *uses) clearRecords(t *functionTables) {
	needed := map[uint32]bool{noRecord: true}
	for _, at := range u.records {
		needed[at] = true
	}
	all := slices.Concat(u.records, u.dropped)
	slices.Sort(all)
	all = slices.Compact(all)
	for i, at := range all[:max(0, len(all)-1)] {
		if next := all[i+1]; !needed[at] && next != noRecord && int(next) <= len(t.records) {
			clear(t.records[at:next])
		}
	}
}

func clearUnused(all []byte, used []bool) {
	for i := range all {
		if !used[i] {
			all[i] = 0
		}
	}
}

func markName(names []byte, used []bool, at uint32) bool {
	if at == 0 {
		return true
	}
	from := min(int(at), len(names))
	end := bytes.IndexByte(names[from:], 0)
	for i := range end + 1 {
		used[from+i] = true
	}
	return end >= 0
}
