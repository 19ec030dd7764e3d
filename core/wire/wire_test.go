package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/internal/rawjson"
	"tamp/core/internal/structjson"
	"tamp/core/wire"
)

const session = `[{"role":"user","content":"Look."},
 {"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},
 {"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"a <listing> that is long enough to be cleared & more","n":12345678901234567890}]},
 {"role":"assistant","content":"Seen."}]`

const s06Policy = `"preset":"s06","policy":{"clear":{"keepRecent":0,"minChars":10}}`

func ask(t *testing.T, op, in string) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(handle(op, []byte(in)), &out))
	return out
}

// The three ways to hand a conversation over give the same answer, and it goes back the way it came.
func TestWaysToCarryAConversation(t *testing.T) {
	value := handle("plan", []byte(`{"conversation":`+session+`,`+s06Policy+`}`))
	text := handle("plan", []byte(`{"conversation":`+string(rawjson.Quote(session))+`,`+s06Policy+`}`))
	inBody, rendered := handleBody(new(wire.Engine), "plan", []byte(`{`+s06Policy+`}`), []byte(session))
	require.Equal(t, string(value), string(text))
	require.Equal(t, string(value), string(inBody))
	require.Nil(t, rendered)

	want := strings.Replace(session, "a <listing> that is long enough to be cleared & more", "[Previous: used run]", 1)
	withPlan := s06Policy + `,"plan":` + string(value)
	out := ask(t, "apply", `{"conversation":`+session+`,`+withPlan+`}`)
	require.Equal(t, want, string(out["conversation"]), "a value comes back as a value, byte for byte")
	out = ask(t, "apply", `{"conversation":`+string(rawjson.Quote(session))+`,`+withPlan+`}`)
	require.Equal(t, want, rawjson.Value(out["conversation"]).Text(), "a text comes back as a text")
	_, rendered = handleBody(new(wire.Engine), "apply", []byte(`{`+withPlan+`}`), []byte(session))
	require.Equal(t, want, string(rendered))
}

func TestOps(t *testing.T) {
	conversation := `{"conversation":` + session + `,` + s06Policy
	rows := []struct {
		op, in, has string
	}{
		{"version", `{}`, `"` + wire.Version + `"`},
		{"presets", ``, `"name":"harness"`},
		{"countText", `{"text":"12345678","counter":"chars4"}`, `2`},
		{"detect", conversation + `}`, `{"format":"anthropic","messages":4}`},
		{"count", conversation + `,"counter":"chars4"}`,
			`{"total":15,"system":0,"tools":0,"messages":[{"tokens":1,"blocks":[1]},{"tokens":0,"blocks":[0]},{"tokens":13,"blocks":[13]},{"tokens":1,"blocks":[1]}],"counter":"chars4","low":`},
		{"check", conversation + `}`, `{"valid":true,"problems":[]}`},
		{"repair", conversation + `}`, `{"conversation":[{"role":"user","content":"Look."},`},
		{"inspect", conversation + `}`, `"fate":"cleared"`},
		{"plan", conversation + `}`, `"kind":"clear_result"`},
	}
	for _, row := range rows {
		t.Run(row.op, func(t *testing.T) {
			require.Contains(t, string(handle(row.op, []byte(row.in))), row.has)
		})
	}
	plan := handle("plan", []byte(conversation+`}`))
	archive := rawjson.Value(handle("archive", []byte(conversation+`,"plan":`+string(plan)+`}`)))
	require.True(t, strings.HasPrefix(archive.Text(), `{"role":"user","content":[{"type":"tool_result"`))
	require.True(t, strings.HasSuffix(archive.Text(), "\n"))
}

// planOf is a plan for the first messages of a conversation that has another beginning.
func planOf(length int) string {
	return string(structjson.Marshal(core.Plan{Base: "x", Length: length}))
}

