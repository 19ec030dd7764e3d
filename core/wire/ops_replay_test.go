package wire_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/internal/rawjson"
	"tamp/core/policy"
	"tamp/core/replay"
	"tamp/core/wire"
)

// A session of twelve calls, each with a long result.
func story() string {
	messages := []string{`{"role":"user","content":"Fix parse.go."}`}
	for n := range 12 {
		id := itoa(n)
		messages = append(messages,
			`{"role":"assistant","content":[{"type":"tool_use","id":"t`+id+`","name":"read","input":{"path":"file`+id+`.go"}}]}`,
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t`+id+`","content":"`+strings.Repeat("line "+id+" of it\\n", 300)+`"}]}`)
	}
	return `{"model":"claude-sonnet-4-5","messages":[` + strings.Join(messages, ",") +
		`,{"role":"assistant","content":"Done."}]}`
}

// The answer is the report of core/replay, with the price.
func TestReplay(t *testing.T) {
	c, err := format.Parse([]byte(story()), "")
	require.NoError(t, err)
	p, err := policy.Parse("s06", []byte(`{"clear":{"keepRecent":2}}`))
	require.NoError(t, err)
	hidden := 9000
	rows := []struct {
		why, in string
		o       replay.Options
	}{
		{"the policy", `"preset":"s06","policy":{"clear":{"keepRecent":2}}`, replay.Options{}},
		{"no compaction", `"compact":false`, replay.Options{None: true}},
		{"compaction on purpose", `"preset":"s06","policy":{"clear":{"keepRecent":2}},"compact":true`, replay.Options{}},
		{"hidden tokens", `"compact":false,"hidden":9000`, replay.Options{None: true, Hidden: &hidden}},
		{"one breakpoint", `"compact":false,"breakpoints":"automatic"`,
			replay.Options{None: true, Breakpoints: replay.Automatic}},
		{"an hour", `"compact":false,"ttl":"1h"`, replay.Options{None: true, TTL: "1h"}},
		{"another model", `"preset":"s06","policy":{"clear":{"keepRecent":2}},"model":"claude-opus-4-5"`,
			replay.Options{Model: "claude-opus-4-5"}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			want, err := replay.Replay(c, p, row.o)
			require.NoError(t, err)
			var have wire.Replayed
			require.NoError(t, json.Unmarshal(handle("replay", []byte(`{"conversation":`+story()+`,`+row.in+`}`)), &have))
			require.Equal(t, *want, have.Report)
			input := 3000 // of Sonnet 4.5
			if row.o.Model != "" {
				input = 5000
			}
			require.Equal(t, &wire.Price{Input: input, Output: 5 * input, Read: 100, Write5m: 1250, Write1h: 2000,
				Source: "https://platform.claude.com/docs/en/about-claude/pricing", Date: "2026-11"}, have.Price)
		})
	}
	priced := ask(t, "replay", `{"conversation":`+story()+
		`,"compact":false,"prices":{"input":10,"output":20,"read":100,"write5m":1250,"write1h":2000}}`)
	require.JSONEq(t, `{"input":10,"output":20,"read":100,"write5m":1250,"write1h":2000}`, string(priced["price"]))
	stepped := `{"input":10,"output":20,"read":100,"write5m":1250,"write1h":2000,"long":{"above":9,"input":3000,"output":1000}}`
	long := ask(t, "replay", `{"conversation":`+story()+`,"compact":false,"prices":`+stepped+`}`)
	require.JSONEq(t, stepped, string(long["price"]))
	require.Contains(t, string(long["notes"]), "of more than 9 tokens")
	for _, in := range []string{`"hidden":-1`, `"prices":{"input":-1}`, `"breakpoints":"none"`,
		`"prices":{"input":1,"long":{"above":-1}}`, `"prices":{"input":1001,"long":{"above":1,"input":1000000}}`} {
		refused := ask(t, "replay", `{"conversation":`+story()+`,`+in+`}`)
		require.Contains(t, string(refused["error"]), "bad_request", in)
	}
	unknown := ask(t, "replay", `{"conversation":`+story()+`,"model":"llama-9"}`)
	require.Equal(t, "false", string(unknown["priced"]))
	require.JSONEq(t, `{"input":3000,"output":15000,"read":100,"write5m":1250,"write1h":2000,"assumed":true}`,
		string(unknown["price"]))
}

