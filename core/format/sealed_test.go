package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/tokens"
)

// ciphertext returns n characters of base64, without a pattern that a counter could know.
func ciphertext(n int, begin string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	out := []byte(begin)
	for seed := uint64(n) + 1; len(out) < n; {
		seed = seed*6364136223846793005 + 1442695040888963407
		out = append(out, alphabet[seed>>58])
	}
	return string(out)
}

// sealing has, for each format and each place of a ciphertext, a conversation with it at CIPHER.
var sealing = []struct{ name, conversation string }{
	{"redacted_thinking", `{"model":"claude-opus-4-6","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[
		{"type":"redacted_thinking","data":"CIPHER"},{"type":"text","text":"Hello!"}]}]}`},
	{"a signature without thinking", `{"model":"claude-opus-4-6","messages":[{"role":"user","content":"hi"},{"role":"assistant",
		"content":[{"type":"thinking","thinking":"","signature":"CIPHER"},{"type":"text","text":"Hello!"}]}]}`},
	{"a signature with a summary", `{"model":"claude-opus-4-6","messages":[{"role":"user","content":"hi"},{"role":"assistant",
		"content":[{"type":"thinking","thinking":"Short thought.","signature":"CIPHER"},{"type":"text","text":"Hello!"}]}]}`},
	{"a result of a web search", `{"model":"claude-opus-4-6","messages":[{"role":"user","content":"hi"},{"role":"assistant",
		"content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},
		{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result",
		"title":"T","url":"https://example.org","encrypted_content":"CIPHER"}]},{"type":"text","text":"Hello!"}]}]}`},
	{"Claude Code", `{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"hi"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","message":{"id":"m","role":"assistant","model":"claude-opus-4-6","content":[{"type":"thinking","thinking":"","signature":"CIPHER"}]}}
`},
	{"reasoning", `{"model":"gpt-5.4","input":[{"type":"message","role":"user","content":"hi"},
		{"type":"reasoning","summary":[],"encrypted_content":"CIPHER"},
		{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello!"}]}]}`},
	{"reasoning with a summary", `{"model":"gpt-5.4","input":[{"type":"message","role":"user","content":"hi"},
		{"type":"reasoning","summary":[{"type":"summary_text","text":"**Looking**"}],"encrypted_content":"CIPHER"},
		{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello!"}]}]}`},
	{"compaction", `{"model":"gpt-5.4","input":[{"type":"compaction","encrypted_content":"CIPHER"},
		{"type":"message","role":"user","content":"hi"}]}`},
	{"an unknown item", `{"model":"gpt-5.4","input":[{"type":"message","role":"user","content":"hi"},
		{"type":"sealed_call","encrypted_content":"CIPHER"}]}`},
	{"Codex", `{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}}
{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"CIPHER"}}
{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello!"}]}}
`},
	{"Gemini", `{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[
		{"functionCall":{"name":"f","args":{}},"thoughtSignature":"CIPHER"}]}]}`},
	{"Gemini in snake_case", `{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[
		{"function_call":{"name":"f","args":{}},"thought_signature":"CIPHER"}]}]}`},
	{"Gemini as Chat Completions", `{"model":"gemini-3-pro","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,
		"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"},
		"extra_content":{"google":{"thought_signature":"CIPHER"}}}]}]}`},
	{"OpenRouter", `{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"Hello!","reasoning":"Short.",
		"reasoning_details":[{"type":"reasoning.encrypted","data":"CIPHER"}],"tool_calls":[]}]}`},
	{"pi, thinking", `{"type":"session","version":1}
{"type":"message","message":{"role":"user","content":"hi"}}
{"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":"","thinkingSignature":"CIPHER"},{"type":"text","text":"Hello!"}]}}
`},
	{"pi, a call", `{"type":"session","version":1}
{"type":"message","message":{"role":"user","content":"hi"}}
{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"f","arguments":{},"thoughtSignature":"CIPHER"}]}}
`},
	{"opencode", `{"info":{"id":"ses_1"},"messages":[{"info":{"id":"m1","role":"user"},"parts":[{"type":"text","text":"hi"}]},
		{"info":{"id":"m2","role":"assistant"},"parts":[{"type":"reasoning","text":"",
		"metadata":{"anthropic":{"signature":"CIPHER"}}},{"type":"text","text":"Hello!"}]}]}`},
	{"AI SDK, reasoning", `[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"reasoning","text":"",
		"providerOptions":{"openai":{"itemId":"rs_1","reasoningEncryptedContent":"CIPHER"}}},{"type":"text","text":"Hello!"}]}]`},
	{"AI SDK, redacted", `[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"reasoning","text":"",
		"providerOptions":{"anthropic":{"redactedData":"CIPHER"}}},{"type":"text","text":"Hello!"}]}]`},
	{"AI SDK, a call", `[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c",
		"toolName":"f","input":{},"providerOptions":{"google":{"thoughtSignature":"CIPHER"}}}]}]`},
	{"UIMessage", `[{"id":"1","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"2","role":"assistant","parts":[
		{"type":"reasoning","text":"","providerMetadata":{"anthropic":{"signature":"CIPHER"}}},{"type":"text","text":"Hello!"}]}]`},
}

