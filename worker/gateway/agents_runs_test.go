//go:build agents && !js

package gateway_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/policy"
	"tamp/worker/gateway"
)

// figures are those of the calls of a run. Costs are in tokens × 100 of input.
type figures struct {
	calls, refused, tooLong, largest, all, read, cost, compactions int
	thinking, dropped                                              int // blocks in all calls; see fake.Call
	steps                                                          map[string]int
}

// figures adds up the calls, of at most so many rounds.
func (l *line) figures(c *client, rounds int) figures {
	s := figures{steps: map[string]int{}, compactions: l.compactions}
	for _, call := range l.fake.Calls() {
		if call.Name != "job" || s.steps["agent"] > rounds {
			continue
		}
		s.calls++
		s.steps[call.Step]++
		s.refused += len(call.Problems)
		if call.TooLong {
			s.tooLong++
			continue
		}
		s.thinking, s.dropped = s.thinking+call.Thinking, s.dropped+call.Dropped
		s.largest, s.all, s.read = max(s.largest, call.In), s.all+call.In, s.read+call.Read
		write := 125
		if c.automatic {
			write = 100
		}
		s.cost += 100*(call.In-call.Read-call.Wrote) + 10*call.Read + write*call.Wrote
	}
	return s
}

func (s figures) share() int { return 1000 * s.read / max(s.all, 1) }

func (s figures) String() string {
	return fmt.Sprintf("%d calls, %d compactions, %d refused, %d too long, largest %d, %d ‰ of %d tokens read, "+
		"cost %d, %d thinking blocks seen, %d dropped", s.calls, s.compactions, s.refused, s.tooLong, s.largest, s.share(),
		s.all, s.cost/100, s.thinking, s.dropped)
}

const (
	longRounds  = 200
	rounds      = 70
	shortRounds = 5
)

func policyOf(window int) map[string]string {
	return map[string]string{"GATEWAY_POLICY": fmt.Sprintf(`{"trigger":{"window":%d}}`, window)}
}

// with returns a copy of the settings with more.
func with(env map[string]string, more ...string) map[string]string {
	out := map[string]string{}
	for name, value := range env {
		out[name] = value
	}
	for i := 0; i < len(more); i += 2 {
		out[more[i]] = more[i+1]
	}
	return out
}

// Without a gateway the session ends at the window. Through it the agent works to the end, on each platform, restarted
// in the middle, with two instances in turn that share nothing, and the cache stays useful. As many clients run at the
// same time as there are processors: a client and its gateway wait for each other.
func TestAgents(t *testing.T) {
	processors := make(chan struct{}, runtime.NumCPU())
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			processors <- struct{}{}
			defer func() { <-processors }()
			unlimited := map[int]figures{} // by the number of rounds
			t.Run("no window", func(t *testing.T) {
				l := newLine(t, &c, longRounds, 0)
				a := c.run(t, l.front.URL)
				unlimited[longRounds], unlimited[rounds] = l.figures(&c, longRounds), l.figures(&c, rounds)
				t.Log(unlimited[longRounds])
				t.Log(unlimited[rounds])
				require.Contains(t, a.out, lastAnswer)
				require.Zero(t, unlimited[longRounds].refused)
				t.Run("log", func(t *testing.T) { c.rebuilds(t, l, a) })
			})
			t.Run("direct", func(t *testing.T) {
				l := newLine(t, &c, longRounds, agentWindow)
				c.run(t, l.front.URL)
				direct := l.figures(&c, longRounds)
				t.Log(direct)
				require.Positive(t, direct.tooLong, "the window ends the session")
			})
			for _, run := range []struct {
				name      string
				at        place
				instances int
				rounds    int
				restart   bool
				settings  []string
			}{
				{"native, 200 rounds, restarted", native, 1, longRounds, true, nil},
				{"workerd, 200 rounds, two in turn, restarted", workerd, 2, longRounds, true, nil},
				{"native, two in turn", native, 2, rounds, false, nil},
				{"workerd, checkpoints", workerd, 1, rounds, true, []string{"GATEWAY_SECRET", "a secret of this test"}},
			} {
				t.Run(run.name, func(t *testing.T) {
					l := newLine(t, &c, run.rounds, agentWindow)
					l.through(t, run.at, run.instances, with(policyOf(agentWindow), run.settings...))
					if run.restart {
						l.restartAt = run.rounds / 2
					}
					through := c.finishes(t, l, run.rounds)
					l.stateless(t)
					if without, ok := unlimited[run.rounds]; ok {
						require.GreaterOrEqual(t, 1000*through.share(), 900*without.share())
						require.Less(t, through.cost, without.cost)
					}
				})
			}
			for _, run := range []struct {
				name, script, timeout string
				at                    place
			}{
				{"slow", "ok:delay=3s", "2", native}, {"failing", "500", "2", native},
				{"truncating", "length", "60", native}, {"working", "ok", "60", native},
				{"workerd, slow", "ok:delay=3s", "2", workerd}, {"workerd, working", "ok", "60", workerd},
			} {
				t.Run(run.name+" summarizer", func(t *testing.T) {
					l := newLine(t, &c, rounds, agentWindow)
					l.through(t, run.at, 1, map[string]string{"SUMMARIZER": "anthropic", "SUMMARIZER_API_KEY": "k",
						"TAMP_TOKEN": gatewayToken, "GATEWAY_SECRET": "a secret of this test",
						"SUMMARIZER_MODEL": "claude-haiku-4-5", "SUMMARIZER_BASE_URL": l.back.URL + "/s/summaries/" + run.script,
						"SUMMARIZER_TIMEOUT": run.timeout,
						"GATEWAY_POLICY":     fmt.Sprintf(`{"clear":{"enabled":false},"trigger":{"window":%d}}`, agentWindow)})
					l.byModel = run.script == "ok"
					c.finishes(t, l, rounds)
					asked := 0
					for _, call := range l.fake.Calls() {
						if call.Name == "summaries" {
							asked++
						}
					}
					t.Logf("%d requests to the summarizer", asked)
					require.Positive(t, asked)
				})
			}
			t.Run("short", func(t *testing.T) {
				l := newLine(t, &c, shortRounds, 0)
				require.Contains(t, c.run(t, l.front.URL).out, lastAnswer)
				direct := l.figures(&c, shortRounds)
				for _, at := range []place{native, workerd} {
					l = newLine(t, &c, shortRounds, 0)
					l.through(t, at, 1, nil)
					through := c.finishes(t, l, shortRounds)
					require.Zero(t, through.compactions)
					require.Less(t, 100*through.cost, 103*direct.cost)
				}
				t.Log(direct)
			})
		})
	}
}

