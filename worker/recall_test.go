//go:build !js

package worker

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/worker/store"
)

// GET /v1/transcripts/{ref} with query parameters answers a part of the original, as the operation recall does.
func TestTranscriptInParts(t *testing.T) {
	h := handlerOf(t, setup{env: map[string]string{"TAMP_TOKEN": token}, store: "r2"}, nil)
	original := []byte(`{"role":"user","content":"Run the tests.\nThe port is 8443 & open."}` + "\n")
	ref := store.Ref(original)
	require.NoError(t, h.host.Store.Put(t.Context(), ref, original))
	path := "/v1/transcripts/" + ref

	w, _ := served(t, h, "GET", path, "", bearer())
	require.Equal(t, string(original), w.Body.String(), "without parameters: the original itself")

	recalled, _ := served(t, h, "POST", "/v1/recall", `{"ref":"`+ref+`","text":"8443 &","originals":[`+string(encode(string(original)))+`]}`, bearer(), jsonType)
	w, _ = served(t, h, "GET", path+"?text="+url.QueryEscape("8443 &"), "", bearer())
	require.Equal(t, 200, w.Code, w.Body.String())
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	require.Equal(t, recalled.Body.String(), w.Body.String())
	var part struct {
		Ref                 string
		Offset, Total, Next int
		Text                string
		Lines               []struct {
			Offset int
			Text   string
		}
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &part))
	require.Len(t, part.Lines, 1)
	require.Equal(t, "The port is 8443 & open.", part.Lines[0].Text)

	w, _ = served(t, h, "GET", path+"?offset=16&limit=3", "", bearer())
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &part))
	require.Equal(t, "Run", part.Text)
	require.Equal(t, 19, part.Next)

	for query, place := range map[string]string{"offset=x": "/offset", "offset=-1": "/offset",
		"offset=1000": "/offset", "offset=": "/offset",
		"limit=0": "/limit", "limit=100001": "/limit", "limit=1&limit=2": "/limit", "text=a%0Ab": "/text",
		"page=2": "/page", "%zz": ""} {
		w, _ := served(t, h, "GET", path+"?"+query, "", bearer())
		require.Equal(t, 400, w.Code, query)
		var failed struct{ Error struct{ Code, Path string } }
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &failed))
		require.Equal(t, "bad_request", failed.Error.Code, query)
		require.Equal(t, place, failed.Error.Path, query)
	}
	w, _ = served(t, h, "GET", "/v1/transcripts/0123456789abcdef?limit=5", "", bearer())
	require.Equal(t, 404, w.Code)
	w, _ = served(t, h, "GET", path+"?limit=5", "")
	require.Equal(t, 401, w.Code)
}
