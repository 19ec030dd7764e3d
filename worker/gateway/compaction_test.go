//go:build !js

package gateway

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/forward"
)

const compactEdit = `{"type":"compact_20260112","trigger":{"type":"input_tokens","value":50000}`

// after is a request that follows a response with the given content.
func after(request, content, more string) string {
	return strings.Replace(request, `],"context_management"`, `,{"role":"assistant","content":`+content+`},`+
		`{"role":"user","content":"Go on."}`+more+`],"context_management"`, 1)
}

func contentOf(t *testing.T, response string) []json.RawMessage {
	var content []json.RawMessage
	require.NoError(t, json.Unmarshal(forward.Member([]byte(response), "content"), &content), response)
	return content
}

// The response begins with the block. The client sends it back, and the provider gets the same messages again.
func TestCompactionBlocks(t *testing.T) {
	s, p := plainly(t, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"role":"assistant","content":[{"type":"text","text":"Well."}],"usage":{"output_tokens":1.50}}`)
	})
	for _, edits := range []string{compactEdit + "}", toolEdit + "," + compactEdit + `,"pause_after_compaction":null}`} {
		request := managedCall(40, edits)
		_, text := s.post(t, "/up/v1/messages", request)
		content := contentOf(t, text)
		require.Len(t, content, 2)
		require.Contains(t, text, `"usage":{"output_tokens":1.50},"context_management":{"applied_edits":[`)
		var block compactionBlock
		require.NoError(t, json.Unmarshal(content[0], &block))
		require.Equal(t, "compaction", block.Type)
		require.Regexp(t, `(?s)^Record of earlier work.*\n\n## The current request\nRead all the files.$`, *block.Content)
		_, first := p.last()
		require.Less(t, len(first), len(request)/2)

		list := string(listOf(content))
		response, text := s.post(t, "/up/v1/messages", after(request, list, ""))
		require.Len(t, contentOf(t, text), 1, "the history is short again")
		require.NotContains(t, response.Header.Get("X-Tamp"), "bad")
		_, next := p.last()
		messages := strings.TrimSuffix(string(forward.Member(first, "messages")), "]")
		require.True(t, strings.HasPrefix(string(forward.Member(next, "messages")), messages+`,{"role":"assistant","content":`+
			`[{"type":"text","text":"Well."}]},{"role":"user","content":"Go on."}`))
		require.NotContains(t, string(next), "encrypted_content")

		// A client that keeps only the text.
		lost := strings.Replace(list, "tamp1:", "other:", 1)
		s.post(t, "/up/v1/messages", after(request, lost, ""))
		_, next = p.last()
		require.True(t, strings.HasPrefix(string(forward.Member(next, "messages")), `[{"role":"user","content":[{"type":"text",`+
			`"text":"[Compressed]\n\nRecord of earlier work`))
		require.NotContains(t, string(next), `"f3"`)
	}
	_, text := s.post(t, "/up/v1/messages", managedCall(3, compactEdit+"}"))
	require.Len(t, contentOf(t, text), 1, "below the trigger")
	_, text = s.post(t, "/up/v1/messages/count_tokens", managedCall(40, compactEdit+"}"))
	require.Len(t, contentOf(t, text), 1, "counting compacts nothing")
	failed := after(managedCall(2, compactEdit+"}"), `[{"type":"compaction","content":null},{"type":"text","text":"Hm."}]`,
		`,{"role":"assistant","content":[{"type":"compaction","content":null}]}`)
	s.post(t, "/up/v1/messages", failed)
	_, forwarded := p.last()
	require.NotContains(t, string(forwarded), "compaction")
	require.Contains(t, string(forwarded), `"f0"`)
	require.True(t, strings.HasSuffix(string(forward.Member(forwarded, "messages")), `"content":"Go on."}]`))
}

