package replay_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/convtest"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/replay"
)

// The log of Codex has the API's own counts: a replay compares itself with them, call by call.
func TestReplayOfCodexLog(t *testing.T) {
	for _, file := range convtest.Corpus(t, msg.Codex) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		c, err := format.Parse(data, "")
		require.NoError(t, err)
		p, err := policy.Preset("balanced")
		require.NoError(t, err)
		report, err := replay.Replay(c, p, replay.Options{})
		require.NoError(t, err)
		require.NotEmpty(t, report.Calls)
		known := 0
		for _, call := range report.Calls {
			if call.API != nil {
				known++
				require.Positive(t, call.API.Prompt())
			}
		}
		if total := countedByCodex(data); total > 0 && report.Segments > 1 {
			require.Equal(t, total, report.Totals.API.Prompt(), "%s: the sum of Codex, over all segments", file)
		}
		if len(report.Calls) > 20 {
			require.Positive(t, known, "%s has counts", file)
		}
	}
}

// countedByCodex returns the input tokens of all calls of a log, cached ones included, as Codex summed them up.
func countedByCodex(log []byte) (total int) {
	for _, line := range bytes.Split(log, []byte("\n")) {
		var l struct {
			Payload struct {
				Info struct {
					Total struct {
						Input int `json:"input_tokens"`
					} `json:"total_token_usage"`
				}
			}
		}
		if json.Unmarshal(line, &l) == nil && l.Payload.Info.Total.Input > 0 {
			total = l.Payload.Info.Total.Input
		}
	}
	return total
}

// A log of pi with two compactions has three segments, and every call that has usage once.
func TestReplayOfPiLogWithCompactions(t *testing.T) {
	file := filepath.Join(convtest.NeedCorpus(t), "pi/pi-mono--before-compaction.jsonl")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	prompts := 0
	for _, line := range bytes.Split(data, []byte("\n")) {
		var l struct {
			Message struct {
				StopReason string
				Usage      struct{ Input, CacheRead, CacheWrite int }
			}
		}
		if m := &l.Message; json.Unmarshal(line, &l) == nil && m.StopReason != "aborted" && m.StopReason != "error" {
			prompts += m.Usage.Input + m.Usage.CacheRead + m.Usage.CacheWrite
		}
	}
	c, err := format.Parse(data, "")
	require.NoError(t, err)
	report, err := replay.Replay(c, policy.Policy{}, replay.Options{None: true})
	require.NoError(t, err)
	require.Equal(t, 3, report.Segments)
	require.Equal(t, prompts, report.Totals.API.Prompt())
}

// A part of a log that cannot be read is not replayed, and the report says so.
func TestUnreadParts(t *testing.T) {
	item := func(content string) string {
		return `{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":` + content + "}}\n"
	}
	c, err := format.Parse([]byte(item("7")+
		`{"timestamp":"t","type":"compacted","payload":{"message":"Done.","replacement_history":[]}}`+"\n"+
		item(`[{"type":"input_text","text":"Go on."}]`)), msg.Codex)
	require.NoError(t, err)
	report, err := replay.Replay(c, policy.Policy{}, replay.Options{None: true})
	require.NoError(t, err)
	codes := []string{}
	for _, note := range report.Notes {
		codes = append(codes, note.Code)
	}
	require.Contains(t, codes, "older_segments")
}
