// Command optimize rewrites the wasm that Go's compiler and linker wrote, in place, so that it is smaller to download, faster, and
// does the same.
//
//	go run ./wasm/optimize wasm/npm/tamp.wasm
//
// The linker leaves out every run of eight zeros. That makes tens of thousands of data segments, whose offsets gzip cannot
// shorten, while it shortens zeros to nothing: here they become one segment, zeros and all. The memory that the program starts
// with is the same to the byte.
//
// The compiler has no loops and no branches: each jump in a function is a number in a local, a branch to the function's begin, and a
// table there that leads on. Here a jump becomes a branch to where it goes, and a loop a loop, which an engine knows how to
// compile well. What a function computes is untouched.
//
// The compiler has no vectors either. The one function for which they matter is replaced by a twin.
//
// It needs the names of the functions, and drops them (link with -s=false).
package main

import (
	"fmt"
	"os"
	"slices"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: optimize FILE.wasm")
		os.Exit(2)
	}
	if err := rewrite(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func rewrite(path string) error {
	module, err := os.ReadFile(path)
	if err == nil {
		module, err = optimize(module)
	}
	if err != nil {
		return fmt.Errorf("cannot optimize %s: %w", path, err)
	}
	return os.WriteFile(path, module, 0o755)
}

func optimize(module []byte) ([]byte, error) {
	sections, err := split(module)
	if err != nil {
		return nil, err
	}
	if err := rewriteCode(sections); err != nil {
		return nil, err
	}
	if err := joinData(sections); err != nil {
		return nil, err
	}
	return join(slices.DeleteFunc(sections, func(s section) bool { return s.id == customSection })), nil
}
