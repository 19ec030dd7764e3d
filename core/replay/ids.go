package replay

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tamp/core/format"
	"tamp/core/internal/hash"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// identities returns the IDs of the calls of a conversation, in their order.
type identities struct {
	c     *msg.Conversation
	chain hash.Hash128 // of the messages before next
	next  int
}

// of returns the ID of the call whose answer is message m: the one in the log, else a digest of the answer with its
// usage, else one of everything up to it.
func (d *identities) of(m int) string {
	answer := &d.c.Messages[m]
	if id := identity(d.c, answer); id != "" {
		return id
	}
	if answer.Usage != nil {
		return digest(answer)
	}
	for ; d.next <= m; d.next++ {
		d.chain.Text(content(&d.c.Messages[d.next]))
	}
	return hexOf(d.chain)
}

// identity returns the ID that the log of c has of the call with an answer, "" for none. Claude Code can write a fork
// with new uuids, and names those of before; pi copies its entries.
func identity(c *msg.Conversation, answer *msg.Message) string {
	line, _ := format.Line(c, lineOf(answer.Path))
	text := func(name string) string { return line.Member(name).Text() }
	switch id := answer.ID; {
	case c.Format == msg.Pi && text("id") != "":
		return text("id") + " " + text("timestamp")
	case c.Format == msg.ClaudeCode && id == "":
		return cmp.Or(line.Member("forkedFrom").Member("messageUuid").Text(), text("uuid"))
	case c.Format == msg.ClaudeCode:
		return id + " " + format.RequestOf(c, lineOf(answer.Path))
	default:
		return id
	}
}

// digest is the ID of an answer with usage: agents repeat both when they copy a session.
func digest(m *msg.Message) string {
	d := hash.New128()
	d.Text(content(m))
	for _, n := range [...]int{m.Usage.Input, m.Usage.CacheRead, m.Usage.CacheWrite, m.Usage.Output} {
		d.Number(uint64(n))
	}
	return hexOf(d)
}

// content is the JSON of a message.
func content(m *msg.Message) string {
	text := rawjson.Value(nil)
	for _, line := range append(slices.Clip(m.Lines), m.Raw) {
		text = append(text, line...)
	}
	return string(text)
}

func hexOf(d hash.Hash128) string {
	return strconv.FormatUint(d.A, 16) + "-" + strconv.FormatUint(d.B, 16)
}

// lineOf returns the line of a log that a path names, 0 if it names none.
func lineOf(path string) int {
	line, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	n, _ := strconv.Atoi(line)
	return n
}
