package msg

import "strings"

// A pair is a call and its result. Ids alone do not identify it: some providers and logs reuse an id in a later
// round. So a result answers the first open call of its id in the newest earlier message that has one; a result within
// the part of a call answers that call.

// Pairing maps each call to its result, and each result to its call.
type Pairing struct {
	result map[Ref]Ref // call -> result
	call   map[Ref]Ref // result -> call
	code   map[Ref]Ref // call -> the call of the code or program that made it
	made   map[Ref]Ref // call of code -> the last call that it made; that one -> the one before
}

// Pair matches the calls and results of a conversation by occurrence.
func Pair(c *Conversation) Pairing {
	var p Pairer
	p.Add(c)
	return p.Pairing
}

// Pairer is Pair for a conversation that grows at its end. The zero value is ready for use.
type Pairer struct {
	Pairing
	open  map[string][]calls
	codes map[string]Ref // the last call of code by its id
	seen  int            // messages
}

// Add matches the messages of c after those that were added before. c may have fewer: a session reads them again.
func (p *Pairer) Add(c *Conversation) {
	p.addMessages(c, func(_ Ref, b *Block) (string, bool) { return b.ID, true })
}

// PairBy is Pair with other ids: key returns the id of a call or result, and whether it takes part.
func PairBy(c *Conversation, key func(Ref, *Block) (string, bool)) Pairing {
	var p Pairer
	p.addMessages(c, key)
	return p.Pairing
}

func (p *Pairer) addMessages(c *Conversation, key func(Ref, *Block) (string, bool)) {
	if p.open == nil {
		p.Pairing = Pairing{map[Ref]Ref{}, map[Ref]Ref{}, map[Ref]Ref{}, map[Ref]Ref{}}
		p.open, p.codes = map[string][]calls{}, map[string]Ref{}
	}
	open := p.open
	for ref, block := range c.BlocksIn(Span{Start: p.seen, End: len(c.Messages)}) {
		if block.Kind != KindToolUse && block.Kind != KindToolResult {
			continue
		}
		switch code, ok := p.codes[block.Caller]; {
		case block.Server && block.Kind == KindToolUse && block.ID != "":
			p.codes[block.ID] = ref
		case ok && block.Caller != "":
			if before, ok := p.made[code]; ok {
				p.made[ref] = before
			}
			p.code[ref], p.made[code] = code, ref
		}
		id, ok := key(ref, block)
		if !ok {
			continue
		}
		same := open[id]
		last := len(same) - 1
		switch {
		case block.Kind == KindToolUse && last >= 0 && same[last][0].Message == ref.Message:
			same[last] = append(same[last], ref)
		case block.Kind == KindToolUse:
			open[id] = append(same, calls{ref})
		case last >= 0:
			same[last].toFront(callAround(c, same[last], block))
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
	p.seen = max(p.seen, len(c.Messages))
}

// calls are the open calls of one id in one message, at least one.
type calls []Ref

// toFront moves a call to the front.
func (open calls) toFront(k int) {
	call := open[k]
	copy(open[1:k+1], open[:k])
	open[0] = call
}

// maxAround bounds the calls of one id that callAround looks at, so that the time stays linear. No client has so many
// calls of one id in one message.
const maxAround = 100

// callAround returns the index of the call whose part has the result too, as histories of clients have it, else of the
// first call of the type that the result answers, as OpenAI's Responses name it, else 0.
func callAround(c *Conversation, open calls, result *Block) int {
	ofType := -1
	for k := 0; k < min(len(open), maxAround) && len(open) > 1; k++ {
		call := c.At(open[k])
		if path := call.Path; path != "" && strings.HasPrefix(result.Path, path+"/") {
			return k
		}
		if rest, ok := strings.CutPrefix(result.Type, call.Type); ok && rest == "_output" && ofType < 0 {
			ofType = k
		}
	}
	return max(ofType, 0)
}

// Result returns the result of a call; false if there is none.
func (p Pairing) Result(call Ref) (Ref, bool) { r, ok := p.result[call]; return r, ok }

// Call returns the call that a result answers; false if there is none.
func (p Pairing) Call(result Ref) (Ref, bool) { r, ok := p.call[result]; return r, ok }

// Origin returns the call that a result answers, or the call of the code that made a call; false for other blocks.
func (p Pairing) Origin(ref Ref) (Ref, bool) {
	if call, ok := p.call[ref]; ok {
		return call, true
	}
	code, ok := p.code[ref]
	return code, ok
}

// Linked visits blocks that are valid only together with a block: the other half of its pair, the call of the code that
// made it, and the last call that it made, or that the same code made before. Through them, all others are linked.
func (p Pairing) Linked(ref Ref, visit func(Ref)) {
	if origin, ok := p.Origin(ref); ok {
		visit(origin)
	}
	if result, ok := p.result[ref]; ok {
		visit(result)
	}
	if call, ok := p.made[ref]; ok {
		visit(call)
	}
}

// Len returns the number of pairs.
func (p Pairing) Len() int { return len(p.call) }

// ToolName returns the name of the tool that a result came from: from the call it answers, else from the result itself,
// else "unknown".
func (p Pairing) ToolName(c *Conversation, result Ref) string {
	// A call after its result may be missing in c: a session that goes on has the pairs of all its messages.
	if call, ok := p.call[result]; ok && call.Message < len(c.Messages) && c.At(call).Name != "" {
		return c.At(call).Name
	}
	if name := c.At(result).Name; name != "" {
		return name
	}
	return "unknown"
}

// OpenRound returns the index of the last assistant message if it calls tools of the client: its round is open until
// another assistant message follows. If code that the provider runs made a call, the round begins with the call of that
// code: all its rounds are open until it returns. It returns len(c.Messages) if there is no open round.
func OpenRound(c *Conversation) int {
	for m := len(c.Messages) - 1; m >= 0; m-- {
		if c.Messages[m].Role != Assistant {
			continue
		}
		for b := c.Messages[m].Fallback(); b < len(c.Messages[m].Blocks); b++ {
			if block := &c.Messages[m].Blocks[b]; block.Kind == KindToolUse && !block.Server {
				return c.codeOf(m)
			}
		}
		break
	}
	return len(c.Messages)
}

// codeOf returns the first of the messages with the calls of the code that made the calls of message m; m if it was no
// code.
func (c *Conversation) codeOf(m int) int {
	callers := map[string]bool(nil)
	for b := range c.Messages[m].Blocks {
		if caller := c.Messages[m].Blocks[b].Caller; caller != "" {
			if callers == nil {
				callers = map[string]bool{}
			}
			callers[caller] = true
		}
	}
	first := m
	for k := m; k >= 0 && len(callers) > 0; k-- {
		for b := range c.Messages[k].Blocks {
			if block := &c.Messages[k].Blocks[b]; block.Server && block.Kind == KindToolUse && callers[block.ID] {
				delete(callers, block.ID)
				first = k
			}
		}
	}
	return first
}
