package assemble

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/tokens"
	"tamp/core/validity"
)

// TestGolden runs the scenarios of testdata: prose, then the inputs parts.json and conversation.json, and the expected
// outputs blocks.txt and output.json.
func TestGolden(t *testing.T) {
	convtest.Golden(t, "assemble_*.txtar", func(t *testing.T, s *convtest.Scenario) {
		blocks, output := scenario(t, s.Section("parts.json"), s.Section("conversation.json"))
		s.Want("blocks.txt", blocks)
		s.Want("output.json", output)
	})
}

func scenario(t *testing.T, parts, conversation []byte) (blocks, output []byte) {
	var p struct {
		Results []struct {
			ToolUseID string
			Content   json.RawMessage
			IsError   bool
		}
		Injections []Injection
		Text       string
	}
	require.NoError(t, json.Unmarshal(parts, &p))
	var results []Result
	for _, r := range p.Results {
		results = append(results, Result{r.ToolUseID, rawjson.Value(r.Content), r.IsError})
	}
	c := parse(t, string(conversation))
	a, err := User(Parts{Conversation: c, Results: results, Injections: p.Injections, Text: p.Text,
		Count: tokens.Chars4})
	if err != nil {
		return []byte(err.Error() + "\n"), nil
	}
	var out bytes.Buffer
	for _, b := range a.Blocks {
		what := ""
		if b.Pinned {
			what += " pinned"
		}
		if b.Compactable {
			what += " compactable"
		}
		fmt.Fprintf(&out, "%d/%d %-11s tier %d  %-13s %-3s %3d tokens %s\n", b.Message, b.Block, b.Kind, b.Tier,
			b.Source, b.ToolUseID, b.Tokens, what)
	}
	next := a.Append(c)
	for _, problem := range validity.Check(next) {
		require.NotEqual(t, validity.SeverityError, problem.Severity, "%s", problem.Message)
	}
	output, err = format.Render(next)
	require.NoError(t, err)
	return out.Bytes(), output
}
