package wire

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tamp/core/msg"
)

// A JSON codec for our own structs and nothing else: fields with a json tag, strings, integers, booleans, slices, pointers,
// embedded structs, msg.Raw, omitempty. encoding/json would do the same and more, for 0.34 MB of gzipped wasm, a third of
// what a page loads; codec_test.go holds the two together on every type that crosses the wire.

// rawType is JSON that goes through as it is.
var rawType = reflect.TypeFor[msg.Raw]()

// marshal writes a value. It fails on nothing: a type that it does not know is a slip of ours.
func marshal(value any) []byte { return appendValue(nil, reflect.ValueOf(value)) }

func appendValue(out []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return msg.AppendQuote(out, v.String())
	case reflect.Int:
		return strconv.AppendInt(out, v.Int(), 10)
	case reflect.Bool:
		return strconv.AppendBool(out, v.Bool())
	case reflect.Pointer:
		if v.IsNil() {
			return append(out, "null"...)
		}
		return appendValue(out, v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return append(out, "null"...)
		}
		if v.Type() == rawType {
			return append(out, v.Bytes()...)
		}
		out = append(out, '[')
		for i := range v.Len() {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendValue(out, v.Index(i))
		}
		return append(out, ']')
	case reflect.Struct:
		out = append(out, '{')
		return append(appendFields(out, v), '}')
	}
	panic("tamp: internal error: cannot write a " + v.Kind().String())
}

// appendFields writes the members of a struct, those of embedded structs as its own.
func appendFields(out []byte, v reflect.Value) []byte {
	t := v.Type()
	for i := range t.NumField() {
		if t.Field(i).Anonymous {
			out = appendFields(out, v.Field(i))
			continue
		}
		name, omitEmpty := tagOf(t.Field(i))
		if name == "" || omitEmpty && isEmpty(v.Field(i)) {
			continue
		}
		if out[len(out)-1] != '{' {
			out = append(out, ',')
		}
		out = append(msg.AppendQuote(out, name), ':')
		out = appendValue(out, v.Field(i))
	}
	return out
}

func isEmpty(v reflect.Value) bool {
	return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

// tagOf reads a field's name on the wire; "" where it has none.
func tagOf(f reflect.StructField) (name string, omitEmpty bool) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		name = ""
	}
	return name, options == "omitempty"
}

// unmarshal reads raw into what to points to. The error is a pointer to the value that does not fit, and what would.
// Members that the struct does not have are passed over: a later version may have written them.
func unmarshal(raw msg.Raw, to reflect.Value, path string) *msg.Error {
	misfit := func(want string) *msg.Error {
		return msg.NewError(msg.BadRequest, path, "cannot read request: "+want+" is wanted there")
	}
	if raw.IsNull() {
		return nil
	}
	switch to.Kind() {
	case reflect.String:
		if raw.Kind() != '"' {
			return misfit("a string")
		}
		to.SetString(raw.Text())
	case reflect.Int:
		n, err := strconv.Atoi(string(raw))
		if err != nil {
			return misfit("a whole number")
		}
		to.SetInt(int64(n))
	case reflect.Bool:
		if k := raw.Kind(); k != 't' && k != 'f' {
			return misfit("true or false")
		}
		to.SetBool(raw.IsTrue())
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return unmarshal(raw, to.Elem(), path)
	case reflect.Slice:
		if to.Type() == rawType {
			to.SetBytes(raw)
			return nil
		}
		if raw.Kind() != '[' {
			return misfit("an array")
		}
		items := reflect.MakeSlice(to.Type(), 0, 0)
		for i, element := range raw.Elements() {
			item := reflect.New(to.Type().Elem()).Elem()
			if err := unmarshal(element, item, path+"/"+strconv.Itoa(i)); err != nil {
				return err
			}
			items = reflect.Append(items, item)
		}
		to.Set(items)
	case reflect.Struct:
		if raw.Kind() != '{' {
			return misfit("an object")
		}
		for i := range to.NumField() {
			if to.Type().Field(i).Anonymous {
				if err := unmarshal(raw, to.Field(i), path); err != nil {
					return err
				}
			}
		}
		fields := fieldsOf(to.Type())
		for name, value := range raw.Members() {
			if i := slices.Index(fields, name); i >= 0 && name != "" {
				if err := unmarshal(value, to.Field(i), path+"/"+name); err != nil {
					return err
				}
			}
		}
	default:
		panic("tamp: internal error: cannot read a " + to.Kind().String())
	}
	return nil
}

// fieldsOf lists the names on the wire by field, "" for a field that has none.
func fieldsOf(t reflect.Type) []string {
	names := make([]string, t.NumField())
	for i := range names {
		names[i], _ = tagOf(t.Field(i))
	}
	return names
}
