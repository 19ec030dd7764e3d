//go:build agents && !js

package gateway_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The commands of tamp/pi in the real pi: they make no call, and a pin is in the next request.
func TestAgentsCommands(t *testing.T) {
	npm, err := filepath.Abs("wasm/npm")
	require.NoError(t, err)
	c := *pi.with(unboundModel)
	l := newLine(t, &c, shortRounds, 0)
	said := task
	command := c.command
	c.command = func(t *testing.T, a agentRun) ([]string, []string) {
		a.write(t, ".pi/agent/extensions/tamp.js", fmt.Sprintf("import { load } from %q;\nimport { commands } from %q;\n"+
			"export default commands(await load());\n", npm+"/index.js", npm+"/pi.js"))
		return command(t, a)
	}
	a := c.run(t, l.front.URL)
	require.Contains(t, a.out, lastAnswer)
	calls := len(l.fake.Calls())
	say := func(text string) {
		arguments, environment := c.command(t, a)
		for i := range arguments {
			if arguments[i] == said {
				arguments[i] = text
			}
		}
		out, err := a.start(append(arguments, "--continue"), environment)
		require.NoError(t, err, "%s", out)
	}
	for _, text := range []string{"/tamp-preview", "/tamp-lost", "/tamp-undo", "/tamp-pin answer in French"} {
		say(text)
		require.Len(t, l.fake.Calls(), calls, "%s makes no call", text)
	}
	say(nextPrompt)
	all := l.fake.Calls()
	require.Len(t, all, calls+1)
	require.Empty(t, all[calls].Problems)
	require.Contains(t, string(all[calls].Body), "answer in French")
}
