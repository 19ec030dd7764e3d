package msg_test

import (
	"fmt"

	"tamp/core/format"
	"tamp/core/msg"
)

// Pair finds the call of a result.
func Example() {
	c, err := format.Parse([]byte(`[{"role":"user","content":"List the files."},
{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"README.md"}]}]`), "anthropic")
	if err != nil {
		fmt.Println(err)
		return
	}
	pairs := msg.Pair(c)
	for m := range c.Messages {
		for b, block := range c.Messages[m].Blocks {
			if block.Kind == msg.KindToolResult {
				fmt.Println(pairs.ToolName(c, msg.Ref{Message: m, Block: b}), block.Text)
			}
		}
	}
	// Output: ls README.md
}
