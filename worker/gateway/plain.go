package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"tamp/core/forward"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// For an upstream marked plain the gateway implements the compaction that the vendors' own hosts have:
// context_management of Anthropic Messages, with applied_edits in the response (managed.go), and POST
// …/responses/compact of OpenAI. For other upstreams these pass through.

// applied is the list applied_edits of the response.
func (p *Prepared) applied() []byte {
	type entry struct {
		Type     string `json:"type"`
		Uses     int    `json:"cleared_tool_uses,omitempty"`
		Thinking int    `json:"cleared_thinking_turns,omitempty"`
		Tokens   int    `json:"cleared_input_tokens"`
	}
	list := []entry{}
	if p.Reason != "" || p.body == nil {
		return encode(list)
	}
	before := p.body.Conversation()
	sent, err := forward.Read(p.Body, before.Format)
	if err != nil {
		return encode(list)
	}
	results, thoughts := map[string]string{}, map[string]bool{}
	for _, b := range sent.Conversation().Blocks() {
		switch b.Kind {
		case msg.KindToolResult:
			results[b.ID] = b.Text
		case msg.KindThinking:
			thoughts[string(b.Raw)] = true
		}
	}
	var tools, thinking entry
	for m := range before.Messages {
		turn := 0
		for b := range before.Messages[m].Blocks {
			block := &before.Messages[m].Blocks[b]
			switch text, found := results[block.ID]; {
			case block.Kind == msg.KindToolResult && found && text != block.Text:
				tools.Uses++
				tools.Tokens += max(tokens.Estimate.Count(block.Text)-tokens.Estimate.Count(text), 0)
			case block.Kind == msg.KindThinking && !thoughts[string(block.Raw)]:
				turn = 1
				thinking.Tokens += tokens.Estimate.Count(block.Text)
			}
		}
		thinking.Thinking += turn
	}
	for _, e := range p.edits {
		switch {
		case e.Type == editToolUses && tools.Uses > 0:
			tools.Type = e.Type
			list = append(list, tools)
		case e.Type == editThinking && thinking.Thinking > 0:
			thinking.Type = e.Type
			list = append(list, thinking)
		}
	}
	return encode(list)
}

// member is what the response of an endpoint gets in addition.
func (p *Prepared) member(e *endpoint) string {
	name, value := "applied_edits", p.applied()
	if e.counts && p.Result != nil {
		name, value = "original_input_tokens", encode(p.Result.Before)
	}
	return `,"context_management":{"` + name + `":` + string(value) + `}`
}

// noCompaction is the error of POST …/responses/compact.
const noCompaction = "the conversation cannot be compacted"

type compactionItem struct {
	Type    string `json:"type"`
	ID      string `json:"id"`
	Content string `json:"encrypted_content"`
}

// expand replaces the compaction items of this gateway in a body of the Responses API by what they hold.
func expand(body []byte) []byte {
	if !bytes.Contains(body, []byte(`"`+itemPrefix)) || msg.Validate(body) != nil {
		return body
	}
	var items, out []json.RawMessage
	if json.Unmarshal(forward.Member(body, "input"), &items) != nil {
		return body
	}
	for _, raw := range items {
		var item compactionItem
		if json.Unmarshal(raw, &item) == nil && item.Type == compactionKind {
			if held, ok := heldIn(item.Content); ok {
				out = append(out, held...)
				continue
			}
		}
		out = append(out, raw)
	}
	return forward.SetMember(body, "input", listOf(out))
}

// heldIn returns what an encrypted_content of this gateway holds; false for any other.
func heldIn(content string) (held []json.RawMessage, ok bool) {
	text, found := strings.CutPrefix(content, itemPrefix)
	data, err := base64.StdEncoding.DecodeString(text)
	ok = found && err == nil && json.Unmarshal(data, &held) == nil
	return held, ok
}

// compaction answers POST …/responses/compact: the response, or nil and the reason.
func (g *Gateway) compaction(p *Prepared, h http.Header) (response []byte, reason string) {
	defer func() {
		if recover() != nil { // a bug; its text may quote the conversation
			response, reason = nil, reasonInternal
		}
	}()
	p.Body = expand(p.Body)
	g.prepare(p, endpointOf(http.MethodPost, "/responses", true), h, nil)
	if p.body == nil {
		return nil, p.Reason
	}
	g.Force(p, nil, 0, 0)
	if p.Result == nil {
		return nil, p.Reason
	}
	items := forward.Member(p.Body, "input")
	if items[0] != '[' { // one prompt as a string
		items = fmt.Appendf(nil, `[{"role":"user","content":%s}]`, items)
	}
	sum := sha256.Sum256(items)
	id := fmt.Sprintf("%x", sum[:12])
	item := compactionItem{compactionKind, "cmp_" + id, itemPrefix + base64.StdEncoding.EncodeToString(items)}
	before, after := strconv.Itoa(p.Result.Before), strconv.Itoa(p.Result.After)
	return fmt.Appendf(nil, `{"id":"resp_%s","object":"response.compaction","created_at":%d,"output":[%s],"usage":{`+
		`"input_tokens":%s,"input_tokens_details":{"cached_tokens":0},"output_tokens":%s,"output_tokens_details":{`+
		`"reasoning_tokens":0},"total_tokens":%d}}`, id, g.Now().Unix(), encode(item), before, after,
		p.Result.Before+p.Result.After), ""
}
