package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// object is a JSON object that keeps the order of its members, which a map would not.
type object []member

type member struct {
	name  string
	value any
}

// array is a JSON array.
type array []any

func (o object) text(name string) string {
	for _, m := range o {
		if m.name == name {
			if s, ok := m.value.(string); ok {
				return s
			}
		}
	}
	return ""
}

func (o object) number(name string) int {
	for _, m := range o {
		if m.name == name {
			if n, ok := m.value.(int); ok {
				return n
			}
		}
	}
	return 0
}

// compact writes a value on one line.
func compact(value any) string {
	var out bytes.Buffer
	appendJSON(&out, value)
	return out.String()
}

// appendJSON writes the few types that the writers use. encoding/json would escape < and >, which no provider does, and
// would not keep the order of members.
func appendJSON(out *bytes.Buffer, value any) {
	switch v := value.(type) {
	case nil:
		out.WriteString("null")
	case string:
		appendString(out, v)
	case bool:
		out.WriteString(strconv.FormatBool(v))
	case int:
		out.WriteString(strconv.Itoa(v))
	case object:
		out.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				out.WriteByte(',')
			}
			appendString(out, m.name)
			out.WriteByte(':')
			appendJSON(out, m.value)
		}
		out.WriteByte('}')
	case array:
		out.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				out.WriteByte(',')
			}
			appendJSON(out, e)
		}
		out.WriteByte(']')
	default:
		panic(fmt.Sprintf("recorder: internal error: no JSON for %T", value))
	}
}

func appendString(out *bytes.Buffer, s string) {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic("recorder: internal error: " + err.Error())
	}
	out.Truncate(out.Len() - 1) // the encoder's line break
}

// lines writes an object with one member per line, and each element of an array member on its own line, so that a
// diff of two recordings shows the changed messages.
func lines(o object) []byte {
	var out bytes.Buffer
	out.WriteString("{\n")
	for i, m := range o {
		out.WriteString("  ")
		appendString(&out, m.name)
		out.WriteString(": ")
		if list, ok := m.value.(array); ok {
			appendElements(&out, list, "  ")
		} else {
			appendJSON(&out, m.value)
		}
		if i < len(o)-1 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("}\n")
	return out.Bytes()
}

// elementLines writes an array with one element per line.
func elementLines(list array) []byte {
	var out bytes.Buffer
	appendElements(&out, list, "")
	out.WriteByte('\n')
	return out.Bytes()
}

func appendElements(out *bytes.Buffer, list array, indent string) {
	out.WriteString("[\n")
	for i, e := range list {
		out.WriteString(indent + "  ")
		appendJSON(out, e)
		if i < len(list)-1 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString(indent + "]")
}
