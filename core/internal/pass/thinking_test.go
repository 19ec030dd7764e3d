package pass_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/internal/pass"
)

// Old thinking goes whole; that of the newest turns and of the open round stays, and so does a message that is nothing
// else.
func TestThinkingRules(t *testing.T) {
	const thinking = `{"type":"thinking","thinking":"hm, hm","signature":"s"}`
	says := `{"role":"assistant","content":[` + thinking + `,{"type":"text","text":"Done."}]}`
	only := `{"role":"assistant","content":[` + thinking + `]}`
	calls := `{"role":"assistant","content":[` + thinking + `,{"type":"tool_use","id":"1","name":"a","input":{}}]}`
	ask := `{"role":"user","content":"Go."}`
	result := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"ok"}]}`
	rows := []struct {
		why, messages string
		keep          int
		want          []string
	}{
		{"the newest turn", ask + "," + says + "," + ask + "," + says + "," + ask, 1, []string{
			"1.0 dropped : thinking of turn 1, older than the newest 1, drop_thinking 1 to 0 ",
			"3.0 pinned : in the newest 1 turns"}},
		{"more turns than there are", ask + "," + says + "," + ask + "," + says, 3, []string{
			"1.0 pinned : in the newest 3 turns", "3.0 pinned : in the newest 3 turns"}},
		{"nothing else in the message", ask + "," + only + "," + ask + "," + says, 1, []string{
			"1.0 kept : without it the message would be empty", "3.0 pinned : in the newest 1 turns"}},
		{"an open round", ask + "," + says + "," + ask + "," + calls + "," + result, 1, []string{
			"1.0 dropped : thinking of turn 1, older than the newest 1, drop_thinking 1 to 0 ",
			"3.0 pinned : its tool round is still open"}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			in := input(parse(t, []byte("["+row.messages+"]")), charCounter)
			require.Equal(t, row.want, show(t, pass.Thinking{KeepTurns: row.keep}.Run(in)))
			require.Nil(t, pass.Thinking{}.Run(in), "switched off")
		})
	}
}
