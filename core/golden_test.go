package core_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/tokens"
)

var update = flag.Bool("update", false, "write what the engine does into the golden files; read the diff")

// TestGolden runs the scenarios of testdata. Each opens with prose that says what must happen and why; request.json and
// input.json go in, outcome.txt and output.json must come out.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			outcome, output := scenario(t, section(archive, "request.json"), section(archive, "input.json"))
			if *update {
				setSection(archive, "outcome.txt", outcome)
				setSection(archive, "output.json", output)
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
				return
			}
			require.Equal(t, string(section(archive, "outcome.txt")), string(outcome))
			require.Equal(t, string(section(archive, "output.json")), string(output))
		})
	}
}

// scenario plans and applies, and writes down what was decided. The second round must change nothing.
func scenario(t *testing.T, request, input []byte) (outcome, output []byte) {
	var r struct {
		Preset, Counter string
		Policy          json.RawMessage
		Force           bool
	}
	require.NoError(t, json.Unmarshal(request, &r))
	policy, err := core.ParsePolicy(r.Preset, r.Policy)
	require.NoError(t, err)
	counter, ok := tokens.Lookup(r.Counter)
	require.True(t, ok)
	env := core.Env{Count: counter, Force: r.Force}

	c, err := format.Parse(input, "")
	require.NoError(t, err)
	plan, err := core.NewPlan(c, "", policy, env)
	require.NoError(t, err)
	out, err := core.Apply(c, "", policy, env, plan, nil)
	require.NoError(t, err)
	require.Equal(t, plan.After, out.After, "the plan says what Apply will do")

	var text bytes.Buffer
	fmt.Fprintf(&text, "trigger %s %d/%d\ntokens  %d -> %d\n", plan.Trigger.Kind, plan.Trigger.Used, plan.Trigger.Limit, out.Before, out.After)
	for _, a := range out.Actions {
		fmt.Fprintf(&text, "%-13s %-25s %4d -> %-4d %s\n", a.Kind, a.Path, a.Before, a.After, a.Reason)
	}
	for _, line := range strings.Split(strings.TrimSuffix(string(core.Archive(c, plan)), "\n"), "\n") {
		if line != "" {
			fmt.Fprintf(&text, "archived      %.60s…\n", line)
		}
	}
	output, err = format.Render(out.Conversation)
	require.NoError(t, err)

	again, err := format.Parse(output, "")
	require.NoError(t, err)
	requireNoErrors(t, again)
	second, err := core.NewPlan(again, out.State, policy, env)
	require.NoError(t, err)
	require.Empty(t, second.Edits, "a second round changes nothing")
	return text.Bytes(), output
}

// requireNoErrors asserts that a provider would take the conversation.
func requireNoErrors(t require.TestingT, c *msg.Conversation) {
	for _, p := range msg.Check(c) {
		require.NotEqual(t, msg.SeverityError, p.Severity, "%s at %s: %s", p.Rule, p.Path, p.Message)
	}
}

func section(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func setSection(a *txtar.Archive, name string, data []byte) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = data
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: data})
}
