// Command agent is an example: an agent in Go on Anthropic's API, with one tool, whose history Tamp compacts.
//
//	ANTHROPIC_API_KEY=… agent FOLDER "Find the bug."
//
// MODEL and ANTHROPIC_BASE_URL select the model and the server. Originals are appended to originals.jsonl.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"

	"tamp/core/forward"
	"tamp/core/policy"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, `usage: ANTHROPIC_API_KEY=… agent FOLDER "Find the bug."`)
		os.Exit(2)
	}
	answer, err := run(cmp.Or(os.Getenv("ANTHROPIC_BASE_URL"), "https://api.anthropic.com"), os.Args[1], os.Args[2],
		"originals.jsonl")
	if err != nil {
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
	fmt.Println(answer)
}

// run answers a prompt: it calls the model until that calls no tool any more, and returns its last text.
func run(server, folder, prompt, archive string) (string, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return "", err
	}
	originals, err := os.OpenFile(archive, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	defer originals.Close()
	p, err := policy.Preset("balanced")
	if err != nil {
		return "", err
	}
	tamp := forward.NewCompactor(forward.Options{Policy: p, Save: func(jsonl []byte) error {
		_, err := originals.Write(jsonl)
		return err
	}})
	messages := []any{message{"user", prompt}}
	for {
		body, err := json.Marshal(map[string]any{"model": cmp.Or(os.Getenv("MODEL"), "claude-sonnet-5"),
			"max_tokens": 4000, "messages": messages, "tools": []any{readFile}})
		if err != nil {
			return "", err
		}
		// The whole history each time: what was compacted before stays as it is, and originals are saved first.
		if body, err = tamp.Next(body, "anthropic"); err != nil {
			return "", err
		}
		answer, err := send(server, body)
		if err != nil {
			return "", err
		}
		messages = append(messages, message{"assistant", answer})
		var text string
		var results []any
		for _, part := range answer {
			var block block
			if err := json.Unmarshal(part, &block); err != nil {
				return "", err
			}
			switch block.Type {
			case "text":
				text = block.Text
			case "tool_use":
				content, err := root.ReadFile(block.Input.Path)
				if err != nil {
					content = []byte(err.Error())
				}
				results = append(results, result{"tool_result", block.ID, string(content), err != nil})
			}
		}
		if results == nil {
			return text, nil
		}
		messages = append(messages, message{"user", results})
	}
}

type message struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

type block struct {
	Type, Text, ID string
	Input          struct{ Path string }
}

type result struct {
	Type      string `json:"type"`
	ToolUseID string `json:"tool_use_id"`
	Content   string `json:"content"`
	IsError   bool   `json:"is_error"`
}

var readFile = json.RawMessage(`{"name":"read_file","description":"reads a file of the folder","input_schema":` +
	`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}`)

// send returns the content of the model's answer.
func send(server string, body []byte) ([]json.RawMessage, error) {
	request, err := http.NewRequest(http.MethodPost, server+"/v1/messages", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = http.Header{"Content-Type": {"application/json"}, "Anthropic-Version": {"2023-06-01"},
		"X-Api-Key": {os.Getenv("ANTHROPIC_API_KEY")}}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d: %s", response.StatusCode, data)
	}
	var answer struct{ Content []json.RawMessage }
	err = json.Unmarshal(data, &answer)
	return answer.Content, err
}
