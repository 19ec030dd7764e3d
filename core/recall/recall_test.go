package recall_test

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/recall"
)

const archive = `{"role":"user","content":"Run the tests.\nThe port is 8443."}
{"role":"assistant","content":[{"type":"text","text":"I run them."},{"type":"tool_use","id":"1","name":"run","input":{"cmd":"go test"}}]}
{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"ok\nPort 9000 is in use"}]}
`

const transcript = "[the user says]\nRun the tests.\nThe port is 8443.\n\n[the agent says]\nI run them.\n\n[the agent calls run]\n{\"cmd\":\"go test\"}\n\n" +
	"[result of run]\nok\nPort 9000 is in use"

func TestArchiveIsShownAsTranscript(t *testing.T) {
	for name, in := range map[string]string{
		"anthropic": archive,
		"openai-chat": `{"role":"user","content":"Run the tests.\nThe port is 8443."}
{"role":"assistant","content":"I run them.","tool_calls":[{"id":"1","type":"function","function":{"name":"run","arguments":"{\"cmd\":\"go test\"}"}}]}
{"role":"tool","tool_call_id":"1","content":"ok\nPort 9000 is in use"}
`,
		"claude-code": `{"type":"user","uuid":"a","sessionId":"s","message":{"role":"user","content":"Run the tests.\nThe port is 8443."}}
{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","message":{"role":"assistant","content":[{"type":"text","text":"I run them."},{"type":"tool_use","id":"1","name":"run","input":{"cmd":"go test"}}]}}
{"type":"user","uuid":"c","parentUuid":"b","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"ok\nPort 9000 is in use"}]}}
`,
	} {
		part, err := recall.Read([]string{in}, recall.Query{Ref: core.Ref([]byte(in))})
		require.NoError(t, err, name)
		require.Equal(t, transcript, part.Text, name)
		require.Zero(t, part.Next)
		require.Equal(t, len(transcript), part.Total)
	}
}

func TestPageAndSearch(t *testing.T) {
	read := func(q recall.Query) *recall.Part {
		part, err := recall.Read([]string{"other", archive}, q)
		require.NoError(t, err)
		return part
	}
	ref := core.Ref([]byte(archive))
	part := read(recall.Query{Ref: ref, Offset: 16, Limit: 14})
	require.Equal(t, recall.Part{Ref: ref, Offset: 16, Total: len(transcript), Next: 30, Text: "Run the tests."}, *part)
	part = read(recall.Query{Ref: ref, Text: "PORT"})
	require.Equal(t, []recall.Line{{strings.Index(transcript, "The port"), "The port is 8443."},
		{strings.Index(transcript, "Port 9000"), "Port 9000 is in use"}}, part.Lines)
	require.Zero(t, part.Next)
	part = read(recall.Query{Ref: ref, Text: "port", Limit: 20})
	require.Len(t, part.Lines, 1)
	require.Equal(t, strings.Index(transcript, "Port 9000"), part.Next)
	part = read(recall.Query{Ref: ref, Text: "port", Limit: 20, Offset: part.Next})
	require.Equal(t, "Port 9000 is in use", part.Lines[0].Text)
	require.Empty(t, read(recall.Query{Ref: ref, Text: "absent"}).Lines)
	// The ref of one text in an archive: the text as it is.
	text := "ok\nPort 9000 is in use"
	require.Equal(t, text, read(recall.Query{Ref: core.Ref([]byte(text))}).Text)
	require.Equal(t, "other", read(recall.Query{}).Text, "without a ref: the first original")
}