// The conversation of a call comes back in the form of the session, as it was at that call.
func TestReplayAt(t *testing.T) {
	in := `,"preset":"s06","policy":{"clear":{"keepRecent":2}}`
	out := ask(t, "replayAt", `{"conversation":`+story()+in+`,"call":9}`)
	require.Equal(t, []string{"9", "17"}, []string{string(out["call"]), string(out["messages"])})
	require.Contains(t, string(out["conversation"]), "[Previous: used read]")
	require.Contains(t, string(out["conversation"]), "line 7 of it")
	require.NotContains(t, string(out["conversation"]), "line 1 of it")
	require.NotContains(t, string(out["conversation"]), "file8.go", "the answer is not part of its prompt")
	out = ask(t, "replayAt", `{"conversation":`+story()+in+`,"call":9,"compact":false}`)
	require.True(t, strings.HasPrefix(story(), strings.TrimSuffix(string(out["conversation"]), "]}")),
		"without compaction it is the session up to there")
}

// Who listens hears of each call, and may end the replay; a later one is not ended.
func TestReplayProgress(t *testing.T) {
	var engine wire.Engine
	var heard []int
	engine.Progress = func(done, of int) bool {
		require.Equal(t, 13, of)
		heard = append(heard, done)
		return done < 5
	}
	out, _ := handleBody(&engine, "replay", []byte(`{}`), []byte(story()))
	require.Equal(t, []int{0, 1, 2, 3, 4, 5}, heard)
	require.Contains(t, string(out), `"stopped":true`)
	engine.Progress = nil
	out, _ = handleBody(&engine, "replay", []byte(`{}`), []byte(story()))
	require.NotContains(t, string(out), `"stopped"`)
}

func TestVerdict(t *testing.T) {
	base := handle("replay", []byte(`{"conversation":`+story()+`,"compact":false}`))
	s06 := handle("replay", []byte(`{"conversation":`+story()+`,"preset":"s06"}`))
	says := handle("verdict", []byte(`{"reports":[`+string(base)+`,`+string(s06)+`]}`))
	var reports [2]replay.Report
	for i, report := range [][]byte{base, s06} {
		require.NoError(t, json.Unmarshal(report, &reports[i]))
	}
	want, err := json.Marshal(replay.Verdict(&reports[0], &reports[1]))
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(says))
	require.Contains(t, string(says), "Newest results")
}

// The answer is that of core/replay; both replays report their progress as one.
func TestResent(t *testing.T) {
	c, err := format.Parse([]byte(story()), "")
	require.NoError(t, err)
	p, err := policy.Preset("s06")
	require.NoError(t, err)
	want, err := replay.Resent(c, p, replay.Options{})
	require.NoError(t, err)
	var engine wire.Engine
	last := [2]int{}
	engine.Progress = func(done, of int) bool {
		require.GreaterOrEqual(t, done, last[0])
		last = [2]int{done, of}
		return true
	}
	out, _ := handleBody(&engine, "resent", []byte(`{"preset":"s06"}`), []byte(story()))
	var have replay.Resends
	require.NoError(t, json.Unmarshal(out, &have))
	require.Equal(t, want, &have)
	require.Equal(t, [2]int{2 * want.Calls, 2 * want.Calls}, last)
}

