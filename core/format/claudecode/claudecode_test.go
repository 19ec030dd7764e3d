package claudecode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format/claudecode"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// entry writes one line of a log: "uuid < parent kind text" with whatever members follow.
func entry(uuid, parent, kind, message string, members ...string) string {
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	line := fmt.Sprintf(`{"uuid":%q,"parentUuid":%s,"type":%q`, uuid, up, kind)
	if message != "" {
		line += `,"message":` + message
	}
	for _, m := range members {
		line += "," + m
	}
	return line + "}"
}

func user(text string) string { return fmt.Sprintf(`{"role":"user","content":%q}`, text) }
func result(id string) string {
	return fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"of %s"}]}`, id, id)
}
func said(id, text string) string {
	return fmt.Sprintf(`{"id":%q,"role":"assistant","model":"m","content":[{"type":"text","text":%q}]}`, id, text)
}
func call(id, tool string) string {
	return fmt.Sprintf(`{"id":%q,"role":"assistant","model":"m","content":[{"type":"tool_use","id":%q,"name":"f","input":{}}]}`, id, tool)
}

const boundary = `"subtype":"compact_boundary"`

var treeRows = []struct {
	name, why string
	lines     []string
	want      string // each message: role, then its blocks
	warnings  string
}{
	{"chain", "the plain case", []string{entry("a", "", "user", user("1")), entry("b", "a", "assistant", said("m1", "2")),
		entry("c", "b", "user", user("3"))},
		"user 1 | assistant 2 | user 3", ""},
	{"other lines in the chain", "they are no messages, but lead on",
		[]string{entry("a", "", "user", user("1")), entry("p", "a", "progress", ""),
			entry("b", "p", "assistant", said("m1", "2"))},
		"user 1 | assistant 2", ""},
	{"fork", "the newest leaf wins", []string{entry("a", "", "user", user("1")),
		entry("b", "a", "assistant", said("m1", "old")), entry("c", "a", "assistant", said("m2", "new"))},
		"user 1 | assistant new", "forked"},
	{"fork that was left", "a newer line may stand on an older branch",
		[]string{entry("a", "", "user", user("1")), entry("b", "a", "user", user("x")),
			entry("c", "a", "assistant", said("m2", "2")), entry("d", "b", "assistant", said("m3", "y"))},
		"user 1 | user x | assistant y", "forked"},
	{"one message over lines", "a block a line",
		[]string{entry("a", "", "user", user("1")), entry("b", "a", "assistant", said("m1", "2")),
			entry("c", "b", "assistant", call("m1", "t")), entry("d", "c", "user", result("t"))},
		"user 1 | assistant 2 t | user of t", ""},
	{"parallel calls", "results are on side branches of the path",
		[]string{entry("a", "", "user", user("1")), entry("b", "a", "assistant", call("m1", "t")),
			entry("c", "b", "assistant", call("m1", "u")),
			entry("d", "c", "user", result("u")), entry("e", "b", "user", result("t")),
			entry("f", "e", "assistant", said("m2", "2"))},
		"user 1 | assistant t u | user of u of t | assistant 2", ""},
	{"results between", "a result is written before the next call of the same message",
		[]string{entry("a", "", "user", user("1")), entry("b", "a", "assistant", call("m1", "t")),
			entry("c", "b", "user", result("t")),
			entry("d", "c", "assistant", call("m1", "u")), entry("e", "d", "user", result("u")),
			entry("f", "e", "user", user("2"))},
		"user 1 | assistant t u | user of t of u | user 2", ""},
	{"parallel at the end", "the last result is on the path, the first is not",
		[]string{entry("a", "", "user", user("1")), entry("b", "a", "assistant", call("m1", "t")),
			entry("c", "b", "assistant", call("m1", "u")),
			entry("d", "b", "user", result("t")), entry("e", "c", "user", result("u"))},
		"user 1 | assistant t u | user of t of u", ""},
	{"results of an abandoned branch", "a call answered on the path is not answered twice",
		[]string{entry("a", "", "user", user("1")), entry("b", "a", "assistant", call("m1", "t")),
			entry("c", "b", "user", result("t")),
			entry("d", "b", "user", result("t")), entry("e", "d", "assistant", said("m2", "2"))},
		"user 1 | assistant t | user of t | assistant 2", "forked"},
	{"result and text in one line", "the text stays behind the results",
		[]string{entry("a", "", "user", user("1")), entry("b", "a", "assistant", call("m1", "t")),
			entry("c", "b", "user",
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"of t"},{"type":"text","text":"and"}]}`), entry("d", "c", "user", result("x"))},
		"user 1 | assistant t | user of t and | user of x", ""},
	{"two roles in one line", "the agent goes by type",
		[]string{entry("a", "", "user", user("1")), entry("b", "a", "assistant", `{"id":"m1","role":"user","content":"2"}`),
			entry("c", "b", "assistant", said("m1", "3"))},
		"user 1 | assistant 2 3", ""},
	{"sidechain", "a subagent's lines are not the conversation",
		[]string{entry("a", "", "user", user("1")), entry("s", "a", "user", user("sub"), `"isSidechain":true`),
			entry("b", "a", "assistant", said("m1", "2"))},
		"user 1 | assistant 2", ""},
	{"sidechain alone", "a subagent's own log is one",
		[]string{entry("a", "", "user", user("1"), `"isSidechain":true`),
			entry("b", "a", "assistant", said("m1", "2"), `"isSidechain":true`)},
		"user 1 | assistant 2", ""},
	{"API error", "what the agent says of an error is not sent",
		[]string{entry("a", "", "user", user("1")),
			entry("e", "a", "assistant",
				`{"id":"x","model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"API Error"}]}`,
				`"isApiErrorMessage":true`), entry("b", "e", "user", user("2"))},
		"user 1 | user 2", ""},
	{"retracted", "a refusal takes messages back",
		[]string{entry("a", "", "user", user("1")), entry("b", "a", "assistant", said("m1", "gone")),
			entry("s", "b", "system", "", `"subtype":"model_refusal_fallback"`, `"retractedMessageUuids":["b"]`),
			entry("c", "s", "assistant", said("m2", "2"))},
		"user 1 | assistant 2", ""},
	{"compaction", "the boundary starts afresh",
		[]string{entry("a", "", "user", user("old")), entry("b", "a", "assistant", said("m1", "old")),
			entry("x", "", "system", "", boundary, `"logicalParentUuid":"b"`),
			entry("s", "x", "user", user("summary"), `"isCompactSummary":true`), entry("c", "s", "assistant", said("m2", "2"))},
		"user [summary] | assistant 2", ""},
	{"boundary with a parent", "likewise, whatever its parent says",
		[]string{entry("a", "", "user", user("old")), entry("x", "a", "system", "", boundary),
			entry("s", "x", "user", user("summary"), `"isCompactSummary":true`)},
		"user [summary]", ""},
	{"preserved segment", "a compaction may keep the newest messages behind its summary",
		[]string{entry("a", "", "user", user("old")), entry("b", "a", "assistant", said("m1", "kept")),
			entry("c", "b", "user", user("kept too")),
			entry("x", "", "system", "", boundary,
				`"compactMetadata":{"preservedSegment":{"headUuid":"b","anchorUuid":"s","tailUuid":"c"}}`),
			entry("s", "x", "user", user("summary"), `"isCompactSummary":true`), entry("d", "s", "assistant", said("m2", "2"))},
		"user [summary] | assistant kept | user kept too | assistant 2", ""},
	{"preserved segment that is none", "head and tail are not on one path",
		[]string{entry("a", "", "user", user("old")), entry("b", "", "user", user("elsewhere")),
			entry("x", "", "system", "", boundary,
				`"compactMetadata":{"preservedSegment":{"headUuid":"a","anchorUuid":"s","tailUuid":"b"}}`),
			entry("s", "x", "user", user("summary"), `"isCompactSummary":true`), entry("d", "s", "assistant", said("m2", "2"))},
		"user [summary] | assistant 2", ""},
	{"missing parent", "the message above is the parent",
		[]string{entry("a", "", "user", user("1")), entry("a2", "a", "assistant", said("m0", "1b")),
			entry("b", "gone", "assistant", said("m1", "2")), entry("c", "b", "user", user("3"))},
		"user 1 | assistant 1b | assistant 2 | user 3", "missing_parent"},
	{"missing root", "a log that begins in the middle",
		[]string{entry("b", "gone", "assistant", said("m1", "2")), entry("c", "b", "user", user("3"))},
		"assistant 2 | user 3", ""},
	{"no tree", "no line names a parent: file order",
		[]string{entry("a", "", "user", user("1")), entry("b", "", "assistant", said("m1", "2")),
			entry("c", "", "user", user("3"))},
		"user 1 | assistant 2 | user 3", ""},
	{"parent below", "lines may be written out of order",
		[]string{entry("b", "a", "assistant", said("m1", "2")), entry("a", "", "user", user("1"))},
		"user 1 | assistant 2", ""},
	{"repeated uuids", "the nearest one above is meant",
		[]string{entry("a", "", "user", user("1")), entry("a", "a", "assistant", said("m1", "2")),
			entry("a", "a", "user", user("3"))},
		"user 1 | assistant 2 | user 3", ""},
	{"own parent", "nothing to go back to", []string{entry("a", "a", "user", user("1")),
		entry("b", "a", "assistant", said("m1", "2"))},
		"user 1 | assistant 2", ""},
	{"odd lines", "JSON, but no log lines: kept and named",
		[]string{`"text"`, `[1]`, `42`, `{"silly":"this"}`, entry("a", "", "user", user("1")),
			entry("b", "a", "user", `"text"`), entry("c", "b", "user", `{"contenst":[]}`),
			entry("d", "c", "user", `{"content":[1]}`), entry("e", "d", "assistant", said("m1", "2"))},
		"user 1 | assistant 2", "odd_line odd_line odd_line odd_message odd_message odd_message"},
	{"bad lines", "several programs wrote at once: skipped and named",
		[]string{entry("a", "", "user", user("1")), `{"a" 1}`, `{"a":"x`, `{"a":1}}`, `{"a":1} x`, strings.Repeat("[", 2000),
			entry("b", "a", "assistant", said("m1", "2")), "rubbish"},
		"user 1 | assistant 2", "odd_line odd_line odd_line odd_line odd_line odd_line"},
	{"cut", "the agent was stopped while writing",
		[]string{entry("a", "", "user", user("1")),
			`{"uuid":"b","parentUuid":"a","type":"assistant","message":{"content":"2 \u00`},
		"user 1", "cut_line"},
	{"zeros", "the machine lost its power while the agent wrote",
		[]string{entry("a", "", "user", user("1")), strings.Repeat("\x00", 100)}, "user 1", "cut_line"},
	{"blank lines", "kept", []string{"", entry("a", "", "user", user("1")), "", " ",
		entry("b", "a", "assistant", said("m1", "2")), "", ""},
		"user 1 | assistant 2", ""},
	{"no message", "a log that has hardly begun", []string{entry("a", "", "system", "")}, "", ""},
}

