package validity

import "strings"

// checkDeferred checks the tools with defer_loading: one tool of the request has none, and theirs have no
// cache_control. Sources: Anthropic's page on the tool search tool, by which that tool is never deferred, and a tool
// that a reference names normally is; router-for-me/CLIProxyAPI#4561.
func checkDeferred(ck *checker) {
	tools := ck.c.Tools
	if len(tools) == 0 {
		return
	}
	all := true
	for n := range tools {
		tool := tools[n]
		if !tool.IsDeferred() {
			all = false
			continue
		}
		if tool.Cache == nil {
			continue
		}
		p := ck.report(A11Cache, outside, "A cache breakpoint is on a deferred tool, which is not in the prompt.",
			"the cache_control is removed")
		p.Path, p.ProviderError = tool.Path, filled(errDeferred, short(tool.Name))
		*ck.edit.tool(ck.c, n) = tool.WithCache(nil)
	}
	if !all {
		return
	}
	named := map[string]bool{}
	for it := ck.c.Walk(); it.Next(); {
		it.Block.References(func(name string) { named[name] = true })
	}
	chosen := 0
	for n := len(tools) - 1; n >= 0; n-- {
		if !named[tools[n].Name] { // the prompt would have the definition of one with a reference twice
			chosen = n
		}
	}
	for n := range tools {
		if strings.HasPrefix(tools[n].Type, "tool_search_tool_") {
			chosen = n
			break
		}
	}
	tool := ck.edit.tool(ck.c, chosen)
	tool.Raw = tool.Raw.Without("defer_loading")
	tool.Text = string(tool.Raw)
	ck.report(A22Deferred, outside, "All tools are deferred: the model has none to begin with.",
		"the tool "+short(tool.Name)+" is not deferred any more").Path = tool.Path
}