// TestSealed checks that every format counts a ciphertext as what it holds, not as a text, with every counter: between
// an eighth and a quarter of its characters, before the multiplier of the model (at most 1.6).
func TestSealed(t *testing.T) {
	counters := []tokens.Counter{tokens.Estimate, tokens.Chars4, perByte{}}
	for _, s := range sealing {
		t.Run(s.name, func(t *testing.T) {
			for _, counter := range counters {
				count := func(cipher string) int {
					c, err := format.Parse([]byte(strings.ReplaceAll(s.conversation, "CIPHER", cipher)), "")
					require.NoError(t, err)
					return tokens.NewMeter(counter, c).Conversation(c).Total
				}
				for _, begin := range []string{"gAAAAA", "EqQB"} {
					short, long := count(begin), count(ciphertext(10_000, begin))
					require.Greater(t, long, short+10_000/8, "%s, %s", counter.Name(), begin)
					require.Less(t, long, short+10_000/4*8/5, "%s, %s", counter.Name(), begin)
					twice := count(ciphertext(20_000, begin))
					require.InDelta(t, 2*long, twice, 500, "%s, %s", counter.Name(), begin)
				}
			}
		})
	}
}

// perByte is an exact counter of the worst kind: a ciphertext as text would be as many tokens as bytes.
type perByte struct{}

func (perByte) Name() string          { return "o200k_base" }
func (perByte) Count(text string) int { return len(text) }

// TestSealedThinking compares the counts with the reasoning tokens that OpenAI reported for answers with one reasoning
// item: every fourth of 84 recorded answers of gpt-5 and later (characters of encrypted_content, reasoning_tokens).
func TestSealedThinking(t *testing.T) {
	counted, real := 0, 0
	for _, answer := range [][2]int{{772, 10}, {952, 9}, {1080, 26}, {1252, 59}, {1380, 64}, {1444, 64}, {1572, 64},
		{1764, 128}, {1912, 128}, {2020, 192}, {2424, 192}, {2764, 320}, {3128, 256}, {3320, 320}, {3532, 384}, {3980, 512},
		{5580, 704}, {6968, 1024}, {8396, 1152}, {9676, 1408}, {13176, 1920}} {
		c, err := format.Parse(fmt.Appendf(nil, `{"model":"gpt-5","input":[{"type":"reasoning","encrypted_content":%q}]}`,
			ciphertext(answer[0], "gAAAAA")), "")
		require.NoError(t, err)
		n := tokens.NewMeter(nil, c).Block(&c.Messages[0].Blocks[0])
		// OpenAI reports a multiple of 64 for older models.
		require.InDelta(t, answer[1], n, float64(max(100, answer[1]/4)), "%d characters", answer[0])
		counted, real = counted+n, real+answer[1]
	}
	require.InDelta(t, real, counted, float64(real)/20, "in all")
}