func tell(c *msg.Conversation) string {
	var messages []string
	for i := range c.Messages {
		words := []string{string(c.Messages[i].Role)}
		for _, b := range c.Messages[i].Blocks {
			switch b.Kind {
			case msg.KindToolUse:
				words = append(words, b.ID)
			case msg.KindSummary:
				words = append(words, "["+b.Text+"]")
			default:
				words = append(words, b.Text)
			}
		}
		messages = append(messages, strings.Join(words, " "))
	}
	return strings.Join(messages, " | ")
}

func TestTree(t *testing.T) {
	for _, row := range treeRows {
		t.Run(row.name, func(t *testing.T) {
			data := strings.Join(row.lines, "\n")
			c, err := claudecode.Parse([]byte(data))
			require.NoError(t, err)
			require.Equal(t, row.want, tell(c), row.why)
			var codes []string
			for _, w := range c.Warnings {
				codes = append(codes, w.Code)
				require.NotEmpty(t, w.Path)
			}
			require.Equal(t, row.warnings, strings.Join(codes, " "), "%v", c.Warnings)
			out, err := claudecode.Render(c)
			require.NoError(t, err)
			require.Equal(t, data, string(out))
		})
	}
}

func TestRead(t *testing.T) {
	usage := func(n int) string {
		return fmt.Sprintf(`{"id":"m1","role":"assistant","model":"new","content":[{"type":"text","text":"%d"}],"usage":{"input_tokens":%d,"cache_read_input_tokens":7}}`, n, n)
	}
	c, err := claudecode.Parse([]byte(strings.Join([]string{
		`{"type":"summary","summary":"x","leafUuid":"y"}`, entry("a", "", "user", user("1"), `"isMeta":true`),
		entry("b", "a", "assistant", `{"id":"m0","role":"assistant","model":"old","content":[]}`),
		entry("c", "b", "assistant", usage(1)), entry("d", "c", "assistant", usage(2)),
		entry("e", "d", "assistant", `{"role":"assistant","model":"<synthetic>","content":"No response requested."}`)},
		"\r\n")))
	require.NoError(t, err)
	m := c.Messages
	require.Equal(t, "new", c.Model, "the newest that a provider runs")
	require.True(t, m[0].Meta)
	require.Equal(t, "/1/message", m[0].Blocks[0].Path)
	require.True(t, m[0].Blocks[0].Bare)
	require.Equal(t, "/1", m[0].Path)
	require.NotNil(t, m[0].Raw)
	require.Equal(t, "m1", m[2].ID)
	require.Equal(t, &msg.Usage{Input: 2, CacheRead: 7}, m[2].Usage, "the last line of a message has the final count")
	require.Equal(t, "/4/message/content/0", m[2].Blocks[1].Path)
	require.Nil(t, m[2].Raw, "spread over lines")
	require.False(t, m[3].Meta)
}

