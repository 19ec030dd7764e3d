package structjson

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// A JSON codec for the structs of this module. It supports fields with a json tag, strings, integers, booleans, slices,
// pointers, embedded structs, rawjson.Value and omitempty. encoding/json would add 0.34 MB of gzipped wasm, a third of
// the download of a page; codec_test.go compares the two on every type of the wire.

// Unmarshaler is implemented by a pointer to a struct that decodes itself. raw is an object, path its JSON Pointer.
type Unmarshaler interface {
	UnmarshalRaw(raw rawjson.Value, path string) *msg.Error
}

// rawType is the type of JSON that is written unchanged.
var rawType = reflect.TypeFor[rawjson.Value]()

// Marshal returns value as JSON. It panics if the type is not supported, which is a bug of Tamp.
func Marshal(value any) []byte {
	w := writer{fields: map[reflect.Type][]Field{}}
	w.value(reflect.ValueOf(value))
	return w.out
}

type writer struct {
	out    []byte
	fields map[reflect.Type][]Field // cache of FieldsOf: a list can have hundreds of values of one type
}

func (w *writer) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		w.out = rawjson.AppendQuote(w.out, v.String())
	case reflect.Int:
		w.out = strconv.AppendInt(w.out, v.Int(), 10)
	case reflect.Bool:
		w.out = strconv.AppendBool(w.out, v.Bool())
	case reflect.Pointer:
		if v.IsNil() {
			w.out = append(w.out, "null"...)
			return
		}
		w.value(v.Elem())
	case reflect.Slice:
		w.slice(v)
	case reflect.Struct:
		w.out = append(w.out, '{')
		w.members(v)
		w.out = append(w.out, '}')
	default:
		panic("tamp: internal error: cannot write a " + v.Kind().String())
	}
}

func (w *writer) slice(v reflect.Value) {
	if v.IsNil() {
		w.out = append(w.out, "null"...)
		return
	}
	if v.Type() == rawType {
		w.out = append(w.out, v.Bytes()...)
		return
	}
	w.out = append(w.out, '[')
	for i := range v.Len() {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.value(v.Index(i))
	}
	w.out = append(w.out, ']')
}

// members writes the members of a struct, including those of embedded structs.
func (w *writer) members(v reflect.Value) {
	fields, found := w.fields[v.Type()]
	if !found {
		fields = FieldsOf(v.Type())
		w.fields[v.Type()] = fields
	}
	for i, f := range fields {
		if f.Embedded {
			w.members(v.Field(i))
			continue
		}
		if f.Name == "" || f.omitEmpty && isEmpty(v.Field(i)) {
			continue
		}
		if w.out[len(w.out)-1] != '{' {
			w.out = append(w.out, ',')
		}
		w.out = append(rawjson.AppendQuote(w.out, f.Name), ':')
		w.value(v.Field(i))
	}
}

func isEmpty(v reflect.Value) bool {
	return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
}

// TypeMismatch is the error for a value of the wrong type. path is its JSON Pointer, want the right type.
func TypeMismatch(path, want string) *msg.Error {
	return msg.NewError(msg.BadRequest, path, "cannot read request: "+strings.TrimPrefix(path, "/")+" must be "+want)
}

// Unmarshal decodes raw into to, which must be settable. path is the JSON Pointer of raw; x is the index of its
// document, or nil. null leaves to unchanged. A member that a struct does not have is an error, and so is the lack of
// one without omitempty. other, which may be nil, takes the unknown members of raw itself.
func Unmarshal(x *rawjson.Index, raw rawjson.Value, to reflect.Value, path string,
	other func(name string, value rawjson.Value) *msg.Error) *msg.Error {
	r := reader{x, map[reflect.Type][]Field{}, other}
	return r.value(raw, to, &place{name: path})
}

type reader struct {
	index  *rawjson.Index
	fields map[reflect.Type][]Field // cache of Members: a list can have hundreds of values of one type
	other  func(name string, value rawjson.Value) *msg.Error
}

// place is the JSON Pointer of a value: the place of its parent and a step. It is written only for an error.
type place struct {
	parent *place
	name   string // "": number is the step; without a parent, the whole pointer
	number int
}

func (p *place) String() string {
	switch {
	case p.parent == nil:
		return p.name
	case p.name == "":
		return p.parent.String() + "/" + strconv.Itoa(p.number)
	}
	return p.parent.String() + "/" + p.name
}

func (r *reader) value(raw rawjson.Value, to reflect.Value, at *place) *msg.Error {
	if raw.IsNull() {
		return nil
	}
	switch to.Kind() {
	case reflect.String:
		if raw.Kind() != '"' {
			return TypeMismatch(at.String(), "a string")
		}
		to.SetString(raw.Text())
	case reflect.Int:
		n, err := strconv.Atoi(string(raw))
		if err != nil {
			return TypeMismatch(at.String(), "a whole number")
		}
		to.SetInt(int64(n))
	case reflect.Bool:
		if k := raw.Kind(); k != 't' && k != 'f' {
			return TypeMismatch(at.String(), "true or false")
		}
		to.SetBool(raw.IsTrue())
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return r.value(raw, to.Elem(), at)
	case reflect.Slice:
		return r.slice(raw, to, at)
	case reflect.Struct:
		return r.members(raw, to, at)
	default:
		panic("tamp: internal error: cannot read a " + to.Kind().String())
	}
	return nil
}

