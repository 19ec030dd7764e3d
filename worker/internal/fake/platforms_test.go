package fake_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/worker/internal/fake"
)

const vertexPath = "/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-opus-5-5"

// Vertex AI and Bedrock have the model in the path and the version in the body.
func TestPlatforms(t *testing.T) {
	_, url := serve(t, "ok")
	hello := func(version, more string) string {
		return `{"anthropic_version":"` + version + `",` + more + `"max_tokens":9,"messages":[{"role":"user","content":"hello"}]}`
	}
	const vertex, bedrock, invoke = "vertex-2023-10-16", "bedrock-2023-05-31", "/model/us.anthropic.claude-opus-5-5-v1:0/invoke"
	const binding = `"thinking":{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"error"}},`
	for _, row := range []struct {
		path, body string
		status     int
		want       string
	}{
		{vertexPath + ":rawPredict", hello(vertex, ""), 200, `"model":"claude-opus-5-5"`},
		{vertexPath + ":streamRawPredict", hello(vertex, `"stream":true,`), 200, "event: message_stop"},
		{vertexPath + ":rawPredict", hello(bedrock, ""), 400, `"message":"anthropic_version: `},
		{vertexPath + ":rawPredict", hello(vertex, `"model":"m",`), 400, "model: Extra inputs"},
		{vertexPath + ":rawPredict", hello(vertex, binding), 400, "block_binding"},
		{vertexPath + ":other", hello(vertex, ""), 404, "no such path"},
		{"/s/job" + invoke, hello(bedrock, ""), 200, `"model":"claude-opus-5-5-v1:0"`},
		{invoke, hello(vertex, ""), 400, `{"message":"anthropic_version: `},
		{invoke, hello(bedrock, binding), 400, "block_binding"},
		{invoke, hello(bedrock, `"anthropic_beta":["thinking-binding-controls-2026-08-01"],`+binding), 200, fake.Answer("hello")},
		{"/model/meta.llama/invoke", hello(bedrock, ""), 404, "no such path"},
	} {
		status, answer, err := post(t, url+row.path, row.body, "Authorization", "Bearer k")
		require.NoError(t, err)
		require.Equal(t, row.status, status, answer)
		require.Contains(t, answer, row.want)
	}
	_, answer, err := post(t, url+invoke+"-with-response-stream", hello(bedrock, ""), "Authorization", "Bearer k")
	require.NoError(t, err)
	kinds, text := decoded(t, []byte(answer))
	require.Equal(t, "message_start", kinds[0])
	require.Equal(t, "message_stop", kinds[len(kinds)-1])
	require.Equal(t, fake.Answer("hello"), text)
}

// decoded reads frames, with their checksums, and returns the types of the events and the text.
func decoded(t *testing.T, data []byte) (kinds []string, text string) {
	for len(data) > 0 {
		size, head := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
		require.Equal(t, crc32.ChecksumIEEE(data[:8]), binary.BigEndian.Uint32(data[8:]))
		require.Equal(t, crc32.ChecksumIEEE(data[:size-4]), binary.BigEndian.Uint32(data[size-4:]))
		require.True(t, strings.HasPrefix(string(data[12:]), "\x0b:event-type\x07\x00\x05chunk"))
		var payload struct{ Bytes string }
		require.NoError(t, json.Unmarshal(data[12+head:size-4], &payload))
		event, err := base64.StdEncoding.DecodeString(payload.Bytes)
		require.NoError(t, err)
		var e struct {
			Type  string
			Delta struct{ Text string }
		}
		require.NoError(t, json.Unmarshal(event, &e))
		kinds, text = append(kinds, e.Type), text+e.Delta.Text
		data = data[size:]
	}
	return kinds, text
}
