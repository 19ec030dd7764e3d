package convtest

import (
	"fmt"
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	catalog "tamp/core/models"
	"tamp/core/msg"
)

// Session is a conversation as agents and people make them, with a document for each length of it. A message of it at
// the end may wait for results that the next messages bring.
type Session struct {
	Format   string
	Model    string   // "" where the document names none
	Messages []string // the JSON of each

	d       Dice
	ids     int
	outputs []string // texts of earlier results, to say again
	caches  int      // breakpoints so far
	plain   bool     // no tools
	to      *translator
	bare    bool   // a bare array of messages
	split   bool   // of a log: a line a block
	meta    []bool // of a log: the message was injected
	legacy  bool   // calls are those of function_call, which have no id
	without []Class
}

// models are the names that bodies and logs give, of several ways to treat thinking.
var models = [...]string{
	"claude-sonnet-4-5", "claude-opus-5-5", "claude-fable-5-1", "anthropic/claude-opus-5.5", "test-model",
}

// NewSession rolls a session of dozens of messages, or a short chat, without the classes.
func NewSession(d Dice, format string, without ...Class) *Session {
	if base := wrapped[format]; base != "" {
		s := NewSession(d, base, without...)
		s.Format, s.bare = format, true
		return s
	}
	s := &Session{Format: format, d: d, plain: d.One(6), split: d.One(2), without: without}
	s.to = &translator{format: format, names: map[string]string{}}
	switch format {
	case msg.AISDK:
		s.bare = d.One(2)
	case msg.Gemini:
		s.Model, s.bare = Of(d, "gemini-3-pro-preview", "gemini-2.5-pro", ""), d.One(4)
	case msg.Pi, msg.OpenCode, msg.GeminiCLI, msg.AISDKUI:
		s.bare, s.to.records = d.One(3), newRecords(d, format)
	case msg.Codex:
		s.Model = "gpt-5.1-codex"
	case msg.OpenAIResponses:
		if s.bare = d.One(4); !s.bare {
			s.Model = "gpt-5"
		}
	case msg.OpenAIChat:
		s.Model, s.bare, s.legacy = "gpt-5", d.One(3), s.has(AbsentIDs, 6)
		if !d.One(4) {
			s.add(message(Of(d, "system", "developer"), quote(s.words(3))))
		}
	case msg.ClaudeCode:
		s.Model = Of(d, models[:]...)
	default:
		if s.bare = d.One(4); !s.bare {
			s.Model = Of(d, models[:]...)
		}
	}
	for range 1 + d(5) {
		s.exchange()
	}
	if isRecord(format) {
		if !s.plain && d.One(4) { // the tools of the last answer run
			s.add(message("assistant", `[{"type":"tool_use","id":"toolu_last","name":"bash","input":{}}]`))
		}
		s.Messages = append(s.Messages, s.to.records.flush()...)
	}
	for i, m := range s.Messages {
		s.Messages[i] = halves.Replace(m)
	}
	s.changeIDs()
	return s
}

func (s *Session) add(messages ...string) {
	if isTranslated(s.Format) {
		s.to.out = s.to.out[:0]
		for _, m := range messages {
			s.to.add(rawjson.Value(m))
		}
		messages = s.to.out
	}
	s.Messages = append(s.Messages, messages...)
	for len(s.meta) < len(s.Messages) {
		s.meta = append(s.meta, false)
	}
}

// exchange adds a prompt, the rounds of tools that it leads to, and the answer.
func (s *Session) exchange() {
	d := s.d
	s.add(message("user", s.prompt()))
	if s.Format == msg.ClaudeCode && d.One(8) {
		s.add(message("user", quote(reminder(s.words(2)))))
		s.meta[len(s.meta)-1] = true
	}
	if !s.plain {
		for range d(7) {
			if s.Format == msg.OpenAIChat {
				s.openAIRound()
			} else {
				s.round()
			}
		}
	}
	if d.One(6) {
		return // the user speaks again
	}
	if s.Format == msg.Anthropic && !catalog.RefusesSystem(s.Model) && d.One(8) {
		s.add(Of(d, message("system", quote(s.words(2))), message("system", "["+s.textBlock(s.words(1))+"]"),
			`{"role":"system","content":`+quote(s.words(1))+`,"clear_at":"next_user_message"}`,
			`{"role":"system","content":[],"output_config":{"effort":"low"}}`))
	}
	switch {
	case s.Format == msg.OpenAIChat && d.One(4):
		s.add(`{"role":"assistant","content":` + quote(s.text()) + `,"reasoning_content":` + quote(s.text()) + `}`)
	case s.Format != msg.OpenAIChat && d.One(2):
		s.add(message("assistant", "["+s.thinking()+","+s.textBlock(s.text())+"]"))
	default:
		s.add(message("assistant", quote(s.text())))
	}
}

