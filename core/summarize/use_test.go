package summarize_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/summarize"
)

// The report of an agent is a file of its own, which the same call gets again; that of any other tool is none.
func TestReportsOfAgentsAreFiles(t *testing.T) {
	const input = `{"prompt":"Find the parser.","description":"parser"}`
	for tool, want := range map[string]string{
		"Agent": "Agent " + input, "Task": "Task " + input, "task": "task " + input, "TaskOutput": "TaskOutput " + input,
		"wait_agent": "wait_agent " + input, "new_task": "new_task " + input, "subagent": "subagent " + input,
		"WebFetch": "", "TaskCreate": "", "tas": "", "mcp__board__task": "", "": "",
	} {
		got := ""
		about := summarize.Files(tool, input, func(file, part string, changes, _ bool) {
			require.False(t, changes)
			require.Empty(t, part)
			got = file
		})
		require.Equal(t, want, got, tool)
		require.Equal(t, "Find the parser.", about)
	}
}
