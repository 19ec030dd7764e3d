package summarize

import (
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// values returns the pairs path=value of a short result that is JSON or consists of lines `key: value`; nil for other
// texts.
func values(text string) []string {
	text = strings.TrimSpace(text)
	if len(text) == 0 || len(text) >= maxValues {
		return nil
	}
	if raw := rawjson.Value(text); (raw.Kind() == '{' || raw.Kind() == '[') && msg.Validate(raw) == nil {
		return appendValues(nil, "", raw)
	}
	var out []string
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || !isKey(key) {
			return nil
		}
		out = append(out, key+"="+oneLine(value))
	}
	if len(out) < 2 {
		return nil // one line with a colon may be a sentence
	}
	return out
}

const maxValues = 2048 // bytes

// isKey reports a word that can be a key: a name without white space of at most 40 bytes.
func isKey(s string) bool {
	return s != "" && len(s) <= 40 && !strings.ContainsAny(s, " \t\"'`(){}[]<>=;,")
}

// appendValues adds the values of a JSON value with their paths. Elements of arrays have the path of the array.
func appendValues(out []string, path string, raw rawjson.Value) []string {
	value := ""
	switch raw.Kind() {
	case '{':
		for it := raw.Walk(); it.Next(); {
			key, v := it.Name, it.Value
			if path != "" {
				key = path + "." + key
			}
			out = appendValues(out, key, v)
		}
		return out
	case '[':
		for _, v := range raw.List() {
			out = appendValues(out, path, v)
		}
		return out
	case '"':
		value = oneLine(raw.Text())
	default:
		value = string(raw)
	}
	if value == "" {
		return out
	}
	if path != "" {
		value = path + "=" + value
	}
	return append(out, value)
}

// addValues adds the pairs of a short result, several on one line. It reports whether the result has pairs.
func (d *draft) addValues(g int32, text string, turn int) bool {
	pairs := values(text)
	if pairs == nil {
		return false
	}
	line := pairs[0]
	for _, pair := range pairs[1:] {
		if len(line)+len(pair) > maxLineLength {
			d.addPieces(g, turn, line)
			line = pair
		} else {
			line += ", " + pair
		}
	}
	d.addPieces(g, turn, line)
	return true
}