func reminder(text string) string { return "<system-reminder>" + text + "</system-reminder>" }

// prompt rolls the content of a user message.
func (s *Session) prompt() string {
	d := s.d
	text := s.text()
	if d.One(10) { // pasted
		text += "\n" + s.output()
	}
	switch {
	case s.has(Commands, 12):
		return quote(s.command(text))
	case s.has(Wrapped, 8):
		text = s.framed(text)
	}
	image := `{"type":"image_url","image_url":{"url":"https://example.org/a.png","detail":"low"}}`
	if s.Format != msg.OpenAIChat {
		image = (&gen{}).image()
	}
	switch d(6) {
	case 1:
		return "[" + s.textBlock(text) + "," + image + "]"
	case 2:
		if s.Format != msg.OpenAIChat {
			return "[" + s.textBlock(reminder(s.words(4))) + "," + s.textBlock(text) + "]"
		}
	}
	return quote(text)
}

// round adds an assistant message that calls tools, and the messages that answer it.
func (s *Session) round() {
	d := s.d
	var blocks, results []string
	if d(3) > 0 {
		blocks = append(blocks, s.thinking())
	}
	if d.One(2) {
		blocks = append(blocks, s.textBlock(s.text()))
	}
	if d.One(15) {
		id := quote(s.id("srvtoolu_"))
		blocks = append(blocks, `{"type":"server_tool_use","id":`+id+`,"name":"web_search","input":{"query":"tamp"}}`,
			`{"type":"web_search_tool_result","tool_use_id":`+id+`,"content":[{"type":"web_search_result","title":"t",`+
				`"url":"https://example.org","encrypted_content":"AbC="}]}`)
	}
	for n := range 1 + d(4) {
		if n > 0 && d.One(6) { // thinking between calls
			blocks = append(blocks, s.thinking())
		}
		id := quote(s.id("toolu_"))
		blocks = append(blocks, `{"type":"tool_use","id":`+id+`,"name":`+quote(Of(d, sessionTools[:]...))+
			`,"input":`+s.input()+s.cached()+`}`)
		results = append(results, s.result(id))
	}
	s.add(message("assistant", "["+strings.Join(blocks, ",")+"]"))
	if s.Format == msg.ClaudeCode && d.One(2) || len(results) > 1 && s.Format != msg.Gemini && d.One(5) { // a message each
		for _, result := range results {
			s.add(message("user", "["+result+"]"))
		}
		return
	}
	if d.One(6) {
		results = append(results, s.textBlock(reminder(s.text())))
	} else if d.One(10) { // the user speaks into the round
		results = append(results, s.textBlock(s.text()))
	}
	s.add(message("user", "["+strings.Join(results, ",")+"]"))
}

var sessionTools = [...]string{"read_file", "bash", "edit", "write_file", "grep", "execute_code", "mcp__files__read",
	"compact"}

func (s *Session) thinking() string {
	if s.d.One(5) {
		return `{"type":"redacted_thinking","data":` + quote(s.id("EmwKAhgB")) + `}`
	}
	return `{"type":"thinking","thinking":` + quote(s.words(1+s.d(20))) + `,"signature":` + quote(s.id("sig")) + `}`
}

func (s *Session) textBlock(text string) string {
	return `{"type":"text","text":` + quote(text) + s.cached() + `}`
}

// cached rolls a breakpoint, never a fifth.
func (s *Session) cached() string {
	if s.Format == msg.OpenAIChat || isTranslated(s.Format) || s.caches == 4 || !s.d.One(30) {
		return ""
	}
	s.caches++
	return `,"cache_control":{"type":"ephemeral"}`
}

func (s *Session) result(id string) string {
	block := `{"type":"tool_result","tool_use_id":` + id
	switch s.d(9) {
	case 1: // some tools answer nothing
	case 2:
		block += `,"content":""`
	case 3:
		block += `,"content":[` + s.textBlock(s.output()) + `,` + (&gen{}).image() + `]`
	case 4:
		block += `,"content":[` + s.textBlock(s.output()) + `,` + s.textBlock(s.output()) + `]`
	case 5:
		block += `,"content":` + quote("Exit code 1\nerror: "+s.output()) + `,"is_error":true`
	default:
		block += `,"content":` + quote(s.output())
	}
	return block + s.cached() + "}"
}

