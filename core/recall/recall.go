// Package recall reads originals back that a compaction took out of a conversation. Start with Read: it answers the
// tool recall from the data that the host saved, by page or by search.
//
// It is not a part of the API (see package core).
package recall

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/marker"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/provenance"
	"tamp/core/summarize"
)

// Limits of a Query.
const (
	DefaultLimit = 5_000   // code points of a page
	MaxLimit     = 100_000 // code points of a page
	MaxText      = 300     // code points of the text to search for
)

// maxLine is the length to which a found line is cut, in code points; the text that was searched for stays in it.
const maxLine = 500

// Query selects a part of one original.
type Query struct {
	Ref    string `json:"ref,omitempty"`            // The ref in a summary, in a placeholder, or of one text; absent: the first original as a whole.
	Offset int    `json:"offset,omitempty" min:"0"` // The character to start at, in Unicode code points.
	Limit  int    `json:"limit,omitempty" min:"0"`  // The max number of characters of the answer: 1 to 100,000; absent: 5,000.
	Text   string `json:"text,omitempty"`           // Answers the lines that contain this text, in any case, instead of a page; one line of at most 300 characters.
}

// Line is a line that contains the text of a Query.
type Line struct {
	Offset int    `json:"offset"` // of Text, in code points
	Text   string `json:"text"`   // a line over 500 code points is cut around the text that was found
}

// Part is the selected part of an original. An archive is shown as a transcript: for each block a heading, then its
// text. Offsets are those of the transcript. Any other original is shown as it is.
type Part struct {
	Ref    string `json:"ref"`
	Offset int    `json:"offset"`          // of Text
	Total  int    `json:"total"`           // code points of the whole original
	Next   int    `json:"next,omitempty"`  // the offset to go on at; 0: nothing follows
	Text   string `json:"text"`            // the page; "" in a search
	Lines  []Line `json:"lines,omitempty"` // found lines, in order
}

// Read returns a part of the original that has the query's ref. originals are the data that the host saved: archives
// (see core.Archive) and single texts, in any order. The ref may be that of an original as a whole, or that of one
// text in an archive. Errors are bad_request, with path /originals, /ref, /offset, /limit or /text: an unknown ref is
// one at /ref.
func Read(originals []string, q Query) (*Part, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	if q.Ref == "" && len(originals) > 0 {
		q.Ref = core.Ref([]byte(originals[0]))
	}
	text, err := Text(originals, q.Ref)
	if err != nil {
		return nil, err
	}
	return q.part(text)
}

// Text returns the whole of what Read returns parts of.
func Text(originals []string, ref string) (string, error) {
	switch {
	case ref != "" && !marker.IsRef(ref):
		return "", refuse("/ref", "a ref has 16 hexadecimal digits")
	case len(originals) == 0:
		return "", refuse("/originals", "there is no original")
	}
	for _, original := range originals {
		if ref == "" || core.Ref([]byte(original)) == ref {
			return readable(original), nil
		}
	}
	for _, original := range originals {
		messages, _ := parse(original)
		for m := range messages {
			for b := range messages[m].Blocks {
				if text := messages[m].Blocks[b].Text; text != "" && core.Ref([]byte(text)) == ref {
					return text, nil
				}
			}
		}
	}
	return "", refuse("/ref", "no original has this ref")
}

func refuse(path, reason string) error {
	return msg.NewError(msg.BadRequest, path, "cannot read the original: "+reason)
}

func (q *Query) check() error {
	if q.Limit == 0 {
		q.Limit = DefaultLimit
	}
	switch {
	case q.Offset < 0:
		return refuse("/offset", "it must be a whole number of at least 0")
	case q.Limit < 0 || q.Limit > MaxLimit:
		return refuse("/limit", "it must be a whole number from 1 to "+strconv.Itoa(MaxLimit))
	case strings.ContainsAny(q.Text, "\r\n"):
		return refuse("/text", "it must be one line")
	case utf8.RuneCountInString(q.Text) > MaxText:
		return refuse("/text", "it has more than "+strconv.Itoa(MaxText)+" characters")
	}
	return nil
}

