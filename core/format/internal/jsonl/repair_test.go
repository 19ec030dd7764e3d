package jsonl_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/format/internal/jsonl"
	"tamp/core/msg"
	"tamp/core/validity"
)

// Whole records are read whatever is on their line: other records, the beginning of another one, or other text; and
// with raw line breaks in a string or between its members. The file is written back byte for byte, and Repair leaves
// each whole record.
func TestWholeRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(logs).Draw(t, "format")
		n := rapid.IntRange(3, 6).Draw(t, "lines")
		clear := rapid.IntRange(0, n-1).Draw(t, "clear") // this line is as it should be
		var data strings.Builder
		var want []string
		faults := 0
		for i := range n {
			want = append(want, word.Draw(t, "text")+strconv.Itoa(i))
			raw := line(name, i, 0, want[i])
			kind := "sound"
			if i != clear && i != clear-1 {
				kind = rapid.SampledFrom([]string{"sound", "glued", "torn", "zeros", "more", "breaks",
					"lines"}).Draw(t, "kind")
			}
			end := "\n"
			switch kind {
			case "glued":
				if end = rapid.SampledFrom([]string{"", " "}).Draw(t, "gap"); i == n-1 {
					end = "\n"
				}
			case "torn":
				other := line(name, i, 0, "lost")
				raw = other[:rapid.IntRange(1, len(other)-1).Draw(t, "at")] + raw
			case "zeros":
				raw = strings.Repeat("\x00", 3) + raw
			case "more":
				raw += rapid.SampledFrom([]string{"}", "]", "x", `"`, "{", `{"a":1,`, "\x00"}).Draw(t, "more")
			case "breaks":
				raw = strings.NewReplacer(`\\`, `\\`, `\n`, "\n", `\t`, "\t").Replace(raw)
			case "lines":
				var indented bytes.Buffer
				require.NoError(t, json.Indent(&indented, []byte(raw), "", " "))
				raw = indented.String()
			}
			if kind != "sound" && raw+end != line(name, i, 0, want[i])+"\n" {
				faults++
			}
			data.WriteString(raw + end)
		}
		c, err := format.Parse([]byte(data.String()), name)
		require.NoError(t, err, "%q", data.String())
		require.Equal(t, want, texts(c), "%q", data.String())
		require.Equal(t, faults > 0, len(c.Warnings) > 0)
		out, err := format.Render(c)
		require.NoError(t, err)
		require.Equal(t, data.String(), string(out))
		repaired, done := validity.RepairAll(c)
		require.Len(t, done.Problems, len(c.Warnings))
		out, err = format.Render(repaired)
		require.NoError(t, err)
		back, err := format.Parse(out, "")
		require.NoError(t, err)
		require.Equal(t, want, texts(back))
		require.Empty(t, back.Warnings)
	})
}

// A file of nothing but one faulty line, and one whose first line is faulty.
func TestOnlyFaultyLines(t *testing.T) {
	for _, name := range logs {
		first, second := line(name, 0, 0, "a"), line(name, 1, 0, "b")
		for _, data := range []string{first + second, first + second + "\n", first + second + "\n" + line(name, 2, 0,
			"c") + "{\n"} {
			require.Equal(t, name, format.Detect([]byte(data)), "%s", data)
			c, err := format.Parse([]byte(data), "")
			require.NoError(t, err)
			require.Equal(t, []string{"a", "b"}, texts(c)[:2], "%s", data)
		}
	}
}

// The objects inside an incomplete record are no records, and hostile lines take linear time.
func TestNoRecords(t *testing.T) {
	whole := `{"id":"1","type":"gemini","toolCalls":[{"id":"k","name":"f","args":{}}`
	repaired, _ := jsonl.Repair([]byte(line(msg.GeminiCLI, 0, 0, "a")+"\n"+whole), nil)
	require.Nil(t, repaired)
	for _, hostile := range []string{`{"a":`, `{"a`, "{", `{"a":1,"b":[`, "{\"\n", `{"id":"1","type":"user","x":`} {
		data := line(msg.GeminiCLI, 0, 0, "a") + "\n" + strings.Repeat(hostile, 1<<20/len(hostile))
		repaired, _ = jsonl.Repair([]byte(data), nil)
		require.Nil(t, repaired)
	}
	data := []byte(strings.Repeat(line(msg.Codex, 0, 0, "a"), 10_000))
	repaired, faults := jsonl.Repair(data, nil)
	require.Len(t, faults, 1)
	require.Equal(t, 10_000, bytes.Count(repaired, []byte("payload")))
	require.Equal(t, 9_999, bytes.Count(repaired, []byte("\n")))
}
