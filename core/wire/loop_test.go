package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/internal/convtest"
	"tamp/core/policy"
	"tamp/core/wire"
)

// The loop in Go and the same loop over JSON, as a host in another language drives it, come to the same answer.
func TestLoopIsTheLoopOverJSON(t *testing.T) {
	document := string(convtest.Big(300_000))
	for _, preset := range policy.Presets() {
		t.Run(preset.Name, func(t *testing.T) {
			settings := `"conversation":` + document + `,"preset":"` + preset.Name + `","force":true`
			loop, err := new(wire.Engine).Start([]byte("{" + settings + "}"))
			require.NoError(t, err)
			var archives []string
			require.NoError(t, loop.Run(core.Host{
				Planned: func(*core.Plan) error {
					require.NotContains(t, string(loop.Plan()), `"user":"You`, "prompts stay inside")
					return nil
				},
				Save: func(archive []byte) error {
					archives = append(archives, string(loop.Originals(archive)[0].Data))
					return nil
				},
				Applied: func(made *core.Plan, results []core.SummaryResult, _ *core.Outcome) error {
					require.Len(t, results, len(made.Requests))
					return nil
				},
			}))
			got, err := loop.Outcome()
			require.NoError(t, err)

			want, saved := overJSON(t, "{"+settings+"}")
			require.Equal(t, saved, archives)
			var mine map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(got, &mine))
			require.True(t, bytes.Equal(want["conversation"], mine["conversation"]))
			require.Equal(t, want["state"], mine["state"])
			require.Equal(t, want["after"], mine["after"])
			require.Equal(t, string(want["fates"]), string(mine["fates"]), "of all rounds")
			require.Len(t, fatesIn(t, mine["fates"]), strings.Count(document, `"role":`))
			require.NotContains(t, mine, "next")
		})
	}
}

func fatesIn(t *testing.T, document json.RawMessage) (fates []core.MessageFate) {
	require.NoError(t, json.Unmarshal(document, &fates))
	return fates
}

// overJSON runs the loop with Engine.Do, and returns the last answer of apply and the archives.
func overJSON(t *testing.T, in string) (out map[string]json.RawMessage, archives []string) {
	var request map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(in), &request))
	call := func(op string) json.RawMessage {
		var body bytes.Buffer
		encoder := json.NewEncoder(&body)
		encoder.SetEscapeHTML(false) // a ref names bytes
		require.NoError(t, encoder.Encode(request))
		return handle(op, body.Bytes())
	}
	for plan := call("plan"); plan != nil; plan = out["next"] {
		request["plan"] = plan
		var archive string
		require.NoError(t, json.Unmarshal(call("archive"), &archive))
		if archive != "" {
			archives = append(archives, archive)
		}
		request["results"] = call("summarize")
		out = nil
		require.NoError(t, json.Unmarshal(call("apply"), &out))
		require.NotContains(t, out, "error")
		request["conversation"], request["state"], request["fates"] = out["conversation"], out["state"], out["fates"]
		delete(request, "results")
	}
	return out, archives
}

// What a placeholder names by its ref is among the originals, and so is the archive that a summary names.
func TestOriginalsHaveEveryRef(t *testing.T) {
	long := strings.Repeat("a line of output\n", 500)
	in := fmt.Sprintf(`{"conversation":[{"role":"user","content":%q},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":%q}]},{"role":"assistant","content":"Seen."}],
		"preset":"balanced","policy":{"intake":{"maxBytes":1000,"maxChars":1000}}}`, "Read this. "+long, long)
	loop, err := new(wire.Engine).Start([]byte(in))
	require.NoError(t, err)
	var originals []wire.Original
	save := core.Host{Save: func(archive []byte) error { originals = loop.Originals(archive); return nil }}
	require.NoError(t, loop.Run(save))
	require.Len(t, originals, 3)
	require.Contains(t, string(originals[0].Data), `"tool_use_id":"1"`)
	require.Equal(t, "Read this. "+long, string(originals[1].Data))
	require.Equal(t, long, string(originals[2].Data))
	out, err := loop.Outcome()
	require.NoError(t, err)
	for _, o := range originals[1:] {
		require.Contains(t, string(out), o.Ref)
		require.Equal(t, core.Ref(o.Data), o.Ref)
	}
	require.Less(t, loop.Figures().After, loop.Figures().Before)

	loop, err = new(wire.Engine).Start([]byte(in[:strings.LastIndex(in, `"preset"`)] + `"preset":"harness","force":true}`))
	require.NoError(t, err)
	require.NoError(t, loop.Run(save))
	out, err = loop.Outcome()
	require.NoError(t, err)
	require.Contains(t, string(out), "Transcript: "+originals[0].Ref)
}

func TestLoopRefusesWhatPlanRefuses(t *testing.T) {
	for _, in := range []string{`{`, `{}`, `{"conversation":7}`, `{"conversation":[],"preset":"none"}`} {
		_, err := new(wire.Engine).Start([]byte(in))
		require.Equal(t, string(handle("plan", []byte(in))), string(wire.EncodeError(err)))
	}
}
