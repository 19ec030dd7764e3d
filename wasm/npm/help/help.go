// Package help has the help of the program tamp, which the npm package prints, too.
//
// It is not a part of the API (see package core).
package help

import _ "embed"

// Text lists the commands and their options.
//
//go:embed help.txt
var Text string
