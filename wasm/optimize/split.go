package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// This file splits an optimized module in two. The primary module is the program without the functions of a list. The
// secondary module has those functions and nothing else: it uses the memory, the table of functions and the globals of
// the primary module, and is instantiated when the first of its functions is called.
//
//   - Go's linker puts each function into the table; code calls a function by its index or by its place in the table.
//     In the primary module, each moved function becomes a stub at the same index and place, which calls enter.
//   - enter calls the import split.load, which instantiates the secondary module, once. The elements of that module
//     replace the stubs in the table. enter then calls what is at the stub's place.
//   - The secondary module calls functions of the primary one through the table.
//
// A call works whichever module its function is in: the list decides when the secondary module is loaded, nothing else.

// Names of the import that the host provides, and of what the secondary module imports.
const (
	hostModule    = "split"
	hostFunction  = "load"    // its argument is the place in the table
	primaryModule = "primary" // the exports of the primary module
	exportedTable = "table."  // followed by a digest, so that only modules of one program link
	exportedValue = "global." // followed by the index
)

// splitFile writes FILE.primary.wasm and FILE.secondary.wasm for a FILE.wasm that optimizeFile has rewritten. before is
// its content with names.
func splitFile(path, list string, before, after []byte) error {
	p, err := readNamed(before, after)
	if err != nil {
		return err
	}
	moved, err := readList(list)
	if err != nil {
		return err
	}
	primary, secondary, err := p.split(moved)
	if err != nil {
		return fmt.Errorf("cannot split %s: %w", path, err)
	}
	stem := strings.TrimSuffix(path, ".wasm")
	if err := os.WriteFile(stem+".primary.wasm", primary, 0o755); err != nil {
		return err
	}
	return os.WriteFile(stem+".secondary.wasm", secondary, 0o755)
}

// traceFile writes a module that calls split.load at the start of each function that can be moved, with its place in
// the table. It prints these functions: place, size and name.
func traceFile(path string, before, after []byte) error {
	p, err := readNamed(before, after)
	if err != nil {
		return err
	}
	traced, err := p.trace()
	if err != nil {
		return fmt.Errorf("cannot trace %s: %w", path, err)
	}
	for k, body := range p.bodies {
		if p.movable[k] {
			fmt.Println(p.places[p.index(k)], len(body), p.name(k))
		}
	}
	return os.WriteFile(path, traced, 0o755)
}

// readNamed reads an optimized module, with the names of the module before.
func readNamed(before, after []byte) (*program, error) {
	sections, err := splitSections(before)
	if err != nil {
		return nil, err
	}
	symbols, err := readSymbols(sections)
	if err != nil {
		return nil, err
	}
	return readProgram(after, symbols)
}

// readList reads the names of the functions to move: each line has one. A * at the end means any text; # begins a
// comment.
func readList(path string) (func(name string) bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	var prefixes []string
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if prefix, found := strings.CutSuffix(line, "*"); found {
			prefixes = append(prefixes, prefix)
		} else {
			names[line] = true
		}
	}
	return func(name string) bool {
		return names[name] || slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	}, nil
}

var errNothingToMove = errors.New("no function of the list can be moved")

// split returns the two modules. moved reports whether a function goes to the secondary module, if it can.
func (p *program) split(moved func(name string) bool) (primary, secondary []byte, err error) {
	digest := sha256.New()
	digest.Write(p.module)
	isMoved := make([]bool, len(p.bodies))
	for k := range p.bodies {
		if isMoved[k] = p.movable[k] && moved(p.name(k)); isMoved[k] {
			digest.Write(uleb(uint64(k)))
		}
	}
	if !slices.Contains(isMoved, true) {
		return nil, nil, errNothingToMove
	}
	p.tableName = exportedTable + hex.EncodeToString(digest.Sum(nil)[:8])
	places := map[uint64]bool{}
	for k, moved := range isMoved {
		if moved && !strings.HasPrefix(p.name(k), "runtime.") {
			places[p.places[p.index(k)]] = true
		}
	}
	data, err := p.memory.takeTables(func(place uint64) bool { return places[place] })
	if err != nil {
		return nil, nil, err
	}
	primary, err = p.withImport(func(k int, renumbered []byte) []byte {
		if isMoved[k] {
			return p.stub(k)
		}
		return renumbered
	})
	if err != nil {
		return nil, nil, err
	}
	secondary, err = p.secondary(isMoved, data)
	return primary, secondary, err
}

// stub is the body of a moved function in the primary module: enter(pc, place).
func (p *program) stub(k int) []byte {
	code := appendSleb([]byte{0, opLocalGet, 0, opI32Const}, p.places[p.index(k)])
	return append(appendOp(code, opCall, p.enterIndex()), opEnd)
}

// enterIndex is the index of enter, which is the last function, after the import.
func (p *program) enterIndex() uint64 { return p.index(len(p.bodies)) + 1 }

// enter is the body of the function that the stubs call, with PC_B and the place. The global behind those of the
// program is not 0 once the secondary module is there.
func (p *program) enter() []byte {
	loaded := uint64(len(p.globals))
	code := append(appendOp([]byte{0}, opGlobalGet, loaded), opI32Eqz, opIf, typeVoid)
	code = appendOp(appendOp(code, opLocalGet, 1), opCall, 0)
	code = append(appendOp(append(code, opI32Const, 1), opGlobalSet, loaded), opEnd)
	code = appendOp(appendOp(code, opLocalGet, 0), opLocalGet, 1)
	return append(appendOp(code, opCallIndirect, p.goType, 0), opEnd)
}