// part returns the page or the found lines of a text.
func (q *Query) part(text string) (*Part, error) {
	p := &Part{Ref: q.Ref, Offset: q.Offset, Total: utf8.RuneCountInString(text)}
	if q.Offset > p.Total {
		return nil, refuse("/offset", "the original has "+strconv.Itoa(p.Total)+" characters")
	}
	rest := text[byteAt(text, q.Offset):]
	if q.Text != "" {
		p.search(rest, q)
		return p, nil
	}
	if end := byteAt(rest, q.Limit); end < len(rest) {
		rest, p.Next = rest[:end], q.Offset+q.Limit
	}
	p.Text = rest
	return p, nil
}

// search adds the lines of text that contain the query's text, until they fill its limit. The first one is always
// added.
func (p *Part) search(text string, q *Query) {
	wanted := strings.ToLower(q.Text)
	at, left := q.Offset, q.Limit
	for text != "" {
		end := strings.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		line := text[:end]
		size := utf8.RuneCountInString(line)
		if lower := strings.ToLower(line); strings.Contains(lower, wanted) {
			found := Line{at, line}
			if size > maxLine {
				// A letter may have another length in lower case, but it is one code point there, too.
				start := utf8.RuneCountInString(lower[:strings.Index(lower, wanted)])
				start = max(0, min(start-maxLine/4, size-maxLine))
				found = Line{at + start, line[byteAt(line, start):]}
				found.Text = found.Text[:byteAt(found.Text, maxLine)]
			}
			found.Text = strings.TrimRight(found.Text, "\r\n")
			if left -= utf8.RuneCountInString(found.Text); left < 0 && len(p.Lines) > 0 {
				p.Next = at
				return
			}
			p.Lines = append(p.Lines, found)
		}
		at += size
		text = text[end:]
	}
}

// byteAt returns the position of the nth code point, len(text) if there are fewer.
func byteAt(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// parse reads the messages of an archive. ok is false for any other text.
func parse(original string) (messages []msg.Message, ok bool) {
	if !strings.HasPrefix(original, "{") {
		return nil, false
	}
	data := []byte(original)
	if c, err := format.Parse(data, ""); err == nil && msg.IsLog(c.Format) {
		return c.Messages, len(c.Messages) > 0
	}
	empty := msg.Conversation{Format: msg.Anthropic}
	added, reread, err := format.Append(&empty, data, "", nil)
	if reread != nil {
		added = reread.Messages
	}
	return added, err == nil && len(added) > 0
}

// readable returns an archive as a transcript, and any other text as it is.
func readable(original string) string {
	messages, ok := parse(original)
	if !ok {
		return original
	}
	var items []summarize.Item
	tools := map[string]string{} // names of calls by their IDs
	for m := range messages {
		for b := range messages[m].Blocks {
			block := &messages[m].Blocks[b]
			if block.Kind == msg.KindToolUse {
				tools[block.ID] = block.Name
			}
			item := summarize.Item{Role: messages[m].Role, Block: block, Tool: cmp.Or(tools[block.ID], "a tool")}
			item.Injected = provenance.IsInjected(&messages[m], b)
			items = append(items, item)
		}
	}
	return summarize.Transcript(items, summarize.Cuts{}) + unread(original)
}

// unread returns the lines of an archive that are no JSON: those that a repair removed from a log.
func unread(original string) string {
	text := ""
	for line, rest := provenance.NextLine(original); line != ""; line, rest = provenance.NextLine(rest) {
		if line = strings.TrimSpace(line); line != "" && msg.Validate(rawjson.Value(line)) != nil {
			text += "\n\nA line that could not be read:\n" + line
		}
	}
	return text
}
