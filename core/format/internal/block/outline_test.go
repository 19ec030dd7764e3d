package block_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// An outline has the blocks of the whole, apart from what texts say, and the same errors, whatever the members are.
func TestOutlineHasTheSameBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := rawjson.Value(drawContent(t, 2))
		index, err := rawjson.NewIndex(content)
		require.NoError(t, err)
		room, same := document.Room(msg.MaxBlocks), document.Room(msg.MaxBlocks)
		want, wantErr := block.Parse(content, "/c", "/t", index, &room)
		got, gotErr := block.Outline(content, "/c", "/t", index, &same)
		require.Equal(t, wantErr, gotErr)
		require.Equal(t, room, same)
		require.Equal(t, shapes(want), shapes(got))
	})
}

// shapes removes what an outline does not read.
func shapes(blocks []msg.Block) []msg.Block {
	var out []msg.Block
	for _, b := range blocks {
		b.Text, b.Sealed, b.Image, b.Parts = "", 0, msg.Block{}.Image, shapes(b.Parts)
		out = append(out, b)
	}
	return out
}

// drawContent draws the content of a message: a text, a list of blocks of all types whose members have all kinds of
// values, or something else.
func drawContent(t *rapid.T, depth int) string {
	value := func(name string) string {
		return rapid.SampledFrom([]string{`""`, `"short"`, `"` + strings.Repeat(`long \"text\" `, 30) + `"`, "null", "7",
			"true", "{}", `{"type":"base64","data":"aGVsbG8="}`}).Draw(t, name)
	}
	if depth == 0 || rapid.IntRange(0, 5).Draw(t, "kind") == 0 {
		return value("content")
	}
	var list []string
	for range rapid.IntRange(0, 3).Draw(t, "blocks") {
		kind := rapid.SampledFrom([]string{"text", "tool_use", "server_tool_use", "tool_result", "thinking",
			"redacted_thinking", "image", "document", "search_result", "compaction", "web_search_tool_result",
			"new"}).Draw(t, "type")
		members := []string{`"type":"` + kind + `"`}
		for _, name := range []string{"id", "tool_use_id", "name", "text", "thinking", "signature", "input", "data",
			"source", "is_error", "caller", "encrypted_content", "title"} {
			switch rapid.IntRange(0, 5).Draw(t, "member") {
			case 0:
				members = append(members, `"`+name+`":`+value(name))
			case 1, 2:
				members = append(members, `"`+name+`":"`+name+`"`)
			}
		}
		if rapid.Bool().Draw(t, "has content") {
			members = append(members, `"content":`+drawContent(t, depth-1))
		}
		list = append(list, "{"+strings.Join(members, ",")+"}")
	}
	return "[" + strings.Join(list, ",") + "]"
}