// trace returns the program with a call of split.load at the start of each function that can be moved.
func (p *program) trace() ([]byte, error) {
	return p.withImport(func(k int, renumbered []byte) []byte {
		if !p.movable[k] {
			return renumbered
		}
		r := reader{rest: renumbered}
		r.skipLocals()
		call := appendOp(appendSleb([]byte{opI32Const}, p.places[p.index(k)]), opCall, 0)
		return slices.Concat(renumbered[:len(renumbered)-len(r.rest)], call, r.rest)
	})
}

// The types of split.load and of enter.
var (
	loadType  = []byte{typeFunc, 1, typeI32, 0}
	enterType = []byte{typeFunc, 2, typeI32, typeI32, 1, typeI32}
)

// withImport returns the program with the import split.load and with enter. The import comes before all functions, so
// their indexes grow by one. body returns the body of each function.
func (p *program) withImport(body func(k int, renumbered []byte) []byte) ([]byte, error) {
	var sections []section
	importType := uint64(len(p.types))
	for _, s := range p.sections {
		r := reader{rest: s.body}
		count := r.uleb()
		changed := s.body
		switch s.id {
		case typeSection:
			changed = slices.Concat(uleb(count+2), r.rest, loadType, enterType)
		case importSection:
			load := slices.Concat(text(hostModule), text(hostFunction), []byte{externFunction}, uleb(importType))
			changed = slices.Concat(uleb(count+1), load, r.rest)
		case functionSection:
			changed = slices.Concat(uleb(count+1), r.rest, uleb(importType+1))
		case globalSection:
			changed = slices.Concat(uleb(count+1), r.rest, []byte{typeI32, 1, opI32Const, 0, opEnd})
		case exportSection:
			changed = p.exports()
		case elementSection:
			changed = appendElements(nil, p.elements(func(index uint64) (uint64, bool) { return index + 1, true }))
		case codeSection:
			changed = uleb(count + 1)
			for k, code := range p.bodies {
				renumbered, err := rewriteCalls(code, func(callee uint64) []byte { return appendOp(nil, opCall, callee+1) })
				if err != nil {
					return nil, fmt.Errorf("%s: %w", p.name(k), err)
				}
				changed = appendSized(changed, body(k, renumbered))
			}
			changed = appendSized(changed, p.enter())
		case dataSection:
			changed = p.memory.dataSection()
		}
		sections = append(sections, section{s.id, changed})
	}
	return joinSections(sections), nil
}

// exports are those of the program, and what the secondary module imports.
func (p *program) exports() []byte {
	body := uleb(uint64(len(p.exported) + 1 + len(p.globals)))
	for _, e := range p.exported {
		if e.kind == externFunction {
			e.index++
		}
		body = slices.Concat(body, text(e.name), []byte{e.kind}, uleb(e.index))
	}
	body = slices.Concat(body, text(p.tableName), []byte{externTable, 0})
	for i := range p.globals {
		body = slices.Concat(body, text(globalName(i)), []byte{externGlobal}, uleb(uint64(i)))
	}
	return body
}

// secondary returns the module with the moved functions.
func (p *program) secondary(isMoved []bool, data []dataSegment) ([]byte, error) {
	own := map[uint64]uint64{} // indexes in the secondary module by those in the program; it imports no functions
	var functions, code []byte
	for k, moved := range isMoved {
		if moved {
			own[p.index(k)] = uint64(len(own))
			functions = append(functions, uleb(p.functions[k])...)
		}
	}
	call := func(callee uint64) []byte {
		if index, found := own[callee]; found {
			return appendOp(nil, opCall, index)
		}
		place := appendSleb([]byte{opI32Const}, p.places[callee])
		return appendOp(place, opCallIndirect, p.functions[callee-p.symbols.imported], 0)
	}
	for k, moved := range isMoved {
		if !moved {
			continue
		}
		body, err := rewriteCalls(p.bodies[k], call)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name(k), err)
		}
		code = appendSized(code, body)
	}
	count := uleb(uint64(len(own)))
	elements := p.elements(func(index uint64) (uint64, bool) { to, found := own[index]; return to, found })
	return joinSections([]section{
		{typeSection, slices.Concat(uleb(uint64(len(p.types))), slices.Concat(p.types...))},
		{importSection, p.imports()},
		{functionSection, slices.Concat(count, functions)},
		{elementSection, appendElements(nil, elements)},
		{codeSection, slices.Concat(count, code)},
		{dataSection, appendSegments(nil, data)},
	}), nil
}

// imports are the table, the memory and the globals of the primary module.
func (p *program) imports() []byte {
	body := uleb(uint64(2 + len(p.globals)))
	add := func(exported string, kind byte, of []byte) {
		body = slices.Concat(body, text(primaryModule), text(exported), []byte{kind}, of)
	}
	add(p.tableName, externTable, p.table)
	add(p.memoryName, externMemory, p.limits)
	for i, of := range p.globals {
		add(globalName(i), externGlobal, of)
	}
	return body
}
