package summarize_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

// Work in the background stays in each summary with its ID until it ends, and the report of an agent stays then.
func TestWorkInTheBackground(t *testing.T) {
	launched := "Async agent launched successfully.\nagentId: %s (internal ID)\noutput_file: /out/%[1]s.txt"
	history := []msg.Message{
		msg.TextMessage(msg.User, "Write the first two chapters with agents, start the server, and repair the parser."),
		call("1", "Agent", `{"description":"Chapter 1","prompt":"Write chapter 1 to docs/chapter1.md"}`),
		answer("1", fmt.Sprintf(launched, "agent7f3c01"), false),
		call("2", "Agent", `{"description":"Chapter 2","prompt":"Write chapter 2 to docs/chapter2.md"}`),
		answer("2", fmt.Sprintf(launched, "agent7f3c02"), false),
		call("3", "Bash", `{"command":"npm run dev","run_in_background":true}`),
		answer("3", "Command running in background with ID: bsh_91ab. Output is being written to: /out/dev.txt", false),
		call("4", "Monitor", `{"command":"tail -f build.log"}`),
		answer("4", "Monitor started (task mon_55, timeout 3600000ms). You will be notified on each event.", false),
		call("5", "spawn_agent", `{"message":"Review the parser"}`),
		answer("5", `{"agent_id":"019a-77c1","nickname":"Ada"}`, false),
		call("6", "BashOutput", `{"bash_id":"bsh_91ab"}`),
		answer("6", "<status>running</status>\n\n<stdout>\nready on port 3000\n</stdout>", false),
	}
	notification := func(id, status, result string) msg.Message {
		return msg.TextMessage(msg.User, "<task-notification>\n<task-id>"+id+"</task-id>\n<status>"+status+
			"</status>\n<result>"+result+"</result>\n</task-notification>")
	}
	work := func(from int) (list []msg.Message) {
		for i := from; i < from+20; i++ {
			id := fmt.Sprint("work", i)
			list = append(list, call(id, "Read", fmt.Sprintf(`{"file_path":"/repo/src/parser_%d.ts"}`, i)),
				answer(id, strings.Repeat(fmt.Sprintf("export const rule_%d = parse_%d(input_%[1]d);\n", i, i*7), 20), false),
				msg.TextMessage(msg.Assistant, fmt.Sprintf("I read parser_%d.ts and decided to keep rule_%[1]d.", i)))
		}
		return list
	}
	running := []string{"agent7f3c01", "agent7f3c02", "bsh_91ab", "mon_55", "019a-77c1"}
	next := func(before string, more ...msg.Message) string {
		messages := more
		if before != "" {
			block := msg.Block{Kind: msg.KindSummary, Text: before}
			messages = append([]msg.Message{{Role: msg.User, Blocks: []msg.Block{block}}}, more...)
		}
		return summaryOf(900, messages...)
	}
	summary := next("", append(history, work(0)...)...)
	for _, id := range running {
		assert.Contains(t, summary, id)
	}
	end := notification("agent7f3c01", "completed", "docs/chapter1.md has 412 lines")
	summary = next(summary, append(work(20), end)...)
	for _, id := range running[1:] {
		assert.Contains(t, summary, id)
	}
	assert.Contains(t, summary, "in the background, completed: docs/chapter1.md has 412 lines")
	stop := []msg.Message{call("7", "KillShell", `{"shell_id":"bsh_91ab"}`), answer("7", "Successfully killed the shell", false)}
	summary = next(summary, append(stop, work(40)...)...)
	for _, text := range []string{"412 lines", "agent7f3c02", "mon_55", "019a-77c1"} {
		assert.Contains(t, summary, text)
	}
	require.NotContains(t, summary, "bsh_91ab", "it was stopped")
}

// Words of an output that are those of a start, in a line of it, are no start.
func TestOutputsLikeStarts(t *testing.T) {
	test := call("1", "Bash", `{"command":"npm test"}`)
	ran := answer("1", "Monitor started\nrunning task 5 of 9\nok 12 passed", false)
	sleep := call("2", "Bash", `{"command":"sleep 5","timeout":"5"}`)
	out := summaryOf(400, test, ran, sleep, answer("2", "slept for long", false))
	require.Contains(t, out, "`npm test` → ok 12 passed")
	require.Contains(t, out, "`sleep 5` → slept for long")

	search := call("1", "Bash", `{"command":"grep -rn agent docs"}`)
	found := answer("1", "docs/a.md:3: Async agent launched successfully. agentId: abc123\ndocs/b.md:1: agent", false)
	require.NotContains(t, summaryOf(400, search, found), "→ docs/a.md:3")
}
