package cli

import "errors"

// nativeOnly is a command that WebAssembly cannot do: it cannot start programs or listen, and the protocol of mcp would
// make it 80 % larger. The npm package sets TAMP_PACKAGE to the package with the native program.
func (c *call) nativeOnly() (code int, err error) {
	return fault, errors.New(c.name + " is in the native program only: npm install " + c.variable("TAMP_PACKAGE") +
		", or set TAMP_PROGRAM to the path of one")
}

func (c *call) doctor() (code int, err error) { return c.nativeOnly() }
func (c *call) mcp() (code int, err error)    { return c.nativeOnly() }
func (c *call) try() (code int, err error)    { return c.nativeOnly() }
