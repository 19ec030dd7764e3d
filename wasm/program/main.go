// Command program is the program tamp as WebAssembly, with the commands of package cli: the npm package runs it in Node
// where its native program is not installed.
package main

import (
	"os"

	"tamp/cmd/tamp/cli"
)

func main() { os.Exit(cli.Run(os.Args[1:], cli.ThisSystem())) }
