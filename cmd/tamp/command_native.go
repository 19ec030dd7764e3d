//go:build !js

package main

import (
	"os"

	"tamp/cmd/tamp/cli"
)

// runCommand runs a command of package cli, and ends the program, if the command line has one.
func runCommand() {
	if args := os.Args[1:]; cli.Has(args) {
		os.Exit(cli.Run(args, cli.ThisSystem()))
	}
}
