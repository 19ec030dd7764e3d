package validity

import (
	"bytes"
	"strconv"
	"strings"

	"tamp/core/internal/marker"
	"tamp/core/internal/rawjson"
	"tamp/core/models"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// The rules of OpenAI's Responses. The codec joins the items of one response into one message, so a reasoning item and
// the items that it produced are neighbors in it. A result is a message of its own, at any place after its call.

const removesItem = "the item is removed"

// checkItemIDs matches calls and outputs, and checks their ids.
func checkItemIDs(ck *checker) {
	ck.items = pairItems(ck)
	checkCallIDs(ck, ck.items, openResponse(ck))
}

// checkItems checks each item, once calls and outputs are matched.
func checkItems(ck *checker) {
	pairs, open := ck.items, openResponse(ck)
	seen := map[string]*sameID{} // items by their id
	for m := range ck.c.Messages {
		message := &ck.c.Messages[m]
		switch message.Role {
		case msg.System, msg.Developer, msg.User, msg.Assistant, msg.Tool:
		default:
			ck.reportUnrepaired(R6Role, messageRef(m), "The role "+short(string(message.Role))+
				" is none that the API knows: it takes user, assistant, system and developer.", unknownRole,
				short(string(message.Role)))
		}
		for b := range message.Blocks {
			at, block := msg.Ref{Message: m, Block: b}, &message.Blocks[b]
			switch {
			case block.Kind == msg.KindToolUse:
				result, answered := pairs.Result(at)
				if block.ID == "" {
					reportEmptyID(ck, at, block, result, answered)
				}
				if !answered && !block.Server && !block.Async {
					checkUnansweredItem(ck, at, block, m >= open)
				}
			case block.Kind == msg.KindToolResult:
				if _, paired := pairs.Call(at); !paired && !ck.c.Partial {
					ck.drop(R1Orphan, at, "The output for "+resultName(block)+" answers no call before it.",
						"the output is removed", short(block.ID))
				}
			case block.Kind == msg.KindThinking:
				checkReasoningItem(ck, message, at)
			case block.Type == "compaction_trigger" && m < len(ck.c.Messages)-1:
				ck.drop(R4Compaction, at, "The compaction_trigger is not the last item.", removesItem).ProviderError = ""
			case block.Type == "item_reference" && ck.c.Stateless:
				reportNotStored(ck, at, block)
			case block.Type == "message" && block.Raw.Member("content").IsNull():
				reportNoContent(ck, at, block)
			case block.Kind == msg.KindSummary && block.Type != "compaction" && ck.c.Format == msg.OpenAIResponses:
				checkCompactionType(ck, at, block)
			}
			checkSealed(ck, at, block, seen)
		}
		if ck.c.Format == msg.OpenAIResponses {
			checkRepeatedMessages(ck, m, message, seen)
		}
	}
}

// checkWindow reports a request that is larger than the window of its model, by the estimate of its tokens: a warning.
// It counts only what can be too large, since counting takes longer than all other rules.
func checkWindow(ck *checker) {
	size, window := 0, models.ProfileFor(ck.c.Model, ck.c.Format).Window
	for it := ck.c.Walk(); it.Next(); {
		size += len(it.Block.Text)
	}
	if size < 2*window || !models.Known(ck.c.Model) { // a token has two bytes or more
		return
	}
	if total := tokens.NewMeter(nil, ck.c).Conversation(ck.c).Total; total > window {
		ck.addProblem(R5Context, SeverityWarning, outside, "The request has about "+strconv.Itoa(total)+
			" tokens, the window of the model has "+strconv.Itoa(window)+".", "").Reason = "a compaction makes it smaller"
	}
}

// checkCompactionType reports a compaction of another type than the API's. Codex once wrote the same item under another
// name.
func checkCompactionType(ck *checker, at msg.Ref, block *msg.Block) {
	p := ck.reportUnrepaired(R4Compaction, at, "The item "+itemID(block)+" has the type "+block.Type+
		", the API returns compactions of the type compaction.",
		"it is opaque, and holds all of the history before it", block.Type, "'compaction' and others")
	if block.Type == "compaction_summary" {
		p.Repair, p.Reason = "its type becomes compaction", ""
		putRaw(ck, at, "compaction", block.Raw.With("type", rawjson.Value(`"compaction"`)))
	}
}

// putRaw puts another item in place of one.
func putRaw(ck *checker, at msg.Ref, kind string, raw rawjson.Value) {
	made := ck.block(at)
	made.Type, made.Raw = kind, raw
	ck.edit.replaceBlock(at, made)
}

// openResponse returns the first of the assistant messages that the conversation ends with: how many responses they are
// can differ once they are written and read again, and an output can still come behind all of them.
func openResponse(ck *checker) int {
	isAssistant := func(m int) bool { return ck.c.Messages[m].Role == msg.Assistant }
	open := len(ck.c.Messages) - 1
	for open >= 0 && !isAssistant(open) {
		open--
	}
	for open > 0 && isAssistant(open-1) {
		open--
	}
	return open
}

// reportNoContent reports a message item without content.
func reportNoContent(ck *checker, at msg.Ref, block *msg.Block) {
	ck.report(R8Content, at, "The message has no content.", "its content becomes an empty string",
		"input["+strconv.Itoa(lastNumber(block.Path))+"].content")
	putRaw(ck, at, block.Type, block.Raw.With("content", rawjson.Value(`""`)))
}

// checkUnansweredItem reports a call without an output, and adds one that says so. An output of some types cannot be
// made.
func checkUnansweredItem(ck *checker, at msg.Ref, call *msg.Block, last bool) {
	name := callName(call)
	switch {
	case last:
		ck.reportUnfinished(R1Unanswered, at, "The call "+name+" is unfinished: the conversation ends before its output.",
			short(call.ID))
		return
	case call.Type == "computer_call" || call.Type == "mcp_approval_request" || call.Type == "tool_search_call":
		ck.reportUnrepaired(R1Unanswered, at, "The call "+name+" has no output after it.",
			"an output of this type cannot be made up", short(call.ID))
		return
	}
	ck.report(R1Unanswered, at, "The call "+name+" has no output after it.",
		"an output saying "+marker.MissingResult+" is put behind it", short(call.ID))
	made := ck.block(at) // with the id that it got
	behind := at.Message + 1
	for behind < len(ck.c.Messages) && isTool(ck.c.Messages[behind].Role) {
		behind++
	}
	ck.edit.insertMessage(behind, msg.Message{Role: msg.Tool, Changed: true,
		Blocks: []msg.Block{msg.ResultBlock(&made, marker.MissingResult, false)}})
}

// pairItems matches calls and outputs. An output without an id answers the first call of the last response that has no
// other output, that of a program the first such program of the last response with programs, and gets its id.
func pairItems(ck *checker) msg.Pairing {
	pairs := msg.Pair(ck.c)
	named := map[msg.Ref]string{}
	var calls, programs []msg.Ref // that wait for an output
	last, lastPrograms := -1, -1  // the messages of these responses
	for it := ck.c.Walk(); it.Next(); {
		at, block := it.Ref, it.Block
		if ck.c.Messages[at.Message].Role == msg.Assistant && at.Message != last {
			last, calls = at.Message, nil
		}
		open, isProgram := &calls, block.Type == "program"
		if isProgram || block.Type == "program_output" {
			open = &programs
		}
		if isProgram && at.Message != lastPrograms {
			lastPrograms, programs = at.Message, nil
		}
		switch _, answered := pairs.Result(at); {
		case block.Kind == msg.KindToolUse && block.ID != "" && !answered:
			*open = append(*open, at)
		case block.Kind == msg.KindToolResult && block.ID == "" && len(*open) > 0:
			if _, paired := pairs.Call(at); paired {
				continue
			}
			call := ck.c.At((*open)[0])
			*open, named[at] = (*open)[1:], call.ID
			reportNoCallID(ck, at, "The output names no call; by its place it answers "+callName(call)+".",
				"it gets that call's id")
			ck.edit.replaceBlock(at, ck.block(at).WithID(call.ID))
		}
	}
	if len(named) == 0 {
		return pairs
	}
	return msg.PairBy(ck.c, func(at msg.Ref, b *msg.Block) (string, bool) {
		if id, ok := named[at]; ok {
			return id, true
		}
		return b.ID, true
	})
}

// reportEmptyID reports a call without an id. It and its output get a new one, unless it is a program.
func reportEmptyID(ck *checker, call msg.Ref, block *msg.Block, result msg.Ref, answered bool) {
	if block.Server {
		reportNoCallID(ck, call, "The program has no id.", "").Reason = "its calls name it by an id that is not known"
		return
	}
	reportNoCallID(ck, call, "The call of "+resultName(block)+" has no id.",
		"the call and its output get the id "+short(ck.assignID(call, result, answered)))
}

// reportNoCallID reports a call or an output without an id, with the provider's name of the member.
func reportNoCallID(ck *checker, at msg.Ref, message, repair string) *Problem {
	block := ck.c.At(at)
	place := "…" // in the request that Codex writes
	if ck.c.Format == msg.OpenAIResponses {
		place = strconv.Itoa(lastNumber(block.Path))
	}
	member := "input[" + place + "].call_id"
	p := ck.report(R7ID, at, message, repair, member)
	if block.Raw.Member("call_id").IsNull() {
		p.ProviderError = strings.Replace(errMissing, "…", member, 1)
	}
	return p
}

// checkReasoningItem reports a reasoning item whose response has nothing after it, and one that the provider does not
// have.
func checkReasoningItem(ck *checker, m *msg.Message, at msg.Ref) {
	block := &m.Blocks[at.Block]
	if block.Raw.Member("id").IsNull() {
		return // the API cannot tell to which item it belongs
	}
	if ck.c.Stateless && block.Raw.Member("encrypted_content").IsNull() {
		reportNotStored(ck, at, block)
		return
	}
	for _, next := range m.Blocks[at.Block+1:] {
		if next.Kind != msg.KindThinking {
			return
		}
	}
	ck.drop(R2Reasoning, at, "The reasoning item "+itemID(block)+" is not followed by an item that it produced.",
		removesItem, itemID(block))
}

func reportNotStored(ck *checker, at msg.Ref, block *msg.Block) {
	ck.drop(R3Stored, at, "The request says store: false, and the "+block.Type+" item "+itemID(block)+
		" has nothing but its id.", removesItem, itemID(block))
}

// checkSealed reports an item whose id another item has already, and one that is bound to its id and changed. Two items
// with the same bytes are one item twice: the second is removed.
func checkSealed(ck *checker, at msg.Ref, block *msg.Block, seen map[string]*sameID) {
	if block.Kind == msg.KindText || block.Raw.Kind() != '{' {
		return
	}
	if (block.Kind == msg.KindThinking || block.Kind == msg.KindSummary) && block.Changed&^msg.ChangedCache != 0 {
		ck.reportUnrepaired(R3Sealed, at, "The "+block.Type+" item "+itemID(block)+" was changed.",
			"the original item is not known")
		return
	}
	id := block.Raw.Member("id").Text()
	if id == "" || block.Kind == msg.KindToolResult {
		return
	}
	if isRepeated(ck, at, id, block.Raw, block.Kind != msg.KindToolUse, seen) {
		ck.edit.remove(at)
	}
}

// sameID holds the items that have one id.
type sameID struct {
	first  rawjson.Value
	others map[string]bool // that differ from the first
}

// addItem adds an item and reports whether one with the same bytes was added before.
func (s *sameID) addItem(item rawjson.Value) bool {
	if bytes.Equal(s.first, item) || s.others[string(item)] {
		return true
	}
	if s.others == nil {
		s.others = map[string]bool{}
	}
	s.others[string(item)] = true
	return false
}

// isRepeated reports an item whose id another item has, and whether it is to be removed: it is the same, and can go.
func isRepeated(ck *checker, at msg.Ref, id string, item rawjson.Value, canGo bool, seen map[string]*sameID) bool {
	same := seen[id]
	if same == nil {
		seen[id] = &sameID{first: item}
		return false
	}
	p := ck.reportUnrepaired(R3Sealed, at, "The item "+short(id)+" is there twice.",
		"the two differ, and only one can be the provider's", short(id))
	p.ProviderError = strings.Replace(errDuplicateItem, "…", short(id), 1)
	if canGo = same.addItem(item) && canGo; canGo {
		p.Repair, p.Reason = "the second is removed", ""
	}
	return canGo
}

// itemsOf returns the items of a message as they were read.
func itemsOf(m *msg.Message) []rawjson.Value {
	if m.Raw.Kind() == '{' {
		return []rawjson.Value{m.Raw}
	}
	return m.Lines
}

// checkRepeatedMessages is sealed for the items of type message, whose blocks are their parts.
func checkRepeatedMessages(ck *checker, m int, message *msg.Message, seen map[string]*sameID) {
	items := itemsOf(message)
	last, remove := -1, false
	for b := range message.Blocks {
		path, _, isPart := strings.Cut(message.Blocks[b].Path, "/content")
		k := lastNumber(path) - lastNumber(message.Path)
		if !isPart || k < 0 || k >= len(items) {
			continue
		}
		at := msg.Ref{Message: m, Block: b}
		if id := items[k].Member("id").Text(); k != last {
			last, remove = k, id != "" && isRepeated(ck, at, id, items[k], true, seen)
		}
		if remove {
			ck.edit.remove(at)
		}
	}
}

// itemID returns the id of an item for a message.
func itemID(b *msg.Block) string { return short(b.Raw.Member("id").Text()) }

// checkCallIDs gives one of two calls that wait at the same time under one call_id, and its output, a call_id of its
// own. One that still waits keeps it, since the host will send the output under it. Servers that count their calls
// for each answer use an id again once it is answered.
func checkCallIDs(ck *checker, pairs msg.Pairing, open int) {
	last := map[string]msg.Ref{}
	for it := ck.c.Walk(); it.Next(); {
		at, id := it.Ref, it.Block.ID
		if it.Block.Kind != msg.KindToolUse || id == "" {
			continue
		}
		before, taken := last[id]
		last[id] = at
		result, answered := pairs.Result(before)
		if !taken || answered && result.Message < at.Message {
			continue
		}
		changed := at
		if _, has := pairs.Result(at); !has && at.Message >= open {
			changed = before
		}
		call := ck.c.At(changed)
		text := "The call " + callName(call) + " has the call_id of another call that waits for its output."
		if call.Bound {
			ck.reportUnrepaired(R9Duplicate, changed, text, "an item of this type is not changed", short(id))
			continue
		}
		result, answered = pairs.Result(changed)
		ck.report(R9Duplicate, changed, text, "the call and its output get the id "+
			short(ck.assignID(changed, result, answered)), short(id))
	}
}
