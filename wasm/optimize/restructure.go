package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// An outcome is the result of restructuring a function. All but restructured leave it unchanged.
type outcome int

const (
	restructured  outcome = iota
	noJumps               // has no dispatch loop
	specialABI            // another calling convention, or hand-written: by name, or because it is exported
	deferredCalls         // may resume at its call of runtime.deferreturn
	irreducible           // has a loop with two entries
	outcomes
)

var outcomeNames = [outcomes]string{
	"restructured", "without jumps", "special calling convention", "deferred calls", "irreducible",
}

// A report holds the names of the functions by outcome.
type report [outcomes][]string

// String lists the counts, and the names for the outcomes that a change of the Go toolchain could affect.
func (r *report) String() string {
	var b strings.Builder
	for o, names := range r {
		fmt.Fprintf(&b, "%6d %s", len(names), outcomeNames[o])
		if outcome(o) >= specialABI {
			fmt.Fprintf(&b, ": %s", strings.Join(names, " "))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Bounds for check. Measured on programs of 2,600 to 9,400 functions: 66 to 78 % restructured, and per 1,000 of those
// up to one irreducible.
const (
	minRestructuredPercent = 50 // of all functions
	maxIrreduciblePercent  = 1  // of the restructured ones, rounded up
)

// check fails if the outcomes are far from those of tested programs, which is a defect of this command or a change of
// the Go toolchain.
func (r *report) check() error {
	all := 0
	for _, names := range r {
		all += len(names)
	}
	done := len(r[restructured])
	if done*100 < all*minRestructuredPercent || done == 0 {
		return fmt.Errorf("only %d of %d functions match the code that Go's compiler is known to emit, "+
			"expected at least %d %%", done, all, minRestructuredPercent)
	}
	if n := len(r[irreducible]); n > (done*maxIrreduciblePercent+99)/100 {
		return fmt.Errorf("%d of %d functions with jumps have irreducible control flow, expected at most %d %%",
			n, done+n, maxIrreduciblePercent)
	}
	return nil
}

// rewriteCode rewrites the code section.
func rewriteCode(sections []section, d detail, keep keptFunctions) (*report, error) {
	symbols, err := readSymbols(sections)
	if err != nil {
		return nil, err
	}
	var report report
	callsDefer := false
	replacements := symbols.replacements(d, keep)
	for i, s := range sections {
		if s.id != codeSection {
			continue
		}
		r := reader{rest: s.body}
		count := r.count()
		code := binary.AppendUvarint(nil, count)
		for k := range count {
			index := symbols.imported + k
			callsDefer = callsDefer || symbols.names[index] == deferReturn
			body := r.take(r.uleb())
			if r.failed {
				return nil, errModule
			}
			body, outcome, err := symbols.restructure(index, body)
			if err != nil {
				return nil, fmt.Errorf("%s is not what Go's compiler is known to emit: %w", symbols.name(index), err)
			}
			if outcome != specialABI {
				if body, err = shorten(body, symbols.neverContinues); err != nil {
					return nil, fmt.Errorf("%s: %w", symbols.name(index), err)
				}
				c, err := symbols.readCaller(body)
				if err == nil && c != nil {
					if d < withLines && outcome < deferredCalls && !symbols.hasOtherAddresses(index, body) {
						err = c.renumber()
					}
					body, keep.returns[c.address>>16] = c.body(), c.returnAddresses
				}
				if err != nil {
					return nil, fmt.Errorf("%s: %w", symbols.name(index), err)
				}
			}
			report[outcome] = append(report[outcome], symbols.name(index))
			if short := replacements[index]; short != nil {
				body = short
			}
			code = binary.AppendUvarint(code, uint64(len(body)))
			code = append(code, body...)
		}
		if r.failed || len(r.rest) > 0 {
			return nil, errModule
		}
		sections[i].body = code
	}
	if !callsDefer { // each Go program has it: runtime.main calls it
		return nil, fmt.Errorf("no function is named %s: functions with deferred calls would not be recognized", deferReturn)
	}
	return &report, report.check()
}

// restructure returns the body of a function with structured control flow, or the same body. A body of an unknown
// shape is an error.
func (m *symbols) restructure(index uint64, body []byte) ([]byte, outcome, error) {
	p := newParser(body, m.neverReturns)
	standard, err := p.readPrologue()
	if err != nil {
		return nil, 0, err
	}
	if ownConvention[m.names[index]] || m.exported[index] && !standard {
		return body, specialABI, nil
	}
	if !standard {
		return nil, 0, p.unexpected("it does not begin with a load of the stack pointer")
	}
	if !p.hasDispatchLoop() {
		return body, noJumps, p.checkNoJumps()
	}
	f, err := p.parse()
	if err != nil {
		return nil, 0, err
	}
	if m.callsDeferReturn(f) {
		return body, deferredCalls, nil
	}
	switch err := f.addResumeEntries(); {
	case errors.Is(err, errIrreducible):
		return body, irreducible, nil
	case err != nil:
		return nil, 0, err
	}
	return newEmitter(f, newFlowGraph(f.blocks)).body(), restructured, nil
}
