// Command dts writes the TypeScript declarations of all requests and answers from the Go structs and their comments.
// make types runs it from the root of the repository.
package main

import (
	"fmt"
	"os"
)

const target = "wasm/npm/wire.d.ts"

func main() {
	text, err := declarations(".")
	if err == nil {
		err = os.WriteFile(target, []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dts:", err)
		os.Exit(1)
	}
}
