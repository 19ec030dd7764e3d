package fake

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Message threads: a request with thread {"type": "create"} has the conversation kept under the ID of its response, and
// one with {"type": "continue", "previous_message_id"} has only what is new; system and tools are those of the thread.
// Source: Anthropic's Python SDK 2.14, lib/threads.

const threadsBeta = "message-threads-2026-08-12"

// joinThread makes a request that continues a thread the whole one. It returns the thread with the messages of the
// request, nil if the request has none, and the problem of the request.
func (s *Server) joinThread(in *input, h http.Header) (*thread, []string) {
	raw := in.fields["thread"]
	if in.err != nil || raw == nil || string(raw) == "null" {
		return nil, nil
	}
	if !strings.Contains(strings.Join(h.Values("Anthropic-Beta"), ","), threadsBeta) {
		return nil, []string{"thread: Extra inputs are not permitted"}
	}
	var member struct {
		Type     string `json:"type"`
		Previous string `json:"previous_message_id"`
	}
	var messages []json.RawMessage
	if json.Unmarshal(raw, &member) != nil || json.Unmarshal(in.fields["messages"], &messages) != nil {
		return nil, []string{"thread: Input should be an object, and messages a list"}
	}
	delete(in.fields, "thread")
	switch member.Type {
	case "create":
		return &thread{in.fields["system"], in.fields["tools"], messages}, nil
	case "continue":
	default:
		return nil, []string{"thread.type: Input should be 'create' or 'continue'"}
	}
	s.mu.Lock()
	kept, ok := s.threads[member.Previous]
	s.mu.Unlock()
	if !ok {
		return nil, []string{threadLost + member.Previous}
	}
	if in.fields["system"] != nil || in.fields["tools"] != nil {
		return nil, []string{"thread: system and tools are those of the thread"}
	}
	kept.messages = append(kept.messages[:len(kept.messages):len(kept.messages)], messages...)
	in.fields["messages"] = marshal(kept.messages)
	for name, value := range map[string]json.RawMessage{"system": kept.system, "tools": kept.tools} {
		if value != nil {
			in.fields[name] = value
		}
	}
	fields := in.fields
	*in = parseInput(marshal(fields))
	return &kept, nil
}

// keep stores the thread with the answer to it.
func (s *Server) keep(t *thread, r reply) {
	answer, _ := messagesAPI.answer(r).(object)
	said := marshal(object{"role": "assistant", "content": answer["content"]})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.threads["msg_"+r.id] = thread{t.system, t.tools, append(t.messages[:len(t.messages):len(t.messages)], said)}
}
