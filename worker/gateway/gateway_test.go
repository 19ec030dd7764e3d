//go:build !js

package gateway

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever cannot be compacted is forwarded byte for byte, with the reason.
func TestFailsOpen(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	long := history(40, 1500, "")
	for _, row := range []struct{ body, reason, header, value string }{
		{"", "bad_json", "", ""},
		{"{", "bad_json", "", ""},
		{`{"messages":[]}`, "bad_message", "", ""},
		{`{"messages":7}`, "", "", ""},
		{`{"messages":[{"role":"user","content":7}]}`, "bad_message", "", ""},
		{`{"messages":` + strings.Repeat("[", 3000) + strings.Repeat("]", 3000) + `}`, "too_large", "", ""},
		{history(2, 100, ""), "below_limits", "", ""},
		{long, "bad_policy", "X-Tamp-Policy", "{"},
		{long, "bad_policy", "X-Tamp-Policy", `{"trigger":{"windows":1}}`},
		{long, "below_limits", "X-Tamp-Policy", `{"preset":"turns","trigger":{"window":900000}}`},
		{long, "encoded", "Content-Encoding", "zstd"},
		{strings.Replace(long, `"tool_use_id":"c39"`, `"tool_use_id":"another"`, 1), "invalid_outcome", "", ""},
	} {
		response, _ := s.post(t, "/up/v1/messages", row.body, row.header, row.value)
		_, body := p.last()
		require.True(t, row.body == string(body), "%s", response.Header.Get("X-Tamp"))
		require.Contains(t, response.Header.Get("X-Tamp"), "passed reason="+row.reason)
	}
	observing := start(t, p.URL, "GATEWAY_POLICY", window40, "GATEWAY_MODE", "observe")
	long = prose(40, 1500, "")
	response, _ := observing.post(t, "/up/v1/messages", long)
	_, body := p.last()
	require.Equal(t, long, string(body))
	require.Regexp(t, `^passed reason=observe before=\d+ after=\d+ cleared=\d+ summaries=[1-9]`, response.Header.Get("X-Tamp"))
}

// A long history is compacted, in each format, by clearing and by summaries, and counting tokens sees the same body.
// Two instances without a common storage send the same bytes.
func TestCompacts(t *testing.T) {
	for _, row := range []struct {
		body func(n, size int, path string) string
		note string
	}{
		{history, `^before=\d+ after=\d+ cleared=[1-9]\d* summaries=[1-9]\d* checkpoint=hit`},
		{prose, `^before=\d+ after=\d+ cleared=0 summaries=[1-9]\d* checkpoint=hit`},
	} {
		for _, path := range []string{"/up/v1/messages", "/up/v1/chat/completions", "/up/v1/responses"} {
			compacts(t, path, row.note, func(n int) string { return row.body(n, 1500, path) })
		}
	}
	compacts(t, geminiPath+"generateContent", `^before=\d+ after=\d+ cleared=[1-9]`, func(n int) string {
		return geminiHistory(n, 1500, "")
	})
}

func compacts(t *testing.T, path, note string, bodyOf func(n int) string) {
	p := newProvider(t, ok)
	s, other := start(t, p.URL, "GATEWAY_POLICY", window40), start(t, p.URL, "GATEWAY_POLICY", window40)
	for n := 10; n < 40; n++ {
		body := bodyOf(n)
		response, _ := s.post(t, path, body)
		_, first := p.last()
		require.Equal(t, 200, response.StatusCode)
		if n%5 == 0 {
			other.post(t, path, body)
			_, second := p.last()
			require.Equal(t, string(first), string(second))
		}
		require.Less(t, len(first), 36_000*5) // the hard limit, 90 % of the window, with under 5 bytes a token
		if n == 39 {
			require.Regexp(t, note, response.Header.Get("X-Tamp"))
			require.True(t, bytes.HasSuffix(first, []byte(`],"stream":true,"x_unknown":[1.50]}`)))
			require.Contains(t, string(first), "line 38 of the file")
			require.NotContains(t, string(first), "line 3 of the file\\nline 3 of the file")
		}
	}
	if path == "/up/v1/messages" {
		_, compacted := p.last()
		s.post(t, path+"/count_tokens?beta=true", bodyOf(39))
		seen, counted := p.last()
		require.Equal(t, "/v1/messages/count_tokens?beta=true", seen.RequestURI)
		require.Equal(t, string(compacted), string(counted))
	}
}

