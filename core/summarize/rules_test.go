package summarize

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

func TestShellFiles(t *testing.T) {
	for command, want := range map[string]string{
		"time rm a.go":                                    "deleted a.go",
		"sudo rm -f a.go":                                 "deleted a.go",
		"A=1 git rm a.go":                                 "deleted a.go",
		"(rm a.go) && mv b.go c.go":                       "deleted a.go, moved b.go, moved c.go",
		"rm a.go >":                                       "deleted a.go",
		"cat a.go > b.go 2>&1":                            "read a.go, written b.go",
		"cat a.go 2>/dev/null | tee 'b.go'":               "read a.go, written b.go",
		"make >& b.go; touch \"c.go\" d\\\n.go":           "written c.go, written d.go",
		"cat 'a.go":                                       "",
		"go run a.go >> b.go":                             "written b.go",
		"rm *.go x /dev/a.go":                             "",
		"sed -i 's/a.go/b.go/' c.go":                      "edited c.go",
		"sed -n -i s.go c.go d.go":                        "edited c.go, edited d.go",
		"sed -n 's/a.go/b.go/' c.go":                      "read c.go",
		"rm -i a.go ; b.go; x > ; b.go":                   "deleted a.go",
		"rm a.go | b.go & c.go || d.go && e.go":           "deleted a.go",
		"rm (a.go)\tb.go\r\nc.go":                         "",
		"touch a\\\nb.go c\\":                             "written ab.go",
		"x 2>a.go 12>b.go b>c.go":                         "written a.go, written b.go, written c.go",
		"x >&":                                            "",
		"x >&1;touch b.go":                                "written b.go",
		"=a rm a.go":                                      "",
		"tee a=b.go .go a/b/c a.b c":                      "written a/b/c",
		"cat <<EOF > a.go\ntouch b.go\nEOF":               "written a.go",
		"touch a.c x.y json .go":                          "written a.c",
		"rm -a.go b.go":                                   "deleted b.go",
		"cat <<< a.go":                                    "read a.go",
		"<<\nrm a.go":                                     "",
		"touch " + strings.Repeat("a", 257) + ".go b.go":  "written " + strings.Repeat("a", 257) + ".go, written b.go",
		"touch " + strings.Repeat("a", 258) + ".go b.go":  "written b.go",
		"touch a.go" + strings.Repeat(" ", 1986) + "b.go": "written a.go, written b.go",
		"touch a.go" + strings.Repeat(" ", 1987) + "b.go": "written a.go",
	} {
		var got []string
		shellFiles(command, func(a act, path string) { got = append(got, actWords[a]+" "+path) })
		require.Equal(t, want, strings.Join(got, ", "), command)
	}
}

func TestActionsOfAnEarlierSummary(t *testing.T) {
	var g group
	g.addActions("read ×2 at 10+20, edited, moved ×0, deleted ×x, run ×2000, eaten ×3")
	g.addActions("read ×3")
	require.Equal(t, [acts]uint16{actRead: 5, actEdit: 1, actMove: 1, actDelete: 1, actShell: 1}, g.done)
}

func TestWorthOfTasks(t *testing.T) {
	for _, row := range []struct {
		g    group
		want int
	}{
		{group{outcome: "pending"}, worthTodo},
		{group{outcome: "pending", old: true}, worthOldTodo},
		{group{outcome: "completed", old: true}, worthTodo / 20},
		{group{outcome: "deleted"}, worthTodo / 20},
	} {
		require.Equal(t, row.want, row.g.worthOfTask())
	}
}

func TestLinesWithABaseWorth(t *testing.T) {
	l := resultLines{x: New(&msg.Conversation{}, nil, nil)}
	for i, row := range []struct {
		line string
		want int32
	}{{"a first line", worthTest}, {"a line", 0}, {"error: it is full", worthError}, {"  12 passed", worthTest}} {
		l.readLine(row.line)
		require.Equal(t, row.want, l.lines[i].base, row.line)
	}
	require.True(t, isGap(Gap))
	require.False(t, isGap("[…] a line"))
}

func TestLinesHaveTheirNumber(t *testing.T) {
	d := newDraft(New(&msg.Conversation{}, []msg.Span{{}}, nil), 0)
	g := d.newGroup(groupFile, "a.go")
	for _, row := range []struct {
		p    part
		text string
		want int32
	}{{partLine, "12: a", 12}, {partDeclaration, "7: b", 7}, {partSaid, "9: c", 0}, {partLine, ": d", 0},
		{partLine, "12 e", 0}, {partLine, "123456789: f", 0}} {
		require.True(t, d.addUnit(g, row.p, 1, 100, 0, row.text))
		require.Equal(t, row.want, d.units[len(d.units)-1].number, row.text)
		require.False(t, d.addUnit(g, row.p, 1, 100, 0, row.text), "repeated")
	}
	require.False(t, d.addUnit(g, partLine, 1, 0, 0, "no atom"))
	require.False(t, d.addUnit(g, partLine, 1, 7, 8, "too little"))
}

func TestASummaryIsNoBestLine(t *testing.T) {
	m := msg.TextMessage(msg.Assistant, "[compacted summary of turns 1-9]\nThe "+strings.Repeat("very ", 60)+"end.")
	m.Blocks[0].Summary = true
	c := &msg.Conversation{Messages: []msg.Message{m}}
	require.Empty(t, Summarize(c, msg.Span{End: 1}, Options{MaxTokens: minBestLine}))
	c.Messages[0].Blocks[0].Summary = false
	require.NotEmpty(t, Summarize(c, msg.Span{End: 1}, Options{MaxTokens: minBestLine}))
}

func TestTheResultOfAPatchRepeatsIt(t *testing.T) {
	c := &msg.Conversation{Messages: []msg.Message{{Role: msg.Assistant, Blocks: []msg.Block{{
		Kind: msg.KindToolUse, ID: "1", Name: "apply_patch", Text: `{"input":"*** Begin Patch\n*** Update File: src/a.go\n-oldName()\n+newName()\n*** End Patch"}`}}},
		{Role: msg.User, Blocks: []msg.Block{{Kind: msg.KindToolResult, ID: "1",
			Text: "oldName became newName in src/a.go"}}}}}
	out := Summarize(c, msg.Span{End: 2}, Options{MaxTokens: 400})
	require.Contains(t, out, "src/a.go (edited)")
	require.NotContains(t, out, "became")
}

func TestScale(t *testing.T) {
	steps := []step{{3, 95}, {12, 40}}
	for x, want := range map[int]int{0: 95, 3: 95, 4: 40, 12: 40, 13: -70} {
		require.Equal(t, want, scale(steps, x, -70), x)
	}
}

func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{
		" a b ": "a b", "a\nb": "a b", "a\tb": "a b", "a  b": "a b", "a\u00a0b": "a\u00a0b"} {
		require.Equal(t, want, oneLine(text))
	}
}

func TestJSONErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"success":false,"stderr":"no rows\n"}`: "no rows", `{"stderr":"a warning"}`: "", `{"success":true,"error":"0 rows"}`: "",
		`{"error":{"message":"no table"}}`: "no table", `{"error":{}}`: "", `{"error":7}`: "", `["error"]`: "",
		`{"exitCode":2,"stderr":"Traceback (most recent call last):\nKeyError: 'a'"}`: "KeyError: 'a'",
	} {
		require.Equal(t, want, jsonError(text), text)
	}
}
