package msg

import "strconv"

// The rules of OpenAI's Chat Completions. A result is a message of its own here, under the role tool; the messages that
// answer an assistant message stand directly behind it. The deprecated function_call has no id: the codec makes one of its
// name, so that it is a pair like any other.

// toolRound is an assistant message with calls, and the run of tool messages behind it.
type toolRound struct {
	calls   []Ref
	answers Span
	open    bool // nothing else follows
}

func isTool(r Role) bool { return r == Tool || r == Function }

func (f *finder) openAI() {
	if len(f.c.Messages) == 0 {
		f.emptyList(O3Empty, "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.")
		return
	}
	f.openAIContent()
	rounds := f.toolRounds()
	named := f.nameResults(rounds)
	key := func(at Ref, b *Block) (string, bool) { return f.openAIKey(at, b, named) }
	pairs := pairBy(f.c, key)
	f.openAIIDs(rounds, pairs)
	f.openAIPairs(rounds, pairs, key)
}

func (f *finder) openAIContent() {
	for m := range f.c.Messages {
		message := &f.c.Messages[m]
		switch message.Role {
		case System, Developer, User, Assistant:
			if hasContent(message) {
				continue
			}
			p := f.report(O3Empty, whole(m), "The "+string(message.Role)+" message has no content.", "the message is removed")
			if message.Role != Assistant {
				p.ProviderError = ""
			}
			f.edit.removeMessage(message, m)
		case Tool, Function:
			f.toolContent(message, m)
		default:
			f.leave(O4Role, whole(m), "The role "+short(string(message.Role))+" is none that the API knows: "+
				"it takes system, developer, user, assistant and tool.", unknownRole)
		}
	}
}

// toolContent reports a result whose content is null, absent or an empty array. A function message may say null.
func (f *finder) toolContent(message *Message, m int) {
	b := resultOf(message)
	if b < 0 {
		return
	}
	content := message.Raw.Member("content")
	ref, empty := Ref{m, b}, len(content) == 0 || content.IsNull() && message.Role == Tool || content.Kind() == '['
	block := f.c.At(ref)
	if !empty || len(message.Raw) == 0 || len(block.Parts) > 0 || block.Changed&ChangedText != 0 {
		return
	}
	f.report(O3Empty, ref, "The "+string(message.Role)+" message for "+resultName(block)+" has no content.",
		"its content becomes an empty string").ProviderError = errNullContent
	f.edit.put(ref, f.block(ref).WithText(""))
}

// hasContent reports a message that the API takes. An empty string is content, null and an empty array are none. In an
// assistant message calls, a refusal or audio take its place; reasoning never does.
func hasContent(m *Message) bool {
	for i := range m.Blocks {
		if b := &m.Blocks[i]; b.Kind != KindThinking && (m.Role == Assistant || !isAssistantMember(b)) {
			return true
		}
	}
	if m.Role == Assistant && !(m.Raw.Member("refusal").IsNull() && m.Raw.Member("audio").IsNull()) {
		return true
	}
	return !m.Changed && m.Raw.Member("content").Kind() == '"'
}

// isAssistantMember reports a block that an assistant message has next to its content.
func isAssistantMember(b *Block) bool {
	return b.Kind == KindToolUse || b.Type == "refusal" && b.Raw.Kind() == '"' || b.Type == "audio" && b.Kind == KindOther
}

func (f *finder) toolRounds() []toolRound {
	var rounds []toolRound
	for m := range f.c.Messages {
		if f.c.Messages[m].Role != Assistant {
			continue
		}
		r := toolRound{answers: Span{m + 1, m + 1}}
		for b := range f.c.Messages[m].Blocks {
			if f.isCall(Ref{m, b}) {
				r.calls = append(r.calls, Ref{m, b})
			}
		}
		if len(r.calls) == 0 {
			continue
		}
		for r.answers.End < len(f.c.Messages) && isTool(f.c.Messages[r.answers.End].Role) {
			r.answers.End++
		}
		r.open = r.answers.End == len(f.c.Messages)
		rounds = append(rounds, r)
	}
	return rounds
}

func (f *finder) isCall(r Ref) bool {
	b := f.c.At(r)
	return b.Kind == KindToolUse && !b.Server && f.c.Messages[r.Message].Role == Assistant
}

// resultOf returns the result that a tool message is: the first of its blocks, since a codec makes no second.
func resultOf(m *Message) int {
	for b := range m.Blocks {
		if m.Blocks[b].Kind == KindToolResult {
			return b
		}
	}
	return -1
}

// nameResults finds tool messages that name no call (some logs leave the id out) and gives each the first call of its
// round that nobody else answers.
func (f *finder) nameResults(rounds []toolRound) map[Ref]string {
	named := map[Ref]string{}
	for _, r := range rounds {
		answered := map[string]bool{}
		for m := r.answers.Start; m < r.answers.End; m++ {
			if b := resultOf(&f.c.Messages[m]); b >= 0 {
				answered[f.c.Messages[m].Blocks[b].ID] = true
			}
		}
		next := 0
		for m := r.answers.Start; m < r.answers.End; m++ {
			b := resultOf(&f.c.Messages[m])
			if b < 0 || f.c.Messages[m].Role != Tool || f.c.Messages[m].Blocks[b].ID != "" {
				continue
			}
			for next < len(r.calls) && (f.c.At(r.calls[next]).ID == "" || answered[f.c.At(r.calls[next]).ID]) {
				next++
			}
			if next == len(r.calls) {
				break
			}
			call := f.c.At(r.calls[next])
			answered[call.ID] = true
			named[Ref{m, b}] = call.ID
			f.report(O2Orphan, Ref{m, b}, "The tool message names no call; by its place it answers "+callName(call)+".",
				"it gets that call's id")
			f.edit.put(Ref{m, b}, f.block(Ref{m, b}).WithID(call.ID))
		}
	}
	return named
}

