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
