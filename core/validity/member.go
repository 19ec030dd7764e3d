package validity

import (
	"strconv"
	"strings"

	"tamp/core/msg"
)

// The names that an API gives to members of a request, as its errors have them.

// blockMember returns the API's name of a member of a block.
func blockMember(at msg.Ref, name string) string {
	return "messages." + strconv.Itoa(at.Message) + ".content." + strconv.Itoa(at.Block) + "." + name
}

// toolMember and callMember return the API's name of the member with the name of a tool.
func toolMember(rule Rule, n int) string {
	switch at := strconv.Itoa(n); rule {
	case A14Name:
		return "tools." + at + ".custom.name"
	case O8Name:
		return "tools[" + at + "].function.name"
	case R10Name:
		return "tools[" + at + "].name"
	}
	return "128" // Gemini's text has only the length
}

func callMember(ck *checker, at msg.Ref) string {
	switch ck.c.Format {
	case msg.OpenAIChat:
		name := "tool_calls[" + strconv.Itoa(lastNumber(ck.c.At(at).Path)) + "].function"
		if ck.c.At(at).Type == "function_call" {
			name = "function_call"
		}
		return chatMember(at.Message, name+".name")
	case msg.OpenAIResponses, msg.Codex:
		return "input[" + strconv.Itoa(lastNumber(ck.c.At(at).Path)) + "].name"
	}
	return blockMember(at, "tool_use.name")
}

// chatMember returns the API's name of a member of a message.
func chatMember(message int, name string) string {
	return "messages[" + strconv.Itoa(message) + "]." + name
}

// partMember returns the API's name of the type of a part of an item.
func partMember(ck *checker, at msg.Ref, part int) string {
	block := ck.c.At(at)
	if part >= 0 {
		return "input[" + strconv.Itoa(lastNumber(block.Path)) + "].output[" + strconv.Itoa(part) + "].type"
	}
	item, _, _ := strings.Cut(block.Path, "/content")
	return "input[" + strconv.Itoa(lastNumber(item)) + "].content[" + strconv.Itoa(lastNumber(block.Path)) + "].type"
}

// lastNumber returns the number that a path ends with.
func lastNumber(path string) int {
	n, _ := strconv.Atoi(path[strings.LastIndexByte(path, '/')+1:])
	return n
}
