package promptcache

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format"
	"tamp/core/internal/rawjson"
	"tamp/core/msg"
	"tamp/core/tokens"
	"tamp/core/validity"
)

func parse(t require.TestingT, doc string) *msg.Conversation {
	c, err := format.Parse([]byte(doc), "")
	require.NoError(t, err, "%.300s", doc)
	return c
}

// words is a text of n tokens under the counter chars4.
func words(n int) string { return strings.Repeat("abcd", n) }

// body writes a request. Each message is written as "u:text", "a:text", "a>id" (a call), "u<id:text" (its result).
func body(members string, messages ...string) string {
	var out []string
	for _, m := range messages {
		role := map[byte]string{'u': "user", 'a': "assistant"}[m[0]]
		content := ""
		switch rest := m[2:]; m[1] {
		case ':':
			content = string(rawjson.Quote(rest))
		case '>':
			content = `[{"type":"tool_use","id":` + string(rawjson.Quote(rest)) + `,"name":"t","input":{}}]`
		case '<':
			id, text, _ := strings.Cut(rest, ":")
			content = `[{"type":"tool_result","tool_use_id":` + string(rawjson.Quote(id)) + `,"content":` +
				string(rawjson.Quote(text)) + `}]`
		}
		out = append(out, `{"role":"`+role+`","content":`+content+`}`)
	}
	return `{` + members + `"messages":[` + strings.Join(out, ",") + `]}`
}

// short returns one line per place: chosen or not, kind, path.
func short(r Ranking) []string {
	var out []string
	for _, a := range r.Anchors {
		mark := "-"
		if a.Chosen {
			mark = "+"
		}
		out = append(out, mark+string(a.Kind)+" "+a.Path)
	}
	return out
}

const system2k = `"model":"claude-sonnet-4-5","system":[{"type":"text","text":"SYSTEM"}],`

func sized(members string, n int) string { return strings.Replace(members, "SYSTEM", words(n), 1) }

