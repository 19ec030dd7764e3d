package format_test

import (
	"fmt"
	"strings"

	"tamp/core/msg"
)

// log draws a session log as the agent writes one: a line for each block, parallel calls on branches of their own,
// lines of other types within the chain and outside of it, subagents, abandoned branches, blank lines.
func (d *drawer) log() document {
	w := &logDrawer{drawer: d}
	if d.n(0, 1) == 0 {
		w.lines = append(w.lines, `{"type":"summary","summary":"earlier","leafUuid":"nowhere"}`,
			`{"type":"file-history-snapshot","snapshot":{}}`)
	}
	forked := false
	for round := range d.n(1, 5) {
		if round > 0 && d.n(0, 5) == 0 { // a way that was left again
			forked = true
			head := w.head
			w.line("user", `"message":{"role":"user","content":"the other way"}`)
			w.head = head
		}
		content := d.one(d.text(), `[{"type":"text","text":`+d.text()+`}]`)
		w.line("user", `"message": {"role":"user", "content": `+content+`}`)
		d.add()
		d.units++
		w.noise()
		w.round()
	}
	data := strings.Join(w.lines, d.eol) + d.one("", d.eol, d.eol+d.eol)
	return document{format: msg.ClaudeCode, data: d.one("", "", "\xEF\xBB\xBF") + data, unit: d.unit, forked: forked}
}

type logDrawer struct {
	*drawer
	lines []string
	head  string // the uuid that the next line hangs below
	count int
}

func (w *logDrawer) line(kind, members string) {
	w.count++
	uuid, parent := fmt.Sprintf("u-%d", w.count), "null"
	if w.head != "" {
		parent = `"` + w.head + `"`
	}
	w.lines = append(w.lines,
		w.one("", "", " ")+`{"parentUuid":`+parent+`, "isSidechain":false,"sessionId":"s","type":"`+kind+`",`+
			members+w.one("", `,"future":{"b":1.50}`)+`,"uuid":"`+uuid+`"}`+w.one("", "", " "))
	w.head = uuid
}

// noise writes lines that are no messages.
func (w *logDrawer) noise() {
	switch w.n(0, 6) {
	case 0:
		w.line("system", `"subtype":"turn_duration"`)
	case 1:
		w.line("progress", `"data":{"n":1}`)
	case 2:
		head := w.head
		w.line("attachment", `"attachment":{}`)
		w.head = head
	case 3:
		w.lines = append(w.lines, "")
	case 4:
		w.lines = append(w.lines, `{"isSidechain":true,"type":"user","uuid":"side-`+fmt.Sprint(w.count)+
			`","parentUuid":null,"message":{"role":"user","content":"of a subagent"}}`)
	}
}

// round writes one assistant message and the results of its calls.
func (w *logDrawer) round() {
	blocks, results := w.anthropicBlocks()
	flat := func(s string) string { return strings.NewReplacer("\r", "", "\n", "").Replace(s) }
	parallel := w.n(0, 1) == 0
	id := fmt.Sprintf("msg_%d", w.count)
	var heads []string
	for i, b := range blocks {
		w.line("assistant", `"message":{"id":"`+id+`","role":"assistant","model":"some-model","content":[`+flat(b)+
			`],"usage":{"input_tokens":1,"output_tokens":`+fmt.Sprint(i)+`}}`)
		heads = append(heads, w.head)
	}
	calls := heads[len(heads)-len(results):]
	for i, r := range results {
		if parallel {
			w.head = calls[len(calls)-1-i]
			r = results[len(results)-1-i]
		}
		w.line("user", `"toolUseResult":"kept","message":{"role":"user","content":[`+flat(r)+`]}`)
		w.noise()
	}
	w.add()
	if len(results) > 0 {
		w.add()
	}
	w.units++
}
