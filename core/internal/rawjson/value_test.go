package rawjson_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
)

// Members and Elements take a value apart into the parts that encoding/json sees.
func TestMembersAndElements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawJSON(t, 3)
		raw := rawjson.Value(text)
		switch raw.Kind() {
		case '{':
			var want map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(text), &want))
			got := map[string]json.RawMessage{}
			for k, v := range raw.Members() {
				got[k] = json.RawMessage(v)
			}
			require.Equal(t, len(want), len(got))
			for k, v := range want {
				require.Equal(t, string(v), string(got[k]), "the last of repeated keys wins")
				require.Equal(t, string(v), string(raw.Member(k)))
			}
			require.Nil(t, raw.Member("not there"))
		case '[':
			var want []json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(text), &want))
			n := 0
			for i, v := range raw.Elements() {
				require.Equal(t, n, i)
				require.Equal(t, string(want[i]), string(v))
				n++
			}
			require.Equal(t, len(want), n)
		default:
			for range raw.Members() {
				t.Fatal("a member of a value that is not an object")
			}
			for range raw.Elements() {
				t.Fatal("an element of a value that is not an array")
			}
		}
	})
}

// Line is the same value on one line.
func TestRawLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(drawJSON(t, 3))
		line := rawjson.Value(text).Line()
		require.False(t, bytes.ContainsAny(line, "\r\n"))
		if !bytes.ContainsAny(text, "\r\n") {
			require.Equal(t, text, line, "a value on one line is not changed")
			return
		}
		var want bytes.Buffer
		require.NoError(t, json.Compact(&want, text))
		require.Equal(t, want.String(), string(line))
	})
}

func TestRawKinds(t *testing.T) {
	for _, row := range []struct {
		name, text   string
		kind         byte
		isNull, isIt bool
	}{
		{"absent", "", 0, true, false},
		{"null", "null", 'n', true, false},
		{"true", "true", 't', false, true},
		{"false", "false", 'f', false, false},
		{"string", `"true"`, '"', false, false},
		{"number", "1", '0', false, false},
		{"negative number", "-1", '0', false, false},
		{"object", "{}", '{', false, false},
		{"array", "[]", '[', false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := rawjson.Value(row.text)
			require.Equal(t, row.kind, r.Kind())
			require.Equal(t, row.isNull, r.IsNull())
			require.Equal(t, row.isIt, r.IsTrue())
		})
	}
}

// An iteration may end early.
func TestRawStopsEarly(t *testing.T) {
	for k := range rawjson.Value(`{"a":1,"b":2}`).Members() {
		require.Equal(t, "a", k)
		break
	}
	for i := range rawjson.Value(`[1,2]`).Elements() {
		require.Zero(t, i)
		break
	}
}

func TestPosition(t *testing.T) {
	data := []byte("ab\n漢字x")
	for _, row := range []struct {
		name                 string
		offset, line, column int
	}{
		{"start", 0, 1, 1},
		{"line break itself", 2, 1, 3},
		{"second line", 3, 2, 1},
		{"after two characters of three bytes", 9, 2, 3},
		{"past the end", 99, 2, 4},
		{"before the start", -1, 1, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			line, column := rawjson.Position(data, row.offset)
			require.Equal(t, []int{row.line, row.column}, []int{line, column})
		})
	}
}