func TestRank(t *testing.T) {
	long := words(1500)
	tool := `"tools":[{"name":"a"},{"name":"b","description":"` + long + `"}],`
	rows := []struct {
		why, doc string
		o        Options
		want     []string
		reason   string // in the reason of some place
	}{
		{why: "the usual four: system, stable boundary, end of the previous request, end of this one",
			o:   Options{Stable: func(r msg.Ref) bool { return r.Message < 6 }},
			doc: body(tool+sized(system2k, 2000), "u:go", "a>1", "u<1:"+long, "a>2", "u<2:x", "a>3", "u<3:x", "a>4", "u<4:x"),
			want: []string{"-tools_end /tools/1", "+system_end /system/0", "-milestone /messages/2/content/0",
				"+stable_boundary /messages/5/content/0", "+previous_end /messages/6/content/0",
				"-before_prompt /messages/7/content/0", "+request_end /messages/8/content/0"}},
		{why: "without a system prompt the tools take its place",
			doc: body(tool, "u:go", "a:done", "u:next"),
			want: []string{"+tools_end /tools/1", "+previous_end /messages/0/content", "+before_prompt /messages/1/content",
				"+request_end /messages/2/content"}},
		{why: "nothing is before the first result, so there is no stable boundary",
			o:   Options{Stable: func(r msg.Ref) bool { return r.Message > 0 }},
			doc: body("", "u:"+long, "a:done", "u:next"),
			want: []string{"+previous_end /messages/0/content", "+before_prompt /messages/1/content",
				"+request_end /messages/2/content"}},
		{why: "no breakpoint on thinking: the block before it is used",
			doc: `{"messages":[{"role":"user","content":"` + long +
				`"},{"role":"assistant","content":[{"type":"text","text":"a"},` +
				`{"type":"thinking","thinking":"x","signature":"s"}]},{"role":"user","content":"b"}]}`,
			want: []string{"+previous_end /messages/0/content", "+before_prompt /messages/1/content/0",
				"+request_end /messages/2/content"}},
		{why: "no breakpoint on empty text, nor in system",
			doc: `{"system":[{"type":"text","text":"` + long +
				`"},{"type":"text","text":""}],"messages":[{"role":"user","content":"` + long + `"},` +
				`{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":" \n"}]},{"role":"user","content":"b"}]}`,
			want: []string{"+system_end /system/0", "+previous_end /messages/0/content",
				"+before_prompt /messages/1/content/0", "+request_end /messages/2/content"}},
		{why: "a compaction block goes back unchanged (A12)",
			doc: `{"messages":[{"role":"assistant","content":[{"type":"compaction","content":"` + long +
				`"}]},{"role":"user","content":"b"}]}`,
			want: []string{"+request_end /messages/1/content"}},
		{why: "below the model's minimum of 4,096",
			doc:    body(strings.Replace(sized(system2k, 2000), "sonnet", "opus", 1), "u:go"),
			want:   []string{"-system_end /system/0", "-request_end /messages/0/content"},
			reason: "below the model's minimum of 4096"},
		{why: "a pause longer than the lifetime: the entries must be written again", o: Options{IdleSec: 300},
			doc:  body(sized(system2k, 2000), "u:go"),
			want: []string{"+system_end /system/0", "+request_end /messages/0/content"}},
		{why: "a short result is no milestone",
			doc: body("", "u:"+long, "a>1", "u<1:short", "a:done", "u:next"),
			want: []string{"+previous_end /messages/2/content/0", "+before_prompt /messages/3/content",
				"+request_end /messages/4/content"}},
		{why: "a result that no assistant message follows is no milestone",
			doc: body("", "u:"+long, "a>1", "u<1:"+long),
			want: []string{"+previous_end /messages/0/content", "+before_prompt /messages/1/content/0",
				"+request_end /messages/2/content/0"}},
		{why: "a result that a pass will clear is no milestone: the result before it is",
			o:   Options{Stable: func(r msg.Ref) bool { return r.Message != 4 }},
			doc: body("", "u:go", "a>1", "u<1:"+long, "a>2", "u<2:"+long, "a:done", "u:next"),
			want: []string{"-milestone /messages/2/content/0", "+stable_boundary /messages/3/content/0",
				"+previous_end /messages/4/content/0", "+before_prompt /messages/5/content", "+request_end /messages/6/content"}},
		{why: "the first request has only its end",
			doc:  body("", "u:"+long),
			want: []string{"+request_end /messages/0/content"}},
		{why: "fewer breakpoints than candidates: the end first", o: Options{Max: 2},
			doc: body(tool+sized(system2k, 2000), "u:go", "a>1", "u<1:"+long, "a:done", "u:next"),
			want: []string{"-tools_end /tools/1", "-system_end /system/0", "+previous_end /messages/2/content/0",
				"-before_prompt /messages/3/content", "+request_end /messages/4/content"},
			reason: "the others save more"},
		{why: "existing breakpoints stay and count", o: Options{Max: 2},
			doc: `{"system":[{"type":"text","text":"` + long +
				`","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[` +
				`{"type":"text","text":"` + long +
				`","cache_control":{"type":"ephemeral"}},{"type":"text","text":"b"}]},{"role":"assistant","content":"c"},{"role":"user","content":"d"}]}`,
			want: []string{"+system_end /system/0", "+present /messages/0/content/0",
				"-previous_end /messages/0/content/1", "-before_prompt /messages/1/content", "-request_end /messages/2/content"},
			reason: "the request has 2 already"},
		{why: "the automatic breakpoint counts too", o: Options{Max: 1},
			doc:    `{"cache_control":{"type":"ephemeral"},"system":"` + long + `","messages":[{"role":"user","content":"a"}]}`,
			want:   []string{"-system_end /system", "+present /cache_control"},
			reason: "automatic"},
		{why: "a breakpoint inside a result counts too", o: Options{Max: 1},
			doc: `{"messages":[{"role":"user","content":"` + long +
				`"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"t","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]}]}]}`,
			want: []string{"-previous_end /messages/0/content", "-before_prompt /messages/1/content/0",
				"+present /messages/2/content/0/content/0", "-request_end /messages/2/content/0"},
			reason: "the request has 1 already"},
		{why: "no breakpoint on a system message inside the conversation",
			doc: `{"messages":[{"role":"user","content":"` + long +
				`"},{"role":"system","content":"be brief"},{"role":"user","content":"d"}]}`,
			want: []string{"+before_prompt /messages/0/content", "+request_end /messages/2/content"}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			c := parse(t, row.doc)
			row.o.Count = tokens.Chars4
			r, err := Rank(c, row.o)
			require.NoError(t, err)
			require.Equal(t, row.want, short(r))
			var reasons []string
			for _, a := range r.Anchors {
				require.NotEmpty(t, a.Reason)
				reasons = append(reasons, a.Reason)
			}
			require.Contains(t, strings.Join(reasons, "\n"), row.reason)
			out, err := format.Render(r.Conversation)
			require.NoError(t, err)
			again := parse(t, string(out))
			requireValidCache(t, again)
			require.Equal(t, chosenIn(r), len(found(again)), "exactly the chosen breakpoints are written: %s", out)
		})
	}
}

