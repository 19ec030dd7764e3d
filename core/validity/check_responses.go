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

func (ck *checker) responses() {
	pairs := msg.Pair(ck.c)
	open := ck.openResponse()
	seen := map[string]rawjson.Value{} // items by their id
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
				if _, answered := pairs.Result(at); !answered {
					ck.unansweredItem(at, block, m >= open)
				}
			case block.Kind == msg.KindToolResult:
				if _, paired := pairs.Call(at); !paired && !ck.c.Partial {
					ck.report(R1Orphan, at, "The output for "+resultName(block)+" answers no call before it.",
						"the output is removed", short(block.ID))
					ck.edit.remove(at)
				}
			case block.Kind == msg.KindThinking:
				ck.reasoningItem(message, at)
			case block.Type == "item_reference" && ck.c.Stateless:
				ck.notStored(at, block)
			case block.Kind == msg.KindSummary && block.Type != "compaction" && ck.c.Format == msg.OpenAIResponses:
				ck.compactionType(at, block)
			}
			ck.sealed(at, block, seen)
		}
		if ck.c.Format == msg.OpenAIResponses {
			ck.repeatedMessages(m, message, seen)
		}
	}
	if !ck.part {
		ck.checkWindow()
	}
}

// checkWindow reports a request that is larger than the window of its model, by the estimate of its tokens: a warning.
// It counts only what can be too large, since counting takes longer than all other rules.
func (ck *checker) checkWindow() {
	size, window := 0, models.ProfileFor(ck.c.Model, ck.c.Format).Window
	for it := ck.c.Walk(); it.Next(); {
		block := it.Block
		size += len(block.Text)
	}
	if size < 2*window || !models.Known(ck.c.Model) { // a token has two bytes or more
		return
	}
	if total := tokens.NewMeter(nil, ck.c).Conversation(ck.c).Total; total > window {
		ck.add(R5Context, SeverityWarning, outside, "The request has about "+strconv.Itoa(total)+
			" tokens, the window of the model has "+strconv.Itoa(window)+".", "").Reason = "a compaction makes it smaller"
	}
}

// compactionType reports a compaction of another type than the API's. Codex once wrote the same item under another
// name.
func (ck *checker) compactionType(at msg.Ref, block *msg.Block) {
	p := ck.reportUnrepaired(R4Compaction, at, "The item "+itemID(block)+" has the type "+block.Type+
		", the API returns compactions of the type compaction.",
		"it is opaque, and holds all of the history before it", block.Type, "'compaction' and others")
	if block.Type == "compaction_summary" {
		p.Repair, p.Reason = "its type becomes compaction", ""
		made := *block
		made.Type, made.Raw = "compaction", block.Raw.With("type", rawjson.Value(`"compaction"`))
		ck.edit.put(at, made)
	}
}

// openResponse returns the first of the assistant messages that the conversation ends with: how many responses they are
// can differ once they are written and read again, and an output can still come behind all of them.
func (ck *checker) openResponse() int {
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

// unansweredItem reports a call without an output, and adds one that says so. An output of some types cannot be made.
func (ck *checker) unansweredItem(at msg.Ref, call *msg.Block, last bool) {
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
	behind := at.Message + 1
	for behind < len(ck.c.Messages) && isTool(ck.c.Messages[behind].Role) {
		behind++
	}
	ck.edit.add(behind, msg.Message{Role: msg.Tool, Changed: true,
		Blocks: []msg.Block{msg.ResultBlock(call, marker.MissingResult, false)}})
}

// reasoningItem reports a reasoning item whose response has nothing after it, and one that the provider does not have.
func (ck *checker) reasoningItem(m *msg.Message, at msg.Ref) {
	block := &m.Blocks[at.Block]
	if ck.c.Stateless && !block.Raw.Member("id").IsNull() && block.Raw.Member("encrypted_content").IsNull() {
		ck.notStored(at, block)
		return
	}
	for _, next := range m.Blocks[at.Block+1:] {
		if next.Kind != msg.KindThinking {
			return
		}
	}
	ck.report(R2Reasoning, at, "The reasoning item "+itemID(block)+" is not followed by an item that it produced.",
		"the item is removed", itemID(block))
	ck.edit.remove(at)
}

func (ck *checker) notStored(at msg.Ref, block *msg.Block) {
	ck.report(R3Stored, at, "The request says store: false, and the "+block.Type+" item "+itemID(block)+
		" has nothing but its id.", "the item is removed", itemID(block))
	ck.edit.remove(at)
}

// sealed reports an item whose id another item has already, and one that is bound to its id and changed. Two items with
// the same bytes are one item twice: the second is removed.
func (ck *checker) sealed(at msg.Ref, block *msg.Block, seen map[string]rawjson.Value) {
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
	if ck.repeated(at, id, block.Raw, block.Kind != msg.KindToolUse, seen) {
		ck.edit.remove(at)
	}
}

// repeated reports an item whose id another item has, and whether it is to be removed: it is the same, and can go.
func (ck *checker) repeated(at msg.Ref, id string, item rawjson.Value, canGo bool, seen map[string]rawjson.Value) bool {
	first, twice := seen[id]
	if !twice {
		seen[id] = item
		return false
	}
	p := ck.reportUnrepaired(R3Sealed, at, "The item "+short(id)+" is there twice.",
		"the two differ, and only one can be the provider's", short(id))
	p.ProviderError = strings.Replace(errDuplicateItem, "…", short(id), 1)
	if canGo = canGo && bytes.Equal(first, item); canGo {
		p.Repair, p.Reason = "the second is removed", ""
	}
	return canGo
}

// repeatedMessages is sealed for the items of type message, whose blocks are their parts.
func (ck *checker) repeatedMessages(m int, message *msg.Message, seen map[string]rawjson.Value) {
	items := message.Lines
	if message.Raw.Kind() == '{' {
		items = []rawjson.Value{message.Raw}
	}
	last, remove := -1, false
	for b := range message.Blocks {
		path, _, isPart := strings.Cut(message.Blocks[b].Path, "/content")
		k := lastNumber(path) - lastNumber(message.Path)
		if !isPart || k < 0 || k >= len(items) {
			continue
		}
		at := msg.Ref{Message: m, Block: b}
		if id := items[k].Member("id").Text(); k != last {
			last, remove = k, id != "" && ck.repeated(at, id, items[k], true, seen)
		}
		if remove {
			ck.edit.remove(at)
		}
	}
}

// lastNumber returns the number that a path ends with.
func lastNumber(path string) int {
	n, _ := strconv.Atoi(path[strings.LastIndexByte(path, '/')+1:])
	return n
}

// itemID returns the id of an item for a message.
func itemID(b *msg.Block) string { return short(b.Raw.Member("id").Text()) }
