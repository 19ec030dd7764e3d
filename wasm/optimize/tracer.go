package main

import "slices"

// The runtime contains the writer of execution traces (runtime/trace) in every program: it is called after a test
// whether tracing is enabled. Only runtime.StartTrace enables it, so without that function its code is replaced by a
// trap.

// startTrace enables tracing. The linker leaves it out of programs without runtime/trace and testing.
const startTrace = "runtime.StartTrace"

// tracerCode are prefixes of the names of functions that run only while tracing is enabled: the events, which are
// methods of the lock that traceAcquire returns then, and their callees.
var tracerCode = []string{
	"runtime.traceLocker.", "runtime.traceWriter.", "runtime.traceEventWriter.", "runtime.traceAdvance",
	"runtime.traceSyncBatch", "runtime.traceReadCPU", "runtime.traceStack", "runtime.traceRegisterLabelsAndReasons",
	"runtime.__traceMap_.", "runtime.__traceStringTable_.", "runtime.__traceStackTable_.", "runtime.__traceTypeTable_.",
	"runtime.__traceRegionAlloc_.", "runtime.__traceBuf_.", "runtime.__traceAdvancerState_.",
	"runtime.dumpStacksRec", "runtime.dumpTypesRec",
}

// tracerTest is the one of these that runs always.
const tracerTest = "runtime.traceLocker.ok"

// trap is the body of a function of any type.
var trap = []byte{0, opUnreachable, opEnd}

// diagnosticCode are prefixes of the names of functions that print for a setting of GODEBUG or before the program dies.
// Their output is of little use without the names of functions.
var diagnosticCode = []string{
	"runtime.schedtrace", "runtime.gcDumpObject", "runtime.dumpScanStats", "runtime.__hexdumper_.",
	"runtime.tracebackHexdump", "runtime.hexdumpWords", "runtime.__mspan_.reportZombies",
	"runtime.traceback1.func1", "runtime.traceback2", "runtime.printArgs", "runtime.printAncestorTraceback",
	"runtime.printCgoTraceback", "runtime.printOneCgoTraceback",
}

// tracebackCode are the functions without results that write a traceback: without names it has nothing but addresses.
// runtime.Stack returns an empty one then.
var tracebackCode = set("runtime.traceback1", "runtime.goroutineheader", "runtime.printcreatedby",
	"runtime.printcreatedby1")

// replacements returns the shorter bodies of functions: traps for those that never run, and nothing for those whose
// output is dropped.
func (m *symbols) replacements(d detail, keep keptFunctions) map[uint64][]byte {
	var unused []string
	if !m.contain(startTrace) {
		unused = tracerCode
	}
	if d == withoutNames {
		unused = slices.Concat(unused, diagnosticCode)
	}
	bodies := map[uint64][]byte{}
	for index, name := range m.names {
		switch dropsFloats := d == withoutNames && !keep.floats; {
		case dropsFloats && floatPrinting[name], d == withoutNames && tracebackCode[name]:
			bodies[index] = nothing
		case dropsFloats && isFloatCode(name), hasPrefix(name, unused) && name != tracerTest:
			bodies[index] = trap
		}
	}
	return bodies
}

func (m *symbols) contain(name string) bool {
	for _, other := range m.names {
		if name == other {
			return true
		}
	}
	return false
}
