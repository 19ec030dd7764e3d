//go:build !js

package worker

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"tamp/worker/store"
)

// distant is a store whose writes take a second each.
type distant struct{ values }

func (d *distant) Write(ctx context.Context, key string, data []byte) error {
	time.Sleep(time.Second)
	return d.values.Write(ctx, key, data)
}

// The archive and the long texts of a round are written in parallel, and all of them before the response.
func TestOriginalsAreSavedInParallel(t *testing.T) {
	long := func(word string) string { return string(encode(strings.Repeat(word+" a line of text\n", 200))) }
	conversation := `[{"role":"user","content":` + long("one") +
		`},{"role":"assistant","content":"Seen."},{"role":"user","content":` +
		long("two") + `},{"role":"assistant","content":"Seen."},{"role":"user","content":` + long("three") +
		`},{"role":"assistant","content":"Seen."}]`
	body := `{"preset":"balanced","policy":{"intake":{"maxChars":1000}},"conversation":` + conversation + `}`
	synctest.Test(t, func(t *testing.T) {
		s := setup{env: map[string]string{"TAMP_TOKEN": token}}
		h, kept := handlerOf(t, s, nil), &distant{}
		h.host.Store = store.NewKV(kept)
		r := httptest.NewRequest("POST", "/v1/compact", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		w, began := httptest.NewRecorder(), time.Now()
		h.ServeHTTP(w, r)
		require.Equal(t, time.Second, time.Since(began), "one after another they take four")
		o := reply{status: w.Code, body: w.Body.String()}.outcome(t)
		require.Len(t, o.Transcripts, 4)
		for _, ref := range o.Transcripts {
			_, found, err := kept.Read(t.Context(), "transcripts/"+ref)
			require.NoError(t, err)
			require.True(t, found)
		}
	})
}
