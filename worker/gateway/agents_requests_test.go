//go:build agents && !js

package gateway_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shape is what a client's first request with tools has: the names of its headers and of the members of its body.
type shape struct{ Headers, Members []string }

const shapesFile = "worker/gateway/agents/requests.json"

// The first request of each client has the headers and members that are listed for its version: a new version may
// need a new rule in the gateway or in the provider of these tests. With UPDATE=1 the list is written
// (`make update-agents`).
func TestAgentsRequests(t *testing.T) {
	now := map[string]shape{}
	for _, c := range []*client{claudeCode.with(boundModel), pi.with(boundModel), copilot.with(boundModel),
		qwen.with(boundModel), openCodeMessages.with(boundModel), codex.with("gpt-6.1")} {
		l := newLine(t, c, 1, 0)
		c.run(t, l.front.URL)
		for _, e := range l.exchanges {
			if s := shapeOf(e); slices.Contains(s.Members, "tools[].name") {
				now[c.name] = s
				break
			}
		}
		require.NotEmpty(t, now[c.name].Members, c.name)
	}
	if os.Getenv("UPDATE") != "" {
		text, err := json.MarshalIndent(now, "", "\t")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(shapesFile, append(text, '\n'), 0o600))
		return
	}
	text, err := os.ReadFile(shapesFile)
	require.NoError(t, err)
	var listed map[string]shape
	require.NoError(t, json.Unmarshal(text, &listed))
	require.Equal(t, listed, now)
}

func shapeOf(e *exchange) (s shape) {
	for name := range e.header {
		s.Headers = append(s.Headers, name)
	}
	var body any
	_ = json.Unmarshal(e.request, &body) // a request without a body has no members
	found := map[string]bool{}
	members(body, "", found)
	for path := range found {
		s.Members = append(s.Members, path)
	}
	slices.Sort(s.Headers)
	slices.Sort(s.Members)
	return s
}

// members adds the paths of all members, but for those of the schemas of tools.
func members(v any, path string, found map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			members(e, path+"[]", found)
		}
	case map[string]any:
		for name, e := range v {
			at := strings.TrimPrefix(path+"."+name, ".")
			found[at] = true
			if name != "input_schema" && name != "parameters" && name != "schema" {
				members(e, at, found)
			}
		}
	}
}