// openAIKey says by which id a call or result is matched. A call and a result that both have none go together.
func (f *finder) openAIKey(at Ref, b *Block, named map[Ref]string) (string, bool) {
	if b.Kind == KindToolUse {
		return b.ID, f.isCall(at)
	}
	if id, ok := named[at]; ok {
		return id, true
	}
	message := &f.c.Messages[at.Message]
	return b.ID, isTool(message.Role) && resultOf(message) == at.Block
}

// openAIIDs renames the calls that share an id with another call of their own message. Across messages an id may come again.
func (f *finder) openAIIDs(rounds []toolRound, pairs Pairing) {
	for _, r := range rounds {
		seen := map[string]bool{}
		for n, call := range r.calls {
			id := f.c.At(call).ID
			result, answered := pairs.Result(call)
			if id == "" {
				f.noID(O6ID, call, f.rename(call, result, answered),
					"messages["+strconv.Itoa(call.Message)+"].tool_calls["+strconv.Itoa(n)+"].id")
				continue
			}
			if !seen[id] || f.c.At(call).Type == "function_call" {
				seen[id] = true
				continue
			}
			f.report(O5Duplicate, call, "The id of the call "+callName(f.c.At(call))+
				" is another call's too, in the same message.",
				"the call and its result get the id "+short(f.rename(call, result, answered)))
		}
	}
}

func (f *finder) openAIPairs(rounds []toolRound, pairs Pairing, key func(Ref, *Block) (string, bool)) {
	at := map[Ref]int{}      // call -> its round
	answers := map[int]int{} // message -> the round that it answers
	for n := range rounds {
		for _, call := range rounds[n].calls {
			at[call] = n
		}
		for m := rounds[n].answers.Start; m < rounds[n].answers.End; m++ {
			answers[m] = n
		}
	}
	inPlace := func(call, result Ref) bool {
		n, ok := answers[result.Message]
		return ok && n == at[call]
	}
	type place struct {
		round int
		id    string
	}
	known := map[place]bool{} // the ids that each round calls
	for call, n := range at {
		known[place{n, f.c.At(call).ID}] = true
	}
	for m := range f.c.Messages {
		message := &f.c.Messages[m]
		if !isTool(message.Role) {
			continue
		}
		b := resultOf(message)
		if b < 0 {
			f.report(O2Orphan, whole(m), "The "+string(message.Role)+" message holds no result.", "the message is removed")
			f.edit.removeMessage(message, m)
			continue
		}
		ref := Ref{m, b}
		call, paired := pairs.Call(ref)
		if paired && inPlace(call, ref) {
			continue
		}
		block := f.c.At(ref)
		name := callName(block)
		n, answering := answers[m]
		id, _ := key(ref, block)
		switch {
		case paired:
			f.report(O2Orphan, ref, "The result of "+callName(f.c.At(call))+" does not stand directly behind its call.",
				"the message is moved up behind its call")
		case answering && known[place{n, id}]:
			f.report(O5Duplicate, ref, "The call "+name+" has a second result.", "the second result is removed")
		default:
			if name == "" {
				name = "no call"
			}
			f.report(O2Orphan, ref, "The "+string(message.Role)+" message for "+name+
				" answers no call of the assistant message before it.", "the message is removed")
		}
		f.edit.removeMessage(message, m)
	}
	for n := range rounds {
		f.noToolMessage(&rounds[n], pairs, inPlace)
	}
}

// noToolMessage reports the calls of a round that no tool message in place answers, and puts one there.
func (f *finder) noToolMessage(r *toolRound, pairs Pairing, inPlace func(call, result Ref) bool) {
	for _, call := range r.calls {
		result, ok := pairs.Result(call)
		if ok && inPlace(call, result) {
			continue
		}
		block := f.block(call)
		original := f.c.At(call)
		switch name := callName(original); {
		case ok:
			f.report(O1Unanswered, call, "The call "+name+" has its result, but not directly behind it.",
				"its result is moved up behind it", short(original.ID))
			f.edit.add(r.answers.End, f.moved(result))
		case r.open:
			f.wait(O1Unanswered, call, "The call "+name+" is unfinished: the conversation ends before its result.",
				short(original.ID))
		default:
			f.report(O1Unanswered, call, "The call "+name+" has no result behind it.",
				"a tool message saying "+noResult+" is put there", short(original.ID))
			role := Tool
			if block.Type == "function_call" {
				role = Function
			}
			f.edit.add(r.answers.End, Message{Role: role, Blocks: []Block{ResultBlock(&block, noResult, false)}, Changed: true})
		}
	}
}

// moved returns the tool message of a result as the edits noted so far leave it.
func (f *finder) moved(result Ref) Message {
	m := f.c.Messages[result.Message]
	if b, ok := f.edit.replace[result]; ok {
		blocks := append([]Block(nil), m.Blocks...)
		blocks[result.Block] = b
		return m.WithBlocks(blocks)
	}
	return m
}
