package msg

// A pair is a call and its result. Ids are not enough to find it: some providers and logs use an id again in a later
// round. So a result belongs to the newest message before it that has an open call of its id, to the first such call there.

// Pairing says for each call where its result is, and for each result where its call is.
type Pairing struct {
	result map[Ref]Ref // call -> result
	call   map[Ref]Ref // result -> call
}

// Pair matches the calls and results of a conversation by occurrence.
func Pair(c *Conversation) Pairing {
	var p Pairer
	p.Add(c)
	return p.Pairing
}

// Pairer is Pair for a conversation that grows at its end. The zero value has seen nothing.
type Pairer struct {
	Pairing
	open map[string][]calls
	seen int // messages
}

// Add matches the messages of c that are new since the last Add.
func (p *Pairer) Add(c *Conversation) {
	p.add(c, func(_ Ref, b *Block) (string, bool) { return b.ID, true })
}

// pairBy is Pair under other ids: key says which id a call or result goes by, and whether it takes part at all.
func pairBy(c *Conversation, key func(Ref, *Block) (string, bool)) Pairing {
	var p Pairer
	p.add(c, key)
	return p.Pairing
}

func (p *Pairer) add(c *Conversation, key func(Ref, *Block) (string, bool)) {
	if p.open == nil {
		p.Pairing, p.open = Pairing{result: map[Ref]Ref{}, call: map[Ref]Ref{}}, map[string][]calls{}
	}
	open := p.open
	for m := p.seen; m < len(c.Messages); m++ {
		for b := range c.Messages[m].Blocks {
			block, ref := c.At(Ref{m, b}), Ref{m, b}
			if block.Kind != KindToolUse && block.Kind != KindToolResult {
				continue
			}
			id, ok := key(ref, block)
			if !ok {
				continue
			}
			same := open[id]
			last := len(same) - 1
			switch {
			case block.Kind == KindToolUse && last >= 0 && same[last][0].Message == m:
				same[last] = append(same[last], ref)
			case block.Kind == KindToolUse:
				open[id] = append(same, calls{ref})
			case last >= 0:
				call := same[last][0]
				p.result[call], p.call[ref] = ref, call
				if same[last] = same[last][1:]; len(same[last]) == 0 {
					open[id] = same[:last]
				}
				if len(open[id]) == 0 {
					delete(open, id)
				}
			}
		}
	}
	p.seen = len(c.Messages)
}

// calls are the open calls of one id in one message, at least one.
type calls []Ref

// Result returns the result of a call, if it has one.
func (p Pairing) Result(call Ref) (Ref, bool) { r, ok := p.result[call]; return r, ok }

// Call returns the call that a result answers, if there is one.
func (p Pairing) Call(result Ref) (Ref, bool) { r, ok := p.call[result]; return r, ok }

// ToolName returns the name of the tool that a result came from: from the call it answers, else from the result itself,
// else "unknown".
func (p Pairing) ToolName(c *Conversation, result Ref) string {
	if call, ok := p.call[result]; ok && c.At(call).Name != "" {
		return c.At(call).Name
	}
	if name := c.At(result).Name; name != "" {
		return name
	}
	return "unknown"
}

// OpenRound returns the index of the last assistant message where its calls are not all answered yet, or are answered
// but no assistant message has followed; len(c.Messages) where there is no open round.
func OpenRound(c *Conversation) int {
	for m := len(c.Messages) - 1; m >= 0; m-- {
		if c.Messages[m].Role != Assistant {
			continue
		}
		for b := range c.Messages[m].Blocks {
			if block := &c.Messages[m].Blocks[b]; block.Kind == KindToolUse && !block.Server {
				return m
			}
		}
		break
	}
	return len(c.Messages)
}
