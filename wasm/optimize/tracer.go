package main

import (
	"slices"
	"strings"
)

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
}

// neverRun returns the functions whose bodies a trap can replace.
func (m *symbols) neverRun(d detail) map[uint64]bool {
	unused := map[uint64]bool{}
	prefixes := tracerCode
	for _, name := range m.names {
		if name == startTrace {
			prefixes = nil
		}
	}
	if d == withoutNames {
		prefixes = slices.Concat(prefixes, diagnosticCode)
	}
	for index, name := range m.names {
		for _, prefix := range prefixes {
			if strings.HasPrefix(name, prefix) && name != tracerTest {
				unused[index] = true
			}
		}
	}
	return unused
}