// finishes runs the client to its end, and checks every call of it.
func (c *client) finishes(t *testing.T, l *line, rounds int) figures {
	a := c.run(t, l.front.URL)
	l.gate.Lock() // until the last request has ended, which the client may not have waited for
	l.gate.Unlock()
	s := l.figures(c, rounds)
	t.Log(s)
	require.NotEmpty(t, l.exchanges, a.out)
	t.Log(l.exchanges[len(l.exchanges)-1].note)
	l.logRefused(t)
	require.Contains(t, a.out, lastAnswer)
	require.Contains(t, a.out, "The word was "+secretWord)
	if !l.byModel {
		require.Contains(t, a.out, "the number was "+buildNumber)
	}
	require.Zero(t, s.refused)
	require.Zero(t, s.tooLong)
	require.Equal(t, rounds+1, s.steps["agent"], "every round was played")
	if l.window > 0 {
		require.Less(t, s.largest, l.window)
		c.underHardLimit(t, l)
	}
	for i, e := range l.exchanges {
		if e.left && i == len(l.exchanges)-1 { // Grok CLI asks for a summary, and ends
			continue
		}
		require.Regexp(t, "^(passed|before)", e.note, "%s: status %d, %.300s", e.path, e.status, e.response)
		require.NotContains(t, e.note, "warning=context_overflow")
		require.Len(t, e.forwarded, 1)
		require.Equal(t, e.fromServer, e.status)
		require.True(t, bytes.Equal(e.answered, e.response), "the response is that of the provider")
		if strings.HasPrefix(e.note, "passed") {
			require.True(t, bytes.Equal(e.forwarded[0], e.request), "the request is that of the client")
		}
	}
	return s
}

// logRefused lists the requests that the provider refused, and what the gateway did with them.
func (l *line) logRefused(t *testing.T) {
	for i, e := range l.exchanges {
		if e.fromServer >= http.StatusBadRequest {
			t.Logf("request %d, %s: status %d, %.400s (%s)", i, e.path, e.fromServer, e.answered, e.note)
		}
	}
}

var afterNote = regexp.MustCompile(` after=(\d+)`)

// underHardLimit checks the largest request by the count and the limits of the policy.
func (c *client) underHardLimit(t *testing.T, l *line) {
	largest, sent := 0, []byte(nil)
	for _, e := range l.exchanges {
		if m := afterNote.FindStringSubmatch(e.note); m != nil {
			if n, _ := strconv.Atoi(m[1]); n > largest {
				largest, sent = n, e.forwarded[0]
			}
		}
	}
	conversation, err := format.Parse(sent, c.api)
	require.NoError(t, err)
	conversation.Model = cmp.Or(conversation.Model, c.model) // Vertex AI and Bedrock have it in the path
	p, err := policy.Preset(policy.Default)
	require.NoError(t, err)
	session, err := core.NewSession(conversation, "", p, nil)
	require.NoError(t, err)
	counts := session.Counts()
	hard := p.Trigger.LimitsFor(l.window, counts.System+counts.Tools).Hard
	t.Logf("the largest request has %d tokens by Tamp's count, the hard limit is %d", largest, hard)
	require.LessOrEqual(t, largest, hard)
}

// stateless checks that the forwarded requests are a function of the client's: a gateway without checkpoints that sees
// each of them for the first time forwards the same bytes.
func (l *line) stateless(t *testing.T) {
	settings := with(policyOf(l.window), "UPSTREAMS", "fake=http://127.0.0.1:1")
	c, err := gateway.ReadConfig(func(name string) string { return settings[name] })
	require.NoError(t, err)
	var body []byte
	g := &gateway.Gateway{Config: c, Transport: transport(func(r *http.Request) (*http.Response, error) {
		var err error
		body, err = io.ReadAll(r.Body)
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(""))}, err
	})}
	for i, e := range l.exchanges {
		if len(e.request) == 0 || e.left || i%7 != 0 && i < len(l.exchanges)-10 { // each takes a fold over the whole history
			continue
		}
		r := httptest.NewRequest("POST", "/fake"+e.path, bytes.NewReader(e.request))
		g.ServeHTTP(httptest.NewRecorder(), r)
		require.True(t, bytes.Equal(body, e.forwarded[0]), "request %d", i)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
