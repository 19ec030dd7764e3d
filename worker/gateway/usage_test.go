//go:build !js

package gateway

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// usageOf reads a response that arrives in pieces of n bytes.
func usageOf(text string, n int) *Usage {
	u := usageReader{on: true}
	for ; len(text) > n; text = text[n:] {
		u.write([]byte(text[:n]))
	}
	u.write([]byte(text))
	return u.end()
}

// The usage of each API is read, in any order and layout of its document, from a document and from a stream, in pieces
// of any size.
func TestUsageOfAnyDocument(t *testing.T) {
	apis := []struct {
		path, usage string
		want        Usage
	}{
		{"", `"input_tokens":7,"cache_read_input_tokens":20,"cache_creation_input_tokens":4,"output_tokens":3`,
			Usage{7, 20, 4, 3}},
		{"message", `"input_tokens":7,"output_tokens":3`, Usage{7, 0, 0, 3}},
		{"", `"prompt_tokens":12000,"completion_tokens":50,"total_tokens":12050,"prompt_tokens_details":{"cached_tokens":8000}`,
			Usage{4000, 8000, 0, 50}},
		{"", `"prompt_tokens":12,"completion_tokens":5,"prompt_tokens_details":null`, Usage{12, 0, 0, 5}},
		{"response", `"input_tokens":90,"input_tokens_details":{"cached_tokens":60},"output_tokens":5`,
			Usage{30, 60, 0, 5}},
		{"", `"prompt_tokens":1000,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":100,"cache_write_tokens":850}`,
			Usage{50, 100, 850, 7}},
		{"response", `"input_tokens":1000,"input_tokens_details":{"cached_tokens":100,"cache_write_tokens":850},"output_tokens":7`,
			Usage{50, 100, 850, 7}},
	}
	rapid.Check(t, func(t *rapid.T) {
		api := rapid.SampledFrom(apis).Draw(t, "api")
		members := []string{`"id":"x"`, `"text":"a \"usage\":{} b\\"`, `"choices":[{"usage":{"prompt_tokens":1}},{}]`,
			`"usage":{` + api.usage + `}`}
		if api.path != "" {
			members[3] = fmt.Sprintf("%q:{%s}", api.path, members[3])
		} else {
			members = append(members, `"message":"a text"`)
		}
		members = rapid.Permutation(members).Draw(t, "order")
		doc := "{" + strings.Join(members, ",") + "}"
		space := rapid.StringOfN(rapid.SampledFrom([]rune(" \t\r\n")), 0, 4, -1)
		var spaced strings.Builder
		text := false
		for i, c := range doc {
			if c == '"' && (i == 0 || doc[i-1] != '\\' || doc[i-2] == '\\') {
				text = !text
			}
			if !text && strings.ContainsRune("{}[],:", c) {
				spaced.WriteString(space.Draw(t, "before") + string(c) + space.Draw(t, "after"))
			} else {
				spaced.WriteRune(c)
			}
		}
		require.True(t, json.Valid([]byte(spaced.String())))
		n := rapid.IntRange(1, len(doc)).Draw(t, "piece")
		require.Equal(t, &api.want, usageOf(spaced.String(), n))

		// In a stream each line of the document is a line of data.
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		lines := strings.FieldsFunc(spaced.String(), func(r rune) bool { return r == '\n' || r == '\r' })
		event := "event: e" + end + "data: " + strings.Join(lines, end+"data: ") + end
		other := `data: {"usage":null,"type":"ping"}` + end + end
		stream := ": comment" + end + end + other + event + end + other + "data: [DONE]" + end + end
		require.Equal(t, &api.want, usageOf(stream, n))
		require.Equal(t, &api.want, usageOf(other+event, n), "broken off before the last line break")
	})
}

