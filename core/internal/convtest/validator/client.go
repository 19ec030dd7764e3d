package validator

import "bytes"

// The histories of clients. A client writes the request of its provider from them, so only pairs are checked: in pi a
// result comes after its call and before the next message that is none, elsewhere a call has its result in its part,
// but for the last answer.

func client(r *Request) (violations []Violation) {
	if len(r.Messages) == 0 {
		return []Violation{{Rule: "A1_empty", Why: "there are no messages"}}
	}
	if r.Format != Pi {
		for i := range r.Messages {
			for _, id := range openParts(r.Messages[i].Value) {
				violations = append(violations, Violation{"S1_unanswered", id, "its part has no result", i == len(r.Messages)-1})
			}
		}
		return violations
	}
	open := map[string]bool{}
	end := func(last bool) {
		for id := range open {
			violations = append(violations, Violation{"A2_unanswered", id, "no result answers the call", last})
		}
		clear(open)
	}
	for i := range r.Messages {
		m := &r.Messages[i]
		id := text(m.Value, "toolCallId")
		switch {
		case m.Role == "toolResult" && !open[id]:
			violations = append(violations, Violation{"A3_orphan", id, "no open call before it", false})
		case m.Role == "toolResult":
			delete(open, id)
		default:
			end(false)
		}
		blocks, _ := m.content()
		for _, block := range blocks {
			if block["type"] == "toolCall" {
				open[text(block, "id")] = true
			}
		}
	}
	end(true)
	return violations
}

// openParts lists the ids of the calls of a record that have no result.
func openParts(record map[string]any) (ids []string) {
	result, _ := record["result"].(map[string]any)
	metadata, _ := result["metadata"].(map[string]any)
	results, _ := metadata["toolCallResults"].(map[string]any)
	rounds, _ := metadata["toolCallRounds"].([]any)
	for _, element := range rounds { // of VS Code
		round, _ := element.(map[string]any)
		calls, _ := round["toolCalls"].([]any)
		for _, element := range calls {
			call, _ := element.(map[string]any)
			if id := text(call, "id"); results[id] == nil {
				ids = append(ids, id)
			}
		}
	}
	calls, _ := record["toolCalls"].([]any)
	parts, _ := record["parts"].([]any)
	for _, element := range append(calls[:len(calls):len(calls)], parts...) {
		part, _ := element.(map[string]any)
		state, _ := part["state"].(map[string]any)
		switch {
		case text(part, "callID") != "" && state["output"] == nil && state["error"] == nil:
			ids = append(ids, text(part, "callID"))
		case text(part, "toolCallId") != "" && part["output"] == nil && part["errorText"] == nil:
			ids = append(ids, text(part, "toolCallId"))
		case part["args"] != nil && part["result"] == nil:
			ids = append(ids, text(part, "id"))
		}
	}
	return ids
}

func lines(document []byte) (all []map[string]any, err error) {
	for _, line := range bytes.Split(bytes.TrimSpace(document), []byte("\n")) {
		value, err := decode(line)
		if err != nil {
			return nil, err
		}
		entry, _ := value.(map[string]any)
		all = append(all, entry)
	}
	return all, nil
}

// piLog reads the path to the last entry, or all entries of a file without ids.
func piLog(document []byte) (*Request, error) {
	all, err := lines(document)
	if err != nil {
		return nil, err
	}
	byID := map[string]map[string]any{}
	leaf := ""
	for _, entry := range all {
		if id := text(entry, "id"); id != "" && entry["type"] != "session" {
			byID[id], leaf = entry, id
		}
	}
	onPath := map[string]bool{}
	for id := leaf; id != ""; id = text(byID[id], "parentId") {
		onPath[id] = true
	}
	request := &Request{Format: Pi}
	for _, entry := range all {
		message, isMessage := entry["message"].(map[string]any)
		if id := text(entry, "id"); isMessage && (leaf == "" || onPath[id]) {
			request.Messages = append(request.Messages, Message{Role: text(message, "role"), Value: message})
		}
	}
	return request, nil
}

// geminiLog reads the messages of a session file; the last line with an id counts.
func geminiLog(document []byte) (*Request, error) {
	all, err := lines(document)
	if err != nil {
		return nil, err
	}
	request := &Request{Format: GeminiCLI}
	at := map[string]int{}
	for _, entry := range all {
		kind, id := text(entry, "type"), text(entry, "id")
		if kind != "user" && kind != "gemini" {
			continue
		}
		if i, found := at[id]; found {
			request.Messages[i].Value = entry
			continue
		}
		at[id] = len(request.Messages)
		request.Messages = append(request.Messages, Message{Role: kind, Value: entry})
	}
	return request, nil
}

// messageLog reads the messages of a log that has one a line, in the order of the file. The lists of a compression are
// not read apart.
func messageLog(format string, document []byte) (*Request, error) {
	all, err := lines(document)
	if err != nil {
		return nil, err
	}
	request := &Request{Format: format}
	for _, entry := range all {
		message := entry
		switch format {
		case QwenCode:
			message, _ = entry["message"].(map[string]any)
		case CopilotCLI:
			message, _ = entry["data"].(map[string]any)
			if message["content"] == nil && message["toolCallId"] == nil {
				continue
			}
		}
		if role := text(message, "role"); message != nil && (role == "" || role[0] != '_') {
			request.Messages = append(request.Messages, Message{Role: role, Value: message})
		}
	}
	return request, nil
}
