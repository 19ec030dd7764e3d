package main

import (
	"bytes"
	"encoding/binary"
)

// moduleData is the record in which the runtime finds the tables of a program: moduledata in runtime/symtab.go. It has
// words of 64 bits; most are addresses.
type moduleData struct {
	words   []byte
	records int // the word with the address of the records: go:func.*
}

// The words of moduleData that all Go versions of version.go have at the same place.
const (
	headerWord    = 0 // of the tables
	unitsWord     = 4
	tablesWord    = 10
	functionsWord = 13
	indexWord     = 19 // from addresses to functions
)

// The places of the records' word, and the number of words up to the end of the longest record.
const (
	recordsGo126, recordsGo127 = 40, 43
	moduleWords                = 45
)

func (d moduleData) word(k int) uint64 { return binary.LittleEndian.Uint64(d.words[8*k:]) }

// end returns the word with the end of the tables, which follows that of the records.
func (d moduleData) end() int { return d.records + 1 }

// moduleData finds the record: it begins with the address of the tables and with that of their names, whose distance is
// in the header of the tables.
func (m memory) moduleData() (moduleData, bool) {
	const namesOffset = 32
	for table := 0; ; table++ {
		next := bytes.Index(m.bytes[table:], tableHeader)
		if next < 0 || table+next+namesOffset+8 > len(m.bytes) {
			return moduleData{}, false
		}
		table += next
		names := uint64(table) + binary.LittleEndian.Uint64(m.bytes[table+namesOffset:])
		begin := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(table)), names)
		at := bytes.Index(m.bytes, begin)
		if at < 0 || at+8*moduleWords > len(m.bytes) {
			continue
		}
		// The end of the tables is behind them. Before Go 1.27, the later place has the small number of another list.
		d := moduleData{words: m.bytes[at : at+8*moduleWords], records: recordsGo127}
		if d.word(d.end()) < d.word(functionsWord) {
			d.records = recordsGo126
		}
		return d, true
	}
}
