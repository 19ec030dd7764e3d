package validity_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/validity"
)

// repairs parses a document, repairs it, and holds the result to what Repair promises, on the bytes too.
func repairs(t require.TestingT, doc []byte, name format.Name) (problems []validity.Problem) {
	c, err := format.Parse(doc, name)
	require.NoError(t, err)
	problems = validity.Check(c)
	require.Equal(t, problems, validity.Check(c), "the same problems every time")
	repaired, reports := validity.Repair(c)
	if len(reports) == 0 {
		require.Same(t, c, repaired)
	}
	out, err := format.Render(repaired)
	require.NoError(t, err)
	if len(reports) == 0 {
		require.Equal(t, string(doc), string(out), "a valid conversation is not changed")
	}
	for _, p := range validity.Check(repaired) {
		require.Empty(t, p.Repair, "%s is left at %s", p.Rule, p.Path)
	}
	again, err := format.Reparse(out, name)
	require.NoError(t, err)
	for _, p := range validity.Check(again) {
		require.Empty(t, p.Repair, "%s comes back with the bytes, at %s\n%s\nbecame\n%s", p.Rule, p.Path, doc, out)
	}
	return problems
}

// A random case: the same item before and after another one of its id, which has no content. All repairs are made at
// once: none is left for the next check.
func TestItemsAreRepeatedAroundAnother(t *testing.T) {
	const item = `{"type":"message","role":"assistant","id":"msg_1","content":[{"type":"output_text","text":"x"}]}`
	const without = `{"type":"message","role":"assistant","id":"msg_1"}`
	problems := repairs(t, []byte(`{"model":"gpt-5","input":[`+item+`,`+without+`,`+item+`,{"role":"user","content":"y"}]}`),
		"openai-responses")
	require.Len(t, problems, 3)
}

func TestRealConversationsAreRepaired(t *testing.T) {
	for _, folder := range []string{"anthropic", "openai-chat", "claude-code", "gemini"} {
		for _, file := range convtest.Corpus(t, folder) {
			doc, err := os.ReadFile(file)
			require.NoError(t, err)
			t.Run(folder+"/"+filepath.Base(file), func(t *testing.T) {
				if problems := repairs(t, doc, format.Name(folder)); len(problems) > 0 {
					t.Log(summary(problems))
				}
			})
		}
	}
}

func summary(problems []validity.Problem) string {
	count := map[string]int{}
	for _, p := range problems {
		count[string(p.Rule)+" "+string(p.Severity)]++
	}
	var out []string
	for rule, n := range count {
		out = append(out, fmt.Sprintf("%s × %d", rule, n))
	}
	sort.Strings(out)
	return strings.Join(out, ", ")
}

// C18: breakpoints are counted in the whole request, and taken away from its bytes.
func TestC18BreakpointsOfABody(t *testing.T) {
	mark := `"cache_control":{"type":"ephemeral"}`
	body := `{` + mark + `,"system":[{"type":"text","text":"rules",` + mark + `}],"tools":[{"name":"run",` + mark + `}],` +
		`"messages":[{"role":"user","content":[{"type":"text","text":"one",` + mark + `},{"type":"text","text":"two",` +
		mark + `}]}]}`
	c, err := format.Parse([]byte(body), "")
	require.NoError(t, err)
	repaired, problems := validity.Repair(c)
	require.Len(t, problems, 1)
	require.Equal(t, "There are 5 cache breakpoints, at most 4 are accepted.", problems[0].Message)
	out, err := format.Render(repaired)
	require.NoError(t, err)
	require.Equal(t, strings.Replace(body, `"one",`+mark, `"one"`, 1), string(out))
}