// chosenIn counts the chosen places of a ranking.
func chosenIn(r Ranking) int {
	n := 0
	for _, a := range r.Anchors {
		if a.Chosen {
			n++
		}
	}
	return n
}

// found returns the lifetimes of all breakpoints in a request, in order: the reference implementation.
func found(c *msg.Conversation) []string {
	var ttls []string
	add := func(cache *msg.Cache) {
		if cache != nil {
			ttls = append(ttls, ttlOf(cache))
		}
	}
	for i := range c.Tools {
		add(c.Tools[i].Cache)
	}
	for i := range c.System {
		add(c.System[i].Cache)
	}
	for _, b := range c.Blocks() {
		for _, p := range b.Parts {
			add(p.Cache)
		}
		add(b.Cache)
	}
	add(c.Cache)
	return ttls
}

func requireValidCache(t require.TestingT, c *msg.Conversation) {
	for _, p := range validity.Check(c) {
		require.NotEqual(t, validity.A11Cache, p.Rule, "%s at %s", p.Message, p.Path)
	}
}

// For a format without breakpoints, Rank returns the conversation unchanged and the reason.
func TestRankOtherFormats(t *testing.T) {
	rows := []struct{ why, doc, note string }{
		{"OpenAI caches by itself", `[{"role":"system","content":"a"},{"role":"user","content":"b"}]`, "by itself"},
		{"a log reaches no provider", `{"type":"user","uuid":"a","message":{"role":"user","content":"hi"}}`,
			"not a request"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			c := parse(t, row.doc)
			r, err := Rank(c, Options{})
			require.NoError(t, err)
			require.Empty(t, r.Anchors)
			require.NotNil(t, r.Anchors, "JSON wants [] and not null")
			require.Contains(t, r.Note, row.note)
			require.Same(t, c, r.Conversation)
		})
	}
}

func TestRankBadOptions(t *testing.T) {
	c := parse(t, body("", "u:hi"))
	for _, row := range []struct {
		why, path string
		o         Options
	}{
		{"an unknown lifetime", "/ttl", Options{TTL: "2h"}},
		{"a negative maximum", "/max", Options{Max: -1}},
		{"negative time", "/idleSec", Options{IdleSec: -1}},
		{"negative turns", "/turnsAfter", Options{TurnsAfter: -1}},
	} {
		t.Run(row.why, func(t *testing.T) {
			_, err := Rank(c, row.o)
			var e *msg.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, msg.BadRequest, e.Code)
			require.Equal(t, row.path, e.Path)
		})
	}
}

// The example of the package comment, number for number.
func TestExample(t *testing.T) {
	r := &ranker{c: &msg.Conversation{Messages: make([]msg.Message, 3)}, o: Options{TTL: FiveMinutes, IdleSec: 20},
		minTokens: 1024,
		reuse:     1000 * 9 / 10, totals: []prefixTotals{{}, {}, {unstable: 4}}}
	rows := []struct {
		part               part
		message, tokens    int
		wantHit, wantValue int
	}{
		{inTools, -1, 6000, 891, 5346}, {inSystem, -1, 8000, 882, 7056},
		{inMessages, 0, 20000, 855, 17100}, {inMessages, 2, 30000, 427, 12810},
	}
	for _, row := range rows {
		hit, value, nothing := r.value(place{part: row.part, ref: msg.Ref{Message: row.message, Block: -1},
			tokensBefore: row.tokens}, FiveMinutes)
		require.Empty(t, nothing)
		require.Equal(t, row.wantHit, hit)
		require.Equal(t, row.wantValue, value)
	}
}

