// Command join rewrites the wasm that Go's linker wrote, in place, so that it is smaller to download and does the same.
//
//	go run ./wasm/join wasm/npm/tamp.wasm
//
// The linker leaves out every run of eight zeros. That makes tens of thousands of data segments, whose offsets gzip cannot
// shorten, while it shortens zeros to nothing: here they become one segment, zeros and all. The memory that the program starts
// with is the same to the byte.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: join FILE.wasm")
		os.Exit(2)
	}
	if err := rewrite(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func rewrite(path string) error {
	module, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("cannot join the wasm's data: %w", err)
	}
	if module, err = joinData(module); err != nil {
		return fmt.Errorf("cannot join the data of %s: %w", path, err)
	}
	return os.WriteFile(path, module, 0o755)
}

// joinData returns the module with its data in one segment.
func joinData(module []byte) ([]byte, error) {
	sections, err := split(module)
	if err != nil {
		return nil, err
	}
	for i, s := range sections {
		if s.id != dataSection {
			continue
		}
		memory, err := readMemory(s.body)
		if err != nil {
			return nil, err
		}
		sections[i].body = memory.segment()
	}
	return join(sections), nil
}
