package extract_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"tamp/core/extract"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/tokens"
)

var update = flag.Bool("update", false, "write the summaries into the golden files; read the diff")

// TestGolden summarizes the sessions of testdata. Each opens with prose that says what a reader of the summary must find there.
// Every file "summary N [focus]" holds the summary within N tokens.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			c, err := format.Parse(archive.Files[0].Data, "")
			require.NoError(t, err)
			for i := 1; i < len(archive.Files); i++ {
				f := &archive.Files[i]
				o := extract.Options{Counter: tokens.Chars4}
				words := strings.SplitN(f.Name, " ", 3)
				require.Equal(t, "summary", words[0])
				require.NoError(t, json.Unmarshal([]byte(words[1]), &o.MaxTokens))
				if len(words) > 2 {
					o.Focus = words[2]
				}
				text := extract.Summarize(c, msg.Span{Start: 0, End: len(c.Messages)}, o) + "\n"
				require.LessOrEqual(t, tokens.Chars4.Count(strings.TrimSuffix(text, "\n")), o.MaxTokens)
				if *update {
					f.Data = []byte(text)
					continue
				}
				require.Equal(t, string(f.Data), text)
			}
			if *update {
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
			}
		})
	}
}