func TestErrors(t *testing.T) {
	rows := []struct {
		why, op, in, code, path, says string
	}{
		{"an unknown op", "compress", `{}`, "bad_request", "", "there are anchors, apply, archive"},
		{"a request that is not JSON", "plan", `{"conversation":`, "bad_json", "", "line 1, column 17"},
		{"a request that is not an object", "plan", `[]`, "bad_request", "", "must be a JSON object"},
		{"an unknown member", "plan", `{"conversaton":[]}`, "bad_request", "/conversaton", "its members are conversation"},
		{"no conversation", "plan", `{}`, "bad_request", "/conversation", "there is no conversation"},
		{"an empty conversation", "plan", `{"conversation":""}`, "bad_json", "", ""},
		{"a conversation that is a number", "detect", `{"conversation":7}`, "unknown_format", "", ""},
		{"an unknown format", "detect", `{"conversation":[],"format":"bedrock"}`, "unknown_format", "", "anthropic"},
		{"a format that is no string", "detect", `{"conversation":[],"format":7}`, "bad_request", "/format",
			"must be a string"},
		{"an unknown counter", "count", `{"conversation":[],"counter":"chars5"}`, "bad_request", "/counter", "chars4"},
		{"an unknown preset", "plan", `{"conversation":[{"role":"user","content":"x"}],"preset":"harnes"}`, "bad_policy",
			"/preset", "did you mean harness?"},
		{"an unknown preset, counter and key at once", "plan",
			`{"conversation":[{"role":"user","content":"x"}],"preset":"harnes","counter":"cl100k","policy":{"claer":{}}}`,
			"bad_policy", "/preset", "did you mean clear?; cannot count with \"cl100k\": unknown counter"},
		{"a plan of another shape", "apply", `{"conversation":[{"role":"user","content":"x"}],"plan":{"edits":7}}`,
			"bad_plan", "/plan/edits", "must be an array"},
		{"no plan", "apply", `{"conversation":[{"role":"user","content":"x"}]}`, "bad_plan", "/plan", ""},
		{"a stale plan", "apply", `{"conversation":[{"role":"user","content":"x"}],"plan":` + planOf(1) + `}`,
			"stale_plan", "/plan/base", ""},
		{"nothing to archive by", "archive", `{"conversation":[{"role":"user","content":"x"}]}`, "bad_plan", "/plan", ""},
		{"a negative time", "plan", `{"conversation":[],"idleSec":-1}`, "bad_request", "/idleSec", "a whole number"},
		{"a force that is no boolean", "plan", `{"conversation":[],"force":1}`, "bad_request", "/force", "true or false"},
		{"no breakpoint at all", "anchors", `{"conversation":[],"max":0}`, "bad_request", "/max", "at least 1"},
		{"another lifetime", "anchors", `{"conversation":[{"role":"user","content":"x"}],"ttl":"2h"}`, "bad_request", "/ttl",
			"5m or 1h"},
		{"no usage to observe", "observe", `{}`, "bad_request", "/usage", "there is no usage"},
		{"a usage with unknown names", "observe", `{"usage":{"tokens":7}}`, "bad_request", "/usage", "input_tokens"},
		{"a usage that is a number", "observe", `{"usage":7}`, "bad_request", "/usage", "an object"},
		{"negative tokens", "observe", `{"usage":{"input":-1}}`, "bad_request", "/usage/input", "a whole number"},
		{"half a token", "plan",
			`{"conversation":[],"usage":{"prompt_tokens":1,"prompt_tokens_details":{"cached_tokens":0.5}}}`, "bad_request",
			"/usage/prompt_tokens_details/cached_tokens", ""},
		{"a state that is not ours", "observe", `{"state":"{}","usage":{"input":1}}`, "bad_request", "/state", ""},
		{"tools of no format", "tools", `{}`, "bad_request", "/format", "there is no format"},
		{"tools of an unknown format", "tools", `{"format":""}`, "unknown_format", "/format", "openai-chat"},
		{"nothing before it", "checkAppend", `{"conversation":[]}`, "bad_request", "/previous", ""},
		{"an append to a number", "checkAppend", `{"conversation":[{"role":"user","content":"x"}],"previous":7}`,
			"unknown_format", "", ""},
		{"a result of the wrong shape", "assemble", `{"format":"anthropic","results":[{"toolUseId":7}]}`, "bad_request",
			"/results/0/toolUseId", "a string"},
		{"an injection from nowhere", "assemble", `{"format":"anthropic","injections":[{"source":"sky","content":"x"}]}`,
			"bad_request", "/injections/0/source", "reminder"},
		{"nothing to assemble", "assemble", `{"format":"openai-chat"}`, "bad_request", "", "no text"},
		{"a request that the plan does not have", "summarize", `{"conversation":[],"plan":` + planOf(0) + `}`,
			"stale_plan", "/plan/base", ""},
		{"a result that is no list", "apply", `{"conversation":[{"role":"user","content":"x"}],"results":{}}`, "bad_request",
			"/results", "an array"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			var out struct {
				Error struct{ Code, Path, Message string }
			}
			require.NoError(t, json.Unmarshal(handle(row.op, []byte(row.in)), &out))
			require.Equal(t, row.code, out.Error.Code, out.Error.Message)
			require.Equal(t, row.path, out.Error.Path)
			require.Contains(t, out.Error.Message, row.says)
		})
	}
}