// The newest number counts, as in the events message_start and message_delta.
func TestUsageOfAStream(t *testing.T) {
	const start = `data: {"type":"message_start","message":{"usage":{"input_tokens":9,"cache_read_input_tokens":5,"output_tokens":1}}}`
	const delta = `data:{"type":"message_delta","usage":{"output_tokens":40}}`
	for _, stream := range []string{start + "\n\n" + delta + "\n\n", start + "\n" + delta, "\n\n" + start +
		"\r\n\r\n" + delta,
		strings.ReplaceAll(start+"\n"+delta, "data:", " ")} { // the last are lines of JSON, without events
		for _, n := range []int{1, 2, 7, 1000} {
			require.Equal(t, &Usage{Input: 9, CacheRead: 5, Output: 40}, usageOf(stream, n), stream)
		}
	}
	for _, none := range []string{"", "\n", "{", "{}", "[]", "data: {", `{"usage":7}`, `{"usage":{}}`, `{"usage":{"output_tokens":"7"}}`,
		`{"other":{"usage":{"output_tokens":7}}}`, "event: x\n\n", `id: "usage"`, `"usage"`, "no JSON, \"usage\""} {
		require.Nil(t, usageOf(none, 3), none)
	}
	off := usageReader{}
	off.write([]byte(`{"usage":{"output_tokens":7}}`))
	require.Nil(t, off.end())
}

// A part over the limit is not kept, and what follows is read.
func TestUsageAfterALargePart(t *testing.T) {
	const usage = `"usage":{"output_tokens":7}`
	large := strings.Repeat("x", maxUsage)
	fits := large[:maxUsage-len(`data:{"":"",}`)-len(usage)]
	require.NotNil(t, usageOf(`data:{"`+fits+`":"",`+usage+"}\n\n", 4096))
	require.Nil(t, usageOf(`data:{"xx`+fits+`":"",`+usage+"}\n\n", 4096))
	require.Nil(t, usageOf(`{"`+large+`":"",`+usage+"}", 4096))
	require.NotNil(t, usageOf(`{"`+fits+`":"",`+usage+"}", 4096))
	require.Nil(t, usageOf(": "+large, 4096))
	require.Equal(t, &Usage{Output: 7}, usageOf("data: "+large+"\n\ndata: {"+usage+"}\n\n", 4096))
	lines := strings.Repeat("data: "+large[:1000]+"\n", 2000)
	require.Equal(t, &Usage{Output: 7}, usageOf(lines+"\n\ndata: {"+usage+"}\n\n", 4096))
	u := usageReader{on: true}
	for range 64 {
		u.write([]byte(large))
		require.LessOrEqual(t, cap(u.line)+cap(u.record), 4*maxUsage) // of append, which doubles a slice
	}
}

// The reason that a provider gives for a cache miss is in the log and in the list of sessions, also in observe mode.
func TestReasonsOfCacheMisses(t *testing.T) {
	const anthropic = `"diagnostics":{"cache_miss_reason":{"type":"messages_changed","cache_missed_input_tokens":9}}`
	for text, want := range map[string]string{
		`{"type":"message",` + anthropic + `,"usage":{"input_tokens":1}}`: "messages_changed",
		"event: message_start\ndata: {\"message\":{" + anthropic + `,"usage":{"input_tokens":1}}}` + "\n\n" +
			`data: {"type":"message_delta","usage":{"output_tokens":3}}` + "\n\n": "messages_changed",
		`{"diagnostics":{"cache_miss_reason":null},"usage":{}}`:           "",
		`{"diagnostics":{"cache_miss_reason":{"type":"A b"}},"usage":{}}`: "",
		`{"prompt_cache_diagnostics":{"type":"cache_hit"},"usage":{}}`:    "",
		`{"prompt_cache_diagnostics":{"type":"unavailable"},"usage":{}}`:  "unavailable",
		`{"prompt_cache_diagnostics":7,"diagnostics":"x","usage":{}}`:     "",
		"data: " + `{"response":{"prompt_cache_diagnostics":{"type":"cache_miss","reason":"context_compacted",` +
			`"cache_missed_tokens":9},"usage":{"input_tokens":1}}}` + "\n\n": "context_compacted",
	} {
		u := usageReader{on: true}
		u.write([]byte(text))
		u.end()
		require.Equal(t, want, u.miss, text)
	}
	for _, mode := range []string{"compact", "observe"} {
		p := newProvider(t, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"type":"message",`+anthropic+`,"usage":{"input_tokens":1,"output_tokens":1}}`)
		})
		s := start(t, p.URL, "GATEWAY_MODE", mode)
		for range 2 {
			s.post(t, "/up/v1/messages", history(3, 10, ""))
		}
		require.Equal(t, "messages_changed", s.ended()[1].CacheMiss)
		require.Contains(t, string(s.g.Sessions.List()), `"cacheMisses":{"messages_changed":2}`)
	}
}
