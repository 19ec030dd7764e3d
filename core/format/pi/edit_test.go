package pi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core/format/pi"
	"tamp/core/msg"
)

// A context edit replaces the content of an entry, the newest one of the path; null takes it out. The original stays,
// and so does an edit whose entry does not change.
func TestContextEdits(t *testing.T) {
	log := `{"type":"session","version":3,"id":"s"}
{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"one"}}
{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"two"}}
{"type":"message","id":"c","parentId":"b","message":{"role":"user","content":"three"}}
{"type":"context_edit","id":"d","parentId":"c","targetId":"a","replacement":"older"}
{"type":"context_edit","id":"e","parentId":"d","targetId":"a","replacement":[{"type":"text","text":"newest"}]}
{"type":"context_edit","id":"f","parentId":"e","targetId":"b","replacement":null}
`
	c, err := pi.Parse([]byte(log))
	require.NoError(t, err)
	texts := func(c *msg.Conversation) (all []string) {
		for it := c.Walk(); it.Next(); {
			all = append(all, it.Block.Text)
		}
		return all
	}
	require.Equal(t, []string{"newest", "three"}, texts(c))
	same, err := pi.Render(c)
	require.NoError(t, err)
	require.Equal(t, log, string(same))
	changed := append([]msg.Message(nil), c.Messages...)
	changed[0] = changed[0].WithBlocks([]msg.Block{changed[0].Blocks[0].WithText("ours")})
	out, err := pi.Render(c.WithMessages(changed))
	require.NoError(t, err)
	back, err := pi.Parse(out)
	require.NoError(t, err)
	require.Equal(t, []string{"ours", "three"}, texts(back))
	require.Equal(t, 1, strings.Count(string(out), `"type":"context_edit"`), "that of the entry that did not change")
}
