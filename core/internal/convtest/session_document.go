package convtest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"tamp/core/internal/convtest/validator"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Document is the session's first n messages: a request body, a bare array of messages, or a log.
func (s *Session) Document(n int) []byte {
	switch {
	case wrapped[s.Format] != "":
		return s.Grow(emptyLog(s.Format), 0, n)
	case isClient(s.Format):
		return s.Grow(s.clientDocument(), 0, n)
	case s.Format == msg.ClaudeCode:
		return s.Grow([]byte(`{"type":"summary","summary":"A session","leafUuid":"u-0"}`+"\n"), 0, n)
	case s.Format == msg.Codex:
		return s.Grow([]byte(`{"timestamp":"2026-01-02T03:04:05.000Z","type":"session_meta","payload":{"id":"s",`+
			`"base_instructions":{"text":"You are careful."}}}`+"\n"+`{"timestamp":"2026-01-02T03:04:05.000Z",`+
			`"type":"turn_context","payload":{"model":`+quote(s.Model)+`,"cwd":"/project"}}`+"\n"), 0, n)
	case s.bare:
		return s.Grow([]byte(`[]`), 0, n)
	case s.Format == msg.AISDK:
		return s.Grow([]byte(`{"system":"You are careful.","messages":[],"temperature":1.0}`), 0, n)
	case s.Format == msg.Gemini:
		return s.Grow([]byte(`{"model":`+quote(s.Model)+`,"systemInstruction":{"parts":[{"text":"You are careful."}]},`+
			`"tools":[{"functionDeclarations":[{"name":"bash","parameters":{"type":"object"}}]}],"contents":[],`+
			`"generationConfig":{"temperature":1.0}}`), 0, n)
	case s.Format == msg.OpenAIResponses:
		return s.Grow([]byte(`{"model":"gpt-5","instructions":"You are careful.","tools":[{"type":"function","name":"bash",`+
			`"parameters":{"type":"object"}}],"input":[],"store":false,"stream":true}`), 0, n)
	case s.Format == msg.OpenAIChat:
		return s.Grow([]byte(`{"model":`+quote(s.Model)+`,"tools":[{"type":"function","function":{"name":"bash",`+
			`"parameters":{"type":"object"}}}],"messages":[],"stream":true,"seed":9007199254740993123}`), 0, n)
	}
	return s.Grow([]byte(`{"model":`+quote(s.Model)+`,"max_tokens":4096,"system":"You are a careful engineer.",`+
		`"tools":[{"name":"bash","input_schema":{"type":"object"}}],"messages":[],"temperature":1.0}`), 0, n)
}

// Grow adds the messages from one place of the session up to another at the end of a document, as an agent does that
// goes on with it.
func (s *Session) Grow(document []byte, from, to int) []byte {
	if wrapped[s.Format] != "" {
		return growWrapped(s.Format, document, s.Messages[from:to], from)
	}
	switch s.Format {
	case msg.ClaudeCode:
		return s.growLog(document, from, to)
	case msg.Codex:
		return s.growRollout(document, from, to)
	case msg.Pi, msg.GeminiCLI:
		if IsLines(s.Format, document) {
			return s.growLines(document, from, to)
		}
	}
	top := rawjson.Value(bytes.TrimSpace(document))
	list := top
	member := List(s.Format)
	if top.Kind() == '{' {
		list = top.Member(member)
	}
	messages := elements(list)
	for _, m := range s.Messages[from:to] {
		messages = append(messages, rawjson.Value(m))
	}
	if list = list.WithElements(messages); top.Kind() == '{' {
		return top.With(member, list)
	}
	return list
}

// growRollout adds an item a line, and the events of Codex between them.
func (s *Session) growRollout(document []byte, from, to int) []byte {
	out := bytes.NewBuffer(bytes.Clone(document))
	if n := len(document); n > 0 && document[n-1] != '\n' {
		out.WriteByte('\n')
	}
	for n := from; n < to; n++ {
		stamp := fmt.Sprintf(`{"timestamp":"2026-01-02T03:04:%02d.000Z","type":`, 10+n%50)
		for _, item := range rawjson.Value("[" + s.Messages[n] + "]").List() {
			fmt.Fprintf(out, "%s\"response_item\",\"payload\":%s}\n", stamp, item.Line())
		}
		if n%5 == 3 {
			fmt.Fprintf(out, `%s"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d,`+
				`"cached_input_tokens":50,"output_tokens":7}}}}`+"\n", stamp, 100+n)
		}
	}
	return out.Bytes()
}

