// Command traceback panics. A test reads what it prints.
package main

import "os"

func main() { fail(len(os.Args)) }

//go:noinline
func fail(n int) {
	panic(n)
}