func TestGeneratedConversationsAreValid(t *testing.T) {
	convtest.EachFormat(t, func(t *rapid.T, name string) {
		doc := convtest.Conversation(t, name)
		if name != msg.AISDK || bytes.Contains(doc, []byte(`"tool-call"`)) { // plain text is the same in several formats
			require.Equal(t, format.Name(name), format.Detect(doc), "%s", doc)
		}
		for _, p := range repairs(t, doc, format.Name(name)) {
			require.Equal(t, validity.SeverityWarning, p.Severity, "%s at %s of %s", p.Rule, p.Path, doc)
		}
	})
}

func TestBrokenConversationsAreRepaired(t *testing.T) {
	convtest.EachFormat(t, func(t *rapid.T, name string) {
		doc := convtest.Break(t, name, convtest.Conversation(t, name))
		kept := bytes.Clone(doc)
		if _, err := format.Parse(doc, format.Name(name)); err != nil {
			require.IsType(t, &msg.Error{}, err) // the first message lost what its format is recognized by
			return
		}
		repairs(t, doc, format.Name(name))
		require.Equal(t, kept, doc, "the input is as it was")
	})
}

// A user message without parts ends a round: a missing result is put before it.
func TestEmptyPromptEndsARound(t *testing.T) {
	call := func(id string) string {
		return `{"role":"assistant","content":[{"type":"tool-call","toolCallId":"` + id + `","toolName":"f","input":{}}]}`
	}
	result := func(id string) string {
		return `{"role":"tool","content":[{"type":"tool-result","toolCallId":"` + id +
			`","toolName":"f","output":{"type":"text","value":"x"}}]}`
	}
	c, err := format.Parse([]byte("["+call("a")+","+call("b")+","+result("b")+`,{"role":"user","content":[]},`+
		result("c")+`,{"role":"assistant","content":"x"}]`), msg.AISDK)
	require.NoError(t, err)
	repaired, _ := validity.Repair(c)
	require.True(t, validity.Valid(validity.Check(repaired)))
	require.Equal(t, "a", repaired.Messages[2].Blocks[1].ID)
}

// A response without an id that is moved to the answers of its turn stays the one of its call, also if the turn is
// several contents.
func TestMovedResponsesKeepTheirCalls(t *testing.T) {
	const calls = `{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}},` +
		`{"functionCall":{"name":"f","args":{}}},{"functionCall":{"id":"c","name":"f","args":{}}}]}`
	response := func(role, text string) string {
		return `{"role":"` + role + `","parts":[{"functionResponse":{"name":"f","response":{"output":"` + text + `"}}}]}`
	}
	const more = `{"role":"model","parts":[{"functionCall":{"id":"d","name":"g","args":{}}}]}`
	const prompt = `{"role":"user","parts":[{"text":"x"}]}`
	list := []string{prompt, calls, response("model", "of a"), response("model", "of the second"), more,
		response("user", "of c"), prompt, `{"role":"model","parts":[{"text":"x"}]}`}
	log := ""
	for i, content := range list {
		kind := map[bool]string{true: "assistant", false: "user"}[i == 1 || i == 4 || i == 7]
		log += `{"type":"` + kind + `","uuid":"u` + strconv.Itoa(i) + `","parentUuid":"u` + strconv.Itoa(i-1) +
			`","message":` + content + "}\n"
	}
	for name, doc := range map[format.Name]string{msg.Gemini: "[" + strings.Join(list, ",") + "]", msg.QwenCode: log} {
		require.NotEmpty(t, repairs(t, []byte(doc), name))
		c, err := format.Parse([]byte(doc), name)
		require.NoError(t, err)
		repaired, _ := validity.Repair(c)
		out, err := format.Render(repaired)
		require.NoError(t, err)
		again, err := format.Parse(out, name)
		require.NoError(t, err)
		answers := map[string]string{}
		for it := again.Walk(); it.Next(); {
			if it.Block.Kind == msg.KindToolResult {
				answers[it.Block.ID] = it.Block.Text
			}
		}
		require.Equal(t, map[string]string{"a": "of a", msg.NoID + "f": "of the second", "c": "of c",
			"d": "[No result was recorded for this call]"}, answers, "%s: %s", name, out)
	}
}
