package wire

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/rawjson"
)

// sample sets every field of a request, with one element in each list.
func sample(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Int:
		v.SetInt(1)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		sample(v.Elem())
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[rawjson.Value]() {
			v.SetBytes([]byte(`{"any":{"thing":1}}`)) // a policy, a conversation: not read here
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		sample(v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				sample(v.Field(i))
			}
		}
	}
}

// objects calls visit for each object of a document that is one of our structs, with the names that it must have.
func objects(t reflect.Type, value any, path string,
	visit func(path string, object map[string]any, required []string)) {
	switch {
	case t == reflect.TypeFor[rawjson.Value]() || t == reflect.TypeFor[AnyUsage]():
	case t.Kind() == reflect.Pointer:
		objects(t.Elem(), value, path, visit)
	case t.Kind() == reflect.Slice:
		for i, element := range value.([]any) {
			objects(t.Elem(), element, path+"/"+strconv.Itoa(i), visit)
		}
	case t.Kind() == reflect.Struct:
		var required []string
		object := value.(map[string]any)
		for _, f := range reflect.VisibleFields(t) {
			name, options, tagged := strings.Cut(f.Tag.Get("json"), ",")
			if f.Anonymous || name == "-" || name == "" {
				continue
			}
			if !tagged || !strings.Contains(options, "omitempty") {
				required = append(required, name)
			}
			if inner, ok := object[name]; ok {
				objects(f.Type, inner, path+"/"+name, visit)
			}
		}
		visit(path, object, required)
	}
}

// Every object of every request, at any depth, refuses a member that it does not have and the lack of one that it must
// have, with a pointer to it, and names the member that was meant.
func TestRequestsRefuseUnknownAndMissingMembers(t *testing.T) {
	seen := 0
	for _, o := range operations {
		request := reflect.New(o.request).Elem()
		sample(request)
		whole, err := json.Marshal(request.Interface())
		require.NoError(t, err)
		var document any
		require.NoError(t, json.Unmarshal(whole, &document))
		var engine Engine
		read := func() *Error {
			header, err := json.Marshal(document)
			require.NoError(t, err)
			if _, _, err := engine.read(o, header, nil); err != nil {
				return err.(*Error)
			}
			return nil
		}
		require.Nil(t, read(), o.name)
		objects(o.request, document, "", func(path string, object map[string]any, required []string) {
			refused := func(name, says string) {
				seen++
				err := read()
				require.NotNil(t, err, "%s %s/%s", o.name, path, name)
				require.Equal(t, path+"/"+name, err.Path, o.name)
				require.Contains(t, err.Msg, says, o.name)
			}
			unknown := func(name, says string) {
				if _, has := object[name]; !has && (path != "" || engine.requestWith(name) == nil) {
					object[name] = 1
					refused(name, says)
					delete(object, name)
				}
			}
			unknown("quux_zzz", "its members are ")
			for _, name := range slices.Sorted(maps.Keys(object)) {
				if len(name) > 1 {
					unknown(name+"_", "; did you mean ")
				}
				if len(name) > 4 { // two letters are swapped
					unknown(name[1:2]+name[:1]+name[2:], "; did you mean ")
				}
				was := object[name]
				delete(object, name)
				if slices.Contains(required, name) {
					refused(name, "there is no ")
				} else {
					require.Nil(t, read(), "%s %s/%s", o.name, path, name)
				}
				object[name] = was
			}
		})
	}
	require.Greater(t, seen, 1000)
}

// The name of a member is the caller's: it can have any characters and any length.
func TestUnknownMemberOfAnyName(t *testing.T) {
	for name, path := range map[string]string{"": "/", "a/b~c": "/a~1b~0c", strings.Repeat("x", 1<<20): "/" +
		strings.Repeat("x", 40) + "…"} {
		injection := map[string]any{"source": "x", "content": "x", name: 1}
		header, err := json.Marshal(map[string]any{"injections": []any{injection}})
		require.NoError(t, err)
		_, err = new(Engine).Do("assemble", header, nil)
		require.Equal(t, "/injections/0"+path, err.(*Error).Path)
		require.Less(t, len(err.Error()), 400)
	}
}
