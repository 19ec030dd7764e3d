package main

// names are what the linker calls the functions, by their index.
type names struct {
	of       map[uint64]string
	imported uint64 // how many functions the module imports: they come first
}

// readNames reads them from the section that a debugger would.
func readNames(sections []section) (names, error) {
	n := names{of: map[uint64]string{}}
	for _, s := range sections {
		r := reader{rest: s.body}
		switch s.id {
		case importSection:
			n.imported = r.number()
			for range n.imported {
				r.take(r.number())
				r.take(r.number())
				if r.byte() != 0 { // a memory, say: Go imports functions only
					return n, errModule
				}
				r.number()
			}
		case customSection:
			if string(r.take(r.number())) == "name" {
				n.read(&r)
			}
		}
		if r.short {
			return n, errModule
		}
	}
	if len(n.of) == 0 {
		return n, errNames
	}
	return n, nil
}

func (n *names) read(r *reader) {
	const functions = 1
	for len(r.rest) > 0 {
		kind := r.byte()
		list := reader{rest: r.take(r.number())}
		if kind != functions {
			continue
		}
		for range list.number() {
			index := list.number()
			n.of[index] = string(list.take(list.number()))
			if list.short {
				r.short = true
				return
			}
		}
	}
}

// panics tells whether a function is one that the compiler calls at the end of a block, and that never comes back to it.
func (n *names) panics(function uint64) bool {
	switch n.of[function] {
	case "runtime.gopanic", "runtime.panicdivide", "runtime.panicshift", "runtime.panicwrap", "runtime.panicmakeslicelen",
		"runtime.panicmakeslicecap", "runtime.panicdottypeE", "runtime.panicdottypeI", "runtime.panicnildottype",
		"runtime.panicrangestate", "runtime.throw",
		"runtime.goPanicIndex", "runtime.goPanicIndexU", "runtime.goPanicSliceAlen", "runtime.goPanicSliceAlenU",
		"runtime.goPanicSliceAcap", "runtime.goPanicSliceAcapU", "runtime.goPanicSliceB", "runtime.goPanicSliceBU",
		"runtime.goPanicSlice3Alen", "runtime.goPanicSlice3AlenU", "runtime.goPanicSlice3Acap", "runtime.goPanicSlice3AcapU",
		"runtime.goPanicSlice3B", "runtime.goPanicSlice3BU", "runtime.goPanicSlice3C", "runtime.goPanicSlice3CU",
		"runtime.goPanicSliceConvert":
		return true
	}
	return false
}

// defers tells whether a function calls another that runs what was deferred: after a panic, a caller begins at such a call.
func (n *names) defers(f *function) bool {
	for _, call := range f.calls {
		if n.of[call] == "runtime.deferreturn" {
			return true
		}
	}
	return false
}
