//go:build workerd && !js

package worker

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWorkerd runs the cases on workerd, the runtime of Cloudflare's Workers: with -short those that depend on it.
// `make test-worker` builds the Worker first.
func TestWorkerd(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.few = testing.Short()
	p.launch = func(s setup) (*running, error) { return onWorkerd(t, p.models, s) }
	everything(t, p)
}

// onWorkerd starts test/workerd.mjs with the bindings of a setup.
func onWorkerd(t *testing.T, models *fakeModels, s setup) (*running, error) {
	double := func(kind, name, value string) map[string]any {
		return map[string]any{"kind": kind, "bindings": map[string]string{name: value}}
	}
	options, doubles, namespaces := map[string]any{}, map[string]any{}, []string{}
	if s.env != nil {
		options["bindings"] = s.env
	}
	switch s.store {
	case "r2":
		options["r2Buckets"] = []string{"TRANSCRIPTS"}
	case "kv":
		namespaces = append(namespaces, "TRANSCRIPTS")
	case "down":
		doubles["TRANSCRIPTS"] = double("down", "WORDS", errDown.Error())
	}
	if s.summaries {
		namespaces = append(namespaces, "SUMMARIES")
	}
	if s.ai {
		doubles["AI"] = double("ai", "URL", models.url+"/ai")
	}
	if s.limit > 0 {
		options["ratelimits"] = map[string]any{"RATE_LIMITER": map[string]any{"simple": map[string]int{"limit": s.limit,
			"period": 60}}}
	}
	if s.env["GATEWAY_SECRET"] != "" {
		class := map[string]any{"className": "Checkpoints", "useSQLite": true}
		options["durableObjects"] = map[string]any{"CHECKPOINTS": class}
	}
	options["kvNamespaces"], options["doubles"] = namespaces, doubles
	text, err := json.Marshal(options)
	if err != nil {
		return nil, err
	}
	node := exec.Command("node", "test/workerd.mjs", string(text))
	node.Stderr = os.Stderr
	stdin, err := node.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := node.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := node.Start(); err != nil {
		return nil, err
	}
	var lines logged
	from, ended := bufio.NewReader(stdout), make(chan struct{})
	url, err := from.ReadString('\n')
	if err != nil {
		return nil, errors.Join(err, node.Wait())
	}
	go func() {
		defer close(ended)
		for {
			line, err := from.ReadBytes('\n')
			if err == io.EOF {
				return
			}
			lines.add([]byte(strings.TrimSuffix(string(line), "\n")))
		}
	}()
	t.Cleanup(func() {
		require.NoError(t, stdin.Close())
		<-ended
		require.NoError(t, node.Wait())
	})
	return &running{url: strings.TrimRight(strings.TrimSpace(url), "/"), printed: lines.text, workerd: true}, nil
}

// TestGatewayWorkerd runs the cases of the gateway on workerd.
func TestGatewayWorkerd(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	s, err := onWorkerd(t, newModels(t), gatewayOf(u))
	require.NoError(t, err)
	testGateway(t, s, u)
}

// With a Durable Object the checkpoints are stored, for the same credential only, and nothing else changes.
func TestGatewayWorkerdCheckpoints(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	setup := gatewayOf(u)
	setup.env["GATEWAY_SECRET"] = "a secret of this test"
	s, err := onWorkerd(t, newModels(t), setup)
	require.NoError(t, err)
	post := func(body, key string) (note, forwarded string) {
		answer := s.send(t, "POST", "/up/v1/messages", body, "X-Api-Key: "+key)
		readAll(t, answer)
		require.Equal(t, 200, answer.StatusCode)
		_, forwarded, _ = u.seen()
		return answer.Header.Get("X-Tamp"), forwarded
	}
	note, first := post(agentCall(40), "k")
	require.Contains(t, note, "checkpoint=none")
	for !strings.Contains(note, "checkpoint=hit") { // it is stored after the response
		var again string
		note, again = post(agentCall(40), "k")
		require.Equal(t, first, again)
	}
	note, again := post(agentCall(40), "another")
	require.Contains(t, note, "checkpoint=none")
	require.Equal(t, first, again)

	// What the provider forced is remembered.
	u.set(func(w http.ResponseWriter, _ *http.Request, body string) {
		if len(body) > 40_000 {
			w.WriteHeader(400)
			_, _ = io.WriteString(w, `{"error":{"message":"prompt is too long: 20000 tokens > 10000 maximum"}}`)
		}
	})
	for calls := 2; calls != 1; {
		_, _, before := u.seen()
		post(agentCall(10), "k")
		_, _, after := u.seen()
		calls = after - before
	}
}

// A model's summaries are requested after the response, and used by a later call; over the hard limit the call waits,
// and a slow or failing model never fails a call. Callers need the token.
func TestGatewayWorkerdSummaries(t *testing.T) {
	const token, written = "0123456789abcdef", "A-model-read-each-line-of-the-file."
	for _, row := range []struct{ script, timeout string }{
		{"ok:text=" + written, "60"}, {"ok:delay=3s", "1"}, {"500", "1"},
	} {
		t.Run(row.script, func(t *testing.T) {
			t.Parallel()
			u := newUpstream(t)
			setup := gatewayOf(u)
			maps.Copy(setup.env, map[string]string{"GATEWAY_SECRET": "a secret of this test", "TAMP_TOKEN": token,
				"SUMMARIZER": "anthropic", "SUMMARIZER_API_KEY": key("gateway", row.script), "SUMMARIZER_TIMEOUT": row.timeout,
				"GATEWAY_POLICY": `{"preset":"turns","trigger":{"window":40000,"hardPermille":900}}`})
			models := newModels(t)
			setup.env["SUMMARIZER_BASE_URL"] = models.url
			s, err := onWorkerd(t, models, setup)
			require.NoError(t, err)
			notes, used := map[string]int{}, 0
			for n := 6; n < 32; n += 2 {
				answer := s.send(t, "POST", "/up/v1/messages", agentCall(n), "X-Tamp-Token: "+token)
				require.Equal(t, 200, answer.StatusCode, readAll(t, answer))
				note := answer.Header.Get("X-Tamp")
				notes[regexp.MustCompile(`^passed reason=\w+|^before`).FindString(note)]++
				_, body, _ := u.seen()
				if strings.Contains(body, written) {
					used++
				}
			}
			t.Log(notes, used, len(models.Calls()))
			require.Positive(t, notes["before"], notes)
			require.Positive(t, notes["passed reason=summaries_pending"], notes)
			require.Zero(t, notes["passed reason=internal"], notes)
			require.NotEmpty(t, models.Calls())
			require.Equal(t, strings.Contains(row.script, written), used > 0)

			answer := s.send(t, "POST", "/up/v1/messages", agentCall(40))
			require.Equal(t, 401, answer.StatusCode, readAll(t, answer))
		})
	}
}