// The hit rises with the number of expected turns and falls with the number of blocks before the place that will
// change.
func TestHitRises(t *testing.T) {
	hit := func(turns, unstable int) int {
		o := Options{Count: tokens.Chars4, TurnsAfter: turns,
			Stable: func(r msg.Ref) bool { return r.Message >= unstable }}
		r, err := Rank(parse(t, body("", "u:"+words(1500), "a:b", "u:c", "a:d", "u:e")), o)
		require.NoError(t, err)
		return r.Anchors[0].HitPermille
	}
	require.Less(t, hit(1, 0), hit(2, 0))
	require.Less(t, hit(2, 0), hit(20, 0))
	require.Greater(t, hit(5, 0), hit(5, 1))
	require.Greater(t, hit(5, 1), hit(5, 3))
}

func TestMinimum(t *testing.T) {
	for model, want := range map[string]int{
		"claude-opus-5": 512, "claude-opus-5-5-20260801": 512, "claude-fable-5.1": 512, "claude-mythos-5": 512,
		"claude-opus-4-20250514": 1024, "claude-opus-4-1-20250805": 1024, "claude-opus-4-8": 1024, "claude-sonnet-4": 1024,
		"claude-sonnet-5": 1024,
		"claude-opus-4-7": 2048, "claude-3-5-haiku-20241022": 2048, "claude-haiku-3-5": 2048,
		"claude-opus-4-5": 4096, "claude-opus-4-6": 4096, "claude-haiku-4-5-20251001": 4096,
		"anthropic/claude-opus-4.5": 4096, "us.anthropic.claude-opus-4-5-20251101-v1:0": 4096, "claude-opus-4@20250514": 1024,
		"gpt-5": 1024, "": 1024, "claude-opus-50": 1024,
	} {
		require.Equal(t, want, Minimum(model), model)
	}
}

// Lifetimes: a breakpoint of an hour never follows one of five minutes, existing or new.
func TestLifetimes(t *testing.T) {
	long := words(1500)
	doc := func(system, message string) string {
		return `{"tools":[{"name":"a","description":"` + long + `"}],"system":[{"type":"text","text":"` + long + `"` +
			system + `}],` +
			`"messages":[{"role":"user","content":[{"type":"text","text":"a"` + message +
			`}]},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`
	}
	five, hour := `,"cache_control":{"type":"ephemeral"}`, `,"cache_control":{"type":"ephemeral","ttl":"1h"}`
	for _, row := range []struct {
		why, doc, ttl string
		want          []string
	}{
		{"the requested lifetime", doc("", ""), OneHour, []string{"1h", "1h", "1h", "1h"}},
		{"five minutes are the default", doc("", ""), "", []string{"5m", "5m", "5m", "5m"}},
		{"after a breakpoint of five minutes only five minutes", doc(five, ""), OneHour, []string{"5m", "5m", "5m", "5m"}},
		{"before a breakpoint of an hour only an hour", doc("", hour), FiveMinutes, []string{"1h", "1h", "5m", "5m"}},
		{"between five minutes and an hour no lifetime is valid", doc(five, hour), FiveMinutes, []string{"5m", "1h",
			"5m", "5m"}},
	} {
		t.Run(row.why, func(t *testing.T) {
			r, err := Rank(parse(t, row.doc), Options{Count: tokens.Chars4, TTL: row.ttl})
			require.NoError(t, err)
			out, err := format.Render(r.Conversation)
			require.NoError(t, err)
			require.Equal(t, row.want, found(parse(t, string(out))))
		})
	}
}

// The end of the previous request is marked before all but the end of this one: its prompt is read whole, however many
// blocks follow, and whatever a pass will change before it.
func TestReach(t *testing.T) {
	var calls, results []string
	for i := range 50 {
		calls = append(calls, `{"type":"tool_use","id":"`+strconv.Itoa(i)+`","name":"t","input":{}}`)
		results = append(results, `{"type":"tool_result","tool_use_id":"`+strconv.Itoa(i)+`","content":"x"}`)
	}
	for _, turn := range []string{`{"role":"assistant","content":[` + strings.Repeat(`{"type":"text","text":"x"},`, 29) +
		`{"type":"text","text":"x"}]},{"role":"user","content":"next"}`,
		`{"role":"assistant","content":[` + strings.Join(calls, ",") + `]},{"role":"user","content":[` +
			strings.Join(results, ",") + `]}`} {
		doc := strings.TrimSuffix(body(sized(system2k, 1100), "u:"+words(2000), "a:ok", "u:go"), "]}") + "," + turn + "]}"
		for _, room := range []int{2, 4} {
			r, err := Rank(parse(t, doc), Options{Count: tokens.Chars4, Max: room,
				Stable: func(r msg.Ref) bool { return r.Message > 1 }})
			require.NoError(t, err)
			require.Contains(t, short(r), "+previous_end /messages/2/content")
			require.Contains(t, short(r)[len(r.Anchors)-1], "+request_end")
		}
	}
}

