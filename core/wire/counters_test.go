package wire_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/rawjson"
	"tamp/core/tokens/bpe"
	"tamp/core/tokens/vocab"
	"tamp/core/wire"
)

func packed(t *testing.T, name string) string {
	data, err := os.ReadFile("../tokens/vocab/" + name + ".bin")
	require.NoError(t, err)
	return string(data)
}

// A counter that needs a vocabulary says so until it has it, and counts exactly from then on, wherever a counter is
// named.
func TestExactCounters(t *testing.T) {
	c := &client{t: t}
	text := "Hello, world. 敏捷的棕色狐狸 jumps 😀 over\n\n\t1234567 lazy dogs."
	body := `[{"role":"user","content":` + string(rawjson.Quote(text)) + `}]`
	for _, name := range vocab.Names() {
		v, err := vocab.Load(name)
		require.NoError(t, err)
		counter := `{"counter":"` + name + `"}`
		for _, op := range []string{"countText", "count", "plan", "inspect", "tokens"} {
			out, _ := c.ask(op, counter, body)
			require.Contains(t, out, `{"error":{"code":"bad_request","path":"/counter","message":"cannot `)
			require.Contains(t, out, `load its vocabulary first`)
		}
		out, _ := c.must("loadVocabulary", `{"name":"`+name+`"}`, packed(t, name))
		require.Equal(t, "{}", out)
		n := v.Counter().Count(text)
		out, _ = c.must("countText", counter, text)
		require.Equal(t, string(rawjson.Value(out)), itoa(n))
		out, _ = c.must("count", counter, body)
		require.Equal(t, name, rawjson.Value(out).Member("counter").Text())
		c.must("plan", counter, body)
		c.must("assemble", `{"format":"anthropic","text":"x","counter":"`+name+`"}`, "")

		out, _ = c.must("tokens", counter, text)
		units := utf16.Encode([]rune(text))
		last, count := 0, 0
		for _, end := range rawjson.Value(out).Member("ends").Elements() {
			at := atoi(string(end))
			require.GreaterOrEqual(t, at, last)
			require.False(t, at < len(units) && utf16.IsSurrogate(rune(units[at])) && units[at] >= 0xDC00,
				"no token ends within a character")
			last, count = at, count+1
		}
		require.Equal(t, n, count)
		require.Equal(t, len(units), last)
	}
	for _, row := range []struct{ why, op, header, body, says string }{
		{"no tokens to see", "tokens", `{}`, "x", `cannot split with \"estimate\"`},
		{"an unknown vocabulary", "loadVocabulary", `{"name":"p50k_base"}`, "x",
			`unknown vocabulary; use o200k_base, cl100k_base"`},
		{"a vocabulary that was removed", "loadVocabulary", `{"name":"claude"}`, "x",
			`unknown vocabulary; use o200k_base, cl100k_base"`},
		{"no name", "loadVocabulary", `{}`, "x", `there is no name`},
		{"no header", "loadVocabulary", ``, "x", `there is no name`},
		{"bytes of something else", "loadVocabulary", `{"name":"cl100k_base"}`, "not a vocabulary", `cannot load vocabulary`},
		{"bytes cut short", "loadVocabulary", `{"name":"cl100k_base"}`, packed(t, "cl100k_base")[:1000],
			`cannot load vocabulary`},
		{"no bytes", "loadVocabulary", `{"name":"cl100k_base"}`, "", `cannot load vocabulary`},
		{"another one's bytes", "loadVocabulary", `{"name":"o200k_base"}`, packed(t, "cl100k_base"),
			`these are the bytes of cl100k_base`},
		{"an unknown counter", "count", `{"counter":"gpt2"}`, body,
			`unknown counter; use estimate or auto, or one of chars4, chars3, cjk, o200k_base, cl100k_base"`},
		{"a counter that was removed", "count", `{"counter":"claude"}`, body,
			`cannot count with \"claude\": unknown counter; use estimate or auto`},
	} {
		out, _ := c.ask(row.op, row.header, row.body)
		require.Contains(t, out, `"code":"bad_request"`, row.why)
		require.Contains(t, out, row.says, row.why)
	}
	out, _ := c.must("countText", `{"counter":"cl100k_base"}`, text)
	require.NotEqual(t, "0", out, "what failed to load takes nothing away")
}

// auto is the model's own vocabulary if it is loaded, and the estimate if it is not, or if the model has no public
// vocabulary.
func TestAutoCounter(t *testing.T) {
	c := &client{t: t}
	gpt := `{"model":"gpt-4o","messages":[{"role":"user","content":"Hello there"}]}`
	claude := strings.Replace(gpt, "gpt-4o", "claude-sonnet-4-5", 1)
	named := func(body string) string {
		out, _ := c.must("count", `{"counter":"auto"}`, body)
		return rawjson.Value(out).Member("counter").Text()
	}
	require.Equal(t, []string{"estimate", "estimate"}, []string{named(gpt), named(claude)})
	c.must("loadVocabulary", `{"name":"o200k_base"}`, packed(t, "o200k_base"))
	require.Equal(t, []string{"o200k_base", "estimate"}, []string{named(gpt), named(claude)})
	out, _ := c.must("countText", `{"counter":"auto"}`, "no model to go by")
	require.NotEmpty(t, out)
	require.Contains(t, string(handle("count", []byte(`{"counter":"o200k_base","conversation":`+claude+`}`))),
		"load its vocabulary first")
	require.Contains(t, string(handle("count", []byte(`{"counter":"auto","conversation":`+claude+`}`))),
		`"counter":"estimate"`)
	require.NotContains(t, wire.Ops(), "loadVocabulary")
}

// A host in Go provides vocabularies, and is asked only for those that a request needs.
func TestVocabularyOfTheHost(t *testing.T) {
	asked := []string{}
	engine := wire.Engine{Vocabulary: func(name string) *bpe.Vocabulary {
		asked = append(asked, name)
		if name != "o200k_base" {
			return nil
		}
		v, err := vocab.O200k()
		require.NoError(t, err)
		return v
	}}
	body := `{"counter":"COUNTER","conversation":{"model":"gpt-4o","messages":[{"role":"user","content":"Hello there"}]}}`
	count := func(counter string) (string, error) {
		out, err := engine.Do("count", []byte(strings.Replace(body, "COUNTER", counter, 1)), nil)
		return rawjson.Value(out.Header).Member("counter").Text(), err
	}
	for counter, want := range map[string]string{"auto": "o200k_base", "o200k_base": "o200k_base", "chars4": "chars4"} {
		got, err := count(counter)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := count("cl100k_base")
	require.ErrorContains(t, err, "its vocabulary is not here")
	_, err = count("of mine")
	require.ErrorContains(t, err, "use estimate or auto")
	slices.Sort(asked)
	require.Equal(t, []string{"cl100k_base", "o200k_base"}, asked)
	loop, err := engine.Start([]byte(strings.Replace(body, "COUNTER", "o200k_base", 1)))
	require.NoError(t, err)
	require.NotNil(t, loop)
}
