package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// For each function the linker writes tables that give a value for each of its addresses: the size of the frame, which
// stack slots hold pointers, the line. They are written again so that more functions have equal ones, which they share.
// Where no goroutine can be, a table may have any value: one continues at the start of a function, at one of the
// return addresses, which are constants in the code, or at the call of runtime.deferreturn.

// Indexes among the tables of a function, as it refers to them: first those of its fixed part.
const (
	stackSizes = 0
	stackMaps  = 3 + 1 // the index of internal/abi/symtab.go
)

// A run is a value from an address of a function on.
type run struct {
	from  uint64
	value int64
}

// lastRun is the length of the last run of a table, which ends behind all addresses of a function.
const lastRun = 1<<16 - 1

// shareTables writes the tables of all functions again, in the order of their bytes.
func (t *functionTables) shareTables(returns map[uint64]returnAddresses) error {
	type reference struct{ at, table []byte }
	var references []reference
	for i := range t.count {
		f, err := t.entry(i)
		if err != nil {
			return err
		}
		words := [][]byte{f.fixed[atStack:][:4], f.fixed[atFile:][:4], f.fixed[atLine:][:4]}
		for k, at := range slices.Concat(words, slices.Collect(slices.Chunk(f.tables, 4))) {
			offset := binary.LittleEndian.Uint32(at)
			if offset == 0 {
				continue
			}
			table, runs := readRuns(t.tables[min(int(offset), len(t.tables)):])
			if table == nil {
				return errModule
			}
			known, isKnown := returns[uint64(f.word(0))]
			switch {
			case k == stackMaps && known.renumbered:
				table = appendRuns(nil, renumberedRuns(runs, known.before))
			case k == stackMaps && isKnown:
				table = appendRuns(nil, runsAt(runs, known.before, uint64(f.word(atDeferReturn))))
			case k == stackSizes:
				if last := runs[len(runs)-1]; known.renumbered && (len(runs) > 2 || last.from > 1) {
					return errModule // all return addresses should have one size
				}
				table = appendRuns(nil, runs)
			}
			references = append(references, reference{at, table})
		}
	}
	slices.SortStableFunc(references, func(a, b reference) int { return bytes.Compare(a.table, b.table) })
	tables := []byte{0}
	for i, r := range references {
		if i > 0 && bytes.Equal(r.table, references[i-1].table) {
			copy(r.at, references[i-1].at)
			continue
		}
		binary.LittleEndian.PutUint32(r.at, uint32(len(tables)))
		tables = append(tables, r.table...)
	}
	if len(tables) > len(t.tables) {
		return errModule
	}
	clear(t.tables[copy(t.tables, tables):])
	return nil
}

// runsAt returns the runs of a table that has the same values at the start of the function, at its return addresses,
// whose values are those of the address before, and at the call of runtime.deferreturn.
func runsAt(runs []run, returns []uint64, deferReturn uint64) []run {
	addresses := []uint64{0, deferReturn}
	for _, at := range returns {
		addresses = append(addresses, max(at, 1)-1)
	}
	slices.Sort(addresses)
	needed := runs[:1:1]
	for i, at := range addresses {
		if value := valueAt(runs, at); value != needed[len(needed)-1].value {
			needed = append(needed, run{addresses[i-1] + 1, value})
		}
	}
	return needed
}

// renumberedRuns returns the runs for return addresses 1, 2, … that have the values of those before. The value of a
// return address is that of the address before it.
func renumberedRuns(runs []run, before []uint64) []run {
	after := runs[:1:1]
	for i, at := range before {
		value := valueAt(runs, at-1)
		if i == 0 {
			after = []run{{0, value}}
		} else if value != after[len(after)-1].value {
			after = append(after, run{uint64(i), value})
		}
	}
	return after
}

// valueAt returns the value of a table at an address.
func valueAt(runs []run, address uint64) int64 {
	after, found := slices.BinarySearchFunc(runs, address, func(r run, at uint64) int { return cmp.Compare(r.from, at) })
	if !found {
		after--
	}
	return runs[after].value
}

// readRuns returns the table that all begins with, and its runs; nil if it has no end.
func readRuns(all []byte) (table []byte, runs []run) {
	r := reader{rest: all}
	next := run{0, -1}
	for {
		change := r.uleb()
		if r.failed {
			return nil, nil
		}
		if change == 0 && len(runs) > 0 {
			return all[:len(all)-len(r.rest)], runs
		}
		next.value += int64(change>>1) ^ -int64(change&1)
		runs = append(runs, next)
		next.from += r.uleb()
	}
}

// appendRuns is the inverse of readRuns, except for the length of the last run.
func appendRuns(out []byte, runs []run) []byte {
	before := int64(-1)
	for i, r := range runs {
		length := uint64(lastRun)
		if i+1 < len(runs) {
			length = runs[i+1].from - r.from
		}
		out = binary.AppendVarint(out, r.value-before)
		out = binary.AppendUvarint(out, length)
		before = r.value
	}
	return append(out, 0)
}
