package texts

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// CorpusDir returns the folder of the conversations: TAMP_CORPUS, or ../shared/data next to the repository at root.
func CorpusDir(root string) string {
	if dir := os.Getenv("TAMP_CORPUS"); dir != "" {
		return dir
	}
	return filepath.Join(root, "..", "shared", "data")
}

// Corpus reads the conversations under dir: the texts of each file that the model would see. It returns no texts if
// dir is absent. Of the conversations, every second file is held out of the fit.
func Corpus(dir string) ([]Text, error) {
	var list []Text
	for _, kind := range []string{"anthropic", "claude-code", "codex", "gemini", "openai-chat", "openai-responses", "pi",
		"texts"} {
		names, err := filepath.Glob(filepath.Join(dir, kind, "*"))
		if err != nil {
			return nil, err
		}
		sort.Strings(names)
		for i, name := range names {
			raw, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			t := Text{Class: "conversation", Name: kind + "/" + filepath.Base(name), Held: i%2 == 1}
			if kind == "texts" {
				t.Class, t.Body, t.Held, t.Shown = "readme", valid(string(raw)), false, true
			} else {
				t.Body = valid(strings.Join(Visible(raw), "\n"))
			}
			list = append(list, t)
		}
	}
	return list, nil
}

// Visible returns the texts of a conversation (one JSON document, or one a line) that a model would see. It is a plain
// walk over the JSON of any provider, good enough to fit and to test a counter on.
func Visible(raw []byte) []string {
	var list []string
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	for {
		var v any
		if dec.Decode(&v) != nil {
			return list
		}
		visible(v, &list)
	}
}

func visible(v any, list *[]string) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			visible(x, list)
		}
	case map[string]any:
		if kind, _ := v["type"].(string); strings.Contains(kind, "image") || kind == "document" || kind == "base64" {
			return
		}
		for _, key := range keys(v) {
			switch key {
			case "text", "thinking", "content", "arguments", "output", "reasoning", "summary", "system", "instructions",
				"reasoning_content":
				if s, ok := v[key].(string); ok {
					*list = append(*list, s)
					continue
				}
				visible(v[key], list)
			case "input", "args", "parameters", "input_schema", "response":
				if _, ok := v[key].(map[string]any); ok {
					*list = append(*list, compact(v[key]))
					continue
				}
				visible(v[key], list)
			case "message", "messages", "contents", "parts", "tool_calls", "function", "functionCall", "functionResponse",
				"function_call", "function_response", "payload", "item", "tools", "request":
				visible(v[key], list)
			}
		}
	}
}

func compact(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return ""
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func keys(m map[string]any) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	sort.Strings(list)
	return list
}

// valid replaces invalid UTF-8, which the reference tokenizer would change silently.
func valid(s string) string { return strings.ToValidUTF8(s, "?") }
