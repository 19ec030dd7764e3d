package validity

// checkDeferred checks the tools with defer_loading: one tool of the request has none, and theirs have no
// cache_control. Sources: Anthropic's page on the tool search tool; router-for-me/CLIProxyAPI#4561.
func (ck *checker) checkDeferred() {
	tools := ck.c.Tools
	if ck.part || len(tools) == 0 {
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
	p := ck.reportUnrepaired(A22Deferred, outside, "All tools are deferred: the model has none to begin with.",
		"a tool that a tool_reference names has to stay deferred")
	p.Path = "/tools"
	named := map[string]bool{}
	for it := ck.c.Walk(); it.Next(); {
		it.Block.References(func(name string) { named[name] = true })
	}
	for n := range tools {
		if named[tools[n].Name] {
			continue
		}
		tool := ck.edit.tool(ck.c, n)
		tool.Raw = tool.Raw.Without("defer_loading")
		tool.Text = string(tool.Raw)
		p.Path, p.Repair, p.Reason = tool.Path, "the tool "+short(tool.Name)+" is not deferred any more", ""
		return
	}
}