// openAIRound adds an assistant message with tool_calls, and a tool message for each.
func (s *Session) openAIRound() {
	d := s.d
	if s.legacy || d.One(10) {
		name := quote(Of(d, sessionTools[:]...))
		s.add(`{"role":"assistant","content":null,"function_call":{"name":`+name+`,"arguments":"{}"}}`,
			`{"role":"function","name":`+name+`,"content":`+quote(s.output())+`}`)
		return
	}
	var calls, answers []string
	again := s.has(RepeatedIDs, 6)
	for n := range 1 + d(4) {
		id := quote(s.id("call_"))
		if again { // servers that count their calls for each answer
			id = quote("call_" + strconv.Itoa(n))
		}
		calls = append(calls, `{"id":`+id+`,"type":"function","function":{"name":`+quote(Of(d, sessionTools[:]...))+
			`,"arguments":`+quote(Of(d, s.input(), `{"cut": "sho`, ""))+`}}`)
		content := quote(s.output())
		switch d(8) {
		case 1:
			content = `""`
		case 2:
			content = `[` + s.textBlock(s.output()) + `,` + s.textBlock(s.output()) + `]`
		}
		answer := `{"role":"tool","tool_call_id":` + id + `,"content":` + content + `}`
		if d.One(3) {
			answers = append([]string{answer}, answers...) // in another order than the calls
		} else {
			answers = append(answers, answer)
		}
	}
	s.add(`{"role":"assistant","content":` + Of(d, "null", quote(s.text()), `""`) +
		`,"tool_calls":[` + strings.Join(calls, ",") + `]}`)
	s.add(answers...)
}

func (s *Session) id(prefix string) string {
	s.ids++
	return prefix + strconv.Itoa(s.ids)
}

func (s *Session) input() string {
	return Of(s.d, `{}`, `{"path":"core/msg/raw.go"}`, `{ "command" : "go test ./..." , "timeout":1.50 }`,
		`{"path":"a","path":"b"}`, `{"__proto__":{"x":1},"focus":"the names"}`,
		`{"file_path":"/src/app.go","content":`+quote(strings.Repeat("x := compute(y)\n", s.d(60)))+`}`)
}

var sentences = [...]string{
	"Please look at the failing test. ", "I read the file now. ", "The function returns too early. ",
	"读取文件，然后运行测试。", "😀 fixed it. ", "You must not change the API. ", "مرحبا بالعالم ",
	"In core/msg/raw.go line 12 the index is wrong. ", "Done: all 12 tests pass. ",
	"Error: cannot open /etc/passwd. ", "We decided to keep JSON because of the clients. ",
}

func (s *Session) words(n int) string {
	var out strings.Builder
	for range n {
		out.WriteString(Of(s.d, sentences[:]...))
	}
	return out.String()
}

// text rolls what a user or a model says.
func (s *Session) text() string {
	switch s.d(10) {
	case 8:
		if text := Of(s.d, Hostile[:]...); strings.TrimSpace(text) != "" { // a provider refuses white space alone
			return text
		}
	case 9:
		return Of(s.d, Hostile[:]...) + "\n" + s.words(1)
	}
	return s.words(1+s.d(4)) + s.half()
}

// output rolls what a tool returns: from nothing to many kilobytes, now and then what a tool returned before.
func (s *Session) output() string {
	var text string
	switch kind := s.d(12); {
	case kind == 8 && len(s.outputs) > 0:
		return Of(s.d, s.outputs...)
	case kind == 9:
		return Of(s.d, Hostile[:]...)
	case kind == 10:
		text = Of(s.d, Hostile[:]...) + "\n" + s.lines(1+s.d(40))
	case kind == 11:
		text = s.lines(100 + s.d(200))
	default:
		text = s.lines(1+s.d(40)) + s.half()
	}
	s.outputs = append(s.outputs, text)
	return text
}

func (s *Session) lines(n int) string {
	var out strings.Builder
	line := Of(s.d, sentences[:]...)
	for i := range n {
		fmt.Fprintf(&out, "%d\t%s\n", i, line)
	}
	return out.String()
}