func TestReplayErrors(t *testing.T) {
	rows := []struct{ why, op, in, code, path, says string }{
		{"no conversation", "replay", `{}`, "bad_request", "/conversation", "there is no conversation"},
		{"a lifetime that there is not", "replay", `{"conversation":[],"ttl":"2h"}`, "bad_request", "/ttl", "5m or 1h"},
		{"compact that is no boolean", "replay", `{"conversation":[],"compact":"no"}`, "bad_request", "/compact",
			"true or false"},
		{"a model that is no name", "replay", `{"conversation":[],"model":5}`, "bad_request", "/model", "a string"},
		{"an unknown preset", "replay", `{"conversation":[],"preset":"harnes"}`, "bad_policy", "/preset",
			"did you mean harness?"},
		{"no call", "replayAt", `{"conversation":` + session + `}`, "bad_request", "/call", "there is no call"},
		{"a call after the last", "replayAt", `{"conversation":` + session + `,"call":3}`, "bad_request", "/call",
			"the session has 2"},
		{"call zero", "replayAt", `{"conversation":[],"call":0}`, "bad_request", "/call", "at least 1"},
		{"reports of the wrong shape", "verdict", `{"reports":[7]}`, "bad_request", "/reports/0", "an object"},
		{"a report that is null", "verdict", `{"reports":[null]}`, "bad_request", "/reports", "null"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			var out struct {
				Error struct{ Code, Path, Message string }
			}
			require.NoError(t, json.Unmarshal(handle(row.op, []byte(row.in)), &out))
			require.Equal(t, []string{row.code, row.path}, []string{out.Error.Code, out.Error.Path}, out.Error.Message)
			require.Contains(t, out.Error.Message, row.says)
		})
	}
	require.Equal(t, `{"advised":"","text":"There is no model call to compare."}`, string(handle("verdict", []byte(`{"reports":[]}`))))
}

// What a log cost is the same whether its texts are read or not: they are if a call has no usage, and of a log in the
// header. The engine keeps nothing of a log, whose memory can be used again.
func TestUsageWithoutTexts(t *testing.T) {
	line := func(uuid, parent, kind, message string) string {
		return `{"type":"` + kind + `","uuid":"` + uuid + `","parentUuid":` + parent + `,"timestamp":"2026-11-02T10:00:0` + uuid +
			`Z","requestId":"r","cwd":"/p","message":{"role":"` + kind + `",` + message + "}}\n"
	}
	usage := `,"usage":{"input_tokens":900,"output_tokens":9}`
	call := `"id":"m1","model":"claude-opus-4-5","content":[{"type":"tool_use","id":"c","name":"f","input":{"a":"b"}}]`
	start := line("1", "null", "user", `"content":"`+strings.Repeat("Go. ", 99)+`"`) + line("2", `"1"`, "assistant", call+usage) +
		line("3", `"2"`, "user", `"content":[{"type":"tool_result","tool_use_id":"c","content":"done"}]`)
	logs := map[string]string{
		"usage of all calls":        start + line("4", `"3"`, "assistant", `"id":"m2","content":[{"type":"text","text":"Done."}]`+usage),
		"a call without usage":      start + line("4", `"3"`, "assistant", `"id":"m2","content":[{"type":"text","text":"Done."}]`),
		"a message with odd blocks": start + line("4", `"3"`, "assistant", `"id":"m2","content":[{"type":"text","text":7}]`+usage),
		"a torn line":               start + `{"type":"assistant","uuid":"4","par`,
		"no line of a log":          `{"a":1}` + "\n" + `{"a":2}`,
	}
	for _, file := range convtest.Corpus(t, "claude-code") {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		logs[file] = string(data)
	}
	var engine wire.Engine
	for name, log := range logs {
		body := []byte(log)
		got, err := engine.Do("usage", nil, body)
		whole, wantErr := engine.Do("usage", append(append([]byte(`{"conversation":`), rawjson.Quote(log)...), '}'), nil)
		require.Equal(t, wantErr, err, name)
		require.Equal(t, string(whole.Header), string(got.Header), name)
		if err == nil {
			require.True(t, got.Reusable, name)
		}
	}
}
