package msg

// Messages of role system in the middle of a conversation. Source: Anthropic's page on mid-conversation system
// messages.

// IsSetting reports a system message of the Messages API without content that only sets output_config, such as the
// effort. It may be anywhere.
func (m *Message) IsSetting() bool {
	return m.Role == System && len(m.Raw) > 0 && m.Raw.Member("output_config").Kind() == '{' &&
		(len(m.Blocks) == 0 || len(m.Blocks) == 1 && m.Blocks[0].Bare && m.Blocks[0].Text == "")
}

// IsForTurn reports a system message that the model reads only up to the next user message (clear_at). It stays in the
// request, without tokens.
func (m *Message) IsForTurn() bool {
	return m.Role == System && m.Raw.Kind() == '{' && m.Raw.Member("clear_at").Kind() == '"'
}

// PrecedesSystem reports a message that a system message with content may follow in the Messages API: one of the user,
// or of the assistant if it ends in the result of a tool of the provider. Neighboring system messages count as one.
func (m *Message) PrecedesSystem() bool {
	last := len(m.Blocks) - 1
	return m.Role != Assistant || last >= 0 && m.Blocks[last].Kind == KindToolResult && m.Blocks[last].Server
}

// FollowsSystem reports a message that may follow such a system message: one of the assistant, or one with results of
// tools behind a message for a turn, which they clear.
func (m *Message) FollowsSystem(system *Message) bool {
	return m.Role != User || system.IsForTurn() && m.Any(func(b *Block) bool { return b.Kind == KindToolResult })
}

// ProviderCompaction is the type of a block with which the Messages API begins an answer that it compacted the
// conversation for (compact_20260112): it drops all messages before that one. Source: @anthropic-ai/sdk 1.14.0,
// BetaCompactionBlock.
const ProviderCompaction = "compaction"

// Restarts reports a message behind which the provider drops all messages before it. A compaction item of OpenAI, which
// is sealed, has what it dropped left out already.
func (m *Message) Restarts() bool {
	if m.Role != Assistant || len(m.Blocks) == 0 {
		return false
	}
	b := &m.Blocks[0]
	return b.Kind == KindSummary && b.Type == ProviderCompaction &&
		(b.Raw.Member("content") != nil || b.Raw.Member("providerOptions") != nil)
}
