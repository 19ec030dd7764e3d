//go:build js

package main

func runCommand() {} // a Worker has no command line
