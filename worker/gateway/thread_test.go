//go:build !js

package gateway

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Message threads: a continue is passed as it is, and a client that needs a compaction is asked for the whole
// conversation, natively and on the edge.
func TestThreads(t *testing.T) {
	const long = `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 50000 tokens > 40000 maximum"}}`
	const path = "/v1/messages"
	create := func(n int) string {
		return strings.Replace(history(n, 1500, path), "{", `{"thread":{"type":"create"},`, 1)
	}
	next := strings.Replace(history(3, 1500, path), "{", `{"thread":{"type":"continue","previous_message_id":"msg_1"},`, 1)
	next = strings.Replace(next, `{"role":"user","content":"Read all the files."},`, "", 1) // it begins with an answer
	whole := strings.Replace(create(40), `"thread":{"type":"create"},`, "", 1)
	for _, row := range []struct {
		name, upstream, path, body string
		tooLong                    bool
		status, calls              int
		same                       bool // the provider gets the body as it is
	}{
		{"a continue", "up", path, next, false, 200, 1, true},
		{"a small create", "up", path, create(2), false, 200, 1, true},
		{"a create over the limits", "up", path, create(40), false, 400, 0, false},
		{"the conversation without a thread", "up", path, whole, false, 200, 1, false},
		{"a continue that is too long", "up", path, next, true, 400, 1, true},
		{"a create that is too long", "up", path, create(10), true, 400, 1, true},
		{"its tokens are counted", "up", path + "/count_tokens", create(40), false, 200, 1, false},
		{"a continue to an upstream without threads", "plain", path, next, false, 400, 0, false},
		{"a create to an upstream without threads", "plain", path, create(2), false, 400, 0, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := newProvider(t, func(w http.ResponseWriter, r *http.Request, body []byte) {
				if row.tooLong {
					w.WriteHeader(http.StatusBadRequest)
					_, _ = io.WriteString(w, long)
					return
				}
				ok(w, r, body)
			})
			s := start(t, "", "UPSTREAMS", "up="+p.URL+",plain=plain:"+p.URL, "GATEWAY_POLICY", window40)
			response, err := http.Post(s.URL+"/"+row.upstream+row.path, "application/json", strings.NewReader(row.body))
			require.NoError(t, err)
			defer response.Body.Close()
			data, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.Equal(t, row.status, response.StatusCode, "%s", data)
			require.Len(t, p.bodies, row.calls)
			if row.calls > 0 {
				require.Equal(t, row.same, string(p.bodies[0]) == row.body)
			}
			unsupported := func(data []byte) bool {
				var answer struct {
					Error struct {
						Type    string
						Details struct {
							Code string `json:"error_code"`
						}
					}
				}
				return json.Unmarshal(data, &answer) == nil && answer.Error.Type == "invalid_request_error" &&
					answer.Error.Details.Code == "thread_unsupported_request"
			}
			require.Equal(t, row.status == 400, unsupported(data), "%s", data)

			r := Request{Method: "POST", Address: "http://x/" + row.upstream + row.path, Header: headerOf(),
				Body: []byte(row.body)}
			c, body := s.g.Compact(r)
			if row.tooLong {
				require.Zero(t, c.Status)
				c, body = s.g.Retry(r, 400, []byte(long))
			}
			require.Equal(t, row.status == 400, c.Status == 400)
			if c.Status == 400 {
				require.True(t, unsupported(body), "%s", body)
				require.False(t, c.Again)
			}
		})
	}
}
