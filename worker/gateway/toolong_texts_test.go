//go:build !js

package gateway

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// tooLongTexts are errors as providers send them, with U for the number of tokens that were asked and L for the limit.
// toolong.go has the sources.
var tooLongTexts = []string{
	`{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: U tokens > L maximum"},"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}`,
	`{"error":{"message":"This model's maximum context length is L tokens. However, your messages resulted in U tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`,
	`{"error":{"message":"This model's maximum context length is L tokens. However, you requested U tokens (20 in the messages, 10 in the completion). Please reduce the length of the messages or completion."}}`,
	`{"error":{"message":"This model's maximum context length is L tokens, however you requested U tokens (20 in your prompt; 10 for the completion)."}}`,
	`{"object":"error","message":"This model's maximum context length is L tokens. However, you requested 10 output tokens and your prompt contains at least 20 input tokens, for a total of at least U tokens. (parameter=input_tokens, value=20)","code":400}`,
	`{"message":"This model's maximum context length is L tokens. However, your request has U input tokens."}`,
	`{"error":{"code":400,"message":"This endpoint's maximum context length is L tokens. However, you requested about U tokens (20 of text input, 10 in the output)."}}`,
	`{"message":"Requested token count exceeds the model's maximum context length of L tokens. You requested a total of U tokens: 20 tokens from the input messages and 10 tokens for the completion.","code":400}`,
	`{"error":{"message":"The input (U tokens) is longer than the model's context length (L tokens)."}}`,
	`{"error":{"message":"The decoder prompt (length U) is longer than the maximum model length of L. Make sure that max_model_len is no smaller."}}`,
	`{"object":"error","message":"Prompt contains U tokens and 0 draft tokens, too large for model with L maximum context length","type":"invalid_request_error","code":3051}`,
	`{"message":"Prompt contains U tokens, too large for model with L maximum context length"}`,
	`{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is L but the request contains U tokens."}`,
	`{"error":{"code":400,"message":"request (U tokens) exceeds the available context size (L tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":U,"n_ctx":L}}`,
	`{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error","n_prompt_tokens": U,"n_ctx": L}}`,
	`{"error":{"message":"litellm.BadRequestError: OpenAIException - request (U tokens) exceeds the available context size (L tokens)"}}`,
	`[{"error":{"code":400,"message":"The input token count (U) exceeds the maximum number of tokens allowed (L).","status":"INVALID_ARGUMENT"}}]`,
	`{"error":{"message":"prompt token count of U exceeds the limit of L","code":"model_max_prompt_tokens_exceeded"}}`,
	`{"error":{"message":"Invalid request: Your request exceeded model token limit: L (requested: U)"}}`,
	`{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"type\":\"exceed_context_size_error\",\"n_prompt_tokens\":U,\"n_ctx\":L}}"}}}`,
}

// The two numbers of each text are read, and the limit is less than what was asked.
func TestNumbersOfTooLong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(100, 9_999_999).Draw(t, "limit")
		asked := rapid.IntRange(limit+1, 99_999_999).Draw(t, "asked")
		number := strconv.Itoa
		if rapid.Bool().Draw(t, "commas") {
			number = withCommas
		}
		text := rapid.SampledFrom(tooLongTexts).Draw(t, "text")
		text = strings.NewReplacer("U", number(asked), "L", number(limit)).Replace(text)
		if rapid.Bool().Draw(t, "upper") {
			text = strings.ToUpper(text)
		}
		used, got, ok := readTooLong(400, []byte(text))
		require.True(t, ok)
		require.Equal(t, []int{asked, limit}, []int{used, got}, text)
	})
	used, limit, _ := readTooLong(400, []byte("requested: much, exceeded model token limit: 100 (requested: 200)"))
	require.Equal(t, []int{200, 100}, []int{used, limit}, "the first number behind the prefix")
}

func withCommas(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// Whatever a text has: the numbers are those of a prompt over a limit, or none.
func TestLimitIsLessThanAsked(t *testing.T) {
	words := []string{"U", "L", "12", "4000", ",", "0", "9999999999", "000", " ", "{", `"`, "exceed context limit: ", " + ", " > "}
	for _, row := range tooLong {
		words = append(words, row.phrase, row.asked, row.limit)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(append(words, tooLongTexts...))).Draw(t, "words"), "")
		text = strings.NewReplacer("U", "300", "L", rapid.SampledFrom([]string{"0", "299", "300", "301",
			"1,000"}).Draw(t, "limit")).
			Replace(text)
		used, limit, ok := readTooLong(400, []byte(text))
		require.True(t, used == 0 && limit == 0 || ok && 0 < limit && limit < used && used < 1_000_000_000, "%d %d",
			used, limit)
	})
	for _, text := range tooLongTexts { // not over the limit, so the numbers are not what they seem
		for _, used := range []string{"99999", "100000"} {
			used, limit, ok := readTooLong(400, []byte(strings.NewReplacer("U", used, "L", "100000").Replace(text)))
			require.Equal(t, []any{0, 0, true}, []any{used, limit, ok}, text)
		}
	}
}

func TestSumsOfTooLong(t *testing.T) {
	const text = "input length and `max_tokens` exceed context limit: %s, decrease input length"
	for sum, want := range map[string][2]int{
		"188240 + 21333 > 200000": {188240, 178667}, "178668 + 21333 > 200000": {178668, 178667},
		"178667 + 21333 > 200000": {}, // it fits
		"10 + 200000 > 200000":    {}, // the answer alone is too long
		"10 + 200001 > 200000":    {}, "10": {}, "10 + 20": {}, " > 5 + 1": {},
	} {
		used, limit, ok := readTooLong(400, fmt.Appendf(nil, text, sum))
		require.True(t, ok)
		require.Equal(t, want, [2]int{used, limit}, sum)
	}
}

// Texts without numbers, and other errors.
func TestOtherErrors(t *testing.T) {
	for _, text := range []string{"prompt is too long", "Input is too long for requested model.", "context_length_exceeded",
		"Your input exceeds the context window of this model", "request_too_large", "Please reduce the length of the messages or completion.",
		"The number of tokens to keep from the initial prompt is greater than the context length",
		"invalid params, context window exceeds limit", "prompt too long; exceeded max context length by 4096 tokens",
		"Range of input length should be [1, 129024]", "exceed context limit", "This model's maximum context length is 8192 tokens",
		"The input token count exceeds the maximum number of tokens allowed 1048576.",
		"the request exceeds the available context size, try increasing it"} {
		for _, status := range []int{200, 400, 413} {
			used, limit, ok := readTooLong(status, []byte(text))
			require.Equal(t, []any{0, 0, true}, []any{used, limit, ok}, text)
		}
	}
	for _, text := range []string{"", "messages.3: tool_use ids were found without tool_result blocks",
		"max_tokens: 50000 > 8192, which is the maximum allowed number of output tokens for this model",
		"max_tokens is too large: 50000. This model supports at most 16384 completion tokens", "Invalid API key",
		"Rate limit reached for tokens per min: Limit 30000, Requested 40000", "image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes",
		"messages.1.content.0.text.text: string too long. Expected a string with maximum length 10485760"} {
		used, limit, ok := readTooLong(400, []byte(text))
		require.Equal(t, []any{0, 0, false}, []any{used, limit, ok}, text)
		_, _, ok = readTooLong(413, []byte(text))
		require.True(t, ok)
	}
}
