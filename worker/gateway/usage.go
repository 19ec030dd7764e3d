package gateway

import (
	"bytes"
	"encoding/json"

	"tamp/core/msg"
)

// Usage is the provider's own count of one call, in tokens.
type Usage struct {
	Input      int `json:"input"` // neither read from the cache nor written to it
	CacheRead  int `json:"cacheRead"`
	CacheWrite int `json:"cacheWrite"`
	Output     int `json:"output"`
}

// usageReader reads the usage of a response while it passes: one JSON document, whose first byte is a brace or a
// bracket, or a stream of server-sent events.
type usageReader struct {
	on       bool
	begun    bool   // a byte that is no white space was read
	document bool   // … and it was a brace or a bracket
	line     []byte // of a stream: the current line
	record   []byte // the document, or the data of the current event
	large    bool   // the line or the record is over maxUsage, so the record is not read
	found    bool
	miss     string // why the cache missed a part of the prompt, by the provider; "" if it does not say
	Usage
}

// maxUsage is the length in bytes above which a document or an event is not read.
const maxUsage = 1 << 20

func (u *usageReader) write(p []byte) {
	if !u.on {
		return
	}
	if !u.begun {
		if p = bytes.TrimLeft(p, " \t\r\n"); len(p) == 0 {
			return
		}
		u.begun, u.document = true, p[0] == '{' || p[0] == '['
	}
	if u.document {
		u.record = u.grown(u.record, p)
		return
	}
	for {
		line, rest, found := bytes.Cut(p, []byte{'\n'})
		u.line = u.grown(u.line, line)
		if !found {
			return
		}
		u.endLine()
		p = rest
	}
}

// grown appends to a part of the response. A part that gets too large is not kept.
func (u *usageReader) grown(part, p []byte) []byte {
	if u.large = u.large || len(part)+len(p) > maxUsage; u.large {
		return nil
	}
	return append(part, p...)
}

// endLine adds a line to the event, or reads the event if the line is empty. An event may have several lines of data;
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation.
func (u *usageReader) endLine() {
	line := bytes.TrimSuffix(u.line, []byte{'\r'})
	u.line = u.line[:0]
	if data, found := bytes.CutPrefix(line, []byte("data:")); found {
		u.record = u.grown(u.record, append(data, '\n'))
	}
	if len(line) == 0 {
		u.read()
	}
}

// rawUsage has the members of all APIs.
type rawUsage struct {
	InputTokens        *int          `json:"input_tokens"`
	OutputTokens       *int          `json:"output_tokens"`
	CacheRead          *int          `json:"cache_read_input_tokens"`
	CacheCreation      *int          `json:"cache_creation_input_tokens"`
	Prompt             *int          `json:"prompt_tokens"`
	Completion         *int          `json:"completion_tokens"`
	PromptDetails      *inputDetails `json:"prompt_tokens_details"`
	InputDetails       *inputDetails `json:"input_tokens_details"`
	InteractionsInput  *int          `json:"total_input_tokens"` // of Gemini's Interactions API; the cached ones are part of it
	InteractionsCached int           `json:"total_cached_tokens"`
	InteractionsTools  int           `json:"total_tool_use_tokens"`
	InteractionsAnswer int           `json:"total_output_tokens"`
	InteractionsThinks int           `json:"total_thought_tokens"`
	GeminiPrompt       *int          `json:"promptTokenCount"`
	GeminiTools        int           `json:"toolUsePromptTokenCount"` // of a search by the provider: not part of the prompt
	GeminiCached       int           `json:"cachedContentTokenCount"`
	GeminiAnswer       int           `json:"candidatesTokenCount"`
	GeminiThinks       int           `json:"thoughtsTokenCount"` // not part of the answer
}

// inputDetails says what of the input of a call to OpenAI the cache had, and what was written to it.
type inputDetails struct {
	Cached int `json:"cached_tokens"`
	Writes int `json:"cache_write_tokens"`
}

// read reads the JSON values of the finished record: mostly one, but some servers send a line for each value.
func (u *usageReader) read() {
	record := u.record
	u.record, u.large = u.record[:0], false
	if !bytes.Contains(record, []byte(`"usage`)) {
		return
	}
	for values := json.NewDecoder(bytes.NewReader(record)); ; {
		var value json.RawMessage
		if values.Decode(&value) != nil {
			return
		}
		events := []json.RawMessage{value}
		if value[0] == '[' && json.Unmarshal(value, &events) != nil { // a stream of Gemini without alt=sse
			return
		}
		for _, event := range events {
			u.readEvent(event)
		}
	}
}

