package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
)

func inContext(t *testing.T, name, original, context string) bool {
	t.Helper()
	r := newReader()
	used := map[string]nameKind{name: 'i'}
	lines := originals(r.read(original), used)
	require.NotEmpty(t, lines[name], "the original has the name")
	return r.find(r.read(context), lines).inContext[name]
}

func TestContextRecall(t *testing.T) {
	original := "the worker calls save_session after every request\nsave_session(user)"
	for _, test := range []struct {
		why, context string
		want         bool
	}{
		{"the line itself", "save_session(user)", true},
		{"three of the other words", "- turn 3: worker calls save_session after an edit", true},
		{"two of five other words and neither line", "worker calls save_session", false},
		{"the only other word of the second line", "found: user and save_session", true},
		{"the name alone", "save_session", false},
		{"a list of names", "load_session save_session drop_session", false},
		{"the words on another line", "save_session\nthe worker calls it after every request", false},
		{"under a tenth of its words", "save_session user" + listOfWords(40), false},
	} {
		require.Equal(t, test.want, inContext(t, "save_session", original, test.context), test.why)
	}
	require.True(t, inContext(t, "save_session", "save_session", "save_session"), "a line with the name only")
	require.False(t, inContext(t, "save_session", "save_session", "save_session and load_session"), "a longer line")
	require.True(t, inContext(t, "src/a_b.go", "修改 src/a_b.go 的默认值", "- 修改 src/a_b.go 默认"), "Chinese")
}

func listOfWords(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(" word" + strings.Repeat("x", i))
	}
	return b.String()
}

// The escapes of a call's input and of quoted JSON are no part of a name.
func TestNamesAreReadDecoded(t *testing.T) {
	call := msg.Block{Kind: msg.KindToolUse, Name: "edit", Text: `{"path":"a/b.go","new":"\tsaveMode\n\tmaxWindow"}`}
	result := msg.Block{Kind: msg.KindToolResult, Text: `{"out":"x\n\tlistMode\tend"} and twice \\nrawMode`}
	names := map[string]nameKind{}
	readNames(blockText(&call), names)
	readNames(blockText(&result), names)
	require.Equal(t, map[string]nameKind{
		"a/b.go": 'p', "saveMode": 'i', "maxWindow": 'i', "listMode": 'i', "rawMode": 'i',
	}, names)
}

func TestPercentile(t *testing.T) {
	require.Equal(t, 3, percentile([]int{5, 1, 2, 3, 4}, 50))
	require.Equal(t, 5, percentile([]int{5, 1, 2, 3, 4}, 90))
	require.Equal(t, 7, percentile([]int{7}, 50))
	require.Equal(t, 0, percentile(nil, 50))
}

// Every rival returns at most the length that it is given, and uses nearly all of it.
func TestRivalsKeepTheLength(t *testing.T) {
	var messages []msg.Message
	for i := range 30 {
		number := strings.Repeat("i", i)
		result := msg.Block{Kind: msg.KindToolResult, Text: strings.Repeat("a line of output "+number+" mit Umlaut ä\n", 20)}
		messages = append(messages, msg.TextMessage(msg.User, "prompt "+number),
			msg.TextMessage(msg.Assistant, "answer "+number), msg.Message{Role: msg.User, Blocks: []msg.Block{result}})
	}
	k := &cut{session: session{c: &msg.Conversation{Messages: messages}}, r: newReader()}
	for _, r := range append(rivals, rival{"names", namesAndTail}) {
		for _, length := range []int{0, 100, 1000, 5000} {
			n := characters(r.short(k, length))
			require.LessOrEqual(t, n, length, r.name)
			if r.name != "BM25 lines" || length <= 1000 { // it has no line twice
				require.GreaterOrEqual(t, n, length*8/10, "%s at %d", r.name, length)
			}
		}
	}
}

func TestRealText(t *testing.T) {
	for _, test := range []struct{ text, want, why string }{
		{"Fix it.", "Fix it.", "a prompt"},
		{"<system-reminder>be nice</system-reminder>", "", "a tag only"},
		{"<system-reminder>be nice</system-reminder>\nFix it.", "Fix it.", "a tag before the prompt"},
		{"[read_file for 'a.go'] Result:\nNever push.", "", "a result of Cline"},
		{"[execute_command] Result:", "", "a result of Roo"},
		{"This session is being continued from a previous conversation that ran out.", "", "a summary of Claude Code"},
		{"[compacted summary of turns 1-4]\nNever push.", "", "a summary of ours"},
	} {
		message := msg.TextMessage(msg.User, test.text)
		require.Equal(t, test.want, realText(&message), test.why)
	}
	command := msg.TextMessage(msg.User, "<command-message>review</command-message>\n<command-name>/review</command-name>")
	command.Blocks = append(command.Blocks, msg.Block{Kind: msg.KindText, Text: "Run a review. Do not fix any issues."})
	require.Empty(t, realText(&command), "the file of a slash command")
	command.Blocks = append(command.Blocks, msg.Block{Kind: msg.KindText, Text: "Go on."})
	require.Equal(t, "Go on.", realText(&command), "a prompt after it")
	client := msg.TextMessage(msg.User, "<command-name>/theme</command-name>\n<command-message>theme</command-message>")
	client.Blocks = append(client.Blocks, msg.Block{Kind: msg.KindText, Text: "Go on."})
	require.Equal(t, "Go on.", realText(&client), "a command of the client has no file")
	answer := msg.TextMessage(msg.Assistant, "Fix it.")
	require.Empty(t, realText(&answer))
}

func TestTypedIn(t *testing.T) {
	text := "Please fix the export. Never push to main. Don't you think so? It is never called.\n" +
		"```\nAlways use tabs.\n```\n不要修改数据库结构。 운영 서버는 절대 건드리지 마세요. Only change the tests."
	want := []string{"Please fix the export.", "Never push to main.", "It is never called.",
		"不要修改数据库结构。", "운영 서버는 절대 건드리지 마세요.", "Only change the tests."}
	require.Equal(t, want, typedIn([]msg.Message{
		msg.TextMessage(msg.User, text), msg.TextMessage(msg.Assistant, "Never mind the tests."),
	}))
}

func TestHolds(t *testing.T) {
	r := newReader()
	rule := "Never push to the main branch without a review"
	require.True(t, holds(r, r.read("- turn 1\n\"Never push to the main branch without\nreview\""), rule))
	require.False(t, holds(r, r.read("The main branch has a review"), rule))
}
