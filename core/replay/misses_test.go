package replay

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/misses"
	"tamp/core/models"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// missed is a session in which results are cleared before they are used: the agent reads a file, then others, edits the
// first one, names files that it had read, and reads them again.
const missedSession = `[{"role":"user","content":"Fix it."},
{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"src/a.go"}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"     1\tfunc readFile() {\n     2\t\treturn maxSize\n     3\t}"}]},
{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"Bash","input":{"command":"make test","description":"test it"}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"ok 4711, and more text than the placeholder has"}]},
{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"Edit","input":{"file_path":"src/a.go","old_string":"func readFile() {\n\treturn maxSize","new_string":"x"}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"done"}]},
{"role":"assistant","content":[{"type":"text","text":"maxSize was wrong, see 4711 and neverSeen."},{"type":"tool_use","id":"d","name":"Bash","input":{"command":"make test","description":"again"}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"d","content":"ok"}]},
{"role":"assistant","content":"Done."}]`

// Every number is computed by hand.
func TestMisses(t *testing.T) {
	p, err := policy.Parse("clear_tool_uses", []byte(`{"clear":{"triggerToolUses":1,"keepRecent":1}}`))
	require.NoError(t, err)
	c := parse(t, missedSession)
	o := Options{Count: tokens.Chars4, Prices: &models.Price{Input: 1000, Output: 5000, Read: 100, Write5m: 1250,
		Write1h: 2000}}
	r, err := Replay(c, p, o)
	require.NoError(t, err)
	m := r.Misses
	// Call 3 uses src/a.go, readFile and maxSize; call 4 maxSize, 4711. src/a.go is in the input of the first call, and
	// maxSize in that of the edit.
	require.Equal(t, []int{5, 3, 400, 2, 1, 1, 1, 1}, []int{m.Names, m.Missed, m.Permille, m.Calls, m.Edits, m.Lost,
		m.Repeats, m.LeftOut}, m.Text)
	result := "/2/content/0"
	require.Equal(t, []misses.Miss{
		{Name: "func readFile() {", Edit: true, Path: result, Tool: "Read", Fate: "cleared"},
		{Name: "readFile", Path: result, Tool: "Read", Fate: "cleared"},
		{Name: "maxSize", Path: result, Tool: "Read", Fate: "cleared"},
	}, r.Calls[2].Misses)
	require.Equal(t, "Of 5 names that the agent used later, 2 were in the context (40 %); 2 of 5 calls missed something; 1 "+
		"of 1 edit would have had to read again.", m.Text)
	require.Equal(t, []misses.Miss{{Name: "4711", Path: "/4/content/0", Tool: "Bash", Fate: "cleared"}}, r.Calls[3].Misses)
	// Call 3 reads the result of the first call again. Its price includes the tokens of the call itself. What call 4 lacks
	// the session itself reads again.
	meter := tokens.NewMeter(tokens.Chars4, c)
	text, call := meter.Block(&c.Messages[2].Blocks[0]), meter.Block(&c.Messages[1].Blocks[0])
	require.Equal(t, []int{1, text}, []int{m.Reads, m.Tokens})
	require.Equal(t, (100*r.Calls[2].Sent+1250*(text+call)+5000*call+500)/1000, m.ReadCost)
	require.Equal(t, r.Totals.Cost+m.ReadCost, m.Cost)
	reads := 0
	for i := range r.Calls {
		reads += r.Calls[i].ReadCost
	}
	require.Equal(t, m.ReadCost, reads, "the parts add up")
	o.None = true
	none, err := Replay(c, p, o)
	require.NoError(t, err)
	require.Equal(t, Misses{Names: 5, Permille: 1000, Edits: 1, Repeats: 1, Cost: none.Totals.Cost,
		Text: "Of 5 names that the agent used later, 5 were in the context (100 %); 0 of 5 calls missed something; 0 of 1 " +
			"edit would have had to read again."}, none.Misses)
}