func (s *Session) growLog(document []byte, from, to int) []byte {
	out := bytes.NewBuffer(bytes.Clone(document))
	if n := len(document); n > 0 && document[n-1] != '\n' {
		out.WriteByte('\n')
	}
	parent := "null"
	if leaf := validator.Leaf(document); leaf != "" {
		parent = quote(leaf)
	}
	for n := from; n < to; n++ {
		m := rawjson.Value(s.Messages[n])
		put := func(part int, message rawjson.Value, extra string) {
			id := quote(fmt.Sprintf("u-%d-%d", n, part))
			fmt.Fprintf(out, `{"parentUuid":%s,"isSidechain":false,"type":%s,"message":%s,"uuid":%s,`+
				`"timestamp":"2026-01-02T03:04:%02d.000Z"%s}`+"\n",
				parent, m.Member("role"), message.Line(), id, 10+n%50, extra)
			parent = id
		}
		switch {
		case m.Member("role").Text() == "user":
			extra := `,"cwd":"/project"`
			if s.meta[n] {
				extra += `,"isMeta":true`
			}
			put(0, m, extra)
			continue
		case n%7 == 3: // lines that are not messages, within the tree and outside of it
			fmt.Fprintf(out, `{"parentUuid":%s,"type":"system","subtype":"informational","content":"saved",`+
				`"uuid":"s-%d"}`+"\n", parent, n)
			parent = quote(fmt.Sprintf("s-%d", n))
			fmt.Fprintf(out, `{"type":"file-history-snapshot","messageId":"m-%d","snapshot":{}}`+"\n", n)
		}
		m = m.With("id", rawjson.Quote("msg_"+strconv.Itoa(n))).With("model", rawjson.Quote(s.Model)).
			With("usage", rawjson.Value(`{"input_tokens":10,"cache_read_input_tokens":200,"output_tokens":7}`))
		blocks := elements(m.Member("content"))
		if !s.split || len(blocks) < 2 {
			put(0, m, "")
			continue
		}
		for part, block := range blocks {
			put(part, m.With("content", rawjson.Value("["+string(block)+"]")), "")
		}
	}
	return out.Bytes()
}

// clientDocument is a history of a client without a message.
func (s *Session) clientDocument() []byte {
	switch {
	case s.Format == msg.Pi && s.bare: // an older file
		return []byte(`{"type":"session","cwd":"/project"}` + "\n")
	case s.Format == msg.Pi:
		return []byte(`{"type":"session","version":3,"id":"s","cwd":"/project"}` + "\n")
	case s.Format == msg.GeminiCLI && s.bare:
		return []byte(`{"sessionId":"s","projectHash":"p","messages":[]}`)
	case s.Format == msg.GeminiCLI:
		return []byte(`{"sessionId":"s","projectHash":"p"}` + "\n")
	case s.bare:
		return []byte(`[]`)
	case s.Format == msg.OpenCode:
		return []byte(`{"info":{"id":"s"},"messages":[]}`)
	}
	return []byte(`{"id":"chat","messages":[]}`)
}

// growLines adds a message a line, and the lines of the client between them.
func (s *Session) growLines(document []byte, from, to int) []byte {
	out := bytes.NewBuffer(bytes.Clone(document))
	if n := len(document); n > 0 && document[n-1] != '\n' {
		out.WriteByte('\n')
	}
	parent := "null" // the last entry of pi is the leaf
	for line := range strings.Lines(string(document)) {
		if raw := rawjson.Value(strings.TrimSpace(line)); raw.Member("type").Text() != "session" && raw.Member("id") != nil {
			parent = string(raw.Member("id"))
		}
	}
	for n := from; n < to; n++ {
		stamp := fmt.Sprintf(`"timestamp":"2026-01-02T03:04:%02d.000Z"`, 10+n%50)
		add := func(id, members string) {
			if id = quote(id); !s.bare {
				members, parent = members+`,"id":`+id+`,"parentId":`+parent, id
			}
			fmt.Fprintf(out, "{%s,%s}\n", members, stamp)
		}
		if s.Format == msg.GeminiCLI {
			if n%5 == 3 {
				out.WriteString(`{"id":"i` + strconv.Itoa(n) + `","type":"info","content":"/stats"}` + "\n" +
					`{"$set":{"lastUpdated":"x"}}` + "\n")
			}
			out.WriteString(s.Messages[n] + "\n")
			continue
		}
		if n%5 == 3 {
			add("c"+strconv.Itoa(n), `"type":"model_change","provider":"x","modelId":"claude-sonnet-4-5"`)
		}
		add("e"+strconv.Itoa(n), `"type":"message","message":`+s.Messages[n])
	}
	return out.Bytes()
}