// The breakpoints of an earlier Rank are placed again, also those of tools and of the system prompt; those of the
// caller stay.
func TestOwnBreakpoints(t *testing.T) {
	const tool = `"tools":[{"name":"a","description":"DESCRIPTION"}],`
	doc := body(strings.Replace(tool, "DESCRIPTION", words(1100), 1)+sized(system2k, 1100), "u:"+words(10), "a:ok", "u:go")
	mine := strings.Replace(doc, `"content":"ok"`, `"content":[{"type":"text","text":"ok","cache_control":{"type":"ephemeral"}}]`, 1)
	first, err := Rank(parse(t, mine), Options{Count: tokens.Chars4})
	require.NoError(t, err)
	require.Equal(t, []string{"-tools_end /tools/0", "+system_end /system/0", "+previous_end /messages/0/content",
		"+before_prompt /messages/1/content/0", "+request_end /messages/2/content"}, short(first))
	out, err := format.Render(first.Conversation)
	require.NoError(t, err)
	grown := strings.TrimSuffix(string(out), "]}") + `,{"role":"assistant","content":"a"},{"role":"assistant","content":"b"},` +
		`{"role":"user","content":"c"}]}`
	second, err := Rank(parse(t, grown), Options{Count: tokens.Chars4, Own: first.Own})
	require.NoError(t, err)
	require.Equal(t, []string{"-tools_end /tools/0", "+system_end /system/0", "-present /messages/0/content/0",
		"+present /messages/1/content/0", "+previous_end /messages/2/content/0", "-before_prompt /messages/4/content",
		"+request_end /messages/5/content"}, short(second))
	require.Len(t, second.Own, 3)
}

// A host that keeps the breakpoints of each request fills the limit: the reason reports it, and Move releases the old
// ones.
func TestMove(t *testing.T) {
	doc := `{"messages":[{"role":"user","content":[{"type":"text","text":"` + words(1500) +
		`","cache_control":{"type":"ephemeral"}}]}`
	for i := range 40 {
		doc += `,{"role":"` + []string{"assistant", "user"}[i%2] + `","content":"x"}`
	}
	c := parse(t, doc+"]}")
	r, err := Rank(c, Options{Count: tokens.Chars4, Max: 1})
	require.NoError(t, err)
	require.Same(t, c, r.Conversation)
	require.Contains(t, r.Anchors[len(r.Anchors)-1].Reason, "40 positions before the end: set move")

	r, err = Rank(c, Options{Count: tokens.Chars4, Max: 1, Move: true})
	require.NoError(t, err)
	require.Equal(t, []string{"-present /messages/0/content/0", "-previous_end /messages/38/content",
		"-before_prompt /messages/39/content", "+request_end /messages/40/content"}, short(r))
	out, err := format.Render(r.Conversation)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(out), "cache_control"))
}

// Each place has the tokens since the chosen breakpoint before it, and what they cost: Sonnet 4.5 at $3 a million, a
// read at a tenth, a write for five minutes at 1.25 and for an hour at 2 times that.
func TestCosts(t *testing.T) {
	doc := body(sized(system2k, 2000), "u:"+words(1000), "a:"+words(500), "u:"+words(300))
	for ttl, write := range map[string]int{FiveMinutes: 1250, OneHour: 2000} {
		r, err := Rank(parse(t, doc), Options{Count: tokens.Chars4, TTL: ttl})
		require.NoError(t, err)
		before := 0
		for _, a := range r.Anchors {
			require.True(t, a.Chosen)
			require.Equal(t, a.TokensBefore-before, a.Tokens, a.Kind)
			require.Equal(t, 3*a.Tokens, a.InputCost, a.Kind)
			require.Equal(t, (300*a.Tokens+500)/1000, a.ReadCost, a.Kind)
			require.Equal(t, (3*write*a.Tokens+500)/1000, a.WriteCost, a.Kind)
			before = a.TokensBefore
		}
		require.GreaterOrEqual(t, before, 3800)
	}
}