func TestErrors(t *testing.T) {
	for _, row := range []struct {
		name string
		data string
		code msg.Code
		path string
		want string
	}{
		{"empty", " \n ", msg.BadJSON, "", "empty"},
		{"cut first line", `{"uuid":"a","type":"us`, msg.BadJSON, "/0", "line 1, column 20"},
		{"circle", entry("a", "b", "user", user("1")) + "\n" + entry("b", "a", "user", user("2")), msg.BadMessage, "/1",
			"in a circle"},
		{"path into a circle", entry("a", "b", "system", "") + "\n" + entry("b", "a", "system", "") + "\n" +
			entry("c", "b", "user", user("2")), msg.BadMessage, "", "in a circle"},
		{"no log", `{"role":"user"}`, msg.UnknownFormat, "", "no line is an object with type and uuid"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := claudecode.Parse([]byte(row.data))
			var known *msg.Error
			require.ErrorAs(t, err, &known)
			require.Equal(t, row.code, known.Code, err)
			if row.name != "path into a circle" {
				require.Equal(t, row.path, known.Path)
			}
			require.ErrorContains(t, err, row.want)
		})
	}
}

// A message whose blocks are reordered over its lines is gathered on the first.
func TestGatherBlocks(t *testing.T) {
	data := strings.Join([]string{entry("a", "", "assistant", said("m1", "1")),
		entry("b", "a", "assistant", said("m1", "2")), entry("c", "b", "user", user("3"))}, "\n")
	c, err := claudecode.Parse([]byte(data))
	require.NoError(t, err)
	b := c.Messages[0].Blocks
	edited := append([]msg.Message{c.Messages[0].WithBlocks([]msg.Block{b[1], b[0].WithText("one")})}, c.Messages[1:]...)
	out, err := claudecode.Render(c.WithMessages(edited))
	require.NoError(t, err)
	back, err := claudecode.Parse(out)
	require.NoError(t, err)
	require.Equal(t, "assistant 2 one | user 3", tell(back), "%s", out)
	out, err = claudecode.Render(c.WithMessages(append([]msg.Message{c.Messages[0].WithBlocks(nil)}, c.Messages[1:]...)))
	require.NoError(t, err)
	back, err = claudecode.Parse(out)
	require.NoError(t, err)
	require.Equal(t, "assistant | user 3", tell(back), "emptied, not lost: %s", out)
	c.System = []msg.Block{msg.TextBlock("x")}
	_, err = claudecode.Render(c)
	require.ErrorContains(t, err, "no place for a system prompt")
}

