package core_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/convtest/validator"
	"tamp/core/msg"
)

// Whatever is compacted, and whichever answers fail: a provider accepts the items, no id and no ciphertext changed, and
// a reasoning item is kept with all items of its response, or goes with them.
func TestResponsesStayWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		input := convtest.Conversation(t, msg.OpenAIResponses)
		c, err := format.Parse(input, msg.OpenAIResponses)
		require.NoError(t, err)
		p, env := drawPolicy(t), drawEnv(t)
		plan, err := core.NewPlan(c, "", p, env)
		if err != nil {
			require.IsType(t, &core.Error{}, err)
			return
		}
		before := itemsOf(t, input)
		for round := 0; plan != nil && round < 4; round++ {
			out, err := core.Apply(c, "", p, env, plan, drawResults(t, plan))
			if isOverflow(err) {
				return
			}
			require.NoError(t, err)
			written, err := format.Render(out.Conversation)
			require.NoError(t, err)
			after := itemsOf(t, written)
			for _, v := range validator.Responses(after, true) {
				open := slices.ContainsFunc(validator.Responses(before, true), func(was validator.Violation) bool {
					return was.Rule == v.Rule && was.ID == v.ID
				})
				require.True(t, open, "%s\n%s\nbecame\n%s", v, input, written)
			}
			requireSealed(t, before, after)
			requirePrograms(t, before, after)
			c, plan = out.Conversation, out.Next
		}
	})
}

// itemsOf decodes the items of a document.
func itemsOf(t require.TestingT, document []byte) []any {
	var value any
	require.NoError(t, json.Unmarshal(document, &value))
	if body, ok := value.(map[string]any); ok {
		value = body["input"]
	}
	items, ok := value.([]any)
	require.True(t, ok)
	return items
}

// requireSealed asserts that each item with an id is one of before, with its ciphertext, and that no item of a response
// with reasoning is missing where the reasoning is there, or the reverse.
func requireSealed(t require.TestingT, before, after []any) {
	left := map[string]bool{}
	for _, e := range after {
		if id, ok := e.(map[string]any)["id"].(string); ok {
			left[id] = true
		}
	}
	var response []map[string]any
	check := func() {
		kept, reasons := 0, false
		for _, item := range response {
			if left[item["id"].(string)] {
				kept++
			}
			reasons = reasons || item["type"] == "reasoning"
		}
		require.True(t, !reasons || kept == 0 || kept == len(response), "%d of %d items of a response were kept:\n%s", kept, len(response), response)
		response = nil
	}
	ciphers := map[string]any{}
	for _, e := range before {
		item := e.(map[string]any)
		kind, _ := item["type"].(string)
		role, _ := item["role"].(string)
		if _, bare := item["content"].(string); bare && role == "assistant" && response != nil &&
			!slices.ContainsFunc(response, func(i map[string]any) bool { return i["type"] == "reasoning" }) {
			check() // the client's own message
		}
		switch kind {
		case "program_output":
			kind = ""
		case "configuration_update":
			role = "developer"
			ciphers[item["id"].(string)] = nil
		}
		if role == "" && !bytes.HasSuffix([]byte(kind), []byte("_output")) || role == "assistant" {
			if id, ok := item["id"].(string); ok {
				response = append(response, item)
				ciphers[id] = item["encrypted_content"]
			}
			continue
		}
		check()
	}
	check()
	for _, e := range after {
		item := e.(map[string]any)
		kind, _ := item["type"].(string)
		id, ok := item["id"].(string)
		if !ok || kind == "local_shell_call_output" {
			continue
		}
		cipher, known := ciphers[id]
		require.True(t, known, "the id %s is new", id)
		require.Equal(t, cipher, item["encrypted_content"])
	}
}

// requirePrograms asserts that a program, its calls, their outputs and its output are kept as they are, or go together,
// and that instructions stay, and asynchronous calls that wait for their output.
func requirePrograms(t require.TestingT, before, after []any) {
	left := map[string]int{}
	for _, e := range after {
		text, err := json.Marshal(e)
		require.NoError(t, err)
		left[string(text)]++
	}
	answered := map[any]bool{}
	for _, e := range before {
		if item := e.(map[string]any); item["type"] == "function_call_output" {
			answered[item["call_id"]] = true
		}
	}
	program, groups := map[string]string{}, map[string][2]int{} // kept, all
	for _, e := range before {
		item := e.(map[string]any)
		text, err := json.Marshal(e)
		require.NoError(t, err)
		kept := left[string(text)] > 0
		if item["type"] == "configuration_update" || item["type"] == "additional_tools" {
			require.True(t, kept, "%s is gone", text)
		}
		if item["async"] == true && !answered[item["call_id"]] {
			require.True(t, kept, "%s is gone", text)
		}
		id, _ := item["call_id"].(string)
		if caller, ok := item["caller"].(map[string]any); ok {
			program[id] = caller["caller_id"].(string)
		} else if item["type"] == "program" {
			program[id] = id
		}
		if group := program[id]; group != "" {
			sum := groups[group]
			if sum[1]++; kept {
				sum[0]++
			}
			groups[group] = sum
		}
	}
	for id, sum := range groups {
		require.True(t, sum[0] == 0 || sum[0] == sum[1], "%d of %d items of the program %s were kept:\n%s\nof\n%s", sum[0], sum[1], id, after, before)
	}
}