// FuzzHandle: whatever comes in, an answer comes out, and it is JSON.
func FuzzHandle(f *testing.F) {
	for _, op := range wire.Ops() {
		f.Add(op, []byte(`{"conversation":`+session+`,`+s06Policy+`}`))
		f.Add(op, []byte(`{"conversation":`+string(rawjson.Quote(session))+`,"counter":"cjk","force":true}`))
		f.Add(op, []byte(`{"conversation":[{"role":"tool","tool_call_id":"x","content":null}],"plan":{"length":-1,"edits":[{}]}}`))
		f.Add(op, []byte(`{"conversation":`+session+`,"previous":`+session+`,"format":"anthropic","usage":{"prompt_tokens":9},"max":2,"ttl":"1h","move":true,"text":"x"}`))
		f.Add(op, []byte(`{"conversation":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"compact","input":{"focus":"a"}}]}],`+
			`"results":[{"toolUseId":"c","content":[{"type":"text"}]}],"injections":[{"source":"reminder","content":"</system-reminder>"}]}`))
		f.Add(op, []byte(`{"conversation":"{\"type\":\"user\",\"uuid\":\"a\",\"message\":{}}\n{","preset":"prune"}`))
	}
	f.Fuzz(func(t *testing.T, op string, in []byte) {
		out := handle(op, in)
		require.True(t, json.Valid(out), "%s", out)
		require.NotContains(t, string(out), `"code":"internal"`)
	})
}