// Inserting where no line names a parent keeps file order.
func TestInsertWithoutTree(t *testing.T) {
	data := strings.Join([]string{entry("a", "", "user", user("1")), entry("b", "", "assistant", said("m1", "2"))}, "\n")
	c, err := claudecode.Parse([]byte(data))
	require.NoError(t, err)
	x := msg.TextMessage(msg.User, "x")
	x.Meta = true
	out, err := claudecode.Render(c.WithMessages([]msg.Message{x, c.Messages[0], x, x, c.Messages[1], x}))
	require.NoError(t, err)
	back, err := claudecode.Parse(out)
	require.NoError(t, err)
	require.Equal(t, "user x | user 1 | user x | user x | assistant 2 | user x", tell(back), "%s", out)
	require.True(t, back.Messages[0].Meta)
	for _, line := range strings.Split(data, "\n") {
		require.Contains(t, string(out), line, "no line of the input changes")
	}
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		uuid := rawjson.Value(line).Member("uuid").Text()
		require.False(t, seen[uuid], uuid)
		seen[uuid] = true
	}
}

func FuzzParse(f *testing.F) {
	for _, row := range treeRows {
		f.Add([]byte(strings.Join(row.lines, "\n")), uint8(len(row.lines)))
		f.Add([]byte("\xEF\xBB\xBF"+strings.Join(row.lines, "\r\n")+"\r\n"), uint8(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, out uint8) {
		c, err := claudecode.Parse(data)
		if err != nil {
			require.IsType(t, &msg.Error{}, err)
			return
		}
		same, err := claudecode.Render(c)
		require.NoError(t, err)
		require.Equal(t, string(data), string(same))
		for i := range c.Messages { // marking everything as changed changes nothing
			c.Messages[i].Changed = true
		}
		same, err = claudecode.Render(c)
		require.NoError(t, err)
		require.Equal(t, string(data), string(same))
		if len(c.Messages) == 0 {
			return
		}
		k := int(out) % len(c.Messages) // a summary of everything up to k
		x := msg.TextMessage(msg.User, "x")
		edited, err := claudecode.Render(c.WithMessages(append([]msg.Message{x}, c.Messages[k+1:]...)))
		require.NoError(t, err)
		_, err = claudecode.Parse(edited)
		require.NoError(t, err, "%s", edited)
	})
}
