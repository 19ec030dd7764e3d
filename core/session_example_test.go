package core_test

import (
	"fmt"
	"strings"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/policy"
)

// An agent appends the messages since the last model call, and compacts before the next one.
func ExampleSession_Compact() {
	p, err := policy.Parse("s06", []byte(`{"clear":{"keepRecent":0,"minChars":20}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	empty, err := format.Parse([]byte(`[]`), "anthropic")
	if err != nil {
		fmt.Println(err)
		return
	}
	session, err := core.NewSession(empty, "", p, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	host := core.Host{Save: func(originals []byte) error {
		fmt.Println("saved:", strings.TrimSpace(string(originals))) // a real host writes them to a file
		return nil
	}}
	for _, messages := range []string{
		`[{"role":"user","content":"List the files."},
			{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]}]`,
		`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"README.md go.mod core docs"}]},
			{"role":"assistant","content":"Six entries."}]`,
	} {
		c, err := format.Parse([]byte(messages), "anthropic")
		if err != nil {
			fmt.Println(err)
			return
		}
		session.Append(c.Messages)
		_, changed, err := session.Compact(core.Env{}, host)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("changed:", changed)
	}
	sent, err := format.Render(session.Conversation())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Contains(string(sent), "[Previous: used ls]"))
	// Output:
	// changed: false
	// saved: {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"README.md go.mod core docs"}]}
	// changed: true
	// true
}
