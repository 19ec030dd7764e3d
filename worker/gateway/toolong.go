package gateway

import "strings"

// tooLong has the texts of providers that found a prompt too long, in lower case. Their numbers of tokens follow asked
// and limit; texts without numbers have only the phrase.
var tooLong = [...]struct{ phrase, asked, limit string }{
	// Anthropic, https://github.com/stackblitz/bolt.new/issues/1748
	{"prompt is too long", "prompt is too long: ", " tokens > "},
	// OpenAI, https://github.com/ChatGPTNextWeb/NextChat/issues/625
	{"maximum context length", "resulted in ", "maximum context length is "},
	// vLLM, of prompt and answer together, https://github.com/vllm-project/vllm/issues/33418
	{"maximum context length", "for a total of at least ", "maximum context length is "},
	{"maximum context length", "your request has ", "maximum context length is "},
	// OpenAI, vLLM and DeepSeek, of prompt and answer together, https://github.com/vllm-project/vllm/issues/20409
	{"maximum context length", "you requested ", "maximum context length is "},
	// OpenRouter, https://openrouter.ai/docs/api/reference/errors-and-debugging
	{"maximum context length", "you requested about ", "maximum context length is "},
	// SGLang, https://github.com/sgl-project/sglang, managers/tokenizer_manager.py
	{"maximum context length", "you requested a total of ", "maximum context length of "},
	// Together, and SGLang
	{"longer than the model's context length", "the input ", "longer than the model's context length "},
	// vLLM, https://github.com/vllm-project/vllm, v1/engine/input_processor.py
	{"longer than the maximum model length", "prompt (length ", "longer than the maximum model length of "},
	// Mistral, https://docs.mistral.ai/resources/known-limitations
	{"too large for model with", "prompt contains ", "too large for model with "},
	// xAI, https://github.com/cline/cline/issues/3120
	{"maximum prompt length is", "request contains ", "maximum prompt length is "},
	// llama.cpp, https://github.com/ggml-org/llama.cpp/issues/19774, and before the message had numbers, …/pull/15780
	{"exceed_context_size_error", "n_prompt_tokens", "n_ctx"},
	{"exceeds the available context size", "request ", "exceeds the available context size "},
	// Gemini, https://github.com/google-gemini/gemini-cli/issues/6678
	{"exceeds the maximum number of tokens", "input token count ", "exceeds the maximum number of tokens allowed "},
	// https://github.com/badlogic/pi-mono, packages/ai/src/utils/overflow.ts: GitHub Copilot, Kimi, Bedrock, Groq,
	// LM Studio, MiniMax, Ollama, DashScope
	{"prompt token count of", "prompt token count of ", "exceeds the limit of "},
	{"exceeded model token limit", "requested: ", "exceeded model token limit: "},
	{"input is too long for requested model", "", ""},
	{"reduce the length of the messages", "", ""},
	{"greater than the context length", "", ""},
	{"context window exceeds limit", "", ""},
	{"exceeded max context length", "", ""},
	{"range of input length should be", "", ""},
	// OpenAI, https://platform.openai.com/docs/guides/error-codes
	{"context_length_exceeded", "", ""},
	{"exceeds the context window", "", ""},
	// Anthropic, https://docs.claude.com/en/api/errors
	{"exceed context limit", "", ""},
	{"request_too_large", "", ""},
}

// readTooLong reads the error of a provider that found a prompt too long. used and limit are its numbers of tokens,
// with limit < used; both are 0 if it names none.
func readTooLong(status int, body []byte) (used, limit int, ok bool) {
	text := strings.ToLower(string(body))
	// Anthropic: input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, …
	if _, sum, found := strings.Cut(text, "exceed context limit: "); found {
		input, answer, whole := numberAfter(sum, ""), numberAfter(sum, " + "), numberAfter(sum, " > ")
		if answer < whole && whole-answer < input {
			return input, whole - answer, true
		}
	}
	for _, t := range tooLong {
		if !strings.Contains(text, t.phrase) {
			continue
		}
		ok = true
		if used, limit = numberAfter(text, t.asked), numberAfter(text, t.limit); 0 < limit && limit < used {
			return used, limit, true
		}
	}
	return 0, 0, ok || status == 413
}

// numberAfter returns the first number that follows a prefix in a text, such as "n_ctx\": 8192" or "size (1,024
// tokens)"; 0 if none does.
func numberAfter(text, prefix string) int {
	for {
		_, rest, found := strings.Cut(text, prefix)
		if n := leadingNumber(strings.TrimLeft(rest, "\\\": (")); n > 0 || !found || prefix == "" {
			return n
		}
		text = rest
	}
}

// leadingNumber reads a number of at most nine digits, which may have commas; 0 if the text begins with none.
func leadingNumber(text string) (n int) {
	end := 0
	for ; end < len(text) && ('0' <= text[end] && text[end] <= '9' || text[end] == ','); end++ {
		if text[end] != ',' {
			n = min(10*n+int(text[end]-'0'), 1_000_000_000)
		}
	}
	return n % 1_000_000_000
}
