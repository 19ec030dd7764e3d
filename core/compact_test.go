package core_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/policy"
	"tamp/core/quality"
)

// Compact does what a Loop does by hand, saves each round's originals before the next one, and adds the rounds up.
func TestCompactAgreesWithALoop(t *testing.T) {
	rounds := 0
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(convtest.Formats[:]).Draw(t, "format")
		c := parse(t, string(convtest.Conversation(t, name)))
		p, env := drawPolicy(t), drawEnv(t)
		env.Extractive = true // no model: Compact does it for a host without Summarize
		var saved []string
		got, err := core.Compact(c, "", p, env, core.Host{
			Save: func(originals []byte) error { saved = append(saved, string(originals)); return nil },
		})
		l, loopErr := core.NewLoop(c, "", p, env)
		if loopErr != nil {
			require.Equal(t, loopErr, err)
			return
		}
		before, after, actions := 0, 0, 0
		var archives []string
		for first := true; l.Plan() != nil; first = false {
			if originals := l.Archive(); len(originals) > 0 {
				archives = append(archives, string(originals))
			}
			results, summarizeErr := l.Summarize()
			require.NoError(t, summarizeErr)
			out, applyErr := l.Apply(results)
			if applyErr != nil {
				require.Equal(t, applyErr, err)
				return
			}
			if first {
				before = out.Before
			}
			after, actions = out.After, actions+len(out.Actions)
			rounds++
		}
		require.NoError(t, err)
		require.Equal(t, archives, saved)
		require.Equal(t, []int{before, after, actions}, []int{got.Before, got.After, len(got.Actions)})
		require.Equal(t, l.State(), got.State)
		want, err := format.Render(l.Conversation())
		require.NoError(t, err)
		rendered, err := format.Render(got.Conversation)
		require.NoError(t, err)
		require.Equal(t, string(want), string(rendered))
		require.Nil(t, got.Next)
	})
	require.NotZero(t, rounds)
}

// The fates and the quality are those of the given conversation, however many rounds there are, also if the last one
// changes nothing.
func TestCompactReportsAllRounds(t *testing.T) {
	rounds, seen := map[int]int{}, map[string]int{}
	convtest.EachFormat(t, func(t *rapid.T, name string) {
		c := parse(t, string(convtest.Conversation(t, name)))
		p, env := drawPolicy(t), drawEnv(t)
		if rapid.Bool().Draw(t, "merges") {
			merging, err := policy.Preset("hierarchical")
			require.NoError(t, err)
			p.Summary, env.Force = merging.Summary, true
			p.Summary.ChunkMessages, p.Summary.MergeAbove = 2, 1
		}
		round, summarized := 0, 0
		out, err := core.Compact(c, "", p, env, core.Host{
			Save: func([]byte) error { return nil },
			Summarize: func(l *core.Loop) (results []core.SummaryResult, err error) {
				if summarized++; summarized > 1 && rapid.Bool().Draw(t, "no answer") {
					return nil, nil
				}
				for i, q := range l.Plan().Requests {
					results = append(results, core.SummaryResult{ID: q.ID, Text: convtest.Vouched(q.User, fmt.Sprintf("Part %d.", i))})
				}
				return results, nil
			},
			Planned: func(*core.Plan) error { round++; return nil },
		})
		if err != nil {
			return
		}
		rounds[round]++
		requireFatesOf(t, c, env, out.Fates, out, seen)
		if out.Conversation == c {
			require.Nil(t, out.Quality)
			return
		}
		require.NotNil(t, out.Quality)
		require.Equal(t, quality.Compare(c, out.Conversation), *out.Quality)
	})
	require.Positive(t, rounds[2], "no step was the second: %v", rounds)
}

// The errors of the host end Compact, and originals that no one saves are refused.
func TestCompactStops(t *testing.T) {
	c := parse(t, session("claude-opus-4-5", 100, 400))
	p, err := policy.Preset("s06")
	require.NoError(t, err)
	full, down := errors.New("the disk is full"), errors.New("the key is wrong")
	_, err = core.Compact(c, "", p, core.Env{}, core.Host{Save: func([]byte) error { return full }})
	require.ErrorIs(t, err, full)
	_, err = core.Compact(c, "", p, core.Env{}, core.Host{})
	require.ErrorContains(t, err, "Host.Save is nil")
	_, err = core.Compact(c, "", p, core.Env{Force: true}, core.Host{
		Save:      func([]byte) error { return nil },
		Summarize: func(*core.Loop) ([]core.SummaryResult, error) { return nil, down },
	})
	require.ErrorIs(t, err, down)
}

// The whole loop, as a host calls it before each model call.
func ExampleCompact() {
	session := []byte(`[{"role":"user","content":"List the files."},
{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"README.md go.mod core wasm web docs"}]},
{"role":"assistant","content":"Six entries."}]`)
	compact := func(session []byte, state core.State) ([]byte, core.State, error) {
		c, err := format.Parse(session, "")
		if err != nil {
			return nil, "", err
		}
		p, err := policy.Parse("s06", []byte(`{"clear":{"keepRecent":0,"minChars":20}}`))
		if err != nil {
			return nil, "", err
		}
		out, err := core.Compact(c, state, p, core.Env{}, core.Host{
			Save: func(originals []byte) error { fmt.Printf("%d bytes saved\n", len(originals)); return nil },
		})
		if err != nil {
			return nil, "", err
		}
		session, err = format.Render(out.Conversation)
		return session, out.State, err
	}
	sent, _, err := compact(session, "")
	fmt.Println(string(sent), err)
	// Output:
	// 117 bytes saved
	// [{"role":"user","content":"List the files."},
	// {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"ls","input":{}}]},
	// {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"[Previous: used ls]"}]},
	// {"role":"assistant","content":"Six entries."}] <nil>
}
