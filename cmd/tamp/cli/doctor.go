//go:build !js

package cli

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// foundClient describes an agent on this machine.
type foundClient struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Program string   `json:"program,omitempty"` // its path; "": it is not installed
	Version string   `json:"version,omitempty"`
	Slot    string   `json:"slot"`
	Ready   []string `json:"ready"` // the set-ups that were found
	Logs    []string `json:"logs"`  // folders with its sessions
	Command string   `json:"command"`
}

// doctor lists which agents are on this machine, where Tamp gets a place in each, and the command for it.
func (c *call) doctor() (code int, err error) {
	if len(c.args) > 0 {
		return wrong, usageError("doctor takes no file")
	}
	var found []foundClient
	for _, one := range clients() {
		found = append(found, c.examine(&one))
	}
	if c.has("json") {
		return c.json(found)
	}
	return c.print(clientReport(found))
}

func (c *call) examine(one *client) foundClient {
	found := foundClient{Name: one.name, Title: one.title, Program: pathOf(one.name, c.variable("PATH")), Slot: one.slot,
		Ready: []string{}, Logs: []string{}, Command: one.command}
	if found.Program != "" {
		found.Version = versionOf(found.Program)
	}
	if one.name == "claude" {
		user := cmp.Or(c.variable("CLAUDE_CONFIG_DIR"), filepath.Join(c.Home, ".claude"))
		for _, folder := range []string{user, ".claude"} {
			folder, _ = filepath.Abs(filepath.Join(folder, "skills", "tamp")) // "": the working directory was removed
			set := "the plugin in " + folder
			if exists(filepath.Join(folder, "installed.json")) && (len(found.Ready) == 0 || found.Ready[0] != set) {
				found.Ready = append([]string{set}, found.Ready...)
			}
		}
	}
	for _, base := range one.bases {
		if url := c.variable(base.variable); url != "" {
			found.Ready = append(found.Ready, base.variable+"="+url+", which may be a gateway")
		}
	}
	for folder := range strings.FieldsSeq(one.folders) {
		if folder = filepath.Join(c.Home, folder); exists(folder) {
			found.Logs = append(found.Logs, folder)
		}
	}
	return found
}

func exists(file string) bool { _, err := os.Stat(file); return err == nil }

// pathOf returns the path of a program; "" if it is in no folder of PATH.
func pathOf(name, path string) string {
	for _, folder := range filepath.SplitList(path) {
		if file, err := exec.LookPath(filepath.Join(folder, name)); folder != "" && err == nil {
			return file
		}
	}
	return ""
}

var versionNumber = regexp.MustCompile(`\d+\.\d+\.\d+\S*`)

// versionOf returns the first version that a program prints.
func versionOf(program string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	version := exec.CommandContext(ctx, program, "--version")
	version.WaitDelay = time.Second // for a program of its own that has its output, too
	out, _ := version.Output()      // a program may print its version and fail
	return versionNumber.FindString(string(out))
}

// clientReport is what doctor prints.
func clientReport(all []foundClient) string {
	var lines, missing []string
	for _, found := range all {
		program := "is not installed, but has logs"
		switch {
		case found.Program != "":
			program = cmp.Or(found.Version, "of an unknown version") + ", " + found.Program
		case len(found.Logs) == 0:
			missing = append(missing, found.Title)
			continue
		}
		lines = append(lines, found.Title+" "+program,
			"  place:  "+found.Slot,
			"  set up: "+cmp.Or(strings.Join(found.Ready, "; "), "no"),
			"  logs:   "+cmp.Or(strings.Join(found.Logs, ", "), "none"))
		switch {
		case found.Program == "":
		case len(found.Ready) > 0:
			lines = append(lines, "  again:  "+found.Command)
		default:
			lines = append(lines, "  do:     "+found.Command)
		}
	}
	if len(missing) > 0 {
		lines = append(lines, "not here: "+strings.Join(missing, ", "))
	}
	return strings.Join(lines, "\n")
}
