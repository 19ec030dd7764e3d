package claudecode

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/format/internal/block"
	"tamp/core/format/internal/document"
	"tamp/core/format/internal/jsonl"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// Requests returns what the log says of the requests of the conversation, by the path of the answer; nothing before
// version 2.1.332. A request (api-request) has the first `keep` messages of the request that `base` names, and those
// whose digests `tail` lists; without a base the tail is all. Its shape has the system prompt and the tools. Requests
// of subagents and side calls, which have no tools, are not among them.
func Requests(c *msg.Conversation) map[string]jsonl.Request {
	l, ok := c.Origin.(*log)
	if !ok {
		return nil
	}
	var all map[string]jsonl.Request
	shapes, blobs := map[string]rawjson.Value{}, map[string]int{}
	var last, request struct {
		id, hash string
		digests  []string // of the messages; request has those of last at its start
		known    bool
	}
	var next *jsonl.Request
	for i := range l.lines {
		n := &l.lines[i]
		switch {
		case n.kind == "api-request-shape":
			shapes[n.hash] = n.shape
		case n.kind == "api-request-blob":
			blobs[n.raw.Member("hash").Text()] = i
		case n.kind == "api-request" && !strings.HasPrefix(n.source, "agent") &&
			len(shapes[n.hash].Member("tools").List()) > 0:
			next = nil
			base, tail := n.raw.Member("base").Text(), n.raw.Member("tail").List()
			keep, err := strconv.Atoi(string(n.raw.Member("keep")))
			if base == "" {
				for keep = 0; keep < min(len(tail), len(last.digests)) && tail[keep].Text() == last.digests[keep]; keep++ {
				}
				tail = tail[keep:]
			} else if err != nil || base != last.id || keep < 0 || keep > len(last.digests) {
				last.known = false // of another request, which this one cannot be compared with
				continue
			}
			r := jsonl.Request{Messages: keep + len(tail), Kept: keep, Before: len(last.digests), First: !last.known}
			if was, is := shapes[last.hash], shapes[n.hash]; last.known && last.hash != n.hash {
				r.Tools = string(was.Member("tools")) != string(is.Member("tools"))
				r.System = !r.Tools || string(was.Member("system")) != string(is.Member("system"))
			}
			for at := keep; at < min(len(last.digests), r.Messages); at++ {
				if line, ok := blobs[tail[at-keep].Text()]; ok {
					r.Changed = append(r.Changed, [2]int{at, line})
				}
			}
			request.digests = last.digests[:keep]
			for _, digest := range tail {
				request.digests = append(request.digests, digest.Text())
			}
			request.id, request.hash, request.known = n.raw.Member("id").Text(), n.hash, true
			last, next = request, &r
		case next != nil && n.role == msg.Assistant && !n.sidechain && !n.excluded && n.model != synthetic:
			if all == nil {
				all = map[string]jsonl.Request{}
			}
			all[jsonl.Pointer(i)], next = *next, nil
		}
	}
	return all
}

// Sent returns the conversation as its requests had it: first those up to the last answer before each request that has
// other texts in earlier messages, such as results that the client cleared, and last all messages, with the texts of
// the newest request. Their messages are those of c, at the same indexes. requests are those of the whole log.
func Sent(c *msg.Conversation, requests map[string]jsonl.Request) (all []*msg.Conversation) {
	l, ok := c.Origin.(*log)
	if !ok || len(requests) == 0 {
		return []*msg.Conversation{c}
	}
	now, room := c, document.Room(msg.MaxBlocks)
	for m, last := 0, 0; m < len(c.Messages); m++ { // last: behind the last answer
		if c.Messages[m].Role != msg.Assistant {
			continue
		}
		r := requests[c.Messages[m].Path]
		if len(r.Changed) > 0 && len(all) < jsonl.MaxSegments {
			messages := slices.Clone(now.Messages)
			if l.replace(messages[:m], r, &room) {
				all = append(all, now.WithMessages(now.Messages[:last:last]))
				now = c.WithMessages(messages)
			}
		}
		last = m + 1
	}
	return append(all, now)
}

// replace sets the texts of messages that a request has changed, and reports whether there was one. The request has the
// messages of one role next to each other as one: such a message stays.
func (l *log) replace(messages []msg.Message, r jsonl.Request, room *document.Room) (changed bool) {
	var runs []int // the index of each message of the request
	for m := range messages {
		if m == 0 || (messages[m].Role == msg.Assistant) != (messages[m-1].Role == msg.Assistant) {
			runs = append(runs, m)
		}
	}
	if len(runs) != r.Messages {
		return false
	}
	for _, one := range r.Changed {
		at, line := one[0], one[1]
		m := runs[at]
		if at+1 < len(runs) && runs[at+1] != m+1 || at+1 == len(runs) && m+1 < len(messages) || line >= len(l.lines) {
			continue
		}
		path := jsonl.Pointer(line) + "/message"
		blocks, err := block.Parse(l.lines[line].message.Member("content"), path+"/content", path, nil, room)
		if err == nil && len(blocks) > 0 && messages[m].Role != msg.Assistant {
			messages[m], changed = messages[m].WithBlocks(blocks), true
		}
	}
	return changed
}
