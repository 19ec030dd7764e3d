package msg

import "strings"

// BlockType is a type of the blocks of Anthropic's Messages API.
type BlockType struct {
	Name   string
	Kind   Kind
	Server bool // of a tool that the provider runs
	New    bool // not in the list: a result of a tool of the provider, whose types all end in the same way
}

// blockTypes are those of requests and answers. This is the one list of them: a new type of the API becomes a row here,
// and is read as KindOther until then.
var blockTypes = [...]BlockType{
	{Name: "text", Kind: KindText},
	{Name: "tool_use", Kind: KindToolUse},
	{Name: "tool_result", Kind: KindToolResult},
	{Name: "thinking", Kind: KindThinking},
	{Name: "redacted_thinking", Kind: KindThinking},
	{Name: "image", Kind: KindImage},
	{Name: "document", Kind: KindDocument},
	{Name: "search_result", Kind: KindDocument},
	{Name: "container_upload", Kind: KindDocument},
	{Name: ProviderCompaction, Kind: KindSummary},
	{Name: "server_tool_use", Kind: KindToolUse, Server: true},
	{Name: "mcp_tool_use", Kind: KindToolUse, Server: true},
	{Name: "web_search_tool_result", Kind: KindToolResult, Server: true},
	{Name: "web_fetch_tool_result", Kind: KindToolResult, Server: true},
	{Name: "code_execution_tool_result", Kind: KindToolResult, Server: true},
	{Name: "bash_code_execution_tool_result", Kind: KindToolResult, Server: true},
	{Name: "text_editor_code_execution_tool_result", Kind: KindToolResult, Server: true},
	{Name: "tool_search_tool_result", Kind: KindToolResult, Server: true},
	{Name: "advisor_tool_result", Kind: KindToolResult, Server: true},
	{Name: "mcp_tool_result", Kind: KindToolResult, Server: true},
	{Name: "mcp_tool_listing", Kind: KindOther},
	{Name: "tool_addition", Kind: KindOther},
	{Name: "tool_removal", Kind: KindOther},
	{Name: "tool_reference", Kind: KindOther},
	{Name: "connector_text", Kind: KindOther},
	{Name: Fallback, Kind: KindOther},
}

// BlockTypeOf returns the type of a name; ok is false, and the kind KindOther, if the API has none of that name.
func BlockTypeOf(name string) (t BlockType, ok bool) {
	for i := range blockTypes {
		if blockTypes[i].Name == name {
			return blockTypes[i], true
		}
	}
	if strings.HasSuffix(name, "_tool_result") {
		return BlockType{Name: name, Kind: KindToolResult, Server: true, New: true}, true
	}
	return BlockType{Name: name, Kind: KindOther}, false
}