func TestErrorsNameTheirPlace(t *testing.T) {
	ref := core.Ref([]byte(archive))
	for _, row := range []struct {
		path string
		q    recall.Query
	}{
		{"/ref", recall.Query{Ref: "0123456789abcdef"}},
		{"/ref", recall.Query{Ref: "0123"}},
		{"/ref", recall.Query{Ref: strings.ToUpper("0123456789abcdef")}},
		{"/offset", recall.Query{Ref: ref, Offset: -1}},
		{"/offset", recall.Query{Ref: ref, Offset: len(transcript) + 1}},
		{"/limit", recall.Query{Ref: ref, Limit: -1}},
		{"/limit", recall.Query{Ref: ref, Limit: recall.MaxLimit + 1}},
		{"/text", recall.Query{Ref: ref, Text: "a\nb"}},
		{"/text", recall.Query{Ref: ref, Text: strings.Repeat("é", recall.MaxText+1)}},
	} {
		_, err := recall.Read([]string{archive}, row.q)
		var e *msg.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, msg.BadRequest, e.Code)
		require.Equal(t, row.path, e.Path, row.q)
	}
	_, err := recall.Read(nil, recall.Query{Ref: ref})
	require.ErrorContains(t, err, "/originals")
}

// A long line is cut around the text that was searched for, which stays in it, also if lower case has other lengths.
func TestLongLinesAreCut(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		fill := rapid.StringMatching(`[a-zßİẞ 字\t]{0,40}`)
		before := strings.Repeat(fill.Draw(r, "before"), rapid.IntRange(0, 60).Draw(r, "times"))
		after := strings.Repeat(fill.Draw(r, "after"), rapid.IntRange(0, 60).Draw(r, "more"))
		text := before + "NEEDLE42" + after
		part, err := recall.Read([]string{text}, recall.Query{Text: "needle42"})
		require.NoError(r, err)
		require.Len(r, part.Lines, 1)
		require.Contains(r, part.Lines[0].Text, "NEEDLE42")
		require.LessOrEqual(r, len([]rune(part.Lines[0].Text)), 500) // maxLine of recall
		require.True(r, strings.HasPrefix(string([]rune(text)[part.Lines[0].Offset:]), part.Lines[0].Text))
	})
}

// Pages, one after the other, are the whole original; found lines are those of a simple search, over all pages of a
// search.
func TestPagesAndLinesAreComplete(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.StringMatching(`[aBbé字 {}"\\]{0,12}`), 0, 30).Draw(r, "lines"), "\n")
		limit := rapid.IntRange(1, 50).Draw(r, "limit")
		whole, offset := "", 0
		for {
			part, err := recall.Read([]string{text}, recall.Query{Offset: offset, Limit: limit})
			require.NoError(r, err)
			require.LessOrEqual(r, len([]rune(part.Text)), limit)
			whole += part.Text
			if offset = part.Next; offset == 0 {
				break
			}
		}
		require.Equal(r, text, whole)

		wanted := rapid.StringMatching(`[ab字]{1,2}`).Draw(r, "wanted")
		var want, got []string
		for line := range strings.SplitSeq(text, "\n") {
			if strings.Contains(strings.ToLower(line), wanted) {
				want = append(want, line)
			}
		}
		for offset = 0; ; {
			part, err := recall.Read([]string{text}, recall.Query{Offset: offset, Limit: limit, Text: wanted})
			require.NoError(r, err)
			for _, line := range part.Lines {
				require.True(r, strings.HasPrefix(string([]rune(text)[line.Offset:]), line.Text))
				got = append(got, line.Text)
			}
			if part.Next == 0 {
				break
			}
			require.Greater(r, part.Next, offset)
			offset = part.Next
		}
		require.Equal(r, want, got)
	})
}

// setAside is a placeholder of one text: of a long prompt, of a long output, or of an input.
var setAside = regexp.MustCompile(`\[(?:…|Large input)[^\]]*[0-9a-f]{16}[^\]]*\]`)

var refIn = regexp.MustCompile(`[0-9a-f]{16}`)

