package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/marker"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/policy"
)

// scene returns the messages of the n-th exchange of the story: someone moves a service from one database to another,
// file by file; every fifth test run fails first, and the wishes of the user change on the way.
func scene(n int) []string {
	text := func(role, content string) string {
		return `{"role":"` + role + `","content":` + string(rawjson.Quote(content)) + `}`
	}
	call := func(id, name, input string) string {
		return fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"%s%d","name":"%s","input":%s}]}`, id, n, name, input)
	}
	result := func(id, content string) string {
		return fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s%d","content":%s}]}`, id, n,
			rawjson.Quote(content))
	}
	prompts := map[int]string{
		0:  "Move the orders service from MySQL to Postgres, one store file after the other. Never change the public API. Retry at most 3 times.",
		12: "Please also keep a short log of the changes in docs/migration.md.",
		25: "From now on, retry at most 5 times.",
		30: "Never run the tests against the production database.",
	}
	var out []string
	if prompt, ok := prompts[n]; ok {
		out = append(out, text("user", prompt))
	}
	file := fmt.Sprintf("store/orders_%02d.go", n)
	var source strings.Builder
	for i := range 14 {
		fmt.Fprintf(&source, "%4d\tfunc (s *Store%02d) Query%02d(ctx context.Context, id int) (Row, error) { return s.db.QueryRow(ctx, q%d, id) }\n",
			i+1, n, i, n*100+i)
	}
	out = append(out, call("r", "read_file", `{"path":"`+file+`"}`), result("r", source.String()))
	out = append(out, call("e", "edit_file", fmt.Sprintf(`{"path":"%s","old_string":"q%d","new_string":"pg%d"}`, file, n*100, n*100)),
		result("e", "edited "+file))
	command := fmt.Sprintf(`{"command":"go test ./store -run Orders%02d"}`, n)
	if n%5 == 0 {
		out = append(out, call("f", "bash", command), result("f",
			fmt.Sprintf("--- FAIL: TestOrders%02d\n    orders_test.go:%d: syntax error at or near LIMIT\nFAIL\nexit code 1", n, 30+n)))
		out = append(out, text("assistant", fmt.Sprintf("The LIMIT clause of %s has the MySQL order; I decided to swap offset and limit.", file)),
			text("user", "Good, go on."))
	}
	out = append(out, call("t", "bash", command), result("t", fmt.Sprintf("ok  \torders/store\t0.%02ds", n)))
	return append(out, text("assistant", fmt.Sprintf("%s is done, pg%d is in use. Next is the following file.", file, n*100)), text("user", "Next."))
}

// A long session in ten compactions, with the size, the bounds and the summaries after each, and the last context.
func TestStoryOfTenCompactions(t *testing.T) {
	convtest.Golden(t, "story/*.txtar", func(t *testing.T, s *convtest.Scenario) {
		p, err := policy.Parse("", s.Section("policy.json"))
		require.NoError(t, err)
		var messages []string
		var story strings.Builder
		state, c := core.State(""), &msg.Conversation{}
		for n, compactions := 0, 0; compactions < 10; n++ {
			messages = append(messages, scene(n)...)
			loop, err := core.NewLoop(parse(t, "["+strings.Join(messages, ",")+"]"), state, p, core.Env{})
			require.NoError(t, err)
			for loop.Plan() != nil {
				plan := loop.Plan()
				results, err := loop.Summarize()
				require.NoError(t, err)
				out, err := loop.Apply(results)
				require.NoError(t, err)
				if len(plan.Regions) == 0 {
					continue
				}
				compactions++
				fmt.Fprintf(&story, "%2d. at file %d, %s: %d tokens -> %d, target %d\n", compactions, n, plan.Trigger.Kind, out.Before, out.After,
					plan.Target)
				for m := range out.Conversation.Messages {
					if l, _ := marker.Parse(out.Conversation.Messages[m].Blocks[0].Text); l.Form == marker.Turns {
						fmt.Fprintf(&story, "      turns %d-%d, %d characters\n", l.First, l.Last,
							len(out.Conversation.Messages[m].Blocks[0].Text))
					}
				}
			}
			c, state = loop.Conversation(), loop.State()
			rendered, err := format.Render(c)
			require.NoError(t, err)
			messages = messages[:0]
			for _, m := range rawjson.Value(rendered).Elements() {
				messages = append(messages, string(m))
			}
		}
		s.Want("story.txt", []byte(story.String()))
		var context strings.Builder
		for m := range c.Messages {
			for _, block := range c.Messages[m].Blocks {
				text := block.Text
				if l, _ := marker.Parse(text); l.Form != marker.Turns && len(text) > 180 {
					text = text[:180] + "…"
				}
				fmt.Fprintf(&context, "%s, %s: %s\n", c.Messages[m].Role, block.Kind, text)
			}
		}
		s.Want("context.txt", []byte(context.String()))
		_, memory, _ := strings.Cut(context.String(), "[compacted summary")
		require.Contains(t, memory, "retry at most 5 times")
		require.Less(t, strings.Index(context.String(), "etry at most 3 times"),
			strings.Index(context.String(), "retry at most 5 times"),
			"the later wish is below the one that it replaces")
		require.Contains(t, memory, "Never run the tests against the production database")
	})
}
