package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
)

// Kinds of imports and exports, besides externFunction.
const (
	externTable  = 1
	externMemory = 2
	externGlobal = 3
)

const typeFunc = 0x60

// goConvention is the type of functions with Go's calling convention: PC_B to whether the stack is unwound.
const goConvention = "\x60\x01\x7f\x01\x7f"

// unknown is no index of a type.
const unknown = 1<<64 - 1

// A program is an optimized module as far as split needs it.
type program struct {
	module    []byte
	sections  []section
	symbols   *symbols
	types     [][]byte
	goType    uint64            // index of goConvention
	functions []uint64          // types of the functions, without the imported ones
	bodies    [][]byte          // of these functions
	movable   []bool            // whether they can be in another module
	places    map[uint64]uint64 // in the table, by function index
	table     []byte            // its type
	limits    []byte            // of the memory
	globals   [][]byte          // their types
	memory    memory            // initial content
	exported  []export

	tableName, memoryName string // as exports
}

type export struct {
	name  string
	kind  byte
	index uint64
}

// An elements is a run of functions in the table.
type elements struct {
	place     uint64
	functions []uint64
}

// readProgram reads a module. symbols are those of the module before it lost its names.
func readProgram(module []byte, symbols *symbols) (*program, error) {
	sections, err := splitSections(module)
	if err != nil {
		return nil, err
	}
	p := &program{module: module, sections: sections, symbols: symbols, places: map[uint64]uint64{}, goType: unknown}
	for _, s := range sections {
		if s.id == dataSection {
			if p.memory, err = readMemory(s.body); err != nil {
				return nil, err
			}
			continue
		}
		r := reader{rest: s.body}
		p.readSection(s.id, &r)
		if r.failed {
			return nil, errModule
		}
	}
	complete := p.table != nil && p.limits != nil && p.memoryName != ""
	if p.goType == unknown || len(p.bodies) != len(p.functions) || !complete {
		return nil, errModule
	}
	for k := range p.bodies {
		can, err := p.canMove(k)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name(k), err)
		}
		p.movable = append(p.movable, can)
	}
	return p, nil
}

func (p *program) readSection(id byte, r *reader) {
	switch id {
	case typeSection:
		p.readTypes(r)
	case functionSection:
		for range r.count() {
			p.functions = append(p.functions, r.uleb())
		}
	case tableSection:
		p.table = r.only()
	case memorySection:
		p.limits = r.only()
	case globalSection:
		for range r.count() {
			p.globals = append(p.globals, r.take(2))
			r.next() // a constant
			r.byte()
		}
	case exportSection:
		for range r.count() {
			e := export{r.string(), r.byte(), r.uleb()}
			p.exported = append(p.exported, e)
			if e.kind == externMemory {
				p.memoryName = e.name
			}
		}
	case elementSection:
		p.readElements(r)
	case codeSection:
		for range r.count() {
			p.bodies = append(p.bodies, r.take(r.uleb()))
		}
	}
}

// only returns the rest of a list of one element.
func (r *reader) only() []byte {
	if r.uleb() != 1 {
		r.fail()
	}
	return r.rest
}

func (p *program) readTypes(r *reader) {
	for i := range r.count() {
		start := r.rest
		if r.byte() != typeFunc {
			r.fail()
			return
		}
		r.take(r.uleb())
		r.take(r.uleb())
		if r.failed {
			return
		}
		encoded := start[:len(start)-len(r.rest)]
		if string(encoded) == goConvention {
			p.goType = i
		}
		p.types = append(p.types, encoded)
	}
}

func (p *program) readElements(r *reader) {
	for range r.count() {
		if r.uleb() != activeSegment || r.byte() != opI32Const {
			r.fail()
			return
		}
		place := r.sleb()
		r.byte()
		for range r.count() {
			p.places[r.uleb()] = place
			place++
		}
	}
}

func (p *program) index(k int) uint64 { return p.symbols.imported + uint64(k) }

func (p *program) name(k int) string { return p.symbols.name(p.index(k)) }

// canMove reports whether a function can be in the secondary module: it has Go's calling convention and a place in the
// table, is not exported, and calls only functions that have a place.
func (p *program) canMove(k int) (bool, error) {
	_, can := p.places[p.index(k)]
	can = can && p.functions[k] == p.goType && !p.symbols.exported[p.index(k)]
	_, err := rewriteCalls(p.bodies[k], func(callee uint64) []byte {
		_, found := p.places[callee]
		can = can && found
		return nil
	})
	return can, err
}

// elements lists the functions of the table in runs. chosen returns the new index of a function, if it is one of them.
func (p *program) elements(chosen func(index uint64) (uint64, bool)) []elements {
	var all []elements
	for k := range p.bodies {
		place, found := p.places[p.index(k)]
		function, ok := chosen(p.index(k))
		if !found || !ok {
			continue
		}
		if last := len(all) - 1; last >= 0 && all[last].place+uint64(len(all[last].functions)) == place {
			all[last].functions = append(all[last].functions, function)
			continue
		}
		all = append(all, elements{place, []uint64{function}})
	}
	return all
}

// appendElements appends the body of an element section.
func appendElements(body []byte, all []elements) []byte {
	body = binary.AppendUvarint(body, uint64(len(all)))
	for _, e := range all {
		body = append(appendSleb(append(body, activeSegment, opI32Const), e.place), opEnd)
		body = binary.AppendUvarint(body, uint64(len(e.functions)))
		for _, function := range e.functions {
			body = binary.AppendUvarint(body, function)
		}
	}
	return body
}

func (r *reader) skipLocals() {
	for range r.count() {
		r.uleb()
		r.byte()
	}
}

// rewriteCalls replaces the direct calls of a function body. nil leaves a call as it is.
func rewriteCalls(body []byte, replace func(callee uint64) []byte) ([]byte, error) {
	r := reader{rest: body}
	r.skipLocals()
	var out []byte
	copied := body // what is not in out yet
	for len(r.rest) > 0 && !r.failed {
		start := r.rest
		switch start[0] {
		case opBrTable:
			r.byte()
			for n := r.count() + 1; n > 0 && !r.failed; n-- {
				r.uleb()
			}
			continue
		case opBlock, opLoop, opIf: // in hand-written functions they have results
			r.take(2)
			continue
		}
		in := r.next()
		if r.failed || in.op != opCall {
			continue
		}
		if call := replace(in.arg); call != nil {
			out = append(append(out, copied[:len(copied)-len(start)]...), call...)
			copied = r.rest
		}
	}
	if r.failed {
		return nil, errors.New("an instruction that Go's compiler is not known to emit")
	}
	return append(out, copied...), nil
}

func uleb(v uint64) []byte { return binary.AppendUvarint(nil, v) }

// text returns an encoded name.
func text(s string) []byte { return append(uleb(uint64(len(s))), s...) }

func appendSized(to, body []byte) []byte {
	return append(append(to, uleb(uint64(len(body)))...), body...)
}

func globalName(i int) string { return exportedValue + strconv.Itoa(i) }
