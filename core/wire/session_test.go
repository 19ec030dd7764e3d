package wire_test

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/wire"
)

// client talks to one Engine.
type client struct {
	t      require.TestingT
	engine wire.Engine
}

func (c *client) ask(op, header, body string) (string, string) {
	var b []byte
	if body != "" {
		b = []byte(body)
	}
	out, rendered := handleBody(&c.engine, op, []byte(header), b)
	return string(out), string(rendered)
}

func (c *client) must(op, header, body string) (string, string) {
	out, rendered := c.ask(op, header, body)
	require.NotContains(c.t, out, `{"error"`, "%s %s", op, header)
	return out, rendered
}

// pieces cuts a conversation into its messages or lines, and a way to put some of them together again.
func pieces(format, whole string) (list []string, join func([]string) string) {
	if convtest.IsLines(format, []byte(whole)) {
		return strings.SplitAfter(strings.TrimSpace(whole)+"\n", "\n")[:strings.Count(strings.TrimSpace(whole), "\n")+1],
			func(list []string) string { return strings.Join(list, "") }
	}
	top := rawjson.Value(strings.TrimSpace(whole))
	body := top
	if top.Kind() == '{' {
		body = top.Member(convtest.List(format))
	}
	for _, e := range body.Elements() {
		list = append(list, string(e))
	}
	return list, func(list []string) string {
		array := "[" + strings.Join(list, ",") + "]"
		if top.Kind() == '{' {
			return string(top.With(convtest.List(format), rawjson.Value(array)))
		}
		return array
	}
}

// A session answers, turn by turn and through every compaction, what the engine without one answers for the
// conversation that the session gives back.
func TestSessionAnswersAsTheEngine(t *testing.T) {
	applied := 0
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		list, join := pieces(format, string(convtest.Conversation(t, format)))
		applied += runSession(t, format, list, join, rapid.SampledFrom(wire.Presets()).Draw(t, "preset"),
			rapid.SampledFrom([]string{"", "chars4", "auto"}).Draw(t, "counter"),
			rapid.SampledFrom([]int{300, 3000}).Draw(t, "window"),
			func() int { return rapid.IntRange(1, 4).Draw(t, "messages") })
	})
	if !testing.Short() {
		require.Greater(t, applied, 10, "some were compacted")
	}
}

// The same on real sessions.
func TestSessionOnTheCorpus(t *testing.T) {
	for i, path := range convtest.Corpus(t, "anthropic", "openai-chat", "claude-code") {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var c client
		c.t = t
		found, _ := c.ask("detect", `{}`, string(data))
		if i%5 != 0 || len(data) > 400_000 || strings.Contains(found, "error") {
			continue
		}
		format := rawjson.Value(found).Member("format").Text()
		list, join := pieces(format, string(data))
		for k, preset := range convtest.OneOfFew(wire.Presets(), i/5) {
			runSession(t, format, list, join, preset, "", 20_000, func() int { return 1 + len(list)/6 + k%3 })
		}
	}
}

// runSession grows a session by so many messages at a time, and compares every answer. It returns how often it was
// compacted.
func runSession(t require.TestingT, format string, list []string, join func([]string) string, preset, counter string,
	window int, step func() int) (applied int) {
	c := client{t: t}
	settings := `"format":"` + format + `","preset":"` + preset + `","policy":{"trigger":{"window":` +
		strconv.Itoa(window) + `,"bufferTokens":0,"reserveOutput":0}}`
	if counter != "" {
		settings += `,"counter":"` + counter + `"`
	}
	state := ""
	whole := func() string {
		_, rendered := c.must("session.conversation", `{"session":1}`, "")
		return rendered
	}
	same := func(op, extra string) string {
		header := `{` + settings + extra
		if state != "" && op != "count" {
			header += `,"state":` + string(rawjson.Quote(state))
		}
		want, wantBody := handleBody(new(wire.Engine), op, []byte(header+`}`), []byte(whole()))
		have, haveBody := c.ask("session."+op, `{"session":1`+extra+`}`, "")
		if op == "count" && strings.Contains(whole(), "What did we do so far?") {
			return "" // without a State, the answer to this question is not known as a summary, which usage may not cover
		}
		require.Equal(t, string(want), have)
		require.Equal(t, string(wantBody), haveBody)
		return have
	}
	at := 1
	if out, _ := c.ask("session.open", `{`+settings+`,"session":1}`, join(list[:1])); strings.HasPrefix(out, `{"error"`) {
		return 0 // the first line by itself is no log
	}
	for at < len(list) {
		n := min(step(), len(list)-at)
		more := "[" + strings.Join(list[at:at+n], ",") + "]"
		if strings.HasSuffix(list[0], "\n") {
			more = strings.Join(list[at:at+n], "")
		}
		at += n
		out, _ := c.must("session.turn", `{"session":1}`, more)
		var turn core.Turn
		require.NoError(t, json.Unmarshal([]byte(out), &turn))
		same("count", "")
		plan := same("plan", "")
		require.Equal(t, turn.Due, strings.HasPrefix(plan, `{"error"`) || hasWork(plan), plan)
		for rounds := 0; turn.Due && hasWork(plan) && rounds < 5; rounds++ {
			same("archive", `,"plan":`+plan)
			results := same("summarize", `,"plan":`+plan)
			outcome := same("apply", `,"plan":`+plan+`,"results":`+results)
			if strings.Contains(outcome, `"code":"context_overflow"`) {
				return applied
			}
			applied++
			require.NotContains(t, outcome, `{"error"`)
			state = rawjson.Value(outcome).Member("state").Text()
			if plan = string(rawjson.Value(outcome).Member("next")); plan == "" {
				break
			}
		}
	}
	return applied
}

