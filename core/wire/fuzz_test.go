package wire_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

func itoa(n int) string { return strconv.Itoa(n) }

func atoi(s string) int { n, _ := strconv.Atoi(s); return n }

// Whatever is asked of sessions, in whatever order, nothing panics, every answer is JSON, and what fails changes
// nothing. Each line is a call: the op, its header, and its body, with tabs between them.
func FuzzSessions(f *testing.F) {
	seed := func(lines ...string) { f.Add([]byte(strings.Join(lines, "\n"))) }
	openAnthropic := "open\t{\"session\":1,\"preset\":\"s06\",\"policy\":{\"clear\":{\"keepRecent\":0,\"minChars\":1}}}\t[{\"role\":\"user\",\"content\":\"Look.\"}]"
	round := "turn\t{\"session\":1}\t[{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"run\",\"input\":{}}]},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"1\",\"content\":\"a listing that is long enough to be cleared\"}]},{\"role\":\"assistant\",\"content\":\"Seen.\"}]"
	seed(openAnthropic, round, "plan\t{\"session\":1}", "apply\t{\"session\":1,\"plan\":PLAN,\"results\":[]}",
		"count\t{\"session\":1}", round, "plan\t{\"session\":1,\"force\":true}",
		"summarize\t{\"session\":1,\"plan\":PLAN}", "archive\t{\"session\":1,\"plan\":PLAN}",
		"observe\t{\"session\":1,\"usage\":{\"input\":7}}", "conversation\t{\"session\":1}", "close\t{\"session\":1}", round)
	seed("open\t{\"session\":2}\t[]",
		"append\t{\"session\":2}\t{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}", "turn\t{\"session\":2,\"usage\":{\"prompt_tokens\":9}}\t")
	seed("open\t{\"session\":3}\t{\"type\":\"user\",\"uuid\":\"a\",\"parentUuid\":null,\"message\":{\"role\":\"user\",\"content\":\"x\"}}", "append\t{\"session\":3}\t{\"type\":\"assistant\",\"uuid\":\"b\",\"parentUuid\":\"a\",\"message\":{\"id\":\"m\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"y\"}]}}", "plan\t{\"session\":3}")
	seed("open\t{\"session\":1}\t[", "open\t{}\t[]", "open\t{\"session\":1,\"counter\":\"o200k_base\"}\t[]",
		"plan\t{\"session\":-1}", "apply\t{\"session\":1}", "append\t{\"session\":1}\t7")
	f.Fuzz(func(t *testing.T, calls []byte) {
		c := &client{t: t}
		plan := "null"
		for n, line := range bytes.Split(calls, []byte("\n")) {
			if n == 40 {
				return
			}
			parts := strings.SplitN(string(line), "\t", 3)
			parts = append(parts, "", "")
			header := strings.ReplaceAll(parts[1], "PLAN", plan)
			before := make(map[int]string, 3)
			for id := 1; id <= 3; id++ {
				before[id] = c.shape(id)
			}
			out, _ := c.ask("session."+parts[0], header, parts[2])
			require.NoError(t, msg.Validate([]byte(out)), out)
			require.NotContains(t, out, `"code":"internal"`)
			if strings.HasPrefix(out, `{"error"`) {
				for id, was := range before {
					require.Equal(t, was, c.shape(id), "a call that failed changed session %d: %s", id, out)
				}
			} else if parts[0] == "plan" {
				plan = out
			}
		}
	})
}

// shape is all that can be seen of a session.
func (c *client) shape(id int) string {
	name := `{"session":` + itoa(id) + `}`
	count, _ := c.ask("session.count", name, "")
	plan, _ := c.ask("session.plan", name, "")
	_, whole := c.ask("session.conversation", name, "")
	return count + plan + whole
}
