package gateway

import "strings"

// readTooLong reads the error of a provider that found a prompt too long. used and limit are its numbers of tokens, 0
// if it names none.
//
//	Anthropic: prompt is too long: 215000 tokens > 200000 maximum
//	Anthropic: input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, …
//	OpenAI: This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.
//	OpenAI, Responses: Your input exceeds the context window of this model. (code context_length_exceeded)
func readTooLong(status int, body []byte) (used, limit int, ok bool) {
	text := strings.ToLower(string(body))
	has := func(part string) bool { return strings.Contains(text, part) }
	n := numbers(text)
	switch {
	case has("prompt is too long") && len(n) > 1:
		return n[0], n[1], true
	case has("exceed context limit") && len(n) > 2 && n[2] > n[1]:
		return n[0], n[2] - n[1], true
	case has("maximum context length") && len(n) > 1:
		return n[1], n[0], true
	}
	ok = has("prompt is too long") || has("exceed context limit") || has("context_length_exceeded") ||
		has("maximum context length") || has("exceeds the context window") || has("request_too_large") || status == 413
	return 0, 0, ok
}

// numbers lists the numbers of three to nine digits in a text.
func numbers(text string) (all []int) {
	isDigit := func(i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }
	for i := 0; i < len(text); i++ {
		n, start := 0, i
		for ; isDigit(i) && i-start < 10; i++ {
			n = 10*n + int(text[i]-'0')
		}
		if i-start >= 3 && i-start < 10 {
			all = append(all, n)
		}
		for isDigit(i) {
			i++
		}
	}
	return all
}
