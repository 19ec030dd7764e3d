package convtest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"tamp/core/internal/rawjson"
)

type gen struct {
	t      *rapid.T
	ids    int
	pretty bool // white space between tokens
	caches int  // breakpoints drawn so far
}

// object is JSON members in their order: name, value, name, value.
type object []string

func (g *gen) object(members object) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := 0; i < len(members); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(g.space() + quote(members[i]) + ":" + g.space() + members[i+1])
	}
	return b.String() + g.space() + "}"
}

func (g *gen) array(elements []string) string {
	return "[" + g.space() + strings.Join(elements, ","+g.space()) + g.space() + "]"
}

func (g *gen) space() string {
	if !g.pretty {
		return ""
	}
	return "\n  "
}

// cached adds a breakpoint now and then, never a fifth.
func (g *gen) cached(block object) object {
	if g.caches == 4 || !chance(g.t, 8) {
		return block
	}
	g.caches++
	return append(block, "cache_control", `{"type":"ephemeral"}`)
}

func (g *gen) id(prefix string) string {
	g.ids++
	return prefix + strconv.Itoa(g.ids)
}

var toolNames = [...]string{"read_file", "bash", "edit", "grep", "mcp__git__log-1"}

func (g *gen) tool() string { return pick(g.t, "tool", toolNames[:]) }

var texts = [...]string{
	"Please look at the failing test.", "ok", "line one\nline two\n\tindented", "读取文件，然后运行测试。",
	"😀 \U0001F468\u200d\U0001F469\u200d\U0001F467",
	"<system-reminder>keep it short</system-reminder>", "\"quoted\" \\ back / slash <b>&amp;</b>",
	"\u2028\u2029\u0000\u001f", "{\"json\": [1, 2.50, 1e400]}",
	"[Previous: used bash]", "مرحبا", "e\u0301",
}

// rawTexts are JSON strings that no encoder writes: escapes that need none.
var rawTexts = [...]string{`"\u0041\/\u00e9"`, `"\ud83d\ude00"`, `"a\u0000b"`}

// text draws a JSON string that is not empty.
func (g *gen) text() string {
	switch n := between(g.t, "text kind", 0, 19); {
	case n == 0:
		return pick(g.t, "raw text", rawTexts[:])
	case n <= 2:
		return quote(strings.Repeat(pick(g.t, "line", texts[:])+" some output of a tool\n", between(g.t, "lines", 2, 400)))
	case n <= 4:
		return quote("x" + rapid.String().Draw(g.t, "any text"))
	}
	return quote(pick(g.t, "text", texts[:]))
}

// input draws a call's input.
func (g *gen) input() string {
	return pick(g.t, "input", []string{`{}`, `{"path":"core/msg/raw.go"}`,
		`{ "command" : "go test ./..." , "timeout":1.50 }`,
		`{"path":"a","path":"b"}`, `{"text":"读取\n<tag>","deep":{"n":[1,9007199254740993]}}`, `{"__proto__":{"x":1}}`})
}

func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(fmt.Sprintf("convtest: cannot quote: %v", err))
	}
	return string(b)
}

func chance(t *rapid.T, one int) bool { return rapid.IntRange(1, one).Draw(t, "one in") == one }

func between(t *rapid.T, label string, from, to int) int {
	return rapid.IntRange(from, to).Draw(t, label)
}

func pick[T any](t *rapid.T, label string, from []T) T { return rapid.SampledFrom(from).Draw(t, label) }

func rapidShuffle(g *gen, in []string) []string {
	return rapid.Permutation(in).Draw(g.t, "order")
}

func elements(array rawjson.Value) (list []rawjson.Value) {
	for _, e := range array.Elements() {
		list = append(list, e)
	}
	return list
}

func raws(texts ...string) []rawjson.Value {
	out := make([]rawjson.Value, len(texts))
	for i, text := range texts {
		out[i] = rawjson.Value(text)
	}
	return out
}

func message(role, content string) string {
	return `{"role":` + quote(role) + `,"content":` + content + `}`
}