// Fifty sessions at once do not affect each other: each gets what an instance of its own sends.
func TestFiftySessions(t *testing.T) {
	var mu sync.Mutex
	received := map[string][]string{} // by session
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
		mu.Lock()
		defer mu.Unlock()
		name := r.Header.Get("X-Session-Id")
		received[name] = append(received[name], string(body))
	})
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	bodyOf := func(session, n int) string {
		return strings.ReplaceAll(history(n, 1500, ""), "of the file", fmt.Sprintf("of file %d", session))
	}
	var all sync.WaitGroup
	for session := range 50 {
		all.Go(func() {
			for n := 12; n < 24; n += 4 {
				s.post(t, "/up/v1/messages", bodyOf(session, n), "X-Session-Id", fmt.Sprint(session))
			}
		})
	}
	all.Wait()
	other := start(t, p.URL, "GATEWAY_POLICY", window40)
	for _, session := range []int{0, 17, 49} {
		for i, n := range []int{12, 16, 20} {
			other.post(t, "/up/v1/messages", bodyOf(session, n), "X-Session-Id", "alone")
			require.True(t, received["alone"][len(received["alone"])-1] == received[fmt.Sprint(session)][i])
		}
	}
	require.Len(t, received, 51)
}

// Another credential does not find the checkpoints of the first one, and gets the same result.
func TestCheckpointsBelongToACredential(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	body := history(30, 1500, "")
	s.post(t, "/up/v1/messages", body)
	_, first := p.last()
	response, _ := s.post(t, "/up/v1/messages", body)
	require.Contains(t, response.Header.Get("X-Tamp"), "checkpoint=hit")
	response, _ = s.post(t, "/up/v1/messages", body, "X-Api-Key", "another")
	_, second := p.last()
	require.Contains(t, response.Header.Get("X-Tamp"), "checkpoint=none")
	require.Equal(t, string(first), string(second))
}

func TestConfigErrors(t *testing.T) {
	for name, value := range map[string]string{"UPSTREAMS": "x", "GATEWAY_POLICY": "{", "GATEWAY_MODE": "off",
		"GATEWAY_KEEP": "yes", "GATEWAY_SECRET": "short", "GATEWAY_MAX_STREAMS": "0",
		"GATEWAY_WORK": "-1", "GATEWAY_BODY_TIMEOUT": "1s"} {
		_, err := ReadConfig(func(n string) string { return map[string]string{name: value}[n] })
		require.ErrorContains(t, err, "cannot use "+name)
	}
}

// No forwarded request has half of a surrogate pair: the six bytes of its escape become U+FFFD, whether the request is
// compacted or not, and every other byte stays. The escape of a backslash is none. Observing changes nothing.
func TestHalvesOfSurrogatePairs(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	for _, path := range []string{"/up/v1/messages", "/up/v1/chat/completions", "/up/v1/responses"} {
		for _, n := range []int{3, 40} {
			plain := history(n, 1500, path)
			for _, half := range []string{`\ud83d`, `\uDE00`, `\ud83d\ud83d`} {
				body := strings.Replace(plain, `],"stream"`, `],"x_note":"`+half+`\\ud83d\ud83d\ude00","stream"`, 1)
				require.NotEqual(t, plain, body)
				response, _ := s.post(t, path, body)
				_, sent := p.last()
				require.Contains(t, string(sent), `"x_note":"`+strings.Repeat(`\ufffd`, len(half)/6)+`\\ud83d\ud83d\ude00"`)
				note := response.Header.Get("X-Tamp")
				require.True(t, strings.HasSuffix(note, " repaired=lone_surrogate"), note)
				if n == 3 {
					require.Contains(t, note, "passed reason=below_limits")
					require.Equal(t, strings.Replace(body, `"`+half, `"`+strings.Repeat(`\ufffd`, len(half)/6), 1), string(sent))
				} else {
					require.Regexp(t, `^before=`, note)
				}
			}
		}
	}
	odd := `{"messages":[{"role":"user","content":"\ud83d"}],"previous_response_id":7}`
	s.post(t, "/up/v1/messages", odd)
	_, sent := p.last()
	require.Equal(t, strings.Replace(odd, "ud83d", "ufffd", 1), string(sent))
	s.post(t, "/up/v1/messages", `{"torn":"\ud83d`)
	_, sent = p.last()
	require.Equal(t, `{"torn":"\ud83d`, string(sent), "what is no JSON is passed as it is")
	start(t, p.URL, "GATEWAY_MODE", "observe").post(t, "/up/v1/messages", odd)
	_, sent = p.last()
	require.Equal(t, odd, string(sent))
}

// A request that a stricter host would refuse for one text or name is compacted all the same.
func TestCompactsWhatOtherVendorsTake(t *testing.T) {
	p := newProvider(t, ok)
	s := start(t, p.URL, "GATEWAY_POLICY", window40)
	const path = "/up/v1/chat/completions"
	body := strings.Replace(history(40, 1500, path), `"messages":[`,
		`"messages":[{"role":"user","content":"go"},{"role":"assistant","content":"x","tool_calls":[]},`, 1)
	response, _ := s.post(t, path, body)
	require.Regexp(t, `^before=`, response.Header.Get("X-Tamp"))
}
