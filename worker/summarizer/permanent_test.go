package summarizer_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/worker/summarizer"
)

// Permanent and KeyRefused of each kind of failure.
func TestPermanent(t *testing.T) {
	for _, row := range []struct {
		status             int
		body               string
		permanent, account bool
		why                string
	}{
		{400, `{"error":{"type":"invalid_request_error"}}`, true, false, ""},
		{400, `{"error":{"code":"context_length_exceeded"}}`, true, false, "the region is too long for the model"},
		{400, `{"error":{"code":"invalid_api_key"}}`, true, true, "some servers answer 400 to a wrong key"},
		{401, ``, true, true, ""},
		{402, ``, true, true, "no credit"},
		{403, `<html>`, true, true, ""},
		{404, `{"error":{"code":"model_not_found"}}`, true, false, ""},
		{405, ``, true, false, ""},
		{408, ``, false, false, "a timeout"},
		{409, ``, false, false, "another request is at work"},
		{413, ``, true, false, ""},
		{422, ``, true, false, ""},
		{425, ``, false, false, "too early"},
		{429, ``, false, false, ""},
		{429, `{"error":{"type":"invalid_request_error"}}`, false, false, "a gateway's name for a rate limit"},
		{429, `{"error":{"code":"insufficient_quota"}}`, true, true, "no credit, and waiting brings none"},
		{204, ``, true, false, "the server is another program"},
		{307, ``, true, false, ""},
		{500, `{"error":{"type":"invalid_request_error"}}`, false, false, ""},
		{503, ``, false, false, ""},
		{529, ``, false, false, ""},
		{200, `{"error":{"code":401}}`, true, true, "a router's error"},
		{200, `{"error":{"code":503}}`, false, false, ""},
		{200, `{"error":{"type":"authentication_error"}}`, true, true, "without a number"},
		{200, `{"error":{"type":"overloaded_error"}}`, false, false, ""},
		{200, `{"error":"what"}`, false, false, ""},
		{200, `{"half":`, false, false, "no error that says so"},
		{200, ``, false, false, ""},
	} {
		for _, provider := range []string{summarizer.Anthropic, summarizer.OpenAI} {
			h := newClock().host()
			h.Transport = transport(func(*http.Request) (*http.Response, error) { return answer(row.status, row.body), nil })
			_, err := build(t, config(provider, "http://x"), h).Summarize(context.Background(), request())
			e := failure(t, err)
			require.Equal(t, row.permanent, e.Permanent(), "%s: %d %s %s", provider, row.status, row.body, row.why)
			if e.Permanent() {
				require.Equal(t, row.account, e.KeyRefused(), "%s: %d %s %s", provider, row.status, row.body, row.why)
			}
		}
	}
	for _, code := range []summarizer.Code{summarizer.NoKey, summarizer.BadKey, summarizer.BadRequest} {
		require.True(t, (&summarizer.Error{Code: code}).Permanent(), code)
	}
	for _, code := range []summarizer.Code{summarizer.Refusal, summarizer.Empty, summarizer.Cut, summarizer.Malformed,
		summarizer.ToolCall,
		summarizer.TooLarge, summarizer.Timeout, summarizer.Canceled, summarizer.Connection, summarizer.Failed} {
		require.False(t, (&summarizer.Error{Code: code}).Permanent(), code)
	}
}

func TestSendable(t *testing.T) {
	for key, want := range map[summarizer.Key]bool{"sk-1": true, "": true, "a\tb": false, "a b": false, "a\x7f": false,
		"a\r\nb": false, "é": false} {
		require.Equal(t, want, key.Sendable(), "%q", string(key))
	}
}
