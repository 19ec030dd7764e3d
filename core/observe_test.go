package core_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
)

// A State is read back after every operation, stays small, and contains no text of the conversation.
func TestStateRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := parse(t, string(convtest.Conversation(t, rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format"))))
		p, env := drawPolicy(t), drawEnv(t)
		p.Clear.Sticky = rapid.Bool().Draw(t, "sticky")
		state, changed := core.State(""), 0
		for range rapid.IntRange(1, 3).Draw(t, "turns") {
			plan := planOrOverflow(t, c, state, p, env)
			out, err := core.Apply(c, state, p, env, plan, drawResults(t, plan))
			require.NoError(t, err)
			if out.Conversation != c {
				changed++
			}
			anchored, err := core.Anchors(out.Conversation, out.State, p, env, core.AnchorOptions{})
			require.NoError(t, err)
			seen, err := core.ObserveAll(anchored.State, core.Usage{Input: 10, CacheRead: 30}, 0)
			require.NoError(t, err)
			require.Equal(t, changed, seen.Metrics.CompactCount)
			require.Equal(t, 750, seen.Metrics.CacheHitRate)
			again, warnings := core.Observe(anchored.State, core.Usage{Input: 10, CacheRead: 30})
			require.Equal(t, seen.State, again, "equal arguments, equal state")
			require.Empty(t, warnings)
			require.NoError(t, msg.Validate([]byte(again)))
			// A state of a few KB after any number of calls: a host stores it with each.
			require.Less(t, len(again), 5000)
			c, state = out.Conversation, again
		}
	})
}

func TestStateOfOtherVersions(t *testing.T) {
	rows := []struct{ why, state, says string }{
		{"a new one", ``, ""},
		{"of the first version", `{"v":1,"compactions":3,"cleared":["aaaaaaaaaaaa"]}`, ""},
		{"of a later version with more keys", `{"v":1,"turns":[1,2],"health":""}`, ""},
		{"a health that cannot be read starts from zero", `{"v":1,"health":"!"}`, ""},
		{"a health of another type", `{"v":1,"health":7}`, ""},
		{"another version", `{"v":2}`, "cannot use state"},
		{"not an object", `[]`, "cannot use state"},
		{"not JSON", `{"v":1`, "cannot use state"},
		{"keys that are not sorted", `{"v":1,"cleared":["b","a"]}`, "cannot use state"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			seen, err := core.ObserveAll(core.State(row.state), core.Usage{Input: 1}, 0)
			if row.says == "" {
				require.NoError(t, err)
				require.Equal(t, 1, seen.Metrics.Requests)
				return
			}
			var e *core.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, msg.BadRequest, e.Code)
			require.Equal(t, "/state", e.Path)
			require.Contains(t, e.Msg, row.says)
			st, _ := core.Observe(core.State(row.state), core.Usage{Input: 1})
			require.NotEmpty(t, st, "Observe starts a new State")
		})
	}
	clearedOnly := core.State(`{"v":1,"cleared":["2.0:aaaaaaaaaaaa"]}`)
	st, _ := core.Observe(clearedOnly, core.Usage{})
	require.Equal(t, clearedOnly, st, "no response changes nothing")
}

// body is a request with breakpoints on its system prompt.
func body(t *testing.T, system, model string, turns int) *msg.Conversation {
	var messages strings.Builder
	for i := range turns {
		messages.WriteString(`{"role":"user","content":"q` + strconv.Itoa(i) + `"},{"role":"assistant","content":"a"},`)
	}
	return parse(t, `{"model":"`+model+`","system":[{"type":"text","text":"`+system+`","cache_control":{"type":"ephemeral"}}],"messages":[`+messages.String()+`{"role":"user","content":"q`+strconv.Itoa(turns)+`"}]}`)
}

