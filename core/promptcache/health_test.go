package promptcache

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/tokens"
)

var (
	wrote = msg.Usage{Input: 50, CacheWrite: 5000, Output: 10}
	hit   = msg.Usage{Input: 50, CacheRead: 5000, CacheWrite: 100, Output: 10}
)

// session sends a request for each document, encodes and decodes the health between them, and returns the last
// warnings.
func session(t require.TestingT, usage msg.Usage, idle int, docs ...string) ([]msg.Warning, Metrics) {
	health := ""
	var warnings []msg.Warning
	var metrics Metrics
	for _, doc := range docs {
		h, ok := DecodeHealth(health)
		require.True(t, ok)
		h = h.Sent(FingerprintOf(parse(t, doc)), idle)
		health = h.Encode() // the state between planning and the response
		h, ok = DecodeHealth(health)
		require.True(t, ok)
		h, warnings, metrics = Observe(h, usage, Fingerprint{}, 0)
		health = h.Encode()
	}
	return warnings, metrics
}

// Each cause of three misses in a row, as found from digests alone.
func TestCauses(t *testing.T) {
	marked := `,"cache_control":{"type":"ephemeral"}`
	request := func(system, tool, model string, messages ...string) string {
		return `{"model":` + string(rawjson.Quote(model)) + `,"tools":[{"name":"a"},{"name":"b","description":` +
			string(rawjson.Quote(tool)) + `}],` +
			`"system":[{"type":"text","text":` + string(rawjson.Quote(system)) + marked + `}],"messages":[` +
			strings.Join(messages, ",") + `]}`
	}
	user := func(text string) string { return `{"role":"user","content":` + string(rawjson.Quote(text)) + `}` }
	const model = "claude-sonnet-4-5"
	four := func(doc func(i int) string) []string { return []string{doc(0), doc(1), doc(2), doc(3)} }
	clock := func(i int) string { return "Be kind.\nBe brief.\nIt is 2026-11-21 10:0" + strconv.Itoa(i) + "." }

	rows := []struct {
		why        string
		docs       []string
		usage      msg.Usage
		idle       int
		code, path string
		says       []string
	}{
		{"a clock in the system prompt", four(func(i int) string { return request(clock(i), "x", model, user("a")) }),
			wrote, 0,
			CodeSystem, "/system", []string{"3 requests in a row", "line 3", "timestamp"}},
		{"another line of the system prompt",
			four(func(i int) string { return request("Be kind.\nYou are number "+strconv.Itoa(i), "x", model, user("a")) }),
			wrote, 0,
			CodeSystem, "/system", []string{"line 2"}},
		{"one more line in the system prompt",
			four(func(i int) string {
				return request("Be kind."+strings.Repeat("\nmore", i), "x", model,
					user("a"))
			}), wrote, 0,
			CodeSystem, "/system", []string{"line 4"}},
		{"a tool with a new description", four(func(i int) string {
			return request("s", strconv.Itoa(i), model,
				user("a"))
		}), wrote, 0,
			CodeTools, "/tools/1", []string{"the tools changed at /tools/1"}},
		{"another model", four(func(i int) string { return request("s", "x", model+strconv.Itoa(i), user("a")) }),
			wrote, 0,
			CodeModel, "", []string{"another model"}},
		{"C6: old outputs edited in place every turn", four(func(i int) string {
			return request("s", "x", model, user("a"), `{"role":"assistant","content":"b"}`, user(strconv.Itoa(i)),
				`{"role":"assistant","content":"c"}`, user("d"))
		}), wrote, 0, CodePrefix, "/messages/2", []string{"the prefix changed at /messages/2"}},
		{"messages removed", four(func(i int) string {
			return request("s", "x", model, []string{user("a"), user("b"), user("c"), user("d")}[:4-i]...)
		}), wrote, 0, CodePrefix, "/messages/1", nil},
		{"the user thinks for ten minutes", four(func(i int) string { return request("s", "x", model, user("a")) }),
			wrote, 600,
			CodeIdle, "", []string{"600 s", "lives 300 s"}},
		{"a prompt below the minimum", four(func(i int) string { return request("s", "x", model, user("a")) }),
			msg.Usage{Input: 800}, 0,
			CodeShort, "", []string{"800 tokens", "1024"}},
		{"a long prompt whose breakpoint is too early", four(func(i int) string {
			return request("s", "x", model,
				user("a"))
		}), msg.Usage{Input: 8000}, 0,
			CodeShort, "", []string{"nothing was written"}},
		{"no cause found", four(func(i int) string { return request("s", "x", model, user("a")) }), wrote, 0,
			CodeMissed, "", []string{"evicted the entry"}},
		{"breakpoints that move too far", four(func(i int) string {
			doc := `{"messages":[`
			for m := range 40 * (i + 1) {
				mark := ""
				if m == 40*(i+1)-1 {
					mark = marked
				}
				doc += `{"role":"user","content":[{"type":"text","text":"x"` + mark + `}]},`
			}
			return strings.TrimSuffix(doc, ",") + "]}"
		}), wrote, 0, CodeMoved, "", []string{"moved by 40 positions", "at most 20"}},
		{"OpenAI caches by itself, and its system prompt is a message", four(func(i int) string {
			return `[{"role":"system","content":` + string(rawjson.Quote(clock(i))) + `},{"role":"user","content":"a"}]`
		}), msg.Usage{Input: 5000}, 0, CodeSystem, "/messages/0", []string{"line 3", "timestamp"}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			warnings, _ := session(t, row.usage, row.idle, row.docs[:3]...)
			require.Empty(t, warnings, "two misses cause no warning")
			warnings, metrics := session(t, row.usage, row.idle, row.docs...)
			require.Len(t, warnings, 1)
			require.Equal(t, row.code, warnings[0].Code, warnings[0].Message)
			require.Equal(t, row.path, warnings[0].Path)
			for _, says := range row.says {
				require.Contains(t, warnings[0].Message, says)
			}
			require.Equal(t, 3, metrics.Misses)
		})
	}
}

