package rawjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Validate accepts exactly what encoding/json accepts.
func TestValidateIsEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawBroken(t)
		err := msg.Validate([]byte(text))
		if json.Valid([]byte(text)) != (err == nil) {
			t.Fatalf("%q: encoding/json says %v, we say %v", text, json.Valid([]byte(text)), err)
		}
	})
}

func FuzzValidate(f *testing.F) {
	for _, row := range validateRows {
		f.Add([]byte(row.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := msg.Validate(data)
		if json.Valid(data) == (err == nil) {
			return
		}
		known, ok := err.(*msg.Error)
		require.True(t, ok && known.Code == msg.TooLarge, "encoding/json says %v, we say %v", json.Valid(data), err)
	})
}

var validateRows = []struct{ name, text, why, want string }{
	{"word", `true`, "a value need not be an object", ""},
	{"white space", " \r\n\t[ ] \n", "space may stand around and inside", ""},
	{"invalid utf-8", "\"\xff\"", "kept as it came, like encoding/json", ""},
	{"lone surrogate", `"\ud800"`, "JSON allows it, so it is kept", ""},
	{"empty", ``, "nothing is no value", "line 1, column 1"},
	{"cut object", "{\n \"a\": 1", "the end is where the reader has to look", "line 2, column 8"},
	{"cut string", "{\n \"a\": \"xy", "a string that does not end is named by its start", "line 2, column 7"},
	{"cut escape", `"\u12`, "cut inside an escape", "line 1, column 1"},
	{"cut after a backslash", `"a\`, "cut inside an escape", "line 1, column 1"},
	{"trailing comma", `[1,]`, "not JSON, though JavaScript takes it", "line 1, column 4"},
	{"trailing comma in an object", `{"a":1,}`, "likewise", "line 1, column 8"},
	{"no comma", `[1 2]`, "a comma is due", "line 1, column 4"},
	{"wrong closer", `[1}`, "brackets have to match", "line 1, column 3"},
	{"no colon", `{"a" 1}`, "a colon is due", "line 1, column 6"},
	{"key without quotes", `{a:1}`, "JavaScript, not JSON", "line 1, column 2"},
	{"two values", "{}\n{}", "JSON Lines are for the log codec", "line 2, column 1"},
	{"leading zero", `01`, "no number of JSON", "line 1, column 2"},
	{"bare minus", `-`, "no number of JSON", "line 1, column 1"},
	{"no digits after the point", `1.`, "no number of JSON", "line 1, column 1"},
	{"no digits in the exponent", `1e+`, "no number of JSON", "line 1, column 1"},
	{"raw line break in a string", "\"a\nb\"", "control characters must be escaped", "line 1, column 3"},
	{"unknown escape", `"\x41"`, "a C escape", "line 1, column 2"},
	{"broken escape", `"\u12G4"`, "four hexadecimal digits are due", "line 1, column 2"},
	{"misspelled word", `nul`, "cut, or misspelled", "line 1, column 1"},
	{"column in code points", `["漢字",}`, "an editor counts characters, not bytes", "line 1, column 7"},
	{"binary", "\x00\x01\x02", "no text at all", "line 1, column 1"},
}

func TestValidateRows(t *testing.T) {
	for _, row := range validateRows {
		t.Run(row.name, func(t *testing.T) {
			err := msg.Validate([]byte(row.text))
			if row.want == "" {
				require.NoError(t, err, row.why)
				return
			}
			require.ErrorContains(t, err, row.want, row.why)
			require.Equal(t, msg.BadJSON, err.(*msg.Error).Code)
		})
	}
}

// Depth is limited without recursion, at exactly MaxDepth.
func TestValidateDepth(t *testing.T) {
	nested := func(open, close string, n int) []byte {
		return []byte(strings.Repeat(open, n) + "0" + strings.Repeat(close, n))
	}
	for _, row := range []struct{ name, open, close string }{{"arrays", "[", "]"}, {"objects", `{"a":`, "}"}} {
		t.Run(row.name, func(t *testing.T) {
			require.NoError(t, msg.Validate(nested(row.open, row.close, rawjson.MaxDepth)))
			err := msg.Validate(nested(row.open, row.close, rawjson.MaxDepth+1))
			require.ErrorContains(t, err, "deeper than 1000")
			require.Equal(t, msg.TooLarge, err.(*msg.Error).Code)
			require.Error(t, msg.Validate([]byte(strings.Repeat(row.open, 1_000_000))), "a depth bomb ends at once")
		})
	}
}

func BenchmarkValidate(b *testing.B) {
	text := []byte(`[` + strings.Repeat(`{"type":"text","text":"`+strings.Repeat("some prose with \\n escapes ", 40)+`"},`,
		4000) + `0]`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		require.NoError(b, msg.Validate(text))
	}
}
