package core_test

import (
	"fmt"
	"os"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/policy"
)

// The loop of a host whose policy needs no model: plan, save, apply, render.
func Example() {
	session := []byte(`[{"role":"user","content":"List the files."},
{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"README.md go.mod core wasm web docs"}]},
{"role":"assistant","content":"Six entries."}]`)

	c, err := format.Parse(session, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := policy.Parse("s06", []byte(`{"clear":{"keepRecent":0,"minChars":20}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := core.NewPlan(c, "", p, core.Env{})
	if err != nil {
		fmt.Println(err)
		return
	}
	os.Stdout.Write(core.Archive(c, plan)) // a real host saves this before it goes on
	out, err := core.Apply(c, "", p, core.Env{}, plan, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	rendered, _ := format.Render(out.Conversation)
	fmt.Println(string(rendered))
	// Output:
	// {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"README.md go.mod core wasm web docs"}]}
	// [{"role":"user","content":"List the files."},
	// {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]},
	// {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"[Previous: used ls]"}]},
	// {"role":"assistant","content":"Six entries."}]
}
