//go:build !js

// Command native answers like the wasm does, natively, so that a test can hold the two side by side.
// It reads lines {"op","header","file"} and prints, for each, the SHA-256 of the answer's header and of its body; a line's
// "$plan" in the header stands for the plan that the last plan line made, "$results" for the answers of the last summarize line.
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
		var ask struct{ Op, Header, File string }
		if err := json.Unmarshal(lines.Bytes(), &ask); err != nil {
			fail(err)
		}
		if ask.File != name {
			content, err := os.ReadFile(ask.File)
			if err != nil {
				fail(err)
			}
			name, conversation = ask.File, content
		}
		filled := strings.Replace(strings.Replace(ask.Header, `"$plan"`, plan, 1), `"$results"`, results, 1)
		answer, err := new(wire.Engine).Do(ask.Op, []byte(filled), conversation)
		if err != nil {
			answer.Header = wire.EncodeError(err)
		}
		header, body := answer.Header, answer.Body
		switch ask.Op {
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
