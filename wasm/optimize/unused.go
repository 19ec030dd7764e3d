package main

import "slices"

// The runtime contains code in every program that can run only in some of them: that of a feature, behind a test of
// whether the program enabled it, and that of other systems. Functions with such code are replaced by traps.

// A feature is a part of the runtime that runs only after the program called one of the functions that enable it. The
// linker leaves these out of programs that do not call them.
type feature struct {
	enabled []string // by these functions; by none in WebAssembly if empty
	code    []string // prefixes of the names of the functions that run only then
}

const startTrace = "runtime.StartTrace"

var features = []feature{
	{ // execution traces: the events, which are methods of the lock that traceAcquire returns then, and their callees
		enabled: []string{startTrace},
		code: []string{
			"runtime.traceAcquireEnabled", "runtime.traceLocker.", "runtime.traceWriter.", "runtime.traceEventWriter.",
			"runtime.traceAdvance", "runtime.traceSyncBatch", "runtime.traceReadCPU", "runtime.traceStopReadCPU",
			"runtime.traceStack", "runtime.traceRegisterLabelsAndReasons", "runtime.makeTraceFrame",
			"runtime.startPCForTrace", "runtime.__traceMap_.", "runtime.__traceStringTable_.",
			"runtime.__traceStackTable_.", "runtime.__traceTypeTable_.", "runtime.__traceRegionAlloc_.",
			"runtime.__traceBuf_.", "runtime.__traceAdvancerState_.", "runtime.dumpStacksRec", "runtime.dumpTypesRec",
		},
	},
	{enabled: []string{startTrace, "runtime.SetCPUProfileRate"}, code: []string{"runtime.__profBuf_."}},
	{
		enabled: []string{"runtime.goroutineProfileWithLabelsConcurrent"},
		code:    []string{"runtime.tryRecordGoroutineProfile", "runtime.doRecordGoroutineProfile"},
	},
	{
		enabled: []string{"runtime_pprof.runtime_goroutineLeakGC"},
		code: []string{
			"runtime.findGoroutineLeaks", "runtime.findMaybeRunnableGoroutines", "runtime.allGsSnapshotSortedForGC",
		},
	},
	{enabled: []string{"internal_synctest.Run"}, code: []string{"runtime.__synctestBubble_."}},
	{ // package arena
		enabled: []string{"runtime.__mheap_.allocUserArenaChunk"},
		code:    []string{"runtime.__mspan_.setUserArenaChunkToFault"},
	},
	{ // cgo, which WebAssembly does not have
		code: []string{
			"runtime.expandCgoFrames", "runtime.cgoContextPCs", "runtime.callCgoSymbolizer", "runtime.newextram",
			"runtime.oneNewExtraM",
		},
	},
	{ // several modules: plugins, which WebAssembly does not have
		code: []string{"runtime.typesEqual"},
	},
	{code: []string{"runtime.testAtomic64"}}, // called by a function of checkCode
}

// alwaysRun are functions with such a prefix that run always.
var alwaysRun = set("runtime.traceLocker.ok")

// checkCode are the functions without results that check at each start what the toolchain wrote, or what several
// modules have in common: that instructions and the size of types are as expected, that tables are sorted.
var checkCode = set("runtime.check", "runtime.moduledataverify1", "runtime.typelinksinit")

// trap is the body of a function of any type.
var trap = []byte{0, opUnreachable, opEnd}

// nothing is the body of a function without results that returns at once: it removes its return address from the stack.
var nothing = []byte{
	0, opGlobalGet, 0, opI32Const, 8, opI32Add, opGlobalSet, 0, opI32Const, 0, opEnd,
}

// diagnosticCode are prefixes of the names of functions that check and print for a setting of GODEBUG, or print before
// the program dies. Their output is of little use without the names of functions.
var diagnosticCode = []string{
	"runtime.schedtrace", "runtime.gcDumpObject", "runtime.dumpScanStats", "runtime.__hexdumper_.",
	"runtime.tracebackHexdump", "runtime.hexdumpWords", "runtime.hexdumpMarker.", "runtime.__mspan_.reportZombies",
	"runtime.traceback1.func1", "runtime.traceback2", "runtime.tracebacksomeothers.func1", "runtime.printArgs",
	"runtime.printAncestorTraceback", "runtime.printCgoTraceback", "runtime.printOneCgoTraceback",
	"runtime.printScavTrace", "runtime.fmtNSAsMS", "runtime.checkFinalizersAndCleanups",
	"runtime.runCheckmark", "runtime.startCheckmarks", "runtime.endCheckmarks", "runtime.setCheckmark",
}

// tracebackCode are the functions without results that write a traceback: without names it has nothing but addresses.
// runtime.Stack returns an empty one then.
var tracebackCode = set("runtime.traceback1", "runtime.tracebacksomeothers", "runtime.goroutineheader",
	"runtime.printcreatedby", "runtime.printcreatedby1")

// replacements returns the shorter bodies of functions: traps for those that never run, and nothing for those whose
// output is dropped or whose checks are.
func (m *symbols) replacements(d detail, keep keptFunctions) map[uint64][]byte {
	var unused []string
	for _, f := range features {
		if !slices.ContainsFunc(f.enabled, m.contain) {
			unused = append(unused, f.code...)
		}
	}
	if d == withoutNames {
		unused = append(unused, diagnosticCode...)
	}
	bodies := map[uint64][]byte{}
	for index, name := range m.names {
		switch dropsFloats := d == withoutNames && !keep.floats; {
		case dropsFloats && floatPrinting[name], d == withoutNames && tracebackCode[name], checkCode[name]:
			bodies[index] = nothing
		case dropsFloats && isFloatCode(name), hasPrefix(name, unused) && !alwaysRun[name]:
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
