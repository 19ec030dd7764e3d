package jsonl_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/validity"
)

// scraps are lines that an agent never reads: torn, zeros, and those of other programs. Few are equal, so that
// their places can be compared.
func scraps(t *rapid.T, name format.Name) []string {
	all := make([]string, rapid.IntRange(1, 6).Draw(t, "scraps"))
	for k := range all {
		whole := line(name, 90+k, 0, word.Draw(t, "lost"))
		all[k] = rapid.SampledFrom([]string{
			whole[:rapid.IntRange(1, len(whole)-1).Draw(t, "at")],
			strings.Repeat("\x00", 2+k), "[WARN] " + strconv.Itoa(k), "\xff\xfe \xf0\x9f",
			`{"level":"info","n":` + strconv.Itoa(k) + "]", // not }}: behind a torn line it would end a record
			`"\ud83d` + strconv.Itoa(k) + `"`, strings.Repeat("[", 1500+k), "{", "]", strconv.Itoa(k),
		}).Draw(t, "scrap")
	}
	return all
}

// edited returns a conversation without one of its messages, with another text of one, and with a new one.
func edited(c *msg.Conversation, gone, changed, at int) *msg.Conversation {
	var messages []msg.Message
	for i, m := range c.Messages {
		if i == at {
			messages = append(messages, msg.TextMessage(msg.User, "new"))
		}
		if i == changed {
			m = m.WithBlocks([]msg.Block{m.Blocks[0].WithText("other")})
		}
		if i != gone {
			messages = append(messages, m)
		}
	}
	return c.WithMessages(messages)
}

// A log with lines of garbage is read as the log without them, each is named, and written back byte for byte in its
// place, also if messages change. Repair drops them, and nothing else.
func TestBadLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(logs).Draw(t, "format")
		n := rapid.IntRange(1, 5).Draw(t, "lines")
		var good []string
		for i := range n {
			good = append(good, line(name, i, 0, word.Draw(t, "text")))
		}
		if rapid.Bool().Draw(t, "half a pair") { // every line is written again
			good[0] = strings.Replace(good[0], `"content":"`, `"content":"\ud83d`, 1)
			good[0] = strings.Replace(good[0], `"text":"`, `"text":"\ud83d`, 1)
		}
		added := scraps(t, name)
		before := make([]int, n+1) // the garbage before each line, and before the end
		for range added {
			before[rapid.IntRange(0, n).Draw(t, "place")]++
		}
		var all, places []string
		rest := added
		for i := range n + 1 {
			for range before[i] {
				places = append(places, "/"+strconv.Itoa(len(all)))
				all, rest = append(all, rest[0]), rest[1:]
			}
			if i < n {
				all = append(all, good[i])
			}
		}
		clean, torn := []byte(strings.Join(good, "\n")+"\n"), []byte(strings.Join(all, "\n")+"\n")
		require.Equal(t, name, format.Detect(torn), "%q", torn)
		want, err := format.Parse(clean, name)
		require.NoError(t, err)
		c, err := format.Parse(torn, "")
		require.NoError(t, err, "%q", torn)
		require.Equal(t, texts(want), texts(c), "%q", torn)
		var named []string
		for _, w := range c.Warnings {
			named = append(named, w.Path)
		}
		require.Equal(t, places, named)
		require.Len(t, c.Lone, len(want.Lone))

		expect, err := format.Render(want)
		require.NoError(t, err)
		same, err := format.Render(c)
		require.NoError(t, err)
		if len(c.Lone) == 0 {
			require.Equal(t, string(torn), string(same))
		}
		compare(t, added, same, expect)

		any := rapid.IntRange(0, n-1)
		gone, changed, at := any.Draw(t, "gone"), any.Draw(t, "changed"), any.Draw(t, "new")
		expect, err = format.Render(edited(want, gone, changed, at))
		require.NoError(t, err)
		out, err := format.Render(edited(c, gone, changed, at))
		require.NoError(t, err)
		compare(t, added, out, expect)
		for i := range n { // what is left of the lines keeps its place among the garbage
			whole := []byte(good[i] + "\n")
			if was, is := bytes.Index(same, whole), bytes.Index(out, whole); was >= 0 && is >= 0 && !isIn(added, good[i]) {
				require.Equal(t, countOf(added, same[:was]), countOf(added, out[:is]), "%q", out)
			}
		}

		repaired, done := validity.RepairAll(c)
		require.Len(t, done.Problems, len(added)+len(c.Lone))
		out, err = format.Render(repaired)
		require.NoError(t, err)
		expect, err = format.Render(want)
		require.NoError(t, err)
		require.Equal(t, string(expect), string(out))
		again, rest2 := validity.RepairAll(repaired)
		require.Same(t, repaired, again)
		require.Empty(t, rest2.Problems)
	})
}

