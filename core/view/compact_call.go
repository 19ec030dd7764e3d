package view

import (
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

// ToolCompact is the name of the tool by which a model asks for a compaction.
const ToolCompact = "compact"

// CompactCall reports that the model has called compact: it is core.CompactCall, whose comment has its rules.
func CompactCall(c *msg.Conversation) (focus string, ok bool) {
	open := msg.OpenRound(c)
	if open == len(c.Messages) || !c.Messages[open].Any(func(b *msg.Block) bool {
		return b.Kind == msg.KindToolUse && b.Name == ToolCompact
	}) {
		return "", false // without pairing all calls
	}
	return CallIn(c, msg.Pair(c))
}

// CallIn is CompactCall with the pairs of c.
func CallIn(c *msg.Conversation, pairs msg.Pairing) (focus string, ok bool) {
	m := msg.OpenRound(c)
	if m == len(c.Messages) {
		return "", false
	}
	for b := range c.Messages[m].Blocks {
		at := msg.Ref{Message: m, Block: b}
		call := c.At(at)
		if call.Kind != msg.KindToolUse || call.Server {
			continue
		}
		if _, answered := pairs.Result(at); !answered {
			return "", false
		}
		if call.Name == ToolCompact {
			ok = true
			if focus == "" {
				focus = focusOf(call.Text)
			}
		}
	}
	return focus, ok
}

func focusOf(input string) string {
	if msg.Validate([]byte(input)) != nil {
		return ""
	}
	return strings.TrimSpace(rawjson.Value(strings.TrimSpace(input)).Member("focus").Text())
}
