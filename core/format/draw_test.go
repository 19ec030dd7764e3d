package format_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"tamp/core/msg"
)

// document is a conversation as a file, drawn at random. unit says which messages belong together: a call and its
// results may only come and go as one.
type document struct {
	format string
	data   string
	unit   []int
	forked bool // a log with an abandoned branch, which becomes the newest one when the end is taken away
}

// drawnFormats are the formats of drawDocument.
var drawnFormats = []string{msg.Anthropic, msg.OpenAIChat, msg.ClaudeCode}

func drawDocument(t *rapid.T, formats ...string) document {
	if len(formats) == 0 {
		formats = drawnFormats
	}
	d := &drawer{T: t, eol: rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "eol")}
	format := rapid.SampledFrom(formats).Draw(t, "format")
	if format == msg.ClaudeCode {
		return d.log()
	}
	return d.body(format)
}

type drawer struct {
	*rapid.T
	eol   string
	calls int
	unit  []int
	units int
}

func (d *drawer) one(of ...string) string { return rapid.SampledFrom(of).Draw(d.T, "one of") }
func (d *drawer) n(low, high int) int     { return rapid.IntRange(low, high).Draw(d.T, "n") }
func (d *drawer) gap() string             { return d.one("", "", "", " ", d.eol+"  ") }

// text is a JSON string with everything in it that a careless writer would change.
func (d *drawer) text() string {
	return d.one(`"hello"`, `"say \"hi\" <b>\u0026\/"`, `"漢字 😀 \ud83d\ude00"`, `"two\nlines"`,
		`"tab\tand \u0000"`,
		`"the quick brown fox "`)
}

// object writes members with gaps between, and sometimes an unknown member.
func (d *drawer) object(members ...string) string {
	if d.n(0, 4) == 0 {
		members = append(members, d.one(`"future_field": {"n": 9007199254740993, "__proto__": [1.0, -0]}`, `"x" : null`))
	}
	return d.join("{", members, "}")
}

func (d *drawer) array(elements ...string) string { return d.join("[", elements, "]") }

func (d *drawer) join(open string, items []string, close string) string {
	var b strings.Builder
	b.WriteString(open)
	for i, item := range items {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(d.gap() + item)
	}
	b.WriteString(d.gap() + close)
	return b.String()
}

func (d *drawer) id() string { d.calls++; return fmt.Sprintf("call_%d", d.calls) }

func (d *drawer) cached(members ...string) []string {
	if d.n(0, 5) == 0 {
		members = append(members, `"cache_control":{"type":"ephemeral","ttl":"1h"}`)
	}
	return members
}

// add notes a message of the unit that is being written.
func (d *drawer) add() { d.unit = append(d.unit, d.units) }

func (d *drawer) body(format string) document {
	message := d.anthropicRound
	if format == msg.OpenAIChat {
		message = d.openAIRound
	}
	var messages []string
	if format == msg.OpenAIChat {
		messages = append(messages, d.object(`"role":"system"`, `"content":`+d.text()))
		d.add()
		d.units++
	}
	for range d.n(1, 5) {
		messages = append(messages, message()...)
	}
	list := d.array(messages...)
	data := list
	if d.n(0, 1) == 0 {
		data = d.object(`"model":"some-model"`, `"messages":`+list, `"stream":true`,
			`"tools":`+d.array(d.object(`"name":"read"`)))
		if format == msg.Anthropic {
			data = d.object(`"system":`+d.one(d.text(), d.array(d.object(d.cached(`"type":"text"`, `"text":`+d.text())...))),
				`"messages":`+list)
		}
	}
	return document{format: format, unit: d.unit,
		data: d.one("", "", "\xEF\xBB\xBF") + d.one("", " ") + data + d.one("", d.eol, "  "+d.eol+d.eol)}
}

func (d *drawer) anthropicRound() (messages []string) {
	content := d.text()
	if d.n(0, 2) > 0 {
		blocks := []string{d.object(d.cached(`"type":"text"`, `"text":`+d.text())...)}
		if d.n(0, 3) == 0 {
			blocks = append(blocks, d.object(`"type":"image"`, `"source":{"type":"url","url":"http://localhost/x.png"}`),
				d.object(`"type":"block_of_next_year"`, `"payload":`+d.text()))
		}
		content = d.array(blocks...)
	}
	messages = append(messages, d.object(`"role":"user"`, `"content":`+content))
	d.add()
	d.units++
	blocks, results := d.anthropicBlocks()
	messages = append(messages, d.object(`"role":"assistant"`, `"content":`+d.array(blocks...)))
	d.add()
	if len(results) > 0 {
		messages = append(messages, d.object(`"content":`+d.array(results...), `"role":"user"`))
		d.add()
	}
	d.units++
	return messages
}

func (d *drawer) anthropicBlocks() (blocks, results []string) {
	if d.n(0, 1) == 0 {
		blocks = append(blocks, d.object(`"type":"thinking"`, `"thinking":`+d.text(), `"signature":"c2ln"`))
	}
	blocks = append(blocks, d.object(`"type":"text"`, `"text":`+d.text()))
	for range d.n(0, 3) {
		id := d.id()
		blocks = append(blocks, d.object(d.cached(`"type":"tool_use"`, `"id":"`+id+`"`, `"name":"read"`,
			`"input":`+d.object(`"path":`+d.text()))...))
		content := d.one(`"content":`+d.text(), `"is_error":true`,
			`"content":`+d.array(d.object(`"type":"text"`, `"text":`+d.text())))
		results = append(results, d.object(d.cached(`"type":"tool_result"`, `"tool_use_id":"`+id+`"`, content)...))
	}
	return blocks, results
}

func (d *drawer) openAIRound() (messages []string) {
	content := d.one(d.text(), d.array(d.object(`"type":"text"`, `"text":`+d.text()),
		d.object(`"type":"image_url"`, `"image_url":{"url":"http://localhost/x.png"}`)))
	messages = append(messages, d.object(`"role":"user"`, `"content":`+content))
	d.add()
	d.units++
	members := []string{`"role":"assistant"`, d.one(`"content":null`, `"content":`+d.text())}
	if d.n(0, 2) == 0 {
		members = append(members, `"reasoning_content":`+d.text())
	}
	var calls, results []string
	for range d.n(0, 3) {
		id := d.id()
		calls = append(calls, d.object(`"id":"`+id+`"`, `"type":"function"`,
			`"function":`+d.object(`"name":"read"`, `"arguments":`+d.one(`"{\"path\": \"a\"}"`, `"not json"`, `""`))))
		results = append(results, d.object(`"role":"tool"`, `"tool_call_id":"`+id+`"`, `"content":`+d.text(),
			`"name":"read"`))
	}
	if len(calls) > 0 {
		members = append(members, `"tool_calls":`+d.array(calls...))
	}
	messages = append(append(messages, d.object(members...)), results...)
	for range 1 + len(results) {
		d.add()
	}
	d.units++
	return messages
}