// compare requires that the lines of out are those of want and all that were added, in their order.
func compare(t *rapid.T, added []string, out, want []byte) {
	var others, left []string
	rest := added
	for _, text := range strings.Split(string(out), "\n") {
		if len(rest) > 0 && text == rest[0] {
			rest = rest[1:]
		} else {
			others = append(others, text)
		}
	}
	left = strings.Split(string(want), "\n")
	require.Empty(t, rest, "%q", out)
	require.Equal(t, left, others)
}

func isIn(all []string, text string) bool { return countOf(all, []byte(text+"\n")) > 0 }

// countOf returns the number of the lines of text that are among all.
func countOf(all []string, text []byte) (n int) {
	for _, one := range strings.Split(string(text), "\n") {
		for _, other := range all {
			if one == other {
				n++
				break
			}
		}
	}
	return n
}

// A message whose line cannot be read takes only itself with it, and a changed log leads through all that is left.
func TestLostParent(t *testing.T) {
	for _, name := range logs {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(3, 6).Draw(t, "lines")
			lost := rapid.IntRange(1, n-2).Draw(t, "lost")
			var all, want []string
			for i := range n {
				text := strconv.Itoa(i)
				all = append(all, line(name, i, 0, text))
				if i == lost {
					all[i] = all[i][:len(all[i])-rapid.IntRange(1, 9).Draw(t, "cut")]
				} else {
					want = append(want, text)
				}
			}
			c, err := format.Parse([]byte(strings.Join(all, "\n")+"\n"), "")
			require.NoError(t, err)
			require.Equal(t, want, texts(c), name)
			messages := append([]msg.Message(nil), c.Messages...)
			messages[0] = messages[0].WithBlocks([]msg.Block{messages[0].Blocks[0].WithText("other")})
			want[0] = "other"
			out, err := format.Render(c.WithMessages(messages))
			require.NoError(t, err)
			back, err := format.Parse(out, name)
			require.NoError(t, err)
			require.Equal(t, want, texts(back), "%s", out)
			if name == msg.Pi {
				require.Len(t, back.Warnings, 1, "the bad line; the parent is in the file now")
			}
		})
	}
}

// A line of JSON from another program is no message.
func TestForeignObjects(t *testing.T) {
	for _, name := range logs {
		for _, foreign := range []string{`{"level":"info","msg":"x"}`, `{"type":"warning","text":"x"}`,
			`{"type":"message","role":"user","content":"x"}`} {
			data := line(name, 0, 0, "a") + "\n" + foreign + "\n" + line(name, 1, 0, "b") + "\n"
			c, err := format.Parse([]byte(data), "")
			require.NoError(t, err)
			require.Equal(t, name, c.Format)
			require.Equal(t, []string{"a", "b"}, texts(c), "%s %s", name, foreign)
		}
	}
}

// The rest of a line that was cut short completes it; anything else is a line of its own.
func TestRestOfALine(t *testing.T) {
	for _, name := range logs {
		rapid.Check(t, func(t *rapid.T) {
			first, second := line(name, 0, 0, "a"), line(name, 1, 0, word.Draw(t, "text"))
			at := rapid.IntRange(1, len(second)-1).Draw(t, "at")
			c, err := format.Parse([]byte(first+"\n"+second[:at]), "")
			require.NoError(t, err)
			whole, err := format.Parse([]byte(first+"\n"+second), "")
			require.NoError(t, err)
			_, reread, err := format.Append(c, []byte(second[at:]+"\n"), "", nil)
			require.NoError(t, err)
			require.Equal(t, texts(whole), texts(reread))
			require.Empty(t, reread.Warnings)
			_, reread, err = format.Append(c, []byte(second+"\n"), "", nil)
			require.NoError(t, err)
			require.Equal(t, texts(whole), texts(reread))
			require.Len(t, reread.Warnings, 1)
		})
	}
}
