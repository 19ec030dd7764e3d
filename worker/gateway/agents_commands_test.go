//go:build agents && !js

package gateway_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The commands of tamp/pi and tamp/opencode in the real clients: they make no call, and a pin is in the next request.
func TestAgentsCommands(t *testing.T) {
	t.Run("pi", piCommands)
	t.Run("opencode", openCodeCommands)
}

func piCommands(t *testing.T) {
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

func openCodeCommands(t *testing.T) {
	npm, err := filepath.Abs("wasm/npm")
	require.NoError(t, err)
	c := *openCode.with(unboundModel)
	l := newLine(t, &c, shortRounds, 0)
	command := c.command
	c.command = func(t *testing.T, a agentRun) ([]string, []string) {
		a.write(t, ".npmrc", "fetch-retries=0\n") // it installs a package for its plugins, which takes a minute to fail
		a.write(t, "work/.opencode/plugins/tamp.js", fmt.Sprintf("import { load } from %q;\n"+
			"import { commands } from %q;\nexport const Tamp = commands(await load());\n", npm+"/index.js", npm+"/opencode.js"))
		return command(t, a)
	}
	a := c.run(t, l.front.URL)
	require.Contains(t, a.out, lastAnswer)
	calls := len(l.fake.Calls())
	say := func(words ...string) {
		arguments, environment := openCodeRun(a, append([]string{"run", "-m", "x/" + a.model, "--continue"}, words...)...)
		out, err := a.start(arguments, environment)
		if words[0] == "--command" { // the command ends as an error, or it would make a request
			require.Error(t, err)
		} else {
			require.NoError(t, err, "%s", out)
		}
	}
	for _, name := range []string{"preview", "lost", "undo", "pin"} {
		say("--command", "tamp-"+name, "french")
		require.Len(t, l.fake.Calls(), calls, "%s makes no call", name)
	}
	say(nextPrompt)
	all := l.fake.Calls()
	last := string(all[len(all)-1].Body)
	require.Len(t, all, calls+1)
	require.Empty(t, all[calls].Problems)
	require.Contains(t, last, "for the rest of this session: french")
	require.NotContains(t, last, "1 pinned", "what a command says is for the user")
	arguments, environment := openCodeRun(a, "session", "list")
	list, err := a.start(arguments, environment)
	require.NoError(t, err, "%s", list)
	arguments, environment = openCodeRun(a, "export", regexp.MustCompile(`ses_\w+`).FindString(string(list)))
	export, err := a.start(arguments, environment)
	require.NoError(t, err, "%s", export)
	require.Contains(t, string(export), "1 pinned")
}