// Usage without requests: repeated misses are detected, their cause is unknown.
func TestObserveUsageOnly(t *testing.T) {
	var h Health
	var warnings []msg.Warning
	for range 4 {
		h, warnings, _ = Observe(h, wrote, Fingerprint{}, 0)
	}
	require.Len(t, warnings, 1)
	require.Equal(t, CodeMissed, warnings[0].Code)
	require.Contains(t, warnings[0].Message, "cause is unknown")

	h = Health{}
	for range 4 {
		h, warnings, _ = Observe(h, wrote, Fingerprint{}, 400)
	}
	require.Equal(t, CodeIdle, warnings[0].Code)

	h = Health{}
	for range 9 { // no request uses the cache: no hit is expected
		h, warnings, _ = Observe(h, msg.Usage{Input: 9000}, Fingerprint{}, 0)
		require.Empty(t, warnings)
	}
	require.Zero(t, h.Metrics().Misses)
}

// A hit resets the count of misses, a response without usage is ignored, and every third miss causes one warning.
func TestMissesInARow(t *testing.T) {
	var h Health
	given := ""
	for _, u := range []msg.Usage{wrote, wrote, wrote, hit, wrote, {}, wrote, wrote, wrote, wrote, wrote} {
		var warnings []msg.Warning
		h, warnings, _ = Observe(h, u, Fingerprint{}, 0)
		given += strconv.Itoa(len(warnings))
	}
	require.Equal(t, "00000001001", given)
}

func TestMetrics(t *testing.T) {
	var h Health
	h = h.Compacted(700).Compacted(-3)
	h, _, _ = Observe(h, msg.Usage{Input: 100, CacheWrite: 900, Output: 5}, Fingerprint{}, 0)
	h, _, m := Observe(h, msg.Usage{Input: 100, CacheRead: 900, Output: 5}, Fingerprint{}, 0)
	require.Equal(t, Metrics{Requests: 2, CacheHitRate: 450, CompactCount: 2, TokensIn: 2000, Saved: 700}, m)
	h, _, m = Observe(h, msg.Usage{Input: -5, CacheRead: 1<<31 - 1, CacheWrite: -1 << 31}, Fingerprint{}, -9)
	require.Positive(t, m.CacheHitRate, "hostile usage is clamped")
	_, _, m = Observe(h, msg.Usage{}, Fingerprint{}, 0)
	require.Equal(t, 3, m.Requests)
	out, err := json.Marshal(Metrics{Requests: 1, CacheHitRate: 2, CompactCount: 3, TokensIn: 4, Saved: 5, Misses: 6})
	require.NoError(t, err)
	require.JSONEq(t, `{"requests":1,"cacheHitRate":2,"compactCount":3,"tokensIn":4,"saved":5,"misses":6}`, string(out))
}