// After a clearing, the previous request's breakpoint before the changed result is the entry that can still be read; a
// State that observed the request finds it.
func TestPreviousEntry(t *testing.T) {
	long := words(1500)
	request := func(result string) *msg.Conversation {
		return parse(t, body(sized(system2k, 2000), "u:"+long, "a>1", "u<1:"+result, "a>2", "u<2:"+long, "a:done", "u:next"))
	}
	sent, err := Rank(request(long), Options{Count: tokens.Chars4, Stable: func(r msg.Ref) bool { return r.Message != 2 }})
	require.NoError(t, err)
	require.Contains(t, short(sent), "+stable_boundary /messages/1/content/0")
	previous := FingerprintOf(sent.Conversation)
	for _, row := range []struct {
		why, want string
		now       *msg.Conversation
		previous  Fingerprint
	}{
		{"nothing changed: the previous end is the end", "+request_end /messages/6/content", request(long), previous},
		{"a result was cleared", "+previous_end /messages/1/content/0", request("[cleared]"), previous},
		{"the previous request is unknown", "+previous_end /messages/4/content/0", request("[cleared]"), Fingerprint{}},
		{"its fingerprint was stored", "+previous_end /messages/1/content/0", request("[cleared]"), stored(t, previous)},
	} {
		t.Run(row.why, func(t *testing.T) {
			r, err := Rank(row.now, Options{Count: tokens.Chars4, Previous: row.previous})
			require.NoError(t, err)
			require.Contains(t, short(r), row.want)
		})
	}
	other := request(long)
	other.Model = "claude-opus-5"
	r, err := Rank(other, Options{Count: tokens.Chars4, Previous: previous})
	require.NoError(t, err)
	require.NotContains(t, strings.Join(short(r), " "), "previous_end", "another model reads no entry")
}

// Without a block that a pass changes, the last summary is the stable boundary: the next compaction replaces messages
// after it.
func TestTheLastSummaryIsTheStableBoundary(t *testing.T) {
	c := parse(t, body(sized(system2k, 2000), "u:go", "a>1", "u<1:"+words(2000), "a>2", "u<2:"+words(1500),
		"a>3", "u<3:new"))
	for _, m := range []int{0, 2} {
		c.Messages[m].Blocks[0].Summary = true
	}
	r, err := Rank(c, Options{Count: tokens.Chars4})
	require.NoError(t, err)
	require.Equal(t, []string{"+system_end /system/0", "+stable_boundary /messages/2/content/0",
		"+previous_end /messages/4/content/0", "-before_prompt /messages/5/content/0", "+request_end /messages/6/content/0"},
		short(r))
	r, err = Rank(c, Options{Count: tokens.Chars4, Stable: func(r msg.Ref) bool { return r.Message != 4 }})
	require.NoError(t, err)
	require.Contains(t, short(r), "+stable_boundary /messages/3/content/0", "a result that a pass will clear comes first")
}

// stored is a fingerprint after a State was written and read.
func stored(t *testing.T, f Fingerprint) Fingerprint {
	h, _, _ := Observe(Health{}, msg.Usage{Input: 1}, f, 0)
	h, ok := DecodeHealth(h.Encode())
	require.True(t, ok)
	return h.Observed()
}

// The JSON of an Anchor.
func TestAnchorJSON(t *testing.T) {
	out, err := json.Marshal(Anchor{Path: "/system/0", Kind: SystemEnd, TokensBefore: 2000, HitPermille: 490,
		Value: 980, Chosen: true, TTL: "5m", Reason: "why", Tokens: 1500, InputCost: 4500,
		ReadCost: 450, WriteCost: 5625})
	require.NoError(t, err)
	require.JSONEq(t, `{"path":"/system/0","kind":"system_end","tokensBefore":2000,"hitPermille":490,"value":980,`+
		`"chosen":true,"ttl":"5m","reason":"why","tokens":1500,"inputCost":4500,"readCost":450,"writeCost":5625}`, string(out))
}
