// Command optimize is a post-linker for the WebAssembly modules that the Go toolchain builds. It rewrites a module in
// place: smaller when compressed, faster to run, with the same behavior, except that tracebacks name no lines and no
// inlined functions.
//
//	GOOS=js GOARCH=wasm go build -ldflags=-w -o app.wasm . && optimize app.wasm
//
// With -v it prints how many functions it rewrote and which it left unchanged, with -sizes the size of the result by
// part: code by package, and data by the tables that the linker writes. With -lines it keeps the line numbers of
// tracebacks, with -nameless it removes the names of functions and the tracebacks, too. It needs the name section of
// the module (link without -s) and removes all custom sections, so run it last.
//
// # What Go's compiler emits
//
// WebAssembly has structured control flow only: blocks, loops, ifs, and branches out of or back to them. Go's
// compiler does not recover structure. It emits each function as a dispatch loop: a loop around one nested block for
// each basic block, with a branch table at the top that is indexed by a local (PC_B in the compiler's sources). A
// jump stores the number of its target in PC_B and branches to the top of the loop. The caller passes PC_B as the
// only parameter: 0 starts the function, another number resumes it after a call, which is how a goroutine continues
// after its stack was unwound.
//
//	block                          ;; unwind exit: returns 1
//	  loop                         ;; dispatch loop
//	    block block block
//	      local.get 0  br_table …  ;; dispatch table
//	    end  A  end  B  end  C
//	  end
//	end
//
// An engine's compiler sees one loop with an indirect branch, in which every basic block is a successor of every
// other. It cannot hoist, keep values in registers or predict branches well.
//
// # What this command does
//
// Control flow (parse.go, graph.go, resume.go, emit.go). For each function:
//
//  1. parse decodes the dispatch loop into a control-flow graph of basic blocks.
//  2. newFlowGraph numbers the blocks in reverse postorder and computes the immediate dominators: K. Cooper, T.
//     Harvey, K. Kennedy, A Simple, Fast Dominance Algorithm (2001). An edge to a block with the same or a lower
//     number is a back edge, its target a loop header. The graph is reducible if each loop header dominates the
//     sources of its back edges.
//  3. addResumeEntries replaces the resume points, which are additional entries of the function, by a single entry:
//     an entry block branches on PC_B. WebAssembly loops have one entry, so a resume point inside of loops is reached
//     through their headers, the outermost first: each such header gets a dispatch block in front of it, which
//     branches on a new local, the selector.
//  4. emitter translates the graph to structured control flow: N. Ramsey, Beyond Relooper: Recursive Translation of
//     Unstructured Control Flow to Structured Control Flow (2022). A block is emitted inside of its immediate
//     dominator; a merge node (two or more forward predecessors) follows the end of a wasm block, and branches out of
//     that block reach it.
//
// Instructions (peephole.go). Short sequences become shorter ones with the same result: W. McKeeman, Peephole
// Optimization (1965). The compiler computes an address on the stack in i64; here it becomes the offset of the load or
// store. Branches to the unwind exit become returns, and a call that never continues returns the result of its callee.
//
// Functions of the runtime's features that a program cannot enable become traps (unused.go), with -nameless also those
// that print diagnostics and, in programs without floats, those that print floats (floats.go).
//
// A return address contains the number of the calling function, which becomes a local (returnaddress.go): the calls of
// all functions then have equal bytes.
//
// Data (data.go, memory.go). The linker leaves out each run of eight zero bytes, which makes tens of thousands of data
// segments. Their offsets compress badly, zeros compress to almost nothing: all segments become one, except for long
// runs of zeros. The tables that only tracebacks or the printing of floats read are set to zero (tables.go,
// floats.go). So are tables that can be computed: the module gets a start function that does (computed.go). The rest
// of the initial memory is identical.
//
// # Functions whose control flow stays unchanged
//
// By rule (restructure.go), and only these. The instructions of all but the first group become shorter all the same:
//   - runtime routines with their own calling convention or hand-written control flow, wrappers of exported
//     functions, and the build ID;
//   - functions without a jump: straight-line code, ifs and calls;
//   - functions that call runtime.deferreturn: after a recovered panic, the caller resumes them at that call;
//   - functions with irreducible control flow, which a goto can cause.
//
// # Failures
//
// Every other function must match the shape above. If one does not, or if fewer functions than usual were rewritten,
// the command fails, names the function, and does not write the file. The shape is internal to the Go toolchain and
// may change with any release, so the command also reads the Go version in the module's producers section. It rewrites
// those of the range oldestGo to newestGo only (version.go); for others it prints a warning, leaves the file unchanged
// and succeeds. To add a new release: extend the range, run this package's tests and the tests of your program as
// optimized wasm with that release, and keep the new range if they pass.
package main
