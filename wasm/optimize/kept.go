package main

import "strings"

// keptFunctions are functions that need more of the runtime's tables than others, by their names in the name section,
// and whether those for floats are needed (floats.go).
type keptFunctions struct {
	names   map[string]bool            // the runtime reads the name
	runtime map[string]bool            // the runtime reads how the name begins: runtimePrefix
	inlined map[string]bool            // the runtime counts the inlined calls
	floats  bool                       // the program formats or parses floats
	returns map[uint64]returnAddresses // by the number of the function; rewriteCode adds them
}

// runtimePrefix begins the names of the runtime's functions.
const runtimePrefix = "runtime."

// readKept finds the functions that need their names or inlined calls:
//   - the scheduler and the garbage collector recognize goroutines of the runtime by the prefix of their function's
//     name (isSystemGoroutine in runtime/traceback.go); without it the collector stalls;
//   - runtime.panicwrap writes the name of its caller, the wrapper of a method, to the message of the panic;
//   - the garbage collector recognizes two functions of reflect by their names (argMapInternal in runtime/stkframe.go);
//   - runtime.gorecover counts the calls between itself and the panic, inlined ones too, so that only a deferred
//     function recovers.
func readKept(sections []section) (keptFunctions, error) {
	keep := keptFunctions{
		names: set("reflect.makeFuncStub", "reflect.methodValueCall"), runtime: map[string]bool{},
		inlined: map[string]bool{}, returns: map[uint64]returnAddresses{},
	}
	symbols, err := readSymbols(sections)
	if err != nil {
		return keep, err
	}
	for _, s := range sections {
		if s.id != codeSection {
			continue
		}
		r := reader{rest: s.body}
		for k := range r.count() {
			body := r.take(r.uleb())
			if r.failed {
				return keep, errModule
			}
			name := symbols.name(symbols.imported + k)
			if strings.HasPrefix(name, runtimePrefix) {
				keep.runtime[name] = true
			}
			callees := directCalls(body)
			keep.floats = keep.floats || symbols.usesFloats(name, callees)
			for _, callee := range callees {
				switch symbols.names[callee] {
				case "runtime.panicwrap":
					keep.names[name] = true
				case "runtime.gorecover":
					keep.names[name], keep.inlined[name] = true, true // the name is how prune finds it
				}
			}
		}
	}
	return keep, nil
}