// The operations around a model call, in the order in which a host calls them.
func TestTurn(t *testing.T) {
	calls := `[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"read","input":{}},{"type":"tool_use","id":"b","name":"run","input":{}}]}]`
	parts := `"results":[{"toolUseId":"b","content":[{"type":"text", "text":"B"}]},{"toolUseId":"a","content":"A"}],"injections":[{"source":"reminder","content":"brief"}],"text":"next"`
	message := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"A"},{"type":"tool_result","tool_use_id":"b","content":[{"type":"text", "text":"B"}]},` +
		`{"type":"text","text":"<system-reminder>\nbrief\n</system-reminder>"},{"type":"text","text":"next"}]}`
	out := ask(t, "assemble", `{"conversation":`+calls+`,`+parts+`}`)
	require.Equal(t, `[`+message+`]`, string(out["messages"]))
	require.Equal(t, strings.TrimSuffix(calls, "]")+","+message+"]", string(out["conversation"]))
	require.Contains(t, string(out["blocks"]), `"toolUseId":"a","tokens":31,"pinned":false,"compactable":true`)
	alone := ask(t, "assemble", `{"format":"anthropic",`+parts+`}`)
	require.NotContains(t, alone, "conversation", "without a conversation there is none to append to")
	require.Equal(t, 1, lenOf(alone["messages"]))

	anchored := ask(t, "anchors", `{"conversation":{"model":"claude-sonnet-4-5","system":"`+strings.Repeat("Be brief. ",
		900)+`","messages":`+string(out["conversation"])+`}}`)
	require.Contains(t, string(anchored["anchors"]), `"path":"/system","kind":"system_end"`)
	require.Contains(t, string(anchored["conversation"]), `"cache_control":{"type":"ephemeral"}`)
	seen := ask(t, "observe",
		`{"state":`+string(anchored["state"])+`,"usage":{"input_tokens":10,"cache_read_input_tokens":90,"cache_creation_input_tokens":null,"output_tokens":5,"service_tier":"standard"}}`)
	require.Equal(t, `{"requests":1,"cacheHitRate":900,"compactCount":0,"tokensIn":100,"saved":0,"misses":0}`,
		string(seen["metrics"]))
	seen = ask(t, "observe",
		`{"state":`+string(seen["state"])+`,"usage":{"prompt_tokens":100,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":40}}}`)
	require.Equal(t, `{"requests":2,"cacheHitRate":650,"compactCount":0,"tokensIn":200,"saved":0,"misses":0}`,
		string(seen["metrics"]))
	seen = ask(t, "observe", `{"usage":{"input":1,"cacheRead":1,"cacheWrite":2,"output":3}}`)
	require.Equal(t, `{"requests":1,"cacheHitRate":250,"compactCount":0,"tokensIn":4,"saved":0,"misses":0}`,
		string(seen["metrics"]))

	report := ask(t, "checkAppend", `{"previous":`+calls+`,"conversation":`+string(out["conversation"])+`}`)
	require.Equal(t, []string{"true", "true", "[]"},
		[]string{string(report["appended"]), string(report["valid"]), string(report["problems"])})
	report = ask(t, "checkAppend",
		`{"previous":`+string(rawjson.Quote(calls))+`,"conversation":[{"role":"user","content":"stop"}]}`)
	require.Equal(t, []string{"false", "true"}, []string{string(report["appended"]), string(report["valid"])})
	require.Contains(t, string(report["problems"]), `"rule":"append_only","severity":"warning","path":"/0/content"`)
	kept := ask(t, "quality", `{"previous":`+calls+`,"conversation":`+string(out["conversation"])+`}`)
	require.Equal(t, "1000", string(kept["permille"]))
	require.Contains(t, string(handle("tools", []byte(`{"format":"openai-chat"}`))),
		`{"type":"function","function":{"name":"compact"`)
}

func lenOf(list json.RawMessage) int {
	n := 0
	for range rawjson.Value(list).Elements() {
		n++
	}
	return n
}

// The extractive summarizer answers what a plan asks, all of it or the requests named, and Apply takes the answers.
func TestSummarize(t *testing.T) {
	long := `{"preset":"s06","force":true,"conversation":[{"role":"user","content":"Fix parse.go. Never change its tests."},` +
		strings.Repeat(`{"role":"assistant","content":"I read core/parse.go and found that parseNumber fails on 1e400 with: error: value out of range."},{"role":"user","content":"Go on with config.yaml then, port 8080."},`, 40) +
		`{"role":"assistant","content":"Done."}]`
	plan := handle("plan", []byte(long+`}`))
	results := rawjson.Value(handle("summarize", []byte(long+`,"plan":`+string(plan)+`}`)))
	require.Equal(t, 1, lenOf(json.RawMessage(results)), "%s", results)
	require.Contains(t, string(results), "parse.go")
	out := ask(t, "apply", long+`,"plan":`+string(plan)+`,"results":`+string(results)+`}`)
	require.Contains(t, string(out["conversation"]), "[Compressed]")
	require.Equal(t, "[]", string(handle("summarize", []byte(long+`,"plan":`+string(plan)+`,"ids":[]}`))))
	require.Contains(t, string(handle("summarize", []byte(long+`,"plan":`+string(plan)+`,"ids":["x"]}`))), `"path":"/ids"`)
}

