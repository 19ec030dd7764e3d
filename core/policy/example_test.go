package policy_test

import (
	"fmt"

	"tamp/core/policy"
)

// Parse takes a preset and the values that differ from it.
func Example() {
	p, err := policy.Parse("balanced", []byte(`{"trigger":{"window":128000}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Preset, p.Trigger.Window, p.Clear.KeepRecent)
	_, err = policy.Parse("balanced", []byte(`{"clear":{"keepRecents":5}}`))
	fmt.Println(err)
	// Output:
	// balanced 128000 3
	// cannot use policy: clear.keepRecents is unknown; did you mean keepRecent? (at /policy/clear/keepRecents)
}
