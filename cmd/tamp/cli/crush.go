package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tamp/cmd/tamp/sqlite"
)

// crushMessage is a message as `crush session show --json` writes it.
type crushMessage struct {
	ID      string            `json:"id"`
	Role    string            `json:"role"`
	Model   string            `json:"model"`
	Summary int64             `json:"is_summary_message"`
	Created time.Time         `json:"created"`
	Parts   []json.RawMessage `json:"parts"`

	at   int64
	text sqlite.Text // of the parts
}

// crush reads a database of Crush: what `crush session show --json` writes.
func crush(d *sqlite.Database, file string, add func(file string, text []byte, err error)) error {
	sessions, err := rowsOf(d, "sessions", "id", "", "", "")
	if err != nil {
		return err
	}
	messages := map[string][]crushMessage{}
	columns := []string{"session_id", "id", "role", "model", "is_summary_message", "created_at", "parts"}
	err = d.Scan("messages", columns, func(v []sqlite.Value) error {
		var texts [4]string
		for i := range texts {
			if texts[i], err = v[i].String(); err != nil {
				return err
			}
		}
		m := crushMessage{ID: texts[1], Role: texts[2], Model: texts[3], Summary: v[4].Int, at: v[5].Int, text: v[6].Text}
		if m.Created = time.Unix(m.at, 0).UTC(); m.at >= 1e11 {
			m.Created = time.UnixMilli(m.at).UTC()
		}
		messages[texts[0]] = append(messages[texts[0]], m)
		return nil
	})
	if errors.Is(err, sqlite.ErrNoTable) {
		return errOther
	}
	if err != nil {
		return err
	}
	for _, s := range sessions[""] {
		text, err := shownByCrush(d, s.id, messages[s.id])
		add(shown(file)+"#"+s.id, text, err)
	}
	return nil
}

func shownByCrush(d *sqlite.Database, id string, messages []crushMessage) ([]byte, error) {
	slices.SortStableFunc(messages, func(a, b crushMessage) int { return cmp.Compare(a.at, b.at) })
	for i := range messages {
		text, err := d.Read(messages[i].text)
		if err != nil {
			return nil, err
		}
		var parts []struct {
			Type string          `json:"type"`
			Data json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(text, &parts); err != nil {
			return nil, errors.New("a message has parts that are no JSON: " + err.Error())
		}
		messages[i].Parts = []json.RawMessage{}
		for _, part := range parts {
			one, err := crushPart(part.Type, part.Data)
			if err != nil {
				return nil, err
			}
			messages[i].Parts = append(messages[i].Parts, one)
		}
	}
	return json.Marshal(map[string]any{"meta": map[string]string{"uuid": id}, "messages": messages})
}

// crushPart is a part with the members of its data; a command that the user ran, as Crush sends it.
func crushPart(kind string, data json.RawMessage) (json.RawMessage, error) {
	if kind == "shell_command" {
		var ran struct {
			Command, Output string
			Code            int `json:"exit_code"`
		}
		if err := json.Unmarshal(data, &ran); err != nil {
			return nil, err
		}
		return json.Marshal(map[string]string{"type": "text",
			"text": fmt.Sprintf("$ %s\n%s\n(exit code %d)", ran.Command, ran.Output, ran.Code)})
	}
	head := object("type", kind)
	if kind == "tool_call" {
		var call struct{ ID string }
		if err := json.Unmarshal(data, &call); err != nil {
			return nil, err
		}
		head = object("type", kind, "tool_call_id", call.ID)
	}
	_, members, isObject := strings.Cut(strings.TrimSpace(string(data)), "{")
	if members = strings.TrimSpace(members); !isObject || members == "}" {
		return json.RawMessage(head + "}"), nil
	}
	return json.RawMessage(head + "," + members), nil
}
