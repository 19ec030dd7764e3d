package convtest

import (
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// client puts the messages of the Messages API into the history of a client: the log of pi, or records whose parts have
// a call together with its result. There are records of other types between them.
type client struct {
	*gen
	format  string
	results map[string]rawjson.Value // by the id of the call
	names   map[string]string
	lines   []string
	old     bool   // an older version of the format
	parent  string // of the next entry of pi
	count   int
	said    bool // there is a message
}

// Clients are the formats that client makes.
var Clients = [...]string{msg.Pi, msg.OpenCode, msg.GeminiCLI, msg.AISDKUI}

func (g *gen) client(format string, messages []string) []byte {
	c := &client{gen: g, format: format, results: map[string]rawjson.Value{}, names: map[string]string{},
		parent: "null", old: chance(g.t, 3)}
	for _, m := range messages {
		for _, b := range elements(rawjson.Value(m).Member("content")) {
			c.results[b.Member("tool_use_id").Text()] = b
			c.names[b.Member("id").Text()] = b.Member("name").Text()
		}
	}
	if format == msg.Pi {
		g.pretty = false
		c.line(`"type":"session","cwd":"/project"`)
	}
	summarized := format != msg.Pi || chance(g.t, 2)
	for n, m := range messages {
		message := rawjson.Value(m)
		if message.Member("role").Text() == "user" && !summarized && n > 2 && message.Member("content").Kind() == '"' {
			summarized = true
			c.compaction(n)
		}
		c.add(message)
	}
	if len(messages) == 0 || !c.said {
		c.record("user", []string{c.part(rawjson.Value(`{"type":"text","text":"Hello."}`))}, nil)
	}
	return c.document()
}

// line adds a line of pi: an entry of the tree, or the header.
func (c *client) line(members string) {
	id := quote("e" + strconv.Itoa(c.count))
	c.count++
	switch {
	case len(c.lines) == 0 && !c.old:
		members += `,"version":3,"id":"s"`
	case len(c.lines) > 0 && !c.old:
		members += `,"id":` + id + `,"parentId":` + c.parent
		c.parent = id
	}
	c.lines = append(c.lines, `{`+members+`,"timestamp":`+c.time()+`}`)
}

func (c *client) time() string {
	return quote("2026-01-02T03:04:" + strconv.Itoa(10+len(c.lines)%50) + ".000Z")
}

// compaction adds a compaction of pi that keeps the entries from a prompt on.
func (c *client) compaction(n int) {
	first := len(c.lines)
	for k := first - 1; k > 0; k-- {
		if strings.Contains(c.lines[k], `"role":"user"`) {
			first = k
			break
		}
	}
	kept := `"firstKeptEntryIndex":` + strconv.Itoa(first)
	if !c.old && first < len(c.lines) {
		kept = `"firstKeptEntryId":` + string(rawjson.Value(c.lines[first]).Member("id"))
	}
	c.line(`"type":"compaction","summary":"What was done up to ` + strconv.Itoa(n) + `.","tokensBefore":1000,` + kept)
}

func (c *client) add(m rawjson.Value) {
	role := m.Member("role").Text()
	if role == "system" {
		return
	}
	if chance(c.t, 8) {
		c.noise()
	}
	content := elements(m.Member("content"))
	if text := m.Member("content"); text.Kind() == '"' && len(text) > len(`""`) {
		content = []rawjson.Value{rawjson.Value(`{"type":"text"}`).With("text", text)}
	}
	var parts, calls []string
	for _, b := range content {
		switch part := c.part(b); {
		case b.Member("type").Text() == "tool_result":
			if c.format == msg.Pi {
				c.line(`"type":"message","message":` + part)
			}
		case strings.HasPrefix(part, "{") && b.Member("type").Text() == "tool_use" && c.format == msg.GeminiCLI:
			calls = append(calls, part)
		case part != "":
			parts = append(parts, part)
		}
	}
	if len(parts)+len(calls) > 0 {
		c.record(role, parts, calls)
	}
}

func (c *client) record(role string, parts, calls []string) {
	c.said = true
	list := "[" + strings.Join(parts, ",") + "]"
	id := quote("m" + strconv.Itoa(len(c.lines)))
	model := ""
	if role == "assistant" {
		model = map[string]string{msg.OpenCode: `,"modelID":"claude-opus-5-5"`, msg.GeminiCLI: `,"model":"gemini-3-pro-preview"`}[c.format]
	}
	switch c.format {
	case msg.Pi:
		members := `"role":` + quote(role) + `,"content":` + list
		if role == "assistant" {
			members += `,"model":"claude-sonnet-4-5","usage":{"input":10,"output":7,"cacheRead":200,"cacheWrite":3},"stopReason":"stop"`
		}
		c.line(`"type":"message","message":{` + members + `}`)
	case msg.OpenCode:
		c.lines = append(c.lines, `{"info":{"role":`+quote(role)+`,"id":`+id+`,"sessionID":"s"`+model+`},"parts":`+list+`}`)
	case msg.GeminiCLI:
		kind := map[string]string{"user": "user", "assistant": "gemini"}[role]
		if len(parts) == 1 && strings.HasPrefix(parts[0], `{"text":`) && chance(c.t, 2) {
			list = string(rawjson.Value(parts[0]).Member("text"))
		}
		more := ""
		if len(calls) > 0 {
			more = `,"toolCalls":[` + strings.Join(calls, ",") + `]`
		}
		if chance(c.t, 4) && !c.old { // an earlier line of the same message
			c.lines = append(c.lines, `{"id":`+id+`,"timestamp":`+c.time()+`,"type":`+quote(kind)+`,"content":"earlier"}`)
			c.lines = append(c.lines, `{"id":`+id+`,"timestamp":`+c.time()+`,"type":`+quote(kind)+model+`,"content":`+list+more+`}`)
			return
		}
		c.lines = append(c.lines, `{"id":`+id+`,"timestamp":`+c.time()+`,"type":`+quote(kind)+model+`,"content":`+list+more+`}`)
	default:
		last := len(c.lines) - 1
		if role == "assistant" && last >= 0 && rawjson.Value(c.lines[last]).Member("role").Text() == role && chance(c.t, 2) {
			before := rawjson.Value(c.lines[last])
			all := append(elements(before.Member("parts")), rawjson.Value(`{"type":"step-start"}`))
			for _, part := range parts {
				all = append(all, rawjson.Value(part))
			}
			c.lines[last] = string(before.With("parts", rawjson.Value("[]").WithElements(all)))
			return
		}
		c.lines = append(c.lines, `{"id":`+id+`,"role":`+quote(role)+`,"parts":`+list+`}`)
	}
}

// noise adds lines that are not part of the conversation.
func (c *client) noise() {
	switch c.format {
	case msg.Pi:
		if c.line(`"type":"model_change","provider":"x","modelId":"claude-sonnet-4-5"`); !c.old && chance(c.t, 2) {
			parent := c.parent
			c.line(`"type":"message","message":{"role":"user","content":"another way"}`)
			c.parent = parent
		}
	case msg.GeminiCLI:
		c.lines = append(c.lines, `{"id":"i`+strconv.Itoa(len(c.lines))+`","type":"info","content":"/stats"}`)
		if !c.old {
			c.lines = append(c.lines, `{"$set":{"lastUpdated":"x"}}`)
		}
	}
}

func (c *client) part(b rawjson.Value) string {
	kind, id := b.Member("type").Text(), b.Member("id").Text()
	image := b.Member("source").Member("data")
	switch c.format + " " + kind {
	case msg.Pi + " text", msg.OpenCode + " text", msg.AISDKUI + " text":
		return `{"type":"text","text":` + string(b.Member("text")) + `}`
	case msg.GeminiCLI + " text":
		return `{"text":` + string(b.Member("text")) + `}`
	case msg.Pi + " thinking":
		return `{"type":"thinking","thinking":` + string(b.Member("thinking")) + `,"thinkingSignature":"sig"}`
	case msg.OpenCode + " thinking":
		return `{"type":"reasoning","text":` + string(b.Member("thinking")) + `,"metadata":{"anthropic":{"signature":"sig"}}}`
	case msg.AISDKUI + " thinking":
		return `{"type":"reasoning","text":` + string(b.Member("thinking")) + `}`
	case msg.Pi + " image":
		return `{"type":"image","mimeType":"image/png","data":` + string(image) + `}`
	case msg.OpenCode + " image":
		return `{"type":"file","mime":"image/png","url":` + quote("data:image/png;base64,"+image.Text()) + `}`
	case msg.AISDKUI + " image":
		return `{"type":"file","mediaType":"image/png","url":` + quote("data:image/png;base64,"+image.Text()) + `}`
	case msg.GeminiCLI + " image":
		return `{"inlineData":{"mimeType":"image/png","data":` + string(image) + `}}`
	case msg.Pi + " tool_use":
		return `{"type":"toolCall","id":` + quote(id) + `,"name":` + string(b.Member("name")) + `,"arguments":` +
			string(b.Member("input")) + `}`
	case msg.Pi + " tool_result":
		call := b.Member("tool_use_id").Text()
		text, _ := resultText(b)
		return `{"role":"toolResult","toolCallId":` + quote(call) + `,"toolName":` + quote(c.names[call]) +
			`,"content":[{"type":"text","text":` + quote(text) + `}],"isError":` + c.isError(b) + `}`
	}
	if kind == "tool_use" {
		return c.call(b, id)
	}
	return ""
}

func (c *client) isError(b rawjson.Value) string {
	return strconv.FormatBool(b.Member("is_error").IsTrue())
}

// call writes a call with its result, if it has one.
func (c *client) call(b rawjson.Value, id string) string {
	name, input := string(b.Member("name")), string(b.Member("input"))
	result, done := c.results[id]
	text, failed := "", false
	if done {
		text, _ = resultText(result)
		failed = result.Member("is_error").IsTrue()
	}
	member := func(yes, no string) string {
		if failed {
			return quote(no)
		}
		return quote(yes)
	}
	switch c.format {
	case msg.OpenCode:
		state := `{"status":"running","input":` + input + `}`
		if done {
			state = `{"status":` + member("completed", "error") + `,"input":` + input + `,` + member("output", "error") + `:` +
				quote(text) + `,"time":{"start":1}}`
		}
		return `{"type":"tool","callID":` + quote(id) + `,"tool":` + name + `,"state":` + state + `}`
	case msg.GeminiCLI:
		response := ""
		if done {
			response = `,"result":[{"functionResponse":{"id":` + quote(id) + `,"name":` + name + `,"response":{` +
				member("output", "error") + `:` + quote(text) + `}}}]`
		}
		return `{"id":` + quote(id) + `,"name":` + name + `,"args":` + input + response + `,"status":"success"}`
	}
	part := `{"type":"tool-` + b.Member("name").Text() + `","toolCallId":` + quote(id) + `,"input":` + input
	switch {
	case !done:
		return part + `,"state":"input-available"}`
	case failed:
		return part + `,"state":"output-error","errorText":` + quote(text) + `}`
	}
	return part + `,"state":"output-available","output":` + quote(text) + `}`
}

func (c *client) document() []byte {
	list := c.array(c.lines)
	switch {
	case c.format == msg.OpenCode && c.old, c.format == msg.AISDKUI && c.old:
		return []byte(list)
	case c.format == msg.OpenCode:
		return []byte(`{"info":{"id":"s"},"messages":` + list + `}`)
	case c.format == msg.AISDKUI:
		return []byte(`{"id":"chat","messages":` + list + `}`)
	case c.format == msg.GeminiCLI && c.old:
		return []byte(`{"sessionId":"s","projectHash":"p","messages":` + list + `}`)
	case c.format == msg.GeminiCLI:
		c.lines = append([]string{`{"sessionId":"s","projectHash":"p"}`}, c.lines...)
	}
	for i := range c.lines {
		c.lines[i] = string(rawjson.Value(c.lines[i]).Line())
	}
	return []byte(strings.Join(c.lines, "\n") + "\n")
}
