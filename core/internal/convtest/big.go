package convtest

import (
	"os"
	"path/filepath"
	"strconv"

	"tamp/core/internal/rawjson"
)

// Big makes a session of about size bytes: an agent that lists, reads and tests this repository's own files over and
// over. The texts are real source code, so that counting costs as much as on real sessions.
func Big(size int) []byte {
	sources, _ := filepath.Glob(filepath.Join(Root(), "core", "*", "*.go"))
	var texts []string
	for _, path := range sources {
		if data, err := os.ReadFile(path); err == nil {
			texts = append(texts, string(data[:min(len(data), 6000)]))
		}
	}
	out := []byte(`{"model":"claude-opus-4-5","max_tokens":4096,"system":"You are a careful engineer.","messages":[{"role":"user","content":"Go through every file and report what it does."}`)
	for i := 0; len(out) < size; i++ {
		id := strconv.Itoa(i)
		path := sources[i%len(sources)]
		out = append(out, `,{"role":"assistant","content":[{"type":"text","text":"Next I read `...)
		out = append(out,
			filepath.Base(path)+`, since its callers changed."},{"type":"tool_use","id":"toolu_`+id+`","name":"read","input":{"path":"`...)
		out = append(out,
			filepath.Base(path)+`"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_`+id+`","content":`...)
		out = rawjson.AppendQuote(out, texts[i%len(texts)])
		out = append(out, `}]}`...)
	}
	return append(out, `,{"role":"assistant","content":"That is all of them."}]}`...)
}
