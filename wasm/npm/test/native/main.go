//go:build !js

// Command native runs the ops of the wasm natively, so that a test can compare the two. It reads lines
// {"op","header","file"} and prints, for each, the SHA-256 of the answer's header and of its body. In a header, "$plan"
// is replaced by the answer of the last plan line, "$results" by that of the last summarize line.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"tamp/core/wire"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var name, plan, results string
	var conversation []byte
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var request struct{ Op, Header, File string }
		if err := json.Unmarshal(lines.Bytes(), &request); err != nil {
			fail(err)
		}
		if request.File != name {
			content, err := os.ReadFile(request.File)
			if err != nil {
				fail(err)
			}
			name, conversation = request.File, content
		}
		filled := strings.Replace(strings.Replace(request.Header, `"$plan"`, plan, 1), `"$results"`, results, 1)
		answer, err := new(wire.Engine).Do(request.Op, []byte(filled), conversation)
		if err != nil {
			answer.Header = wire.EncodeError(err)
		}
		header, body := answer.Header, answer.Body
		switch request.Op {
		case "plan":
			plan = string(header)
		case "summarize":
			results = string(header)
		}
		fmt.Fprintf(out, "%x %x\n", sha256.Sum256(header), sha256.Sum256(body))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "native:", err)
	os.Exit(1)
}
