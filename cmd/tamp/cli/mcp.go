//go:build !js

package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tamp/core/msg"
	"tamp/core/wire"
)

// mcp serves tools to an agent over stdin and stdout, until stdin ends. It writes nothing of a message to stderr.
//
// Each call of a tool is a process of its own, `tamp mcp TOOL` with the input at stdin: a large file takes its memory
// only while it is read, and a call that is cancelled ends at once.
func (c *call) mcp() (code int, err error) {
	f, err := c.sharedFolder()
	if err != nil {
		return fault, err
	}
	tools := f.tools()
	if len(c.args) > 0 {
		i := slices.IndexFunc(tools, func(t tool) bool { return t.name == c.args[0] })
		if i < 0 {
			return wrong, usageError("mcp takes no file: --root names the folder")
		}
		return f.runTool(&tools[i])
	}
	program, err := os.Executable()
	if err != nil {
		return fault, err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "tamp", Version: wire.Version},
		&mcp.ServerOptions{Capabilities: &mcp.ServerCapabilities{}})
	running := make(chan bool, 1) // one call at a time
	no := false
	for _, t := range tools {
		mcp.AddTool(server, &mcp.Tool{Name: t.name, Description: t.description, InputSchema: t.input(),
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !t.writes, DestructiveHint: &no, OpenWorldHint: &no}},
			func(ctx context.Context, r *mcp.CallToolRequest, _ map[string]any) (*mcp.CallToolResult, any, error) {
				running <- true
				defer func() { <-running }()
				child := exec.CommandContext(ctx, program, "mcp", "--root", f.home, "--archive", f.given["archive"], t.name)
				child.Stdin = bytes.NewReader(r.Params.Arguments)
				text, err := child.Output()
				failed := err != nil
				if failed && len(text) == 0 {
					text = []byte("the call has ended: " + err.Error())
				}
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}, IsError: failed}, nil, nil
			})
	}
	m := &messages{in: bufio.NewReader(c.In), out: c.Out, changed: sync.Cond{L: &sync.Mutex{}}}
	_ = server.Run(context.Background(), &mcp.IOTransport{Reader: m, Writer: m}) // error: stdin or stdout was closed
	return done, nil
}

// maxAnswer is the maximum size of an answer, in characters: clients put it into the context of a model.
const maxAnswer = 60_000

// runTool writes the answer of one call, or its error, to stdout.
func (f *sharedFolder) runTool(t *tool) (code int, err error) {
	var in toolInput
	if err := json.NewDecoder(f.In).Decode(&in); err != nil && err != io.EOF { // no input is an empty one
		return fault, err
	}
	text, err := t.run(&in)
	var known *msg.Error
	switch n := utf8.RuneCountInString(text); {
	case errors.As(err, &known):
		code, text = fault, known.Msg
	case err != nil:
		code, text = fault, err.Error()
	case n > maxAnswer:
		text = string([]rune(text)[:maxAnswer]) + "\n[cut: " + strconv.Itoa(n) + " characters]"
	}
	_, err = io.WriteString(f.Out, text)
	return code, err
}

// messages are stdin and stdout. The SDK gets the lines that are messages of the protocol, since it ends the connection
// at another one. And it gets the end of stdin only when each call was answered, since it drops calls at the end.
type messages struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte // of a line

	changed sync.Cond
	open    int // calls without an answer
	failed  bool
}

func (m *messages) Read(to []byte) (n int, err error) {
	for len(m.rest) == 0 && err == nil {
		m.rest, err = m.in.ReadBytes('\n')
		message, wrong := jsonrpc.DecodeMessage(m.rest)
		if wrong != nil || len(m.rest) > mcp.DefaultMaxLineLength {
			m.rest = nil
		} else if r, ok := message.(*jsonrpc.Request); ok && r.IsCall() {
			m.change(1, nil)
		}
	}
	if len(m.rest) == 0 {
		m.changed.L.Lock()
		for m.open > 0 && !m.failed {
			m.changed.Wait()
		}
		m.changed.L.Unlock()
		return 0, err
	}
	n = copy(to, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

func (m *messages) Write(line []byte) (n int, err error) {
	n, err = m.out.Write(line)
	answers := 0
	if message, _ := jsonrpc.DecodeMessage(line); message != nil {
		if _, ok := message.(*jsonrpc.Response); ok {
			answers = 1
		}
	}
	m.change(-answers, err)
	return n, err
}

func (m *messages) change(open int, err error) {
	m.changed.L.Lock()
	defer m.changed.L.Unlock()
	m.open, m.failed = m.open+open, m.failed || err != nil
	m.changed.Broadcast()
}

func (m *messages) Close() error { return nil }
