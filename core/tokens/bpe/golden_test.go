package bpe_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGolden compares with the tokens that the npm package tiktoken (Rust, not the Go reference) returned for the texts
// that testdata/golden.mjs generates.
func TestGolden(t *testing.T) {
	raw, err := os.ReadFile("testdata/golden.json")
	require.NoError(t, err)
	var rows []struct {
		Text   string `json:"text"`
		O200k  []int  `json:"o200k_base"`
		Cl100k []int  `json:"cl100k_base"`
	}
	require.NoError(t, json.Unmarshal(raw, &rows))
	require.Greater(t, len(rows), 200) // the file was read
	for i, name := range names {
		c := open(t, name).Counter()
		for _, row := range rows {
			want := [][]int{row.O200k, row.Cl100k}[i]
			got := []int{}
			for id := range c.Split(row.Text) {
				got = append(got, id)
			}
			require.Equal(t, want, got, "%s: %+q", name, row.Text)
			require.Equal(t, len(want), c.Count(row.Text))
		}
	}
}
