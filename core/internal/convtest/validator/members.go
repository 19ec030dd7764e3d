package validator

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/gif" // the formats that DecodeConfig reads
	_ "image/jpeg"
	_ "image/png"
	"regexp"
	"strconv"
	"strings"
)

// The rules on single members: texts, names, ids and images.

var (
	escape   = regexp.MustCompile(`\\(u[0-9a-fA-F]{4}|[^u])`)
	idChars  = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	toolName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	function = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$`)
)

// half replaces half of a surrogate pair in a document that was marked: no document has this character.
const half = "\uf8ff"

// mark returns the document with half in place of each escape that is half of a surrogate pair, and of invalid UTF-8.
func mark(document []byte) []byte {
	document = bytes.ToValidUTF8(document, []byte(half))
	all := escape.FindAllIndex(document, -1)
	unit := func(n int) uint64 {
		if n >= len(all) || all[n][1]-all[n][0] < 6 {
			return 0
		}
		u, _ := strconv.ParseUint(string(document[all[n][0]+2:all[n][1]]), 16, 16)
		return u
	}
	var out []byte
	from := 0
	for n := 0; n < len(all); n++ {
		high, low := unit(n)>>10 == 0xD800>>10, unit(n)>>10 == 0xDC00>>10
		if high && n+1 < len(all) && all[n+1][0] == all[n][1] && unit(n+1)>>10 == 0xDC00>>10 {
			n++
			continue
		}
		if high || low {
			out = append(append(out, document[from:all[n][0]]...), half...)
			from = all[n][1]
		}
	}
	return append(out, document[from:]...)
}

// halves reports the parts of the request that have half of a surrogate pair.
func (r *Request) halves() (violations []Violation) {
	values := append([]any{r.System, r.Tools}, r.Others...)
	for i := range r.Messages {
		values = append(values, r.Messages[i].Value)
	}
	for i, value := range values {
		if value != nil && strings.Contains(Canonical(value), half) {
			violations = append(violations, Violation{Rule: "J1_lone_surrogate", Why: fmt.Sprintf("value %d has a half", i)})
		}
	}
	return violations
}

// names reports definitions and calls with a name that the API does not take. A call is an object with a name.
func names(rule string, tools any, calls []map[string]any, valid *regexp.Regexp) (violations []Violation) {
	list, _ := tools.([]any)
	for _, element := range list {
		tool, _ := element.(map[string]any)
		if inner, ok := tool["function"].(map[string]any); ok {
			tool = inner
		}
		if name := text(tool, "name"); name != "" && !valid.MatchString(name) {
			violations = append(violations, Violation{Rule: rule, ID: name, Why: "the name of a tool"})
		}
	}
	for _, call := range calls {
		name := text(call, "name")
		if rule == "A14_name" && (name == "" || len(name) > 200) || rule != "A14_name" && !idChars.MatchString(name) {
			violations = append(violations, Violation{Rule: rule, ID: name, Why: "the name of a call"})
		}
	}
	return violations
}

// members checks the blocks of the Messages API and the parts of its results.
func members(r *Request) (violations []Violation) {
	report := func(rule, why string) { violations = append(violations, Violation{Rule: rule, Why: why}) }
	declared := map[string]bool{}
	tools, _ := r.Tools.([]any)
	for _, element := range tools {
		tool, _ := element.(map[string]any)
		declared[text(tool, "name")] = true
	}
	var calls []map[string]any
	var sides []int
	var walk func(blocks []map[string]any)
	walk = func(blocks []map[string]any) {
		for _, block := range blocks {
			switch text(block, "type") {
			case "":
				report("A15_type", "a block has no type")
			case "tool_use":
				if calls = append(calls, block); text(block, "id") != "" && !idChars.MatchString(text(block, "id")) {
					report("A6_id", "the id of a call has other characters")
				}
			case "tool_reference":
				if name := text(block, "tool_name"); len(tools) > 0 && !declared[name] {
					report("A16_reference", "no tool "+name)
				}
			case "image":
				sides = append(sides, longSide(block))
			case "tool_result":
				inner := Message{Value: block}
				parts, _ := inner.content()
				if _, isList := block["content"].([]any); isList {
					walk(parts)
				}
			}
		}
	}
	for i := range r.Messages {
		blocks, _ := r.Messages[i].content()
		walk(blocks)
	}
	limit := 8000
	if len(sides) > 20 {
		limit = 2000
	}
	for _, side := range sides {
		if side > limit {
			report("A17_size", "an image is too large")
		}
	}
	return append(violations, names("A14_name", r.Tools, calls, regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`))...)
}

// longSide returns the pixels of the longer side of an image in base64, 0 if it cannot be read.
func longSide(block map[string]any) int {
	source, _ := block["source"].(map[string]any)
	data, err := base64.StdEncoding.DecodeString(text(source, "data"))
	if err != nil {
		return 0
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return 0
	}
	return max(config.Width, config.Height)
}

// typeless reports whether a list of parts has one without a type.
func typeless(parts any) bool {
	list, _ := parts.([]any)
	for _, element := range list {
		if part, ok := element.(map[string]any); ok && text(part, "type") == "" {
			return true
		}
	}
	return false
}
