package msg

// Calls returns the indices of the messages that are answers of model calls: the assistant messages. The prompt of each
// call is the messages before it. A message that the agent wrote in place of the model (Claude Code, after an
// interruption) is not an answer.
func Calls(c *Conversation) []int {
	var all []int
	for m := range c.Messages {
		if c.Messages[m].Role == Assistant && !(c.Format == ClaudeCode && isSynthetic(&c.Messages[m])) {
			all = append(all, m)
		}
	}
	return all
}

func isSynthetic(m *Message) bool {
	const synthetic = "<synthetic>"
	if m.Model != "" && m.Model != synthetic { // the codec has read it
		return false
	}
	return m.Raw.Member("message").Member("model").Text() == synthetic
}
