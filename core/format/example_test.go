package format_test

import (
	"fmt"

	"tamp/core/format"
)

// A message without a change comes back byte for byte.
func Example() {
	c, err := format.Parse([]byte(`[{"role": "user",  "content": "List the files."}]`), "anthropic") // "": detected
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := format.Render(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(c.Messages), string(data))
	// Output: 1 [{"role": "user",  "content": "List the files."}]
}
