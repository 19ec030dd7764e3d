package core_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/policy"
)

const skillRules = "# release-flow\n\nFollow these steps for every release.\n\n## Rules\n" +
	"- NEVER push a tag before the changelog entry is merged.\n- You MUST run `make verify-signatures` after each build.\n" +
	"- Deploy to staging-eu-4 first, wait 15 minutes, then production.\n"

type object = map[string]any

func callOf(id, name string, input object) object {
	return object{"role": "assistant", "content": []object{{"type": "tool_use", "id": id, "name": name, "input": input}}}
}

func resultOf(id, text string, more ...object) object {
	return object{"role": "user", "content": append([]object{{"type": "tool_result", "tool_use_id": id,
		"content": text}}, more...)}
}

// filler has so many words that no summary lists all of them.
func filler(n, words int) (out []object) {
	seed := uint32(7)
	for i := range n {
		var text []string
		for range words {
			seed = seed*1664525 + 1013904223
			text = append(text, fmt.Sprintf("%s%d", []string{"river", "stone", "cedar", "violet", "trace",
				"copper"}[seed>>16%6], seed>>20%100))
		}
		id := fmt.Sprintf("t%d", i)
		out = append(out, callOf(id, "Bash", object{"command": fmt.Sprintf("echo %d", i)}),
			resultOf(id, strings.Join(text, " ")))
	}
	return out
}

// compactAs runs a preset with its own summaries until nothing changes.
func compactAs(t require.TestingT, preset string, messages []object, change func(*policy.Policy)) string {
	_, out := compactFully(t, preset, messages, change)
	rendered, err := format.Render(out)
	require.NoError(t, err)
	return string(rendered)
}

func compactFully(t require.TestingT, preset string, messages []object, change func(*policy.Policy)) (original,
	c *msg.Conversation) {
	data, err := json.Marshal(object{"model": "claude-sonnet-5", "max_tokens": 1, "messages": messages})
	require.NoError(t, err)
	c, err = format.Parse(data, "")
	require.NoError(t, err)
	p, err := policy.Preset(preset)
	require.NoError(t, err)
	p.Trigger.Window = 60_000
	if change != nil {
		change(&p)
	}
	original = c
	var st core.State
	env := core.Env{}
	for range 8 {
		plan, err := core.NewPlan(c, st, p, env)
		require.NoError(t, err)
		results, err := core.Summarize(c, st, p, env, plan, nil)
		require.NoError(t, err)
		out, err := core.Apply(c, st, p, env, plan, results)
		require.NoError(t, err)
		same := out.Conversation == c
		if c, st = out.Conversation, out.State; same {
			break
		}
	}
	return original, c
}

// The text of the skill in use stays, or one line says how it is loaded again, in every preset.
func TestSkillInUse(t *testing.T) {
	steps := ""
	for i := range 25 {
		steps += fmt.Sprintf("%d. Step %d: do what the step before it left for the next part of the release %d\n", i+1, i+1, i*7)
	}
	body := skillRules + steps
	prompt := object{"role": "user", "content": "Make the release 4.2"}
	loads := map[string][]object{
		"claude code": {prompt, callOf("s", "Skill", object{"skill": "release-flow"}),
			resultOf("s", "Launching skill: release-flow",
				object{"type": "text", "text": "Base directory for this skill: /home/dev/.claude/skills/release-flow\n\n" + body})},
		"opencode": {prompt, callOf("s", "skill", object{"name": "release-flow"}),
			resultOf("s", "<skill_content name=\"release-flow\">\n"+body+"\n</skill_content>")},
		"hermes": {prompt, callOf("s", "skill_view", object{"name": "release-flow"}), resultOf("s", body)},
		"read":   {prompt, callOf("s", "Read", object{"file_path": "/home/dev/.claude/skills/release-flow/SKILL.md"}), resultOf("s", body)},
		"cat":    {prompt, callOf("s", "Bash", object{"command": "cat /home/dev/skills/release-flow/SKILL.md"}), resultOf("s", body)},
		"reminder": {prompt, object{"role": "user", "content": "<system-reminder>\nBase directory for this skill: /s/release-flow\n" + body +
			"</system-reminder>"}},
		"long": {prompt, callOf("s", "Skill", object{"skill": "release-flow"}), resultOf("s", strings.Repeat(body, 20))},
	}
	for _, preset := range policy.Presets() {
		if preset.Name == "clear_thinking" { // it changes no text
			continue
		}
		for name, load := range loads {
			t.Run(preset.Name+"/"+name, func(t *testing.T) {
				text := compactAs(t, preset.Name, append(load[:len(load):len(load)], filler(60, 500)...), nil)
				whole := strings.Contains(text, "NEVER push a tag") && strings.Contains(text, "verify-signatures") &&
					strings.Contains(text, "staging-eu-4")
				line := strings.Contains(text, "Load one again before you go on under it: `") || strings.Contains(text, "release-flow: left out")
				require.True(t, whole || line && strings.Contains(text, "release-flow"), "%.3000s", text)
				if name != "long" {
					require.True(t, whole, "it has room")
				}
			})
		}
	}
}

