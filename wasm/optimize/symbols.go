package main

import (
	"fmt"
	"slices"
	"strings"
)

// symbols are what this command has to know of the functions, which it refers to by index: the imported ones come
// first.
type symbols struct {
	names    map[uint64]string
	exported map[uint64]bool
	imported uint64 // number of imported functions
}

// readSymbols reads the import, export and name sections.
func readSymbols(sections []section) (*symbols, error) {
	m := &symbols{names: map[uint64]string{}, exported: map[uint64]bool{}}
	for _, s := range sections {
		r := reader{rest: s.body}
		switch s.id {
		case importSection:
			m.imported = r.count()
			for range m.imported {
				r.string()
				r.string()
				if r.failed || r.byte() != externFunction { // Go imports functions only
					return nil, errModule
				}
				r.uleb()
			}
		case exportSection:
			for range r.count() {
				r.string()
				kind, index := r.byte(), r.uleb()
				if kind == externFunction {
					m.exported[index] = true
				}
				if r.failed {
					return nil, errModule
				}
			}
		case customSection:
			if r.string() == "name" {
				m.readNames(&r)
			}
		}
		if r.failed {
			return nil, errModule
		}
	}
	if len(m.names) == 0 {
		return nil, errNames
	}
	return m, nil
}

const externFunction = 0 // the kind of an import or export

func (m *symbols) readNames(r *reader) {
	const functionNames = 1
	for len(r.rest) > 0 {
		kind := r.byte()
		list := reader{rest: r.take(r.uleb())}
		if kind != functionNames {
			continue
		}
		for range list.count() {
			index := list.uleb()
			m.names[index] = list.string()
			if list.failed {
				r.fail()
				return
			}
		}
	}
}

// name returns the name of a function for messages.
func (m *symbols) name(index uint64) string {
	if name := m.names[index]; name != "" {
		return name
	}
	return fmt.Sprintf("function %d", index)
}

// deferReturn runs the deferred calls of its caller.
const deferReturn = "runtime.deferreturn"

// callsDeferReturn reports whether a function may resume at a call of runtime.deferreturn after a recovered panic.
func (m *symbols) callsDeferReturn(f *function) bool {
	for _, callee := range f.callees {
		if m.names[callee] == deferReturn {
			return true
		}
	}
	return false
}

// hasOtherAddresses reports whether the runtime uses other addresses of a function than its return addresses:
//   - where it calls runtime.deferreturn, and where it inlined a call (kept.go);
//   - the second one of runtime.goexit, to which the function of a goroutine returns.
func (m *symbols) hasOtherAddresses(index uint64, body []byte) bool {
	return m.names[index] == "runtime.goexit" || slices.ContainsFunc(directCalls(body), func(callee uint64) bool {
		return m.names[callee] == deferReturn || m.names[callee] == "runtime.gorecover"
	})
}

// neverReturns reports whether the compiler ends a basic block with a call of this function, because it does not
// return.
func (m *symbols) neverReturns(callee uint64) bool { return neverReturn[m.names[callee]] }

// neverContinues reports whether a function never returns to its caller except to unwind the stack: those that
// neverReturn, the signal handler, and the growth of the stack, which restarts the caller.
func (m *symbols) neverContinues(callee uint64) bool {
	return neverReturn[m.names[callee]] || restarts[m.names[callee]]
}

var restarts = set("runtime.sigpanic", "runtime.morestack", "runtime.morestack_noctxt")

var neverReturn = set("runtime.gopanic", "runtime.panicdivide", "runtime.panicshift", "runtime.panicwrap",
	"runtime.panicmakeslicelen", "runtime.panicmakeslicecap", "runtime.panicdottypeE", "runtime.panicdottypeI",
	"runtime.panicnildottype", "runtime.panicrangestate", "runtime.throw",
	"runtime.goPanicIndex", "runtime.goPanicIndexU", "runtime.goPanicSliceAlen", "runtime.goPanicSliceAlenU",
	"runtime.goPanicSliceAcap", "runtime.goPanicSliceAcapU", "runtime.goPanicSliceB", "runtime.goPanicSliceBU",
	"runtime.goPanicSlice3Alen", "runtime.goPanicSlice3AlenU", "runtime.goPanicSlice3Acap", "runtime.goPanicSlice3AcapU",
	"runtime.goPanicSlice3B", "runtime.goPanicSlice3BU", "runtime.goPanicSlice3C", "runtime.goPanicSlice3CU",
	"runtime.goPanicSliceConvert")

// ownConvention are the routines of the runtime without the standard prologue (notUsePC_B in cmd/internal/obj/wasm),
// the linker's build ID, and runtime.reflectcall, whose control flow is hand-written. The linker replaces characters
// outside of [0-9A-Za-z_.] in names by _.
var ownConvention = set("_rt0_wasm_js", "_rt0_wasm_wasip1", "_rt0_wasm_wasip1_lib",
	"wasm_export_run", "wasm_export_resume", "wasm_export_getsp", "wasm_pc_f_loop", "wasm_pc_f_loop_export",
	"gcWriteBarrier", "runtime.gcWriteBarrier1", "runtime.gcWriteBarrier2", "runtime.gcWriteBarrier3",
	"runtime.gcWriteBarrier4",
	"runtime.gcWriteBarrier5", "runtime.gcWriteBarrier6", "runtime.gcWriteBarrier7", "runtime.gcWriteBarrier8",
	"runtime.notInitialized", "runtime.wasmDiv", "runtime.wasmTruncS", "runtime.wasmTruncU",
	"cmpbody", "memeqbody", "memcmp", "memchr", "go_buildid", "runtime.reflectcall")

func set(names ...string) map[string]bool {
	s := make(map[string]bool, len(names))
	for _, name := range names {
		s[name] = true
	}
	return s
}

func hasPrefix(name string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// A detail is what tracebacks show; each includes those before it.
type detail int

const (
	withoutNames detail = iota // nothing but addresses
	withNames                  // names of functions
	withLines                  // also files, lines and inlined functions
)
