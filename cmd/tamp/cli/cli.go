// Package cli has the commands of the program tamp, except serve: the function table has a row for each. It reads the
// command line, folders and files; packages core and cmd/tamp/audit decide what the commands say.
//
// Start with Has and Run.
package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"tamp/cmd/tamp/audit"
	"tamp/core/msg"
	"tamp/core/wire"
)

// Exit codes.
const (
	done  = 0
	fault = 1 // the input has an error, or could not be read
	wrong = 2 // wrong usage
)

// usageError is a mistake on the command line.
type usageError string

func (e usageError) Error() string { return string(e) }

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
		{name: "usage", options: "format threads prices multipliers totals json", run: sumUsage},
	}
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

// Has reports that a command line is one of this package. An empty one, and one with an option of serve in front, is not.
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

// options are a command line that was read.
type options struct {
	name  string // of the command; "": there is none
	args  []string
	all   []option
	given map[string]string // the last value of each option
}

type option struct{ name, value string }

func (o *options) has(name string) bool { _, found := o.given[name]; return found }

// values returns all values of an option.
func (o *options) values(name string) (values []string) {
	for _, one := range o.all {
		if one.name == name {
			values = append(values, one.value)
		}
	}
	return values
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

// call is a command that runs.
type call struct {
	System
	options
}

// print writes a text and a line break to stdout.
func (c *call) print(text string) (code int, err error) {
	_, err = io.WriteString(c.Out, text+"\n")
	return done, err
}

// json writes a value to stdout.
func (c *call) json(value any) (code int, err error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return fault, err
	}
	_, err = c.Out.Write(out.Bytes())
	return done, err
}

// policyOf is what differs from the preset, in a file, and the window.
func policyOf(o *options) ([]byte, error) {
	members := map[string]json.RawMessage{}
	if file := o.given["policy"]; o.has("policy") {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, plainError(err)
		}
		if json.Unmarshal(text, &members) != nil || members == nil {
			return nil, errors.New(file + " is no JSON object with parts of a policy")
		}
	}
	if o.has("window") {
		n, isWhole := whole(o.given["window"])
		if !isWhole || n == 0 {
			return nil, usageError("--window must be a number of tokens")
		}
		trigger := map[string]json.RawMessage{}
		if json.Unmarshal(members["trigger"], &trigger) != nil || trigger == nil {
			trigger = map[string]json.RawMessage{}
		}
		trigger["window"] = []byte(strconv.Itoa(n))
		members["trigger"], _ = json.Marshal(trigger)
	}
	if len(members) == 0 {
		return nil, nil
	}
	return json.Marshal(members)
}
