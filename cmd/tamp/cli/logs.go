package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"tamp/cmd/tamp/audit"
	"tamp/core/replay"
	"tamp/core/wire"
)

// logs are the session logs that usage and audit read.
type logs struct {
	*call
	choice  choice
	folders []string
	logs    []audit.Log
	others  audit.Others
}

// logsOf lists the logs below the folder, or below those of the agents.
func logsOf(run *call) (c *logs, err error) {
	c = &logs{call: run, folders: run.args}
	for _, option := range run.all {
		if must := c.choice.read(option.name, option.value); must != "" {
			return nil, usageError("--" + option.name + " must be " + must)
		}
	}
	if len(c.folders) == 0 {
		projects, _ := os.ReadFile(audit.CrushProjects(c.Home, c.Env)) // nil: Crush is not installed
		for _, folder := range append(audit.Folders(c.Home, c.Env), audit.CrushDatabases(projects)...) {
			if _, err := os.Stat(folder); err == nil {
				c.folders = append(c.folders, filepath.Clean(folder))
			}
		}
	}
	if len(c.folders) == 0 {
		return nil, usageError("there is no folder of an agent on this machine: name a folder")
	}
	for _, folder := range c.folders {
		found, unread, err := below(folder, c.given["root"])
		if err != nil {
			return nil, err
		}
		chosen := audit.Choose(*found)
		c.logs = append(c.logs, chosen.Logs...)
		c.others.Unread = append(append(c.others.Unread, unread...), chosen.Unread...)
		c.others.Skipped = append(c.others.Skipped, chosen.Skipped...)
	}
	return c, nil
}

func (c *logs) threads() int {
	if n, err := strconv.Atoi(c.given["threads"]); err == nil {
		return n
	}
	return min(runtime.GOMAXPROCS(0), 8)
}

func sumUsage(run *call) (code int, err error) {
	c, err := logsOf(run)
	if err != nil {
		return 0, err
	}
	var request wire.UsageRequest
	request.Format, request.PriceChoice = c.given["format"], c.choice.PriceChoice
	all, err := each(c, true, func(e *wire.Engine, file string, text []byte) (audit.UsedFile, error) {
		used, _, err := wire.Call[replay.Used](e, "usage", &request, text)
		if err != nil {
			return audit.UsedFile{}, err
		}
		return audit.UsedFile{File: file, Used: *used}, nil
	})
	if err != nil {
		return 0, err
	}
	if c.has("json") {
		return c.json(audit.SumUp(all, c.others))
	}
	return c.print(audit.UsageReport(all, c.others, c.view()))
}

func auditLogs(run *call) (code int, err error) {
	c, err := logsOf(run)
	if err != nil {
		return 0, err
	}
	var request wire.ReplayRequest
	request.ReplayChoice, request.Format = c.choice.ReplayChoice, c.given["format"]
	request.Preset, request.Thinking = c.given["preset"], c.given["thinking"]
	if request.Policy, err = policyOf(&c.options); err != nil {
		return 0, err
	}
	all, err := each(c, false, func(e *wire.Engine, file string, text []byte) (audit.AuditedFile, error) {
		audited, _, err := wire.Call[replay.Audited](e, "audit", &request, text)
		if err != nil {
			return audit.AuditedFile{}, err
		}
		return audit.AuditedFile{File: file, Audited: *audited}, nil
	})
	if err != nil {
		return 0, err
	}
	if c.has("json") {
		return c.json(audit.Rank(all, c.others))
	}
	return c.print(audit.Report(all, c.others, c.view()))
}

func (c *logs) view() audit.View {
	noColor := slices.ContainsFunc(c.Env, func(v string) bool {
		return strings.HasPrefix(v, "NO_COLOR=") && v != "NO_COLOR=" // no-color.org
	})
	return audit.View{Folder: strings.Join(c.folders, ", "), Totals: c.given["totals"],
		Color: !noColor && c.IsTerminal(c.Out)}
}

// progress shows how many files were read, on a terminal, not more often than people see.
func (c *logs) progress() func(n int) {
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
