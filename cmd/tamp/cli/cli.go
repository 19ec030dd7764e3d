// Package cli has the commands of the program tamp that read the session logs of agents: usage and audit. It reads
// folders, files and the command line; package audit decides what they say.
//
// Start with Has and Run.
package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

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

// commands are the options of each command.
var commands = map[string]string{
	"audit": "format preset policy window thinking threads ttl breakpoints hidden prices multipliers totals root json",
	"usage": "format threads prices multipliers totals json",
}

func optionsOf(command string) []string { return strings.Fields(commands[command]) }

// Has reports that a command line has one of the commands.
func Has(args []string) bool {
	if len(args) > 0 && commands[args[0]] != "" {
		return true // whatever mistake follows
	}
	name, o, err := parse(args)
	return err == nil && (commands[name] != "" || name == "help" && len(o.files) > 0 && commands[o.files[0]] != "")
}

// memory is the size of the heap from which on garbage is collected more often, in bytes. Below it, little garbage is
// collected: usage of 1 GB of logs takes a tenth longer with the default of 100 percent.
const memory = 1 << 30

// Run runs a command, and returns the exit code.
func Run(args []string, s System) int {
	debug.SetMemoryLimit(memory)
	debug.SetGCPercent(400)
	err := run(args, s)
	var known *msg.Error
	var usage usageError
	switch {
	case err == nil:
		return done
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

// parse reads a command line: the command, its options as "name=value", and last the arguments that are no options.
func parse(args []string) (name string, o options, err error) {
	o.given = map[string]string{}
	var plain []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			plain = append(plain, args[i+1:]...)
			break
		}
		if arg == "-h" {
			arg = "--help"
		}
		option, isOption := strings.CutPrefix(arg, "--")
		if !isOption {
			plain = append(plain, arg)
			continue
		}
		option, value, hasValue := strings.Cut(option, "=")
		isSwitch := option == "json" || option == "help"
		switch {
		case isSwitch && hasValue:
			return "", o, usageError("--" + option + " takes no value")
		case !isSwitch && !hasValue:
			if i++; i == len(args) {
				return "", o, usageError("--" + option + " needs a value")
			}
			value = args[i]
		}
		o.given[option] = value
		o.all = append(o.all, option+"="+value)
	}
	if len(plain) == 0 {
		return "", o, usageError("there is no command")
	}
	o.files = plain[1:]
	return plain[0], o, nil
}

// options are those of a command line.
type options struct {
	given map[string]string
	all   []string // "name=value", in their order
	files []string
}

func (o *options) has(name string) bool { _, found := o.given[name]; return found }

func run(args []string, s System) error {
	name, o, err := parse(args)
	if err != nil {
		return err
	}
	if name == "help" && len(o.files) > 0 {
		name, o.given = o.files[0], map[string]string{"help": ""}
	}
	if o.has("help") {
		_, err := fmt.Fprintln(s.Out, helpOf(name))
		return err
	}
	taken := optionsOf(name)
	var chosen choice
	for _, option := range o.all {
		option, value, _ := strings.Cut(option, "=")
		if !slices.Contains(taken, option) {
			return usageError(name + " has no option --" + option)
		}
		if must := chosen.read(option, value); must != "" {
			return usageError("--" + option + " must be " + must)
		}
	}
	if len(o.files) > 1 {
		return usageError(name + " takes one file or folder")
	}
	c := &command{System: s, options: o, choice: chosen}
	if err := c.find(); err != nil {
		return err
	}
	if name == "usage" {
		return c.usage()
	}
	return c.audit()
}

// command is a command that runs.
type command struct {
	System
	options
	choice  choice
	folders []string
	logs    []audit.Log
	others  audit.Others
}

// find lists the logs below the folder, or below those of the agents.
func (c *command) find() error {
	c.folders = c.files
	if len(c.folders) == 0 {
		projects, _ := os.ReadFile(audit.CrushProjects(c.Home, c.Env)) // nil: Crush is not installed
		for _, folder := range append(audit.Folders(c.Home, c.Env), audit.CrushDatabases(projects)...) {
			if _, err := os.Stat(folder); err == nil {
				c.folders = append(c.folders, filepath.Clean(folder))
			}
		}
	}
	if len(c.folders) == 0 {
		return usageError("there is no folder of an agent on this machine: name a folder")
	}
	for _, folder := range c.folders {
		found, unread, err := below(folder, c.given["root"])
		if err != nil {
			return err
		}
		chosen := audit.Choose(*found)
		c.logs = append(c.logs, chosen.Logs...)
		c.others.Unread = append(append(c.others.Unread, unread...), chosen.Unread...)
		c.others.Skipped = append(c.others.Skipped, chosen.Skipped...)
	}
	return nil
}

func (c *command) threads() int {
	if n, err := strconv.Atoi(c.given["threads"]); err == nil {
		return n
	}
	return min(runtime.GOMAXPROCS(0), 8)
}

func (c *command) usage() error {
	var request wire.UsageRequest
	request.Format, request.PriceChoice = c.given["format"], c.choice.PriceChoice
	all, err := each(c, true, func(e *wire.Engine, file string, text []byte) (audit.UsedFile, error) {
		used, err := e.Usage(&request, text)
		if err != nil {
			return audit.UsedFile{}, err
		}
		return audit.UsedFile{File: file, Used: *used}, nil
	})
	if err != nil {
		return err
	}
	if c.has("json") {
		return c.json(audit.SumUp(all, c.others))
	}
	return c.print(audit.UsageReport(all, c.others, c.view()))
}

func (c *command) audit() error {
	var request wire.ReplayRequest
	request.ReplayChoice, request.Format = c.choice.ReplayChoice, c.given["format"]
	request.Preset, request.Thinking = c.given["preset"], c.given["thinking"]
	var err error
	if request.Policy, err = policyOf(&c.options); err != nil {
		return err
	}
	all, err := each(c, false, func(e *wire.Engine, file string, text []byte) (audit.AuditedFile, error) {
		audited, err := e.Audit(&request, text)
		if err != nil {
			return audit.AuditedFile{}, err
		}
		return audit.AuditedFile{File: file, Audited: *audited}, nil
	})
	if err != nil {
		return err
	}
	if c.has("json") {
		return c.json(audit.Rank(all, c.others))
	}
	return c.print(audit.Report(all, c.others, c.view()))
}

func (c *command) view() audit.View {
	noColor := slices.ContainsFunc(c.Env, func(v string) bool {
		return strings.HasPrefix(v, "NO_COLOR=") && v != "NO_COLOR=" // no-color.org
	})
	return audit.View{Folder: strings.Join(c.folders, ", "), Totals: c.given["totals"],
		Color: !noColor && c.IsTerminal(c.Out)}
}

func (c *command) print(text string) error {
	_, err := io.WriteString(c.Out, text+"\n")
	return err
}

func (c *command) json(value any) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := c.Out.Write(out.Bytes())
	return err
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

// progress shows how many files were read, on a terminal, not more often than people see.
func (c *command) progress() func(n int) {
	if !c.IsTerminal(c.Problems) {
		return func(int) {}
	}
	var last time.Time
	return func(n int) {
		if now := time.Now(); now.Sub(last) > 50*time.Millisecond || n == len(c.logs) {
			last = now
			end := ""
			if n == len(c.logs) {
				end = "\n"
			}
			fmt.Fprintf(c.Problems, "\r%d of %d files%s", n, len(c.logs), end)
		}
	}
}
