//go:build !js

package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"tamp/core/wire"
	"tamp/worker"
	"tamp/worker/gateway"
)

// try runs an agent with the gateway in between, for this process only, and prints what was sent. The exit code is that
// of the agent.
func (c *call) try() (code int, err error) {
	at := slices.Index(c.args, "--")
	options := c.args[:max(at, 0)]
	if at < 0 || slices.ContainsFunc(options, func(option string) bool { return option != "--shadow" }) {
		return wrong, usageError("try is written as: tamp try [--shadow] -- CLIENT [ARGUMENTS]")
	}
	command := c.args[at+1:]
	t := trial{call: c, shadow: len(options) > 0}
	if last := len(command) - 1; last >= 0 && command[last] == "--shadow" {
		t.shadow, command = true, command[:last]
	}
	return t.run(command)
}

// trial is an agent that runs with the gateway.
type trial struct {
	*call
	shadow bool

	mutex               sync.Mutex
	calls, whole, after int // of the requests with a history, in tokens
	largest             []byte
}

func (t *trial) run(command []string) (code int, err error) {
	name := filepath.Base(strings.Join(command[:min(len(command), 1)], ""))
	name = strings.TrimSuffix(name, filepath.Ext(name)) // such as .exe or .js
	var client *client
	var names []string
	for _, known := range clients() {
		if names = append(names, known.name); known.name == name {
			client = &known
		}
	}
	if client == nil {
		return wrong, usageError("try knows no client " + cmp.Or(name, "without a name") + ": it knows " +
			strings.Join(names, ", "))
	}
	var upstreams, paths []string
	for i, base := range client.bases {
		address := strings.TrimRight(cmp.Or(t.variable(base.variable), base.address), "/")
		if address == "" {
			return wrong, usageError(name + " has no address to go through: set " + base.variable + " to that of your provider")
		}
		// The gateway knows the routes of a provider by the whole path.
		address, isVersion := strings.CutSuffix(address, "/v1")
		upstream := "provider" + strconv.Itoa(i)
		upstreams = append(upstreams, upstream+"="+address)
		if isVersion {
			upstream += "/v1"
		}
		paths = append(paths, "/"+upstream)
	}
	settings := map[string]string{"HOST": "127.0.0.1", "PORT": "0", "UPSTREAMS": strings.Join(upstreams, ","),
		"GATEWAY_KEEP": "1"}
	if t.shadow {
		settings["GATEWAY_MODE"] = "observe"
	}
	url, stop, err := worker.ServeGateway(func(name string) string {
		return cmp.Or(settings[name], t.variable(name))
	}, t.add)
	if err != nil {
		return fault, fmt.Errorf("the gateway does not start: %w", err)
	}
	code, err = t.start(client, command[0], command[1:], url, paths)
	stop()
	if err == nil {
		fmt.Fprint(t.Problems, t.summary())
	}
	return code, err
}

// add counts a request that was answered, and keeps it if it is the largest. Agents break off some when they end.
func (t *trial) add(e *gateway.Entry, request []byte) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if e.Before > 0 && e.Status > 0 {
		t.calls++
		t.whole += e.Before
		t.after += cmp.Or(e.After, e.Before)
	}
	if len(request) > len(t.largest) {
		t.largest = request
	}
}

// start runs the client on this terminal. Ctrl-C reaches it by itself; this process waits for it.
func (t *trial) start(client *client, program string, arguments []string, url string, paths []string) (code int,
	err error) {
	folder, err := os.MkdirTemp("", "tamp-try-")
	if err != nil {
		return fault, err
	}
	defer os.RemoveAll(folder)
	var urls, env []string
	for i, path := range paths {
		urls = append(urls, url+path)
		env = append(env, client.bases[i].variable+"="+url+path)
	}
	if client.point != nil {
		args, own, err := client.point(urls, folder)
		if err != nil {
			return fault, err
		}
		arguments = append(args, arguments...)
		if own != nil {
			env = own
		}
	}
	child := exec.Command(program, arguments...)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.Env = append(slices.Clone(t.Env), env...) // the last of a name is used
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := child.Start(); err != nil {
		return fault, fmt.Errorf("cannot run %s: %w", program, plainError(err))
	}
	go func() {
		for s := range signals {
			if s == syscall.SIGTERM {
				_ = child.Process.Signal(s) // an error: it has ended
			}
		}
	}()
	var exit *exec.ExitError
	if err := child.Wait(); err != nil && !errors.As(err, &exit) {
		return fault, fmt.Errorf("cannot run %s: %w", program, err)
	}
	if status, is := child.ProcessState.Sys().(syscall.WaitStatus); is && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return child.ProcessState.ExitCode(), nil
}

// summary is three lines: the tokens that were sent, those that would have been, and the names that were missed.
func (t *trial) summary() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	saved := 0 // percent
	if t.whole > 0 {
		saved = rounded(100*(t.whole-t.after), t.whole)
	}
	sent, other, would, saves := t.after, t.whole, "without Tamp it would have been", "saved"
	if t.shadow {
		sent, other, would, saves = t.whole, t.after, "with Tamp it would have been", "would save"
	}
	return fmt.Sprintf("tamp: sent: %s tokens in %s\ntamp: %s: %s tokens; Tamp %s %d %%\ntamp: missed: %s\n",
		grouped(sent), counted(t.calls, "call"), would, grouped(other), saves, saved, t.missed())
}

// missed is what the answers of the session use, and a compacted request would not have.
func (t *trial) missed() string {
	if t.largest == nil {
		return "not known: no request could be read"
	}
	var request wire.ReplayRequest
	request.Policy = []byte(t.variable("GATEWAY_POLICY"))
	replayed, _, err := wire.Call[wire.Replayed](&wire.Engine{}, "replay", &request, t.largest)
	if err != nil {
		return "not known: " + err.Error()
	}
	return cmp.Or(replayed.Misses.Text, "no answer used a name of an earlier message")
}

// grouped is a number with commas: 1,234,567.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
