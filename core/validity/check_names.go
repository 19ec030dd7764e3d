package validity

import (
	"strconv"
	"strings"

	"tamp/core/internal/rawjson"
	"tamp/core/msg"
)

const errLongName = "…: String should have at most 200 characters"

// takes reports whether a definition may have a name.
func (of *nameRule) takes(name string) bool {
	if of.rule == G5Name {
		if name[0] < 'A' { // a digit, a dash, a dot or a colon
			return false
		}
		name = strings.ReplaceAll(strings.ReplaceAll(name, ".", "_"), ":", "_")
	}
	return name == msg.ToolName(name, of.inTool)
}

// checkNames reports tools with a name that the API refuses. A call of the history gets another one; a definition keeps
// it, since the agent knows the tool by it.
func checkNames(ck *checker) {
	of := &ck.of.names
	for n := range ck.c.Tools {
		tool := &ck.c.Tools[n]
		if tool.Name == "" || ck.part || of.takes(tool.Name) {
			continue // without a name: a tool of the provider
		}
		p := ck.reportUnrepaired(of.rule, outside, "The API does not take "+strconv.Quote(short(tool.Name))+
			" as the name of a tool.", "the agent knows the tool by this name", toolMember(of.rule, n))
		p.Path = tool.Path
	}
	for it := ck.c.Walk(); it.Next(); {
		at, call := it.Ref, it.Block
		if call.Kind != msg.KindToolUse || call.Server || call.Bound || ck.c.Messages[at.Message].Role != msg.Assistant {
			continue
		}
		made := call.Name
		switch {
		case of.charset:
			made = msg.ToolName(made, len(made))
		case of.inCall > 0 && (made == "" || len(made) > of.inCall):
			made = msg.ToolName(made, of.inCall)
		}
		if made == call.Name {
			continue
		}
		p := ck.reportUnrepaired(of.rule, at, "The API does not take "+strconv.Quote(short(call.Name))+
			" as the name of a tool.", "its result names the call by it", callMember(ck, at))
		if of.inCall > 0 && call.Name != "" {
			p.ProviderError = filled(errLongName, callMember(ck, at))
		}
		if call.Type == "function_call" && of.rule == O8Name {
			continue // the deprecated call, which has no id
		}
		p.Repair, p.Reason = "the call gets the name "+made, ""
		block := ck.block(at)
		block.Name = made
		block.Raw = withName(&block, of.rule)
		ck.edit.replaceBlock(at, block)
	}
}

// withName returns the JSON of a call with its name. In Chat Completions the name is in the object of the call's type.
func withName(call *msg.Block, rule Rule) rawjson.Value {
	if rule != O8Name {
		return call.Raw.With("name", rawjson.Quote(call.Name))
	}
	inner, empty := "function", `{"arguments":"{}"}`
	if call.Type == "custom" {
		inner, empty = "custom", `{"input":""}`
	}
	object := call.Raw.Member(inner)
	if object.Kind() != '{' {
		object = rawjson.Value(empty)
	}
	return call.Raw.With(inner, object.With("name", rawjson.Quote(call.Name)))
}

// checkChatTypes and checkItemTypes are checkTypes of Chat Completions and of Responses.
func checkChatTypes(ck *checker) {
	checkTypes(ck, O9Type, func(at msg.Ref, _ int) string {
		return chatMember(at.Message, "content["+strconv.Itoa(lastNumber(ck.c.At(at).Path))+"].type")
	})
}

func checkItemTypes(ck *checker) {
	checkTypes(ck, R11Type, func(at msg.Ref, part int) string { return partMember(ck, at, part) })
}

// checkTypes reports parts without a type, which no API can read. element names a part as the API does.
func checkTypes(ck *checker, rule Rule, element func(at msg.Ref, part int) string) {
	for it := ck.c.Walk(); it.Next(); {
		checkType(ck, rule, it.Ref, it.Block, -1, element)
		for p := range it.Block.Parts {
			checkType(ck, rule, it.Ref, &it.Block.Parts[p], p, element)
		}
	}
}

func checkType(ck *checker, rule Rule, at msg.Ref, b *msg.Block, part int, element func(msg.Ref, int) string) {
	if b.Type == "" && b.Kind == msg.KindOther && b.Raw.Kind() == '{' {
		ck.reportUnrepaired(rule, at, "A part has no type.", "its kind is not known", element(at, part)).Path = b.Path
	}
}