// The results of clear.keepTools and, in critical, the calls of criticalTools stay in summarized runs, too.
func TestKeptToolsInSummarizedRuns(t *testing.T) {
	messages := append([]object{{"role": "user", "content": "Make the release 4.2"},
		callOf("r", "rules", object{"of": "release"}),
		resultOf("r", skillRules)}, filler(60, 500)...)
	for _, preset := range policy.Presets() {
		if preset.Name == "clear_thinking" {
			continue
		}
		text := compactAs(t, preset.Name, messages, func(p *policy.Policy) { p.Clear.KeepTools = []string{"rules"} })
		require.Contains(t, text, "- NEVER push a tag before the changelog entry is merged.", preset.Name)
		require.Contains(t, text, "Deploy to staging-eu-4 first, wait 15 minutes, then production.", preset.Name)
	}
	text := compactAs(t, "critical", messages, func(p *policy.Policy) { p.Pin.Critical.Tools = []string{"rules"} })
	require.Contains(t, text, "Deploy to staging-eu-4 first, wait 15 minutes, then production.")
}

// A skill that another one replaced is named in one line, which later compactions hand on.
func TestSkillsThatWereReplaced(t *testing.T) {
	long := func(name string) string {
		return "# " + name + "\n" + strings.Repeat("Do the "+name+" step with care.\n", 40)
	}
	messages := []object{{"role": "user", "content": "Make the release 4.2"},
		callOf("a", "Skill", object{"skill": "alpha"}), resultOf("a", long("alpha"))}
	messages = append(messages, filler(60, 500)...)
	messages = append(messages, callOf("b", "Skill", object{"skill": "beta"}), resultOf("b", long("beta")))
	messages = append(messages, filler(60, 500)...)
	for _, preset := range []string{"balanced", "turns", "critical", "hierarchical", "harness", "s06", "prune"} {
		text := compactAs(t, preset, messages, nil)
		require.Contains(t, text, "Skill alpha", preset)
		require.NotContains(t, text, "Do the alpha step with care.\\nDo the alpha step", preset)
		require.Contains(t, text, "Do the beta step with care.\\nDo the beta step", preset)
	}
}

// No preset clears the user's answer to a question, or the reason for which a call was rejected.
func TestUsersResultsStay(t *testing.T) {
	answer := "Only the stable channel, and never before Monday. " + strings.Repeat("The reason is in the plan. ", 60)
	rejected := "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string " +
		"was NOT written to the file). To tell you how to proceed, the user said:\nUse the mirror in Oslo. " + strings.Repeat("It is near. ", 60)
	messages := []object{{"role": "user", "content": "Make the release 4.2"},
		callOf("q", "AskUserQuestion", object{"question": "Which channel?"}),
		resultOf("q", answer), callOf("w", "Bash", object{"command": "make mirror"}),
		{"role": "user", "content": []object{{"type": "tool_result", "tool_use_id": "w", "is_error": true,
			"content": rejected}}}}
	messages = append(messages, filler(60, 500)...)
	for _, preset := range policy.Presets() {
		if preset.Name == "clear_thinking" {
			continue
		}
		text := compactAs(t, preset.Name, messages, nil)
		require.Contains(t, text, "Only the stable channel, and never before Monday.", preset.Name)
		require.Contains(t, text, "Use the mirror in Oslo.", preset.Name)
	}
}
