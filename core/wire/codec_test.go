package wire

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/assemble"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/structjson"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/quality"
	"tamp/core/tokens"
)

// What our codec writes, encoding/json reads as the same value, and the other way round, for every type that crosses.
func TestCodecAgreesWithEncodingJSON(t *testing.T) {
	for _, sample := range []any{core.Plan{}, core.Outcome{}, core.Report{}, []policy.PresetInfo{}, tokens.Counts{},
		CheckReport{},
		Repaired{}, Detection{}, msg.Usage{}, []core.SummaryResult{}, core.Anchored{}, core.Observed{}, AppendReport{},
		quality.Report{},
		[]assemble.Placed{}, []assemble.Injection{}, []string{}, []quality.Request{}, []quality.Answer{}, quality.Result{},
		Tokens{}} {
		typ := reflect.TypeOf(sample)
		t.Run(typ.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				value := reflect.New(typ)
				fill(t, value.Elem(), 0)
				ours := structjson.Marshal(value.Elem().Interface())
				theirs, err := json.Marshal(value.Interface())
				require.NoError(t, err)
				require.JSONEq(t, string(theirs), string(ours))

				back := reflect.New(typ)
				require.Nil(t, structjson.Unmarshal(nil, theirs, back.Elem(), "", nil))
				want := reflect.New(typ)
				require.NoError(t, json.Unmarshal(theirs, want.Interface()))
				require.Equal(t, want.Interface(), back.Interface())
			})
		})
	}
}

// fill draws a value of any type that the codec knows.
func fill(t *rapid.T, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "string"))
	case reflect.Int:
		v.SetInt(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "int"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Pointer:
		if depth < 4 && rapid.Bool().Draw(t, "set") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem(), depth+1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		if depth < 4 {
			for range rapid.IntRange(0, 2).Draw(t, "len") {
				item := reflect.New(v.Type().Elem()).Elem()
				fill(t, item, depth+1)
				v.Set(reflect.Append(v, item))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := structjson.FieldsOf(v.Type())[i]; f.Name != "" || f.Embedded {
				fill(t, v.Field(i), depth+1)
			}
		}
	default:
		t.Fatalf("the codec does not know %s", v.Kind())
	}
}

// JSON inside of our structs goes through byte for byte, where encoding/json would compact and escape it.
func TestCodecPassesJSONThrough(t *testing.T) {
	const in = `[{"toolUseId":"a","content":[ {"text":"<b>", "x":1e400} ],"isError":true},{"toolUseId":"b"}]`
	var results []assemble.Result
	require.Nil(t, structjson.Unmarshal(nil, rawjson.Value(in), reflect.ValueOf(&results).Elem(), "", nil))
	require.Equal(t, `[ {"text":"<b>", "x":1e400} ]`, string(results[0].Content))
	require.Nil(t, results[1].Content)
	require.Equal(t, in, string(structjson.Marshal(results)))
}
