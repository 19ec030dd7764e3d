//go:build agents && !js

package gateway_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
)

// rebuilds checks that the session file of a run is read and written byte for byte, and that the request which is
// rebuilt from it equals the one that the provider received last, message for message.
func (c *client) rebuilds(t *testing.T, l *line, a agentRun) {
	var received []byte
	for _, e := range l.exchanges {
		if strings.Contains(string(e.request), `"tools"`) {
			received = e.request
		}
	}
	data := c.sessionFile(t, a)
	c.compare(t, data, received)
}

// compare rebuilds the request from a log, and compares it with the one that was received.
func (c *client) compare(t *testing.T, data, received []byte) {
	log, err := format.Parse(data, "")
	require.NoError(t, err)
	require.Equal(t, c.log, log.Format)
	same, err := format.Render(log)
	require.NoError(t, err)
	require.True(t, string(data) == string(same), "the log is written as it was")
	next, _, err := format.Convert(log, c.api)
	require.NoError(t, err)
	body, err := format.Render(next)
	require.NoError(t, err)
	sent, rebuilt := c.sent(t, received), c.sent(t, body)
	if first, _ := sent[0].(map[string]any); first["role"] == "system" || first["role"] == "developer" {
		sent = sent[1:] // the system prompt, which logs do not have as a message
	}
	require.Len(t, rebuilt, len(sent)+1, "the last answer comes after the last request")
	require.Contains(t, string(encode(t, rebuilt[len(sent)])), lastAnswer)
	for i := range sent {
		if !reflect.DeepEqual(sent[i], rebuilt[i]) {
			require.Equal(t, string(encode(t, sent[i])), string(encode(t, rebuilt[i])), "message %d", i)
		}
	}
}

func encode(t *testing.T, v any) []byte {
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return data
}

// sessionFile returns the file of the run's only session; of opencode, the export.
func (c *client) sessionFile(t *testing.T, a agentRun) (data []byte) {
	if c.log == "opencode" {
		var list []struct{ ID string }
		require.NoError(t, json.Unmarshal(a.openCode(t, "session", "list", "--format", "json"), &list))
		require.Len(t, list, 1)
		return a.openCode(t, "export", list[0].ID)
	}
	require.NoError(t, filepath.WalkDir(a.home, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".jsonl") {
			if text, _ := os.ReadFile(path); len(text) > len(data) {
				data = text
			}
		}
		return err
	}))
	return data
}

// reminder is a note that Claude Code adds to prompts and results when it sends them; its log does not have the text.
var reminder = regexp.MustCompile(`(?s)\s*<system-reminder>.*?</system-reminder>\s*`)

// sent lists the messages of a request, each form of the same content in the same way.
func (c *client) sent(t *testing.T, body []byte) (list []any) {
	if json.Unmarshal(body, &list) != nil {
		var request struct{ Messages, Input []any }
		require.NoError(t, json.Unmarshal(body, &request))
		list = append(request.Messages, request.Input...)
	}
	for i := range list {
		list[i] = c.plain(list[i])
	}
	return list
}

// plain removes cache_control, members that are null or the default, and reminders; a text becomes a list with one
// part.
func (c *client) plain(v any) any {
	switch v := v.(type) {
	case []any:
		var out []any
		for _, e := range v {
			if part, ok := c.plain(e).(map[string]any); !ok || part["type"] != "text" || part["text"] != "" {
				out = append(out, c.plain(e))
			}
		}
		return out
	case map[string]any:
		delete(v, "cache_control")
		if caller, _ := v["caller"].(map[string]any); v["type"] == "message" || caller["type"] == "direct" {
			delete(v, "caller") // these are the defaults
			if v["type"] == "message" {
				delete(v, "type")
			}
		}
		if text, ok := v["content"].(string); ok {
			v["content"] = []any{map[string]any{"type": "text", "text": text}}
		}
		for name, value := range v {
			if v[name] = c.plain(value); value == nil || value == false && name == "is_error" {
				delete(v, name)
			}
		}
	case string:
		if c.log == "claude-code" {
			return reminder.ReplaceAllString(v, "")
		}
	}
	return v
}

// openCode returns what opencode prints.
func (a *agentRun) openCode(t *testing.T, arguments ...string) []byte {
	arguments, environment := openCodeRun(*a, arguments...)
	command := exec.Command(arguments[0], arguments[1:]...)
	command.Dir, command.Env = a.work, a.environment(environment)
	file, err := os.Create(filepath.Join(a.home, "out.json")) // into a pipe it writes a part only
	require.NoError(t, err)
	defer file.Close()
	command.Stdout = file
	require.NoError(t, command.Run())
	out, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	return out
}