func (u *usageReader) readEvent(data []byte) {
	var event struct {
		Usage, Message, Response json.RawMessage // Response: of the Responses API
		Interaction              json.RawMessage // of Gemini's Interactions API
		missReasons
		UsageMetadata json.RawMessage // of Gemini
	}
	if json.Unmarshal(data, &event) != nil {
		return
	}
	u.missed(event.missReasons)
	u.add(event.Usage)
	u.add(event.UsageMetadata)
	for _, part := range []json.RawMessage{event.Message, event.Response, event.Interaction} {
		var in struct {
			Usage json.RawMessage
			missReasons
		}
		if json.Unmarshal(part, &in) == nil { // else there is none, or it is a text
			u.missed(in.missReasons)
			u.add(in.Usage)
		}
	}
}

// missReasons are the members with the reason of a cache miss: of Messages (BetaDiagnostics of @anthropic-ai/sdk
// 1.14.0) and of Responses (Response.CacheMiss of openai 7.57.0).
type missReasons struct {
	Diagnostics json.RawMessage `json:"diagnostics"`
	OpenAI      json.RawMessage `json:"prompt_cache_diagnostics"`
}

// missed keeps the reason that a response says.
func (u *usageReader) missed(m missReasons) {
	var anthropic struct {
		Reason struct{ Type string } `json:"cache_miss_reason"`
	}
	var openAI struct{ Type, Reason string }
	if json.Unmarshal(m.Diagnostics, &anthropic) == nil && msg.IsReason(anthropic.Reason.Type) {
		u.miss = anthropic.Reason.Type
	}
	if json.Unmarshal(m.OpenAI, &openAI) == nil {
		switch {
		case openAI.Type == "cache_miss" && msg.IsReason(openAI.Reason):
			u.miss = openAI.Reason
		case openAI.Type != "cache_hit" && msg.IsReason(openAI.Type):
			u.miss = openAI.Type
		}
	}
}

// add adds a usage; one that is absent, null or not as expected adds nothing.
func (u *usageReader) add(text json.RawMessage) {
	var raw rawUsage
	if json.Unmarshal(text, &raw) != nil {
		return
	}
	set := func(to, from *int) {
		if from != nil {
			*to, u.found = *from, true
		}
	}
	set(&u.Input, raw.InputTokens)
	set(&u.Output, raw.OutputTokens)
	set(&u.CacheRead, raw.CacheRead)
	set(&u.CacheWrite, raw.CacheCreation)
	set(&u.Output, raw.Completion)
	if raw.Prompt != nil {
		u.total(*raw.Prompt, raw.PromptDetails)
	}
	if raw.GeminiPrompt != nil {
		u.CacheRead, u.Input, u.found = raw.GeminiCached, *raw.GeminiPrompt+raw.GeminiTools-raw.GeminiCached, true
		u.Output = raw.GeminiAnswer + raw.GeminiThinks
	}
	if raw.InteractionsInput != nil {
		u.CacheRead, u.found = raw.InteractionsCached, true
		u.Input = *raw.InteractionsInput + raw.InteractionsTools - raw.InteractionsCached
		u.Output = raw.InteractionsAnswer + raw.InteractionsThinks
	}
	if raw.InputDetails != nil && raw.InputTokens != nil {
		u.total(*raw.InputTokens, raw.InputDetails)
	}
}

// total sets an input that has what the cache had, and what was written to it; details may be nil.
func (u *usageReader) total(input int, details *inputDetails) {
	u.Input, u.CacheRead, u.found = input, 0, true
	if details == nil {
		return
	}
	u.CacheRead = details.Cached
	if details.Writes > 0 { // else a member of Anthropic's names may have them
		u.CacheWrite = details.Writes
	}
	u.Input = max(input-details.Cached-details.Writes, 0)
}

// end reads the rest. It returns nil if no usage was found.
func (u *usageReader) end() *Usage {
	if u.on && !u.document {
		u.endLine()
	}
	u.read()
	if !u.found {
		return nil
	}
	return &u.Usage
}
