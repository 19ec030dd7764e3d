package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
)

// In a window of 120 to 200 tokens, the user's words leave room for the label and the heading: a preset that keeps
// nothing but the current request ends within its hard limit, every other one does or says that it cannot.
func TestWordsInSmallWindows(t *testing.T) {
	for _, preset := range summarizing(t) {
		p, err := policy.Preset(preset)
		require.NoError(t, err)
		p.Trigger.Tokens, p.Trigger.SoftPermille, p.Trigger.BufferTokens, p.Trigger.ReserveOutput = 0, 500, 0, 0
		p.Trigger.HardPermille = 900
		for _, rounds := range []int{1, 3, 8, 30} {
			var messages []string
			for i := range rounds {
				messages = append(messages, fmt.Sprintf(`{"role":"user","content":"Rule %d: never touch table number %d of the shop."},`+
					`{"role":"assistant","content":"The parser of file_%d.go reads it now, and the tests of part %d pass."}`, i, i, i, i))
			}
			c := parse(t, `{"model":"gpt-5","messages":[`+strings.Join(messages, ",")+`,{"role":"user","content":"Go on."}]}`)
			for window := 120; window <= 200; window += 5 {
				p.Trigger.Window = window
				size, err := sizeWithoutModel(c, p)
				if p.Summary.Strategy != "whole" && isOverflow(err) {
					continue
				}
				require.NoError(t, err, "%s, %d rounds, window %d", preset, rounds, window)
				require.LessOrEqual(t, size, window*9/10, "%s, %d rounds, window %d", preset, rounds, window)
			}
		}
	}
}

// sizeWithoutModel compacts a conversation without a model, and returns its tokens.
func sizeWithoutModel(c *msg.Conversation, p policy.Policy) (int, error) {
	loop, err := core.NewLoop(c, "", p, core.Env{Count: tokens.Chars4})
	if err != nil {
		return 0, err
	}
	for loop.Plan() != nil {
		results, err := loop.Summarize()
		if err != nil {
			return 0, err
		}
		if _, err = loop.Apply(results); err != nil {
			return 0, err
		}
	}
	return tokens.NewMeter(tokens.Chars4, loop.Conversation()).Conversation(loop.Conversation()).Total, nil
}
