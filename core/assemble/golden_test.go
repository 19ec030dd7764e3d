package assemble

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

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/tokens"
)

var update = flag.Bool("update", false, "write what the engine does into the golden files; read the diff")

// TestGolden runs the scenarios of testdata: prose, then parts.json and conversation.json go in, blocks.txt and output.json
// must come out.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/assemble_*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			require.NoError(t, err)
			section := map[string]*txtar.File{}
			for i := range a.Files {
				section[a.Files[i].Name] = &a.Files[i]
			}
			blocks, output := scenario(t, section["parts.json"].Data, section["conversation.json"].Data)
			if *update {
				section["blocks.txt"].Data, section["output.json"].Data = blocks, output
				require.NoError(t, os.WriteFile(file, txtar.Format(a), 0o644))
				return
			}
			require.Equal(t, string(section["blocks.txt"].Data), string(blocks))
			require.Equal(t, string(section["output.json"].Data), string(output))
		})
	}
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
		results = append(results, Result{r.ToolUseID, msg.Raw(r.Content), r.IsError})
	}
	c := parse(t, string(conversation))
	a, err := User(Parts{Conversation: c, Results: results, Injections: p.Injections, Text: p.Text, Count: tokens.Chars4})
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
		fmt.Fprintf(&out, "%d/%d %-11s tier %d  %-13s %-3s %3d tokens %s\n", b.Message, b.Block, b.Kind, b.Tier, b.Source, b.ToolUseID, b.Tokens, what)
	}
	next := a.Append(c)
	for _, problem := range msg.Check(next) {
		require.NotEqual(t, msg.SeverityError, problem.Severity, "%s", problem.Message)
	}
	output, err = format.Render(next)
	require.NoError(t, err)
	return out.Bytes(), output
}
