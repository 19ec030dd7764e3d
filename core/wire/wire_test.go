package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/wire"
)

const session = `[{"role":"user","content":"Look."},
 {"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},
 {"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"a <listing> that is long enough to be cleared & more","n":12345678901234567890}]},
 {"role":"assistant","content":"Seen."}]`

const policy = `"preset":"s06","policy":{"clear":{"keepRecent":0,"minChars":10}}`

func ask(t *testing.T, op, in string) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(wire.Handle(op, []byte(in)), &out))
	return out
}

// The three ways to hand a conversation over give the same answer, and it goes back the way it came.
func TestWaysToCarryAConversation(t *testing.T) {
	value := wire.Handle("plan", []byte(`{"conversation":`+session+`,`+policy+`}`))
	text := wire.Handle("plan", []byte(`{"conversation":`+string(msg.Quote(session))+`,`+policy+`}`))
	beside, rendered := wire.HandleBeside("plan", []byte(`{`+policy+`}`), []byte(session))
	require.Equal(t, string(value), string(text))
	require.Equal(t, string(value), string(beside))
	require.Nil(t, rendered)

	want := strings.Replace(session, "a <listing> that is long enough to be cleared & more", "[Previous: used run]", 1)
	withPlan := policy + `,"plan":` + string(value)
	out := ask(t, "apply", `{"conversation":`+session+`,`+withPlan+`}`)
	require.Equal(t, want, string(out["conversation"]), "a value comes back as a value, byte for byte")
	out = ask(t, "apply", `{"conversation":`+string(msg.Quote(session))+`,`+withPlan+`}`)
	require.Equal(t, want, msg.Raw(out["conversation"]).Text(), "a text comes back as a text")
	_, rendered = wire.HandleBeside("apply", []byte(`{`+withPlan+`}`), []byte(session))
	require.Equal(t, want, string(rendered))
}

func TestOps(t *testing.T) {
	conversation := `{"conversation":` + session + `,` + policy
	rows := []struct {
		op, in, has string
	}{
		{"version", `{}`, `"0.1.0"`},
		{"presets", ``, `"name":"harness"`},
		{"countText", `{"text":"12345678","counter":"chars4"}`, `2`},
		{"detect", conversation + `}`, `{"format":"anthropic","messages":4}`},
		{"count", conversation + `,"counter":"chars4"}`, `{"total":15,"system":0,"tools":0,"messages":[{"tokens":1,"blocks":[1]},{"tokens":0,"blocks":[0]},{"tokens":13,"blocks":[13]},{"tokens":1,"blocks":[1]}],"counter":"chars4"}`},
		{"check", conversation + `}`, `{"valid":true,"problems":[]}`},
		{"repair", conversation + `}`, `{"conversation":[{"role":"user","content":"Look."},`},
		{"inspect", conversation + `}`, `"fate":"cleared"`},
		{"plan", conversation + `}`, `"kind":"clear_result"`},
	}
	for _, row := range rows {
		t.Run(row.op, func(t *testing.T) {
			require.Contains(t, string(wire.Handle(row.op, []byte(row.in))), row.has)
		})
	}
	plan := wire.Handle("plan", []byte(conversation+`}`))
	archive := msg.Raw(wire.Handle("archive", []byte(conversation+`,"plan":`+string(plan)+`}`)))
	require.True(t, strings.HasPrefix(archive.Text(), `{"role":"user","content":[{"type":"tool_result"`))
	require.True(t, strings.HasSuffix(archive.Text(), "\n"))
}

func TestErrors(t *testing.T) {
	rows := []struct {
		why, op, in, code, path, says string
	}{
		{"an unknown op", "compress", `{}`, "bad_request", "", "there are apply, archive"},
		{"a request that is not JSON", "plan", `{"conversation":`, "bad_json", "", "line 1, column 17"},
		{"a request that is not an object", "plan", `[]`, "bad_request", "", "must be a JSON object"},
		{"an unknown member", "plan", `{"conversaton":[]}`, "bad_request", "/conversaton", "its members are conversation"},
		{"no conversation", "plan", `{}`, "bad_request", "/conversation", "there is no conversation"},
		{"an empty conversation", "plan", `{"conversation":""}`, "bad_json", "", ""},
		{"a conversation that is a number", "detect", `{"conversation":7}`, "unknown_format", "", ""},
		{"an unknown format", "detect", `{"conversation":[],"format":"gemini"}`, "unknown_format", "", "anthropic"},
		{"a format that is no string", "detect", `{"conversation":[],"format":7}`, "bad_request", "/format", "must be a string"},
		{"an unknown counter", "count", `{"conversation":[],"counter":"chars5"}`, "bad_request", "/counter", "chars4"},
		{"an unknown preset", "plan", `{"conversation":[{"role":"user","content":"x"}],"preset":"harnes"}`, "bad_policy", "/preset", "did you mean harness?"},
		{"a plan of another shape", "apply", `{"conversation":[{"role":"user","content":"x"}],"plan":{"edits":7}}`, "bad_plan", "/plan/edits", "an array is wanted"},
		{"no plan", "apply", `{"conversation":[{"role":"user","content":"x"}]}`, "bad_plan", "/plan", ""},
		{"a stale plan", "apply", `{"conversation":[{"role":"user","content":"x"}],"plan":{"length":1,"base":"x"}}`, "stale_plan", "/plan/base", ""},
		{"nothing to archive by", "archive", `{"conversation":[{"role":"user","content":"x"}]}`, "bad_request", "/plan", ""},
		{"a negative time", "plan", `{"conversation":[],"idleSec":-1}`, "bad_request", "/idleSec", ""},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			var out struct {
				Error struct{ Code, Path, Message string }
			}
			require.NoError(t, json.Unmarshal(wire.Handle(row.op, []byte(row.in)), &out))
			require.Equal(t, row.code, out.Error.Code, out.Error.Message)
			require.Equal(t, row.path, out.Error.Path)
			require.Contains(t, out.Error.Message, row.says)
		})
	}
}

// FuzzHandle: whatever comes in, an answer comes out, and it is JSON.
func FuzzHandle(f *testing.F) {
	for _, op := range wire.Ops() {
		f.Add(op, []byte(`{"conversation":`+session+`,`+policy+`}`))
		f.Add(op, []byte(`{"conversation":`+string(msg.Quote(session))+`,"counter":"cjk","force":true}`))
		f.Add(op, []byte(`{"conversation":[{"role":"tool","tool_call_id":"x","content":null}],"plan":{"length":-1,"edits":[{}]}}`))
		f.Add(op, []byte(`{"conversation":"{\"type\":\"user\",\"uuid\":\"a\",\"message\":{}}\n{","preset":"prune"}`))
	}
	f.Fuzz(func(t *testing.T, op string, in []byte) {
		out := wire.Handle(op, in)
		require.True(t, json.Valid(out), "%s", out)
		require.NotContains(t, string(out), `"code":"internal"`)
	})
}
