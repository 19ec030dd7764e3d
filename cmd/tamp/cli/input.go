package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"

	"tamp/core/msg"
	"tamp/core/wire"
)

// file is the name of the file that a command reads; "": stdin.
func (c *call) file() string {
	if len(c.args) == 0 || c.args[0] == "-" {
		return ""
	}
	return c.args[0]
}

// input reads the file of a command, or stdin, and unpacks it.
func (c *call) input() (text []byte, err error) {
	name := c.file()
	if name == "" {
		name = "stdin"
		if text, err = io.ReadAll(io.LimitReader(c.In, msg.MaxBytes+1)); len(text) > msg.MaxBytes {
			err = errors.New("at most 256 MiB are accepted")
		}
	} else if info, missing := os.Stat(name); missing == nil && info.Size() > msg.MaxBytes {
		err = fmt.Errorf("it has %d bytes, at most %d (256 MiB) are accepted", info.Size(), msg.MaxBytes)
	} else {
		text, err = os.ReadFile(name)
	}
	switch {
	case errors.Is(err, syscall.EISDIR):
		err = errors.New("it is a folder")
	case err != nil:
		err = plainError(err)
	}
	if err != nil {
		return nil, errors.New("cannot read " + name + ": " + err.Error())
	}
	if isPacked(text) {
		return new(reader).unpack(nil, text, msg.MaxBytes)
	}
	return text, nil
}

func (c *call) engine() *wire.Engine { return &wire.Engine{Vocabulary: vocabulary} }

func (c *call) conversation() *wire.ConversationRequest {
	return &wire.ConversationRequest{Format: c.given["format"]}
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
