// Package cli has the commands of the program tamp, except serve: the function table has a row for each. It reads the
// command line, folders and files; packages core and cmd/tamp/audit decide what the commands say.
//
// Start with Has and Run.
package cli

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"tamp/cmd/tamp/audit"
	"tamp/core/msg"
	"tamp/core/wire"
)

// command is one row of the table.
type command struct {
	name    string
	options string // names, separated by spaces; those in switches take no value
	several bool   // takes several arguments that are no options, else one
	// raw: call.args are all arguments behind the name, unread, if the name is the first argument.
	raw bool
	// run does the command, and returns the exit code. With an error, which is printed, that is fault, or wrong for a
	// usageError.
	run func(*call) (code int, err error)
}

// table returns the rows. It is a function since commands may run others.
func table() []command {
	return []command{
		{name: "audit", options: "format preset policy window thinking threads ttl breakpoints hidden prices multipliers " +
			"totals root json", run: auditLogs},
		{name: "check", options: "format json", run: (*call).check},
		{name: "compact", options: "format preset policy window counter force keep drop summarize thinking archive discard " +
			"json", run: (*call).compact},
		{name: "convert", options: "format to", run: (*call).convert},
		{name: "count", options: "format counter json", run: (*call).count},
		{name: "doctor", options: "json", run: (*call).doctor},
		{name: "inline", run: ofPackage},
		{name: "lost", options: "format json", several: true, run: (*call).lost},
		{name: "mcp", options: "root archive", run: (*call).mcp},
		{name: "plugin", options: "project remove", run: ofPackage},
		{name: "recall", options: "archive json", run: (*call).recall},
		{name: "repair", options: "format archive discard json", run: (*call).repair},
		{name: "resume", options: "format preset policy window thinking restore json", run: (*call).resume},
		{name: "try", raw: true, run: (*call).try},
		{name: "usage", options: "format threads prices multipliers totals json", run: sumUsage},
	}
}

// ofPackage runs a command about the files of the npm package, which its cli.js has.
func ofPackage(c *call) (code int, err error) {
	return fault, errors.New(c.name + " is a command of the npm package: npx tamp " + c.name)
}

// switches are the options without a value.
var switches = []string{"discard", "force", "help", "json", "project", "remove", "version"}

// find returns the row of a command; nil if there is none.
func find(name string) *command {
	for _, row := range table() {
		if row.name == name {
			return &row
		}
	}
	return nil
}

func (c *command) has(option string) bool { return slices.Contains(strings.Fields(c.options), option) }

// Has reports that a command line is one of this package. An empty one is not, nor one with an option of serve in
// front.
func Has(args []string) bool {
	if len(args) == 0 || args[0] == "serve" {
		return false
	}
	_, err := parse(args)
	return err == nil || !strings.HasPrefix(args[0], "-")
}

// memory is the size of the heap from which on garbage is collected more often, in bytes. Below it, little garbage is
// collected: usage of 1 GB of logs takes a tenth longer with the default of 100 percent.
const memory = 1 << 30

// Run runs a command, and returns the exit code.
func Run(args []string, s System) int {
	debug.SetMemoryLimit(memory)
	debug.SetGCPercent(400)
	code, err := run(args, s)
	var known *msg.Error
	var usage usageError
	switch {
	case err == nil:
		return code
	case errors.Is(err, syscall.EPIPE):
		return done // a reader such as head may close the pipe early
	case errors.As(err, &known) && known.Path != "":
		err = errors.New(known.Msg + " (at " + known.Path + ")")
	case errors.As(err, &known):
		err = errors.New(known.Msg)
	}
	fmt.Fprintf(s.Problems, "tamp: %s\n", audit.Visible(err.Error()))
	if !errors.As(err, &usage) {
		return fault
	}
	fmt.Fprintln(s.Problems, "Run tamp --help for all commands, tamp COMMAND --help for one.")
	return wrong
}

// parse reads a command line. Of a raw command it reads only the name.
func parse(args []string) (o options, err error) {
	o.given = map[string]string{}
	if len(args) > 0 {
		if row := find(args[0]); row != nil && row.raw {
			o.name, o.args = args[0], args[1:]
			return o, nil
		}
	}
	add := func(args ...string) {
		if o.name == "" && len(args) > 0 {
			o.name, args = args[0], args[1:]
		}
		o.args = append(o.args, args...)
	}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			add(args[i+1:]...)
			return o, err
		case arg == "-h":
			arg = "--help"
		case arg == "" || arg == "-" || arg[0] != '-':
			add(arg)
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		isSwitch := slices.Contains(switches, name)
		switch {
		case arg[1] != '-' || !isSwitch && !slices.ContainsFunc(table(), func(c command) bool { return c.has(name) }):
			err = cmp.Or(err, error(usageError("there is no option "+arg)))
		case isSwitch && hasValue:
			err = cmp.Or(err, error(usageError("--"+name+" takes no value")))
		case !isSwitch && !hasValue:
			if i++; i == len(args) {
				err = cmp.Or(err, error(usageError("--"+name+" needs a value")))
				break
			}
			value = args[i]
		}
		o.given[name] = value
		o.all = append(o.all, option{name, value})
	}
	return o, err
}

func run(args []string, s System) (code int, err error) {
	o, err := parse(args)
	if err != nil {
		return 0, err
	}
	c := &call{System: s, options: o}
	row := find(o.name)
	switch {
	case o.name == "help":
		return c.print(helpOf(strings.Join(o.args[:min(len(o.args), 1)], "")))
	case o.has("help"):
		return c.print(helpOf(o.name))
	case o.has("version"):
		return c.print(wire.Version)
	case o.name == "":
		return 0, usageError("there is no command")
	case row == nil:
		return 0, usageError("the command " + o.name + " is unknown")
	}
	for _, option := range o.all {
		if !row.has(option.name) {
			return 0, usageError(o.name + " has no option --" + option.name)
		}
	}
	if len(o.args) > 1 && !row.several && !row.raw {
		return 0, usageError(o.name + " takes one file or folder")
	}
	return row.run(c)
}
