package bench

import (
	"regexp"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// These expressions find the names of the measures: paths, identifiers, numbers and hashes. The code of the summarizer
// is not used, so that it does not judge itself.
var (
	pathPattern = regexp.MustCompile(`(?:[\w.@~+-]*/)+[\w.@+-]*\w|\b[\w-]+\.(?:` +
		`go|py|tsx|ts|jsx|json|js|md|toml|yaml|yml|rs|cpp|c|h|java|css|html|sh|txt|sql|lock|mjs)\b`)
	identifierPattern = regexp.MustCompile(`[A-Za-z_$][\w$]*`)
	camelCasePattern  = regexp.MustCompile(`[a-z0-9][A-Z]`)
	numberPattern     = regexp.MustCompile(`\d+(?:\.\d+)*(?:%|ms|s|MB|KB|GB|px|k|m)?`)
	hashPattern       = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)
	digitPattern      = regexp.MustCompile(`\d`)
)

// escapes decodes the escapes of JSON strings that a text quotes, so that the line break in `\nMode` is not read as the
// first letter of a name.
var escapes = strings.NewReplacer(
	`\\n`, "\n", `\\t`, "\t", `\\r`, "\n",
	`\\`, `\`, `\n`, "\n", `\r`, "\n", `\t`, "\t", `\"`, `"`)

// nameKind is the kind of a name: 'p' a path, 'i' an identifier, 'n' a number, 'h' a hash.
type nameKind byte

// readNames adds the names of a text without escapes (see blockText) to names.
func readNames(text string, names map[string]nameKind) {
	for _, p := range pathPattern.FindAllString(text, -1) {
		if len(p) > 3 {
			names[p] = 'p'
		}
	}
	for _, w := range identifierPattern.FindAllString(text, -1) {
		if isName(w) {
			names[w] = 'i'
		}
	}
	for _, at := range numberPattern.FindAllStringIndex(text, -1) {
		w := text[at[0]:at[1]]
		before := at[0] == 0 || !isWordByte(text[at[0]-1]) && text[at[0]-1] != '.'
		after := at[1] == len(text) || !isWordByte(text[at[1]])
		if before && after && len(digitPattern.FindAllString(w, 2)) == 2 {
			names[w] = 'n'
		}
	}
	for _, h := range hashPattern.FindAllString(text, -1) {
		if strings.ContainsAny(h, "0123456789") && strings.ContainsAny(h, "abcdef") {
			names[h] = 'h'
		}
	}
}

// isName reports whether a word is an identifier of code: it has an underscore inside, is in camel case, or is a
// constant in capitals.
func isName(w string) bool {
	return len(w) >= 4 && (strings.Contains(strings.Trim(w, "_"), "_") || camelCasePattern.MatchString(w) ||
		len(w) >= 5 && strings.ToUpper(w) == w && strings.ContainsAny(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// blockText is the text of a block that the model reads, with escapes decoded. The first line of a call is the tool's
// name with the first value of its input; each further value begins a line.
func blockText(b *msg.Block) string {
	text := b.Text
	if b.Kind == msg.KindToolUse {
		text = b.Name + " " + inputText(b.Text)
	}
	if strings.Contains(text, `\`) {
		text = escapes.Replace(text)
	}
	return text
}

// inputText is the values of a call's input, decoded, each followed by a line break. An input that is not JSON is
// returned as it is.
func inputText(input string) string {
	raw := rawjson.Value(input)
	if msg.Validate(raw) != nil {
		return input
	}
	var b strings.Builder
	var walk func(rawjson.Value)
	walk = func(r rawjson.Value) {
		switch r.Kind() {
		case '{':
			for _, v := range r.Members() {
				walk(v)
			}
		case '[':
			for _, v := range r.Elements() {
				walk(v)
			}
		case '"':
			b.WriteString(r.Text() + "\n")
		default:
			b.WriteString(string(r) + "\n")
		}
	}
	walk(raw)
	return b.String()
}

// text is the text of messages, block by block.
func text(messages []msg.Message) string {
	var b strings.Builder
	for m := range messages {
		for k := range messages[m].Blocks {
			b.WriteString(blockText(&messages[m].Blocks[k]))
			b.WriteByte('\n')
		}
	}
	return b.String()
}
