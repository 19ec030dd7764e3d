package msg

// The rules of the Anthropic Messages API, which hold for a Claude Code log too.
//
// Those on pairs stand in check_anthropic_pairs.go and check_server.go, those on cache breakpoints in check_cache.go.

func (f *finder) anthropic() {
	if len(f.c.Messages) == 0 {
		f.emptyList(A1Empty, "at least one message is required")
		return
	}
	f.anthropicRoles()
	f.anthropicEmpties()
	rounds := f.rounds()
	f.anthropicPairs(rounds)
	if !f.part {
		f.serverPairs()
	}
	f.openThinking()
	f.breakpoints()
	f.compactions()
}

// emptyList reports a conversation without a message. There is nothing to say for anyone, so nothing is mended.
func (f *finder) emptyList(rule Rule, providerError string) {
	p := f.leave(rule, outside, "The conversation has no messages.", "there is no message to repair")
	p.ProviderError = providerError
	if f.c.Model != "" || len(f.c.System) > 0 || len(f.c.Tools) > 0 {
		p.Path = "/messages" // only a whole request body has these
	}
}

const unknownRole = "the role does not say whose message it is"

func isKnownAnthropic(r Role) bool { return r == User || r == Assistant || r == System }

// opening stands in for the user's first message where the history begins with something else. Inserting loses nothing,
// while dropping the assistant's message would; and the text is no request that a model could carry out.
const opening = "[Conversation continues]"

func (f *finder) anthropicRoles() {
	for m := range f.c.Messages {
		message := &f.c.Messages[m]
		if !isKnownAnthropic(message.Role) {
			f.leave(A1Role, whole(m), "The role "+short(string(message.Role))+
				" is none that the API knows: it takes user, assistant and system.", unknownRole)
			continue
		}
		if m == 0 && message.Role != User && (len(message.Blocks) == 0 || message.Blocks[0].Type != "compaction") {
			f.report(A1Role, whole(0), "The first message is the "+string(message.Role)+"'s, it must be the user's.",
				"a user message saying "+opening+" is put before it")
			f.edit.add(0, TextMessage(User, opening))
		}
		if message.Role == Assistant {
			continue
		}
		for b := range message.Blocks {
			switch block := &message.Blocks[b]; {
			case block.Kind == KindToolUse && !block.Server:
				f.report(A1Role, Ref{m, b}, "The call "+callName(block)+" stands in a "+string(message.Role)+
					" message, only the assistant calls tools.", "the call is removed")
				f.edit.remove(Ref{m, b})
			case block.Kind == KindThinking:
				f.report(A1Role, Ref{m, b}, "A thinking block stands in a "+string(message.Role)+" message, only the assistant thinks.",
					"the block is removed")
				f.edit.remove(Ref{m, b})
			}
		}
	}
}

func (f *finder) anthropicEmpties() {
	for b := range f.c.System {
		if block := &f.c.System[b]; block.Kind == KindText && block.Text == "" && !block.Bare {
			p := f.leave(A1Empty, outside, "A text block of the system prompt is empty.", "only messages are repaired")
			p.Path, p.ProviderError = block.Path, errEmptyText
		}
	}
	last := len(f.c.Messages) - 1
	for m := range f.c.Messages {
		message := &f.c.Messages[m]
		if !isKnownAnthropic(message.Role) {
			continue
		}
		if isEmpty(message) {
			if m == last && message.Role == Assistant && !f.noContent(message) {
				continue // a prefill that holds nothing yet
			}
			f.report(A1Empty, whole(m), "The "+string(message.Role)+" message is empty.", "the message is removed")
			f.edit.removeMessage(message, m)
			continue
		}
		for b := range message.Blocks {
			if block := &message.Blocks[b]; block.Kind == KindText && block.Text == "" {
				f.report(A1Empty, Ref{m, b}, "A text block is empty.", "the block is removed").ProviderError = errEmptyText
				f.edit.remove(Ref{m, b})
			}
		}
	}
}

// noContent reports a message of a body whose content is null or absent, which the API refuses at any place. A line of a log
// that has no content is no message.
func (f *finder) noContent(m *Message) bool {
	return f.c.Format == Anthropic && len(m.Blocks) == 0 && len(m.Raw) > 0 && m.Raw.Member("content").IsNull()
}

func isEmpty(m *Message) bool {
	return len(m.Blocks) == 0 || len(m.Blocks) == 1 && m.Blocks[0].Bare && m.Blocks[0].Text == ""
}

// openThinking finds thinking of the open round that is no longer what came in. Parsed input never holds any: this
// guards what is made of it.
func (f *finder) openThinking() {
	for m := OpenRound(f.c); m < len(f.c.Messages); m++ {
		for b := range f.c.Messages[m].Blocks {
			if block := &f.c.Messages[m].Blocks[b]; block.Kind == KindThinking && block.Changed&^ChangedCache != 0 {
				f.leave(A9ThinkingOpen, Ref{m, b}, "A thinking block of the open tool round was changed.",
					"its signature is of the text that it had")
			}
		}
	}
}

const opaque = "a compaction block is neither moved nor removed"

// compactions holds the provider's compaction block to its place: the first of its message. It is opaque to us, so
// nothing of it is mended.
func (f *finder) compactions() {
	found := 0
	for m := range f.c.Messages {
		for b := range f.c.Messages[m].Blocks {
			block := &f.c.Messages[m].Blocks[b]
			if block.Type != "compaction" {
				continue
			}
			found++
			if b > 0 {
				f.leave(A12Compaction, Ref{m, b}, "The compaction block is not the first block of its message.", opaque, errMisplaced)
			}
			if found > 1 {
				f.leave(A12Compaction, Ref{m, b}, "There is more than one compaction block.", opaque, errAmbiguous)
			}
			if block.Changed&^ChangedCache != 0 { // a breakpoint is no part of it
				f.leave(A12Compaction, Ref{m, b}, "The compaction block was changed.", opaque, errMismatch)
			}
		}
	}
}
