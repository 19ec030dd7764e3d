package gateway

import (
	"bytes"
	"encoding/json"
)

// Usage is the provider's own count of one call, in tokens.
type Usage struct {
	Input      int `json:"input"` // neither read from the cache nor written to it
	CacheRead  int `json:"cacheRead"`
	CacheWrite int `json:"cacheWrite"`
	Output     int `json:"output"`
}

// usageReader reads the usage of a response while it passes: a stream of events, or one JSON document.
type usageReader struct {
	on    bool
	line  []byte // of the current line, at most maxUsageLine bytes
	found bool
	Usage
}

// maxUsageLine is the length of a line in bytes above which it is not read.
const maxUsageLine = 1 << 20

func (u *usageReader) write(p []byte) {
	for u.on && len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			if len(u.line)+len(p) <= maxUsageLine {
				u.line = append(u.line, p...)
			}
			return
		}
		if len(u.line)+end <= maxUsageLine {
			u.line = append(u.line, p[:end]...)
		}
		u.read()
		p = p[end+1:]
	}
}

// rawUsage has the members of all APIs.
type rawUsage struct {
	InputTokens   *int `json:"input_tokens"`
	OutputTokens  *int `json:"output_tokens"`
	CacheRead     *int `json:"cache_read_input_tokens"`
	CacheCreation *int `json:"cache_creation_input_tokens"`
	Prompt        *int `json:"prompt_tokens"`
	Completion    *int `json:"completion_tokens"`
	PromptDetails struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	InputDetails *struct {
		Cached int `json:"cached_tokens"`
	} `json:"input_tokens_details"`
}

// read reads the finished line.
func (u *usageReader) read() {
	line := u.line
	u.line = u.line[:0]
	if !bytes.Contains(line, []byte(`"usage"`)) {
		return
	}
	line = bytes.TrimPrefix(line, []byte("data:"))
	var event struct {
		Usage   *rawUsage
		Message struct{ Usage *rawUsage }
		// of the Responses API
		Response struct{ Usage *rawUsage }
	}
	if json.Unmarshal(line, &event) != nil {
		return
	}
	for _, raw := range []*rawUsage{event.Usage, event.Message.Usage, event.Response.Usage} {
		if raw != nil {
			u.add(raw)
		}
	}
}

func (u *usageReader) add(raw *rawUsage) {
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
		u.CacheRead, u.Input, u.found = raw.PromptDetails.Cached, *raw.Prompt-raw.PromptDetails.Cached, true
	}
	if raw.InputDetails != nil && raw.InputTokens != nil {
		u.CacheRead, u.Input = raw.InputDetails.Cached, *raw.InputTokens-raw.InputDetails.Cached
	}
}

// end reads a document without a line break at its end. It returns nil if no usage was found.
func (u *usageReader) end() *Usage {
	if u.on && len(u.line) > 0 {
		u.read()
	}
	if !u.found {
		return nil
	}
	return &u.Usage
}
