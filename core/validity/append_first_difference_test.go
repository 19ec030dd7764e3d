package validity_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/msg"
	"tamp/core/validity"
)

// The first difference is the one that is named: one in the tools or the system prompt comes before all messages, and
// breaks the thinking before a changed message too.
func TestCheckAppendNamesTheFirstDifference(t *testing.T) {
	base := request(binding, "u1 a1 u2")
	for why, row := range map[string]struct{ old, new, want string }{
		"a tool and a message":            {`"name":"run"`, `"name":"walk"`, "append_only /tools/0, /messages/1/content/0"},
		"the system prompt and a message": {"Be brief.", "Be long.", "append_only /system, /messages/1/content/0"},
		"an additional tool and a message": {`"tools":[`, `"tools":[{"name":"a","input_schema":{}},`,
			"append_only /tools/0, /messages/1/content/0"},
		"no system prompt, and a message":   {`"system":"Be brief.",`, ``, "append_only /system, /messages/1/content/0"},
		"the message alone, for comparison": {"", "", "append_only /messages/2/content/0"},
	} {
		next := strings.Replace(strings.Replace(base, row.old, row.new, 1), `"text":"2"`, `"text":"3"`, 1)
		all := parseAll(t, msg.Anthropic, base, next)
		require.Equal(t, row.want, found(validity.CheckAppend(all[0], all[1])), why)
	}
}

// Within the message that changed, thinking before the change is as it was, and thinking after it is broken.
func TestCheckAppendWithinOneMessage(t *testing.T) {
	write := func(first, second string) string {
		thinking := func(n string) string { return `{"type":"thinking","thinking":"` + n + `","signature":"c2ln` + n + `"}` }
		return `{"model":"` + binding + `","messages":[{"role":"user","content":"go"},{"role":"assistant","content":[` +
			thinking("1") +
			`,{"type":"text","text":"` + first + `"},` + thinking("2") + `,{"type":"text","text":"` + second +
			`"}]},{"role":"user","content":"on"}]}`
	}
	all := parseAll(t, msg.Anthropic, write("a", "b"), write("x", "b"), write("a", "x"))
	require.Equal(t, "append_only /messages/1/content/1, /messages/1/content/2",
		found(validity.CheckAppend(all[0], all[1])))
	require.Equal(t, "append_only /messages/1/content/3", found(validity.CheckAppend(all[0], all[2])))
}

// Thinking is bound to its place: the same block elsewhere is refused, and two equal blocks are two.
func TestCheckAppendOfThinkingThatMoved(t *testing.T) {
	all := parseAll(t, msg.Anthropic, request(binding, "u1 h1 b1 u2 b2 u3"), request(binding, "u1 b1 u2 h1 b2 u3"),
		request(binding, "u1 h1 h1 b1 u2"), request(binding, "u1 h1 h1 b1 u2 a2 u3"))
	require.Equal(t, "/messages/3/content/0", found(validity.CheckAppend(all[0], all[1])))
	require.Empty(t, validity.CheckAppend(all[2], all[3]))
}

// Every broken block names the first cause, which is the one to repair.
func TestCheckAppendNamesTheFirstCause(t *testing.T) {
	all := parseAll(t, msg.Anthropic, request(binding, "u1 a1 u2 a2 u3 a3 u4 b4 u5"),
		request(binding, "u1 a1 u2 b2 u3 a3 u4 a4 u5"))
	problems := validity.CheckAppend(all[0], all[1])
	require.Equal(t, "/messages/5/content/0, /messages/7/content/0", found(problems))
	for _, p := range problems {
		require.Contains(t, p.Message, "thinking was taken out of the middle before it")
	}
}

// Members that Tamp does not read are compared by value in both directions: one that went counts like one that came.
func TestCheckAppendComparesUnreadMembers(t *testing.T) {
	write := func(member string) string {
		return strings.Replace(request(binding, "u1 a1 u2"), `"text":"1"}`, `"text":"1"`+member+`}`, 1)
	}
	for _, row := range []struct {
		why, a, b string
		same      bool
	}{
		{"another string", `,"note":"a"`, `,"note":"b"`, false},
		{"the same string with an escape", `,"note":"a"`, `,"note":"\u0061"`, true},
		{"another number", `,"note":1`, `,"note":2`, false},
		{"another truth", `,"note":true`, `,"note":false`, false},
		{"an empty string, and none", `,"note":""`, ``, false},
		{"an empty string, and null", `,"note":""`, `,"note":null`, false},
		{"a list, and none", `,"citations":[]`, ``, false},
		{"white space in a list", `,"citations":[1, 2]`, `,"citations":[1,2]`, true},
	} {
		all := parseAll(t, msg.Anthropic, write(row.a), write(row.b))
		want := "append_only /messages/0/content/0, /messages/1/content/0"
		if row.same {
			want = ""
		}
		require.Equal(t, want, found(validity.CheckAppend(all[0], all[1])), row.why)
		require.Equal(t, want, found(validity.CheckAppend(all[1], all[0])), "%s, the other way", row.why)
	}
}

// The images of a result are compared one by one.
func TestCheckAppendComparesTheImagesOfAResult(t *testing.T) {
	write := func(first, second string) string {
		image := func(name string) string {
			return `{"type":"image","source":{"type":"url","url":"https://example.org/` + name + `.png"}}`
		}
		return `[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[` + image(first) + `,` +
			image(second) + `]}]}]`
	}
	all := parseAll(t, "", write("a", "b"), write("a", "b"), write("a", "c"), write("c", "b"))
	require.Empty(t, validity.CheckAppend(all[0], all[1]))
	for _, other := range all[2:] {
		require.Equal(t, "append_only /2/content/0", found(validity.CheckAppend(all[0], other)))
	}
}

// What a block says is compared, not how it was written: as a string or as a list, as it was read or as it was changed.
func TestCheckAppendComparesWhatIsSaid(t *testing.T) {
	base := request(binding, "u1 a1 u2")
	all := parseAll(t, msg.Anthropic, base, strings.Replace(base, `"content":[{"type":"text","text":"2"}]`,
		`"content":"2"`, 1))
	require.Empty(t, validity.CheckAppend(all[0], all[1]))
	require.Empty(t, validity.CheckAppend(all[1], all[0]))

	call := func(id string) string {
		return `[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"` + id +
			`","name":"run","input":{}}]}]`
	}
	all = parseAll(t, "", call("1"), call("2"))
	at := msg.Ref{Message: 1}
	renamed := all[1].WithMessages([]msg.Message{all[1].Messages[0],
		all[1].Messages[1].WithBlocks([]msg.Block{all[1].At(at).WithID("1")})})
	require.NotEmpty(t, validity.CheckAppend(all[0], all[1]))
	require.Empty(t, validity.CheckAppend(all[0], renamed))
	require.Empty(t, validity.CheckAppend(renamed, all[0]))
}

// A block that Repair made has no place of its own in the input: a difference there names its message.
func TestCheckAppendOfABlockThatRepairMade(t *testing.T) {
	const start = `[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"run","input":{}}]},`
	all := parseAll(t, "", start+`{"role":"user","content":"stop"},{"role":"assistant","content":"Well."}]`)
	repaired, reports := validity.Repair(all[0])
	require.NotEmpty(t, reports)
	require.Equal(t, "append_only /2", found(validity.CheckAppend(all[0], repaired)))
}