func hasWork(plan string) bool {
	p := rawjson.Value(plan)
	return string(p.Member("edits")) != "[]" && p.Member("edits") != nil ||
		string(p.Member("requests")) != "[]" && p.Member("requests") != nil ||
		string(p.Member("regions")) != "[]" && p.Member("regions") != nil
}

// Sessions do not see each other, and one that is closed is gone.
func TestSessionsSideBySide(t *testing.T) {
	c := &client{t: t}
	for id := 1; id <= 30; id++ {
		c.must("session.open", `{"session":`+itoa(id)+`}`, `[{"role":"user","content":"I am `+itoa(id)+`."}]`)
	}
	for id := 1; id <= 30; id++ {
		for range id {
			c.must("session.append", `{"session":`+itoa(id)+`}`, `[{"role":"assistant","content":"Yes."}]`)
		}
	}
	for id := 1; id <= 30; id++ {
		_, whole := c.must("session.conversation", `{"session":`+itoa(id)+`}`, "")
		require.Contains(t, whole, "I am "+itoa(id)+".")
		require.Equal(t, id, strings.Count(whole, "Yes."))
		c.must("session.close", `{"session":`+itoa(id)+`}`, "")
		for _, op := range []string{"append", "turn", "count", "plan", "apply", "archive", "summarize", "observe",
			"conversation", "close"} {
			out, _ := c.ask("session."+op, `{"session":`+itoa(id)+`,"plan":null,"usage":null}`, `[]`)
			require.Contains(t, out, `"path":"/session","message":"cannot use session `+itoa(id)+`: it was closed`, op)
		}
	}
	c.must("session.open", `{"session":1}`, `[]`)
	out, _ := c.ask("session.open", `{"session":1}`, `[]`)
	require.Contains(t, out, "cannot open session 1")
}

// An append of another format than the one that shows is refused, and one that shows it first decides.
func TestSessionFindsItsFormat(t *testing.T) {
	c := &client{t: t}
	user, call := `[{"role":"user","content":"Go."}]`,
		`[{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}]`
	out, _ := c.must("session.open", `{"session":1}`, user)
	require.Equal(t, `{"format":"anthropic","messages":1}`, out)
	out, _ = c.must("session.append", `{"session":1}`, call)
	require.Equal(t, `{"format":"openai-chat","messages":2}`, out)
	out, _ = c.must("session.append", `{"session":1}`,
		"{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"done\"}\n{\"role\":\"user\",\"content\":\"And?\"}\n")
	require.Equal(t, `{"format":"openai-chat","messages":4}`, out)
	for _, row := range []struct{ why, text, path, says string }{
		{"no messages", `7`, "", "it is a number"},
		{"a message without a role", `[{"role":"user","content":"x"},{"content":"y"}]`, "/1", "it has no role"},
		{"half an array", `[{"role":"user"`, "", ""},
		{"half a line", "{\"role\":\"user\",\"content\":\"x\"}\n{\"role\"", "", ""},
	} {
		out, _ := c.ask("session.append", `{"session":1}`, row.text)
		require.Contains(t, out, `"error"`, row.why)
		require.Contains(t, out, `"path":"`+row.path+`"`, row.why)
		require.Contains(t, out, row.says, row.why)
	}
	out, _ = c.must("session.turn", `{"session":1}`, "")
	require.Contains(t, out, `{"messages":4,`)
}