// An Engine answers like a fresh one, whatever it read before.
func TestCachesChangeNoAnswer(t *testing.T) {
	var engine wire.Engine
	other := `[{"role":"user","content":"Another one."}]`
	for _, conversation := range []string{session, session, other, "not JSON", session} {
		for _, op := range []string{"detect", "plan", "inspect", "check", "count", "repair"} {
			header, body := handleBody(&engine, op, []byte(`{`+s06Policy+`}`), []byte(conversation))
			wantHeader, wantBody := handleBody(new(wire.Engine), op, []byte(`{`+s06Policy+`}`), []byte(conversation))
			require.Equal(t, string(wantHeader), string(header))
			require.Equal(t, string(wantBody), string(body))
		}
	}
	_, wrong := handleBody(&engine, "detect", []byte(`{"format":"openai-chat"}`), []byte(session))
	require.Nil(t, wrong, "the format is part of the question")
}

// So it answers about a plan with another counter, preset and State than it has read the conversation for.
func TestCachesOfPlansChangeNoAnswer(t *testing.T) {
	var engine wire.Engine
	conversation := `[{"role":"user","content":"Fix parse.go. Never change its tests."},` + strings.Repeat(
		`{"role":"assistant","content":"I read core/parse.go: parseNumber fails on 1e400 with: error: value out of range."},`+
			`{"role":"user","content":"Go on with config.yaml then, port 8080, API_KEY=sk-proj-0123456789abcdef0123456789."},`, 200) +
		`{"role":"assistant","content":"Done."}]`
	do := func(op, request string) string {
		header, body := handleBody(&engine, op, []byte(request), []byte(conversation))
		wantHeader, wantBody := handleBody(new(wire.Engine), op, []byte(request), []byte(conversation))
		require.Equal(t, string(wantHeader), string(header))
		require.Equal(t, string(wantBody), string(body))
		return string(header)
	}
	asked := 0
	for _, counter := range []string{"chars4", "", "cjk"} {
		for _, preset := range []string{"balanced", "turns", "harness", "prune"} {
			for _, state := range []string{"", `{\"v\":1,\"summaries\":[]}`} {
				request := `{"preset":"` + preset + `","force":true,"counter":"` + counter + `","state":"` + state + `"`
				plan := do("plan", request+"}")
				asked += lenOf(json.RawMessage(rawjson.Value(plan).Member("requests")))
				request += `,"plan":` + plan
				do("apply", request+"}")
				do("apply", strings.Replace(request, `"counter":"`+counter, `"counter":"chars3`, 1)+"}")
				request += `,"results":` + do("summarize", request+"}")
				do("apply", request+"}")
			}
		}
	}
	require.NotZero(t, asked)
}

// A member of another operation's request is ignored, so that one input serves several operations; an unknown one is
// refused with the members of the operation. A conversation in the request and in the body is ambiguous.
func TestMembers(t *testing.T) {
	in := `{"conversation":` + session + `,` + s06Policy +
		`,"idleSec":3,"max":2,"call":1,"plan":null,"previous":7,"usage":null}`
	require.Equal(t, `{"format":"anthropic","messages":4}`, string(handle("detect", []byte(in))))
	require.Contains(t, string(handle("detect", []byte(`{"conversation":[],"preset":7}`))), `"path":"/preset"`,
		"of the wrong type it is refused, too")
	out := string(handle("detect", []byte(`{"conversaton":[]}`)))
	require.Contains(t, out, `"path":"/conversaton","message":"cannot read request: its members are `+
		`conversation, format, not conversaton; did you mean conversation?"`)
	header, _ := handleBody(new(wire.Engine), "detect", []byte(in), []byte(session))
	require.Contains(t, string(header), `"path":"/conversation"`)
}

// A body that is marked reusable may be overwritten: later answers do not depend on it.
func TestReusableBody(t *testing.T) {
	var e wire.Engine
	texts := []byte("one two three")
	first, err := e.Do("countText", nil, texts)
	require.NoError(t, err)
	require.True(t, first.Reusable)
	copy(texts, "xxxxxxxxxxxxxxxxxxxxxxx")
	again, err := e.Do("countText", nil, []byte("one two three"))
	require.NoError(t, err)
	require.Equal(t, string(first.Header), string(again.Header))
	plan, err := e.Do("detect", nil, []byte(session))
	require.NoError(t, err)
	require.False(t, plan.Reusable, "the engine keeps the conversation")
}
