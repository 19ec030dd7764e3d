package summarize

import (
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// field is one decoded value of a call's input, with its name. A nested value has the innermost name.
type field struct{ name, text string }

// fields decodes the input of a call. An input that is not a JSON object becomes one field without a name, since a
// model can write anything there.
func fields(input string) []field {
	raw := rawjson.Value(input)
	if raw.Kind() != '{' || msg.Validate(raw) != nil {
		if input == "" {
			return nil
		}
		return []field{{"", input}}
	}
	return appendFields(nil, "", raw)
}

func appendFields(out []field, name string, raw rawjson.Value) []field {
	switch raw.Kind() {
	case '{':
		for it := raw.Walk(); it.Next(); {
			key, value := it.Name, it.Value
			out = appendFields(out, key, value)
		}
	case '[':
		for _, value := range raw.List() {
			out = appendFields(out, name, value)
		}
	case '"':
		out = append(out, field{name, raw.Text()})
	case '0', 't', 'f':
		out = append(out, field{name, string(raw)})
	}
	return out
}

// first returns the text of the first field that has one of the names.
func first(list []field, names ...string) string {
	for i := range list {
		for _, n := range names {
			if list[i].name == n {
				return list[i].text
			}
		}
	}
	return ""
}

// Inputs calls visit for each decoded value of a call's input, in order, without the JSON syntax.
func Inputs(input string, visit func(text string)) {
	for _, f := range fields(input) {
		visit(f.text)
	}
}