// Three misses in a row cause one warning with the cause of the last: Apply recorded the fingerprint of each request.
func TestObserveThreeMisses(t *testing.T) {
	long := strings.Repeat("Be brief. ", 900)
	rows := []struct {
		why     string
		request func(i int) *msg.Conversation
		idle    int
		u       core.Usage
		code    string
		path    string
	}{
		{"a clock in the system prompt", func(i int) *msg.Conversation {
			return body(t, "Today is 2026-01-02T10:0"+strconv.Itoa(i)+":00Z. "+long, "claude-sonnet-4-5", i)
		}, 5, core.Usage{Input: 10, CacheWrite: 9000}, "cache_system_changed", "/system"},
		{"another model", func(i int) *msg.Conversation {
			return body(t, long, "claude-sonnet-"+strconv.Itoa(i+4),
				i)
		}, 5, core.Usage{Input: 10, CacheWrite: 9000}, "cache_model_changed", ""},
		{"too long a pause", func(i int) *msg.Conversation { return body(t, long, "claude-sonnet-4-5", i) }, 290,
			core.Usage{Input: 10, CacheWrite: 9000}, "cache_idle", ""},
		{"too short a prompt", func(i int) *msg.Conversation { return body(t, "Hi.", "claude-sonnet-4-5", i) }, 5,
			core.Usage{Input: 100}, "cache_below_minimum", ""},
		{"nothing that can be seen from here", func(i int) *msg.Conversation {
			return body(t, long,
				"claude-sonnet-4-5", i)
		}, 5, core.Usage{Input: 10, CacheWrite: 9000}, "cache_missed", ""},
	}
	p, err := policy.Preset("clear_thinking")
	require.NoError(t, err)
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			state := core.State("")
			for i := range 8 {
				c, env := row.request(i), core.Env{IdleSec: row.idle}
				plan, err := core.NewPlan(c, state, p, env)
				require.NoError(t, err)
				out, err := core.Apply(c, state, p, env, plan, nil)
				require.NoError(t, err)
				require.Same(t, c, out.Conversation)
				var warnings []core.Warning
				state, warnings = core.Observe(out.State, row.u)
				if i == 0 || i%3 != 0 { // the cache is empty before the first request
					require.Empty(t, warnings, "request %d", i)
					continue
				}
				require.Len(t, warnings, 1, "request %d", i)
				require.Equal(t, row.code, warnings[0].Code, warnings[0].Message)
				require.Equal(t, row.path, warnings[0].Path)
				require.Contains(t, warnings[0].Message, strconv.Itoa(i)+" requests in a row")
			}
		})
	}
}

// A result is stable for Anchors if the policy never changes it, not even when it is old.
func TestAnchorsFollowThePolicy(t *testing.T) {
	result := func(id, tool, text string) string {
		return `{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"` + tool + `","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":"` + text + `"}]}`
	}
	large := strings.Repeat("some words of an output ", 400)
	c := parse(t, `{"model":"claude-sonnet-4-5","system":"s","messages":[{"role":"user","content":"go"},`+result("a",
		"read_file", large)+`,`+result("b", "run", large)+
		`,{"role":"assistant","content":"done"},{"role":"user","content":"next"},`+
		`{"role":"assistant","content":"ok"},{"role":"user","content":"more"}]}`)
	milestone := func(preset, values string) (string, int) {
		p, err := policy.Parse(preset, []byte(values))
		require.NoError(t, err)
		out, err := core.Anchors(c, "", p, core.Env{}, core.AnchorOptions{})
		require.NoError(t, err)
		rendered, err := format.Render(out.Conversation)
		require.NoError(t, err)
		requireNoErrors(t, parse(t, string(rendered)))
		for _, a := range out.Anchors {
			if a.Kind == "milestone" {
				return a.Path, a.HitPermille
			}
		}
		return "", 0
	}
	path, sure := milestone("turns", "")
	require.Equal(t, "/messages/4/content/0", path, "turns clears nothing: the newest large result")
	path, _ = milestone("harness", "")
	require.Equal(t, "/messages/2/content/0", path, "harness clears old results of run and keeps those of read_file")
	path, _ = milestone("s06", "")
	require.Empty(t, path, "s06 clears all of them in time")
	path, unsure := milestone("harness", `{"clear":{"keepTools":["run"]}}`)
	require.Equal(t, "/messages/4/content/0", path)
	require.Less(t, unsure, sure, "a result before it will change")
	path, _ = milestone("turns", `{"intake":{"maxBytes":1000}}`)
	require.Empty(t, path, "both are over the limit")

	p, err := policy.Preset("turns")
	require.NoError(t, err)
	for want, o := range map[string]core.AnchorOptions{"ttl must be 5m or 1h": {TTL: "2h"},
		"max must not be negative": {Max: -1}} {
		_, err = core.Anchors(c, "", p, core.Env{}, o)
		require.ErrorContains(t, err, want)
	}
	_, err = core.Anchors(c, "x", p, core.Env{}, core.AnchorOptions{})
	require.ErrorContains(t, err, "cannot use state")
	p.Trigger.SoftPermille = 1001
	_, err = core.Anchors(c, "", p, core.Env{}, core.AnchorOptions{})
	require.ErrorContains(t, err, "trigger.softPermille is 1001")
}
