package rawjson_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/rawjson"
)

// Broken JSON is described at the place where it breaks.
func TestBrokenJSONIsDescribed(t *testing.T) {
	for text, want := range map[string]rawjson.SyntaxError{
		`{"a":1,`:  {Offset: 7, Reason: "unexpected end of input inside an object"},
		`{`:        {Offset: 1, Reason: "unexpected end of input inside an object"},
		`{"a":`:    {Offset: 5, Reason: "unexpected end of input, a value is missing"},
		`[1,`:      {Offset: 3, Reason: "unexpected end of input, a value is missing"},
		`["a"`:     {Offset: 4, Reason: "unexpected end of input inside an array"},
		`{"a":"b"`: {Offset: 8, Reason: "unexpected end of input inside an object"},
		`"\u12G4`:  {Offset: 1, Reason: "a broken \\u escape"},
		`"\u12`:    {Offset: 0, Reason: "a string that does not end, begun"},
		`{"a"`:     {Offset: 4, Reason: "unexpected end of input after a key, where a colon should be"},
		`{"a":nul`: {Offset: 5, Reason: "unexpected 'n'"},
		`[tru]`:    {Offset: 1, Reason: "unexpected 't'"},
		`{a":1}`:   {Offset: 1, Reason: "unexpected 'a' where a key should be"},
		`[1e+]`:    {Offset: 1, Reason: "unexpected '1'"},
		`1e`:       {Offset: 0, Reason: "unexpected '1'"},
		`["\u123`:  {Offset: 1, Reason: "a string that does not end, begun"},
	} {
		err := rawjson.Check([]byte(text))
		require.Equal(t, &want, err, text)
	}
}