func (r *reader) slice(raw rawjson.Value, to reflect.Value, at *place) *msg.Error {
	if to.Type() == rawType {
		to.SetBytes(raw)
		return nil
	}
	if raw.Kind() != '[' {
		return TypeMismatch(at.String(), "an array")
	}
	items := reflect.New(to.Type()).Elem()
	items.Set(reflect.MakeSlice(to.Type(), 0, 0)) // not nil
	for it := r.index.Items(raw); it.Next(); {
		items.Grow(1)
		items.SetLen(it.At + 1)
		if err := r.value(it.Value, items.Index(it.At), &place{parent: at, number: it.At}); err != nil {
			return err
		}
	}
	to.Set(items)
	return nil
}

func (r *reader) members(raw rawjson.Value, to reflect.Value, at *place) *msg.Error {
	if raw.Kind() != '{' {
		return TypeMismatch(at.String(), "an object")
	}
	if u, ok := to.Addr().Interface().(Unmarshaler); ok {
		return u.UnmarshalRaw(raw, at.String())
	}
	fields, found := r.fields[to.Type()]
	if !found {
		fields = Members(to.Type())
		r.fields[to.Type()] = fields
	}
	var given uint64 // a bit for each field
	for it := r.index.Walk(raw); it.Next(); {
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == it.Name })
		var err *msg.Error
		switch {
		case i >= 0:
			given |= 1 << i
			err = r.member(it.Value, to, &fields[i], &place{parent: at, name: it.Name})
		case r.other != nil && at.parent == nil:
			err = r.other(it.Name, it.Value)
		default:
			err = Unknown(at.String(), it.Name, names(fields))
		}
		if err != nil {
			return err
		}
	}
	for i := range fields {
		if f := &fields[i]; given&(1<<i) == 0 && !f.omitEmpty {
			path := at.String() + "/" + f.Name
			return msg.NewError(msg.BadRequest, path, "cannot read request: there is no "+strings.TrimPrefix(path, "/"))
		}
	}
	return nil
}

// member decodes one field of a struct.
func (r *reader) member(raw rawjson.Value, to reflect.Value, f *Field, at *place) *msg.Error {
	to = to.FieldByIndex(f.index)
	if err := r.value(raw, to, at); err != nil || f.min == "" {
		return err
	}
	if n, err := strconv.Atoi(f.min); err == nil && !raw.IsNull() && reflect.Indirect(to).Int() < int64(n) {
		return TypeMismatch(at.String(), "a whole number of at least "+f.min)
	}
	return nil
}

// Unknown is the error for a member that the object at path does not have. members are its names.
func Unknown(path, name string, members []string) *msg.Error {
	short := msg.Shorten(name, 40)
	text := "its members are " + strings.Join(members, ", ") + ", not " + short
	if path != "" {
		text = strings.TrimPrefix(path, "/") + ": " + text
	}
	if near := msg.Nearest(name, members); near != "" {
		text += "; did you mean " + near + "?"
	}
	return msg.NewError(msg.BadRequest, path+"/"+msg.PathName(short),
		"cannot read request: "+text)
}

func names(fields []Field) (all []string) {
	for i := range fields {
		all = append(all, fields[i].Name)
	}
	return all
}

// Names lists the members that a struct type has in JSON.
func Names(t reflect.Type) []string { return names(Members(t)) }

// Member returns the field of a struct with a name in JSON; false if there is none.
func Member(v reflect.Value, name string) (reflect.Value, bool) {
	for _, f := range Members(v.Type()) {
		if f.Name == name {
			return v.FieldByIndex(f.index), true
		}
	}
	return reflect.Value{}, false
}

// Field describes a field of a struct.
type Field struct {
	Name      string // in JSON; "": not in JSON
	omitEmpty bool
	Embedded  bool
	min       string // the smallest value of a number; "": any
	index     []int  // see reflect.Value.FieldByIndex
}

// FieldsOf describes the fields of a struct type, in their order.
func FieldsOf(t reflect.Type) []Field {
	fields := make([]Field, t.NumField())
	for i := range fields {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			name = ""
		}
		fields[i] = Field{name, options == "omitempty", f.Anonymous, f.Tag.Get("min"), f.Index}
	}
	return fields
}

// Members describes the members that a struct type has in JSON: its fields and those of embedded structs, at most 64. A
// name occurs once.
func Members(t reflect.Type) (all []Field) {
	for i, f := range FieldsOf(t) {
		inner := []Field{f}
		if f.Embedded {
			inner = Members(t.Field(i).Type)
		}
		for _, m := range inner {
			if f.Embedded {
				m.index = append([]int{i}, m.index...)
			}
			if m.Name != "" && !slices.ContainsFunc(all, func(other Field) bool { return other.Name == m.Name }) {
				all = append(all, m)
			}
		}
	}
	return all
}