// A history is compacted at the trigger and from there on, as the policy does with the same trigger.
func TestTriggerOfCompaction(t *testing.T) {
	s, p := plainly(t, ok)
	note := ""
	compacted := func(trigger string) bool {
		response, text := s.post(t, "/up/v1/messages", managedCall(12, strings.Replace(compactEdit, "50000", trigger, 1)+
			`,"pause_after_compaction":true}`))
		note = response.Header.Get("X-Tamp")
		return strings.Contains(text, `"compaction"`)
	}
	require.False(t, compacted("900000"))
	var before int
	_, err := fmt.Sscanf(note, "passed reason=below_limits before=%d", &before)
	require.NoError(t, err)
	require.True(t, compacted(fmt.Sprint(before)))
	require.False(t, compacted(fmt.Sprint(before+1)))

	s.post(t, "/up/v1/messages", managedCall(12, strings.Replace(compactEdit, "50000", "9000", 1)+"}"))
	_, forwarded := p.last()
	s.post(t, "/up/v1/messages", history(12, 1500, ""), "X-Tamp-Policy", `{"trigger":{"tokens":9000}}`)
	_, same := p.last()
	require.Equal(t, string(same), string(forwarded))
}

func TestCompactionPauses(t *testing.T) {
	s, p := plainly(t, ok)
	request := managedCall(40, compactEdit+`,"pause_after_compaction":true}`)
	request = strings.Replace(request, `"stream":true`, `"stream":false`, 1)
	response, text := s.post(t, "/up/v1/messages", request)
	require.Equal(t, "application/json", response.Header.Get("Content-Type"))
	require.Empty(t, p.bodies, "the provider is not asked")
	content := contentOf(t, text)
	require.Len(t, content, 1)
	require.Contains(t, text, `"stop_reason":"compaction"`)

	s.post(t, "/up/v1/messages", after(request, string(listOf(content)), ""))
	_, next := p.last()
	require.Less(t, len(next), len(request)/2)
	require.True(t, strings.HasSuffix(string(forward.Member(next, "messages")), `,{"role":"user","content":"Go on."}]`))

	response, text = s.post(t, "/up/v1/messages", strings.Replace(request, `"stream":false`, `"stream":true`, 1))
	require.Equal(t, "text/event-stream; charset=utf-8", response.Header.Get("Content-Type"))
	require.Regexp(t, `(?s)^event: message_start\n.*"content_block":{"type":"compaction","content":null,"encrypted_content":null}}`+
		`\n\n.*"delta":{"type":"compaction_delta","content":"Record.*"stop_reason":"compaction".*event: message_stop\n.*\n\n$`, text)
	for event := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		_, data, _ := strings.Cut(event, "data: ")
		require.True(t, json.Valid([]byte(data)), data)
	}
}

func TestCompactionBlocksInStreams(t *testing.T) {
	const opening = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{}}\n\n"
	const rest = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"index\":7},\"index\": 0}\n\n" +
		": comment\n\nevent: message_delta\ndata: {\"type\":\"message_delta\"}\n\n"
	s, _ := plainly(t, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, opening+rest)
	})
	_, text := s.post(t, "/up/v1/messages", managedCall(40, compactEdit+"}"))
	require.True(t, strings.HasPrefix(text, opening+"event: content_block_start\n"))
	require.Regexp(t, `(?s)"content_block_stop","index":0}\n\nevent: content_block_delta\ndata: {"type":"content_block_delta",`+
		`"delta":{"index":7},"index": ?1}\n\n: comment\n\nevent: message_delta\ndata: {"type":"message_delta","context_management":`,
		text)
	_, text = s.post(t, "/up/v1/messages", managedCall(2, compactEdit+"}"))
	require.True(t, strings.HasPrefix(text, opening+strings.Split(rest, "event: message_delta")[0]))
}

// Broken blocks pass as they are or as text, and nothing fails.
func TestBrokenCompactionBlocks(t *testing.T) {
	s, p := plainly(t, ok)
	for _, block := range []string{`{"type":"compaction"}`, `{"type":"compaction","content":7}`,
		`{"type":"compaction","content":"x","encrypted_content":"tamp1:!"}`,
		`{"type":"compaction","content":"x","encrypted_content":"tamp1:bnVsbA=="}`,
		`{"type":"compaction","content":"x","encrypted_content":"tamp1:Wzdd"}`, `{"type":"compaction","content":"\ud800"}`} {
		response, text := s.post(t, "/up/v1/messages", after(managedCall(2, compactEdit+"}"), "["+block+"]", ""))
		require.Equal(t, 200, response.StatusCode, text)
		require.NotContains(t, response.Header.Get("X-Tamp"), "internal")
		_, forwarded := p.last()
		require.True(t, json.Valid(forwarded))
		require.Contains(t, string(forwarded), "Go on.")
		require.NotContains(t, string(forwarded), "[7")
	}
}
