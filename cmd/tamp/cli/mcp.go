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
	// An error is that stdin or stdout was closed.
	_ = server.Run(context.Background(), &mcp.IOTransport{Reader: io.NopCloser(&messages{in: bufio.NewReader(c.In)}),
		Writer: noCloser{c.Out}})
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

// messages are the lines of a reader that are messages of the protocol: the SDK ends the connection at another one.
type messages struct {
	in   *bufio.Reader
	rest []byte // of a line
}

func (m *messages) Read(to []byte) (n int, err error) {
	for len(m.rest) == 0 && err == nil {
		m.rest, err = m.in.ReadBytes('\n')
		if _, wrong := jsonrpc.DecodeMessage(m.rest); wrong != nil || len(m.rest) > mcp.DefaultMaxLineLength {
			m.rest = nil
		}
	}
	if len(m.rest) > 0 {
		err = nil // the next call has it again
	}
	n = copy(to, m.rest)
	m.rest = m.rest[n:]
	return n, err
}

type noCloser struct{ io.Writer }

func (noCloser) Close() error { return nil }