// A long session is compacted in many rounds. Whatever was saved has a ref that is core.Ref of its bytes, every ref
// in the conversation can be read back, and a fact of the first turns is found by following the refs.
func TestRefsLeadBackToTheFirstTurns(t *testing.T) {
	p, err := policy.Parse("balanced", []byte(`{"trigger":{"window":8000},"intake":{"maxBytes":2000}}`))
	require.NoError(t, err)
	saved := map[string]string{}    // what a host keeps: archives only, as the npm package does
	summarized := map[string]bool{} // the refs of archives that a summary names
	var placeholders []string       // of texts that were set aside in any round
	state, level3 := core.State(""), 0
	c := parse(t, `[]`)
	add := func(role string, content any) {
		text, err := json.Marshal(content)
		require.NoError(t, err)
		rendered, err := format.Render(c)
		require.NoError(t, err)
		list := strings.TrimSuffix(strings.TrimSpace(string(rendered)), "]")
		if list != "[" {
			list += ","
		}
		c = parse(t, list+`{"role":"`+role+`","content":`+string(text)+`}]`)
	}
	for i := range 120 {
		n := strconv.Itoa(i)
		if i == 2 {
			add("user", "Remember for later that the launch code of the demo is KX-4417-omega, which is on the whiteboard.")
		} else {
			add("user", "Step "+n+": please look at part "+n+" and tell me which setting of it matters here.")
		}
		add("assistant", strings.Repeat("Part "+n+" reads timeout"+n+"="+strconv.Itoa(i*37)+" from "+
			"config"+n+".yaml. It retries after "+n+" seconds. ", 6))
		if i%10 == 7 {
			add("user", "Please run part "+n+".")
			add("assistant", []any{map[string]any{"type": "tool_use", "id": "t" + n, "name": "run", "input": map[string]any{}}})
			add("user", []any{map[string]any{"type": "tool_result", "tool_use_id": "t" + n,
				"content": strings.Repeat("line of run "+n+" with value "+strconv.Itoa(i*91)+"\n", 100)}})
			add("assistant", "I have read the log of run "+n+".")
		}
		plan, err := core.NewPlan(c, state, p, core.Env{})
		require.NoError(t, err)
		for plan != nil {
			if jsonl := core.Archive(c, plan); len(jsonl) > 0 {
				saved[core.Ref(jsonl)] = string(jsonl)
				if len(plan.Regions) > 0 {
					summarized[core.Ref(jsonl)] = true
				}
			}
			for _, region := range plan.Regions {
				if region.Level == 3 {
					level3++
				}
			}
			results, err := core.Summarize(c, "", p, core.Env{}, plan, nil)
			require.NoError(t, err)
			out, err := core.Apply(c, state, p, core.Env{}, plan, results)
			require.NoError(t, err)
			rendered, err := format.Render(out.Conversation)
			require.NoError(t, err)
			placeholders = append(placeholders, setAside.FindAllString(string(rendered), -1)...)
			c, state, plan = parse(t, string(rendered)), out.State, out.Next
		}
	}
	require.Greater(t, len(saved), 5)
	require.Positive(t, level3, "old summaries were condensed")

	var originals, texts []string
	for _, jsonl := range saved {
		originals = append(originals, jsonl)
	}
	for m := range c.Messages {
		for b := range c.Messages[m].Blocks {
			texts = append(texts, c.Messages[m].Blocks[b].Text)
		}
	}
	require.NotContains(t, saved, "")
	texts = append(texts, placeholders...)
	require.NotEmpty(t, placeholders, "texts were set aside")
	seen := map[string]bool{}
	found := false
	for len(texts) > 0 {
		text := texts[0]
		texts = texts[1:]
		for _, ref := range refIn.FindAllString(text, -1) {
			if seen[ref] {
				continue
			}
			seen[ref] = true
			part, err := recall.Read(originals, recall.Query{Ref: ref, Limit: recall.MaxLimit})
			require.NoError(t, err, "the conversation names %s", ref)
			texts = append(texts, part.Text)
			hits, err := recall.Read(originals, recall.Query{Ref: ref, Text: "launch code"})
			require.NoError(t, err)
			for _, line := range hits.Lines {
				found = found || strings.Contains(line.Text, "KX-4417-omega") && strings.Contains(line.Text, "whiteboard")
			}
		}
	}
	require.Greater(t, len(seen), 5)
	require.True(t, found, "the refs lead to the third turn")
	for ref := range summarized {
		require.True(t, seen[ref], "no ref leads to the archive %s", ref)
	}
}

func parse(t *testing.T, text string) *msg.Conversation {
	c, err := format.Parse([]byte(text), msg.Anthropic)
	require.NoError(t, err)
	return c
}