// New messages and moved breakpoints are no change of the prefix; planning twice does not hide a change.
func TestNoChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom([]string{msg.Anthropic, msg.OpenAIChat}).Draw(t, "format")
		c := parse(t, string(convtest.Conversation(t, format)))
		head := c.WithMessages(c.Messages[:rapid.IntRange(0, len(c.Messages)).Draw(t, "head")])
		before := FingerprintOf(unmarked(head))
		stored := Health{}.Sent(before, 0)
		stored, ok := DecodeHealth(stored.Encode())
		require.True(t, ok)
		if format == msg.OpenAIChat && len(head.Messages) == 0 {
			return // the system prompt is its first message
		}
		r, err := Rank(c, Options{Count: tokens.Chars4, Model: "claude-opus-5"})
		require.NoError(t, err)
		got := FingerprintOf(r.Conversation).changeSince(stored.pending)
		require.Contains(t, []cause{noCause, breakpointsMoved}, got.cause, "%+v", got)
	})
	first, second := FingerprintOf(parse(t, body(sized(system2k, 10), "u:a"))), FingerprintOf(parse(t,
		body(sized(system2k, 11), "u:a")))
	h, _, _ := Observe(Health{}, wrote, first, 0)
	require.Equal(t, systemChanged, h.Sent(second, 0).Sent(second, 0).change.cause)
}

// A change is located, also in a conversation that is too long for one digest per message.
func TestLongConversations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3000).Draw(t, "messages")
		at := rapid.IntRange(0, n-1).Draw(t, "changed")
		messages := make([]msg.Message, n+rapid.IntRange(0, 5).Draw(t, "more"))
		for i := range messages {
			messages[i] = msg.TextMessage(msg.User, strconv.Itoa(i%7))
		}
		c := &msg.Conversation{Format: msg.OpenAIChat, Messages: messages}
		h := Health{}.Sent(FingerprintOf(c.WithMessages(messages[:n])), 0)
		text := h.Encode()
		require.Less(t, len(text), 4<<10) // the fingerprints are bounded, whatever the number of messages
		h, ok := DecodeHealth(text)
		require.True(t, ok)
		require.Equal(t, text, h.Encode())
		require.Equal(t, noCause, FingerprintOf(c).changeSince(h.pending).cause)

		changed := append([]msg.Message(nil), messages...)
		changed[at] = msg.TextMessage(msg.User, "changed")
		got := FingerprintOf(c.WithMessages(changed)).changeSince(h.pending)
		require.Equal(t, prefixChanged, got.cause)
		require.True(t, got.at.from <= at && at < got.at.to && got.at.to-got.at.from <= 16, "%d is not in %v", at,
			got.at)
	})
}

func TestTimestamps(t *testing.T) {
	for _, line := range []string{"Today is 2026-11-21.", "2026/11/21", "It is 9:05 now", "23:59:01", "at T10:00:00Z",
		"epoch 1795233600", "1795233600123", "Nov 21, 2026", "21 November 2026"} {
		require.True(t, hasTimestamp(line), line)
	}
	for _, line := range []string{"", "version 1.2.3", "ratio 16:9", "port 127.0.0.1:80800", "25:10", "May I help?",
		"id 12345678901", "in 2026", "3:5"} {
		require.False(t, hasTimestamp(line), line)
	}
}

// The output of Encode is decoded; any other text is refused without a panic.
func FuzzDecodeHealth(f *testing.F) {
	h, _, _ := Observe(Health{}, wrote, FingerprintOf(&msg.Conversation{Format: msg.OpenAIChat,
		Messages: []msg.Message{msg.TextMessage(msg.System, "a\nb")}}), 3)
	f.Add(h.Encode())
	f.Add(h.Compacted(5).Sent(Fingerprint{set: true, breakpoints: []int{1, 2}}, 9).Encode())
	f.Add("")
	f.Add("AQ")
	f.Add("not ours")
	f.Fuzz(func(t *testing.T, text string) {
		h, ok := DecodeHealth(text)
		if !ok {
			require.Zero(t, h.requests)
			return
		}
		again, ok := DecodeHealth(h.Encode())
		require.True(t, ok)
		require.Equal(t, h.Encode(), again.Encode())
		Observe(h, wrote, FingerprintOf(&msg.Conversation{Format: msg.Anthropic}), 1)
	})
}
