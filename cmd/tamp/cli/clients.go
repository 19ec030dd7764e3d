//go:build !js

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// client is an agent that try and doctor know: how it is pointed at another address, for one process, and where Tamp
// gets a place in it.
type client struct {
	name, title string
	slot        string // how Tamp compacts in it or for it
	command     string // sets it up, or tries it
	folders     string // of its logs, below the home folder, separated by spaces
	bases       []base
	// point is for a client that does not read the variables of bases: arguments in front of its own, and its environment
	// instead of these variables. urls: the addresses of bases, in their order; folder: a temporary one.
	point func(urls []string, folder string) (args, env []string, err error)
}

// base is a variable of the environment with the address of a provider, and the address without it; "": there is none.
type base struct{ variable, address string }

const (
	viaGateway = "the gateway"
	anthropic  = "https://api.anthropic.com"
	openai     = "https://api.openai.com/v1"
)

var anthropicBase, openaiBase = base{"ANTHROPIC_BASE_URL", anthropic}, base{"OPENAI_BASE_URL", openai}

func clients() []client {
	return []client{
		{"claude", "Claude Code", "its compaction, by a plugin, from 2.1.287 on; the gateway", "npx tamp plugin claude",
			".claude/projects", []base{anthropicBase}, nil},
		{"codex", "Codex", viaGateway, "npx tamp try -- codex", ".codex/sessions", []base{openaiBase}, pointCodex},
		{"opencode", "opencode", "each request, by a plugin in opencode.json; the gateway", "npx tamp try -- opencode",
			".local/share/opencode", []base{{anthropicBase.variable, anthropic + "/v1"}, openaiBase}, pointOpencode},
		{"pi", "pi", "each request, by an extension; the gateway", "npx tamp try -- pi", ".pi/agent/sessions",
			[]base{anthropicBase, openaiBase}, pointPi},
		{"gemini", "Gemini CLI", viaGateway, "npx tamp try -- gemini", ".gemini/tmp",
			[]base{{"GOOGLE_GEMINI_BASE_URL", "https://generativelanguage.googleapis.com"}}, nil},
		{"qwen", "Qwen Code", viaGateway, "npx tamp try -- qwen", ".qwen/projects", []base{anthropicBase, openaiBase}, nil},
		{"kimi", "Kimi Code", viaGateway, "KIMI_MODEL_BASE_URL=URL npx tamp try -- kimi",
			".kimi-code/sessions .kimi/sessions", []base{{"KIMI_MODEL_BASE_URL", ""}}, nil},
		{"copilot", "Copilot CLI", "the gateway, with a provider of your own",
			"COPILOT_PROVIDER_BASE_URL=URL npx tamp try -- copilot", ".copilot/session-state",
			[]base{{"COPILOT_PROVIDER_BASE_URL", ""}}, nil},
		{"grok", "Grok CLI", "the gateway, with an API key", "npx tamp try -- grok", ".grok/sessions",
			[]base{{"GROK_XAI_API_BASE_URL", "https://api.x.ai/v1"}}, nil},
	}
}

func pointCodex(urls []string, _ string) (args, env []string, err error) {
	return []string{"-c", "model_provider=tamp", "-c", `model_providers.tamp={name="OpenAI through Tamp",base_url="` +
		urls[0] + `",env_key="OPENAI_API_KEY",wire_api="responses"}`}, nil, nil
}

func pointOpencode(urls []string, _ string) (args, env []string, err error) {
	options := func(url string) any { return map[string]any{"options": map[string]string{"baseURL": url}} }
	config, err := json.Marshal(map[string]any{
		"provider": map[string]any{"anthropic": options(urls[0]), "openai": options(urls[1])}})
	return nil, []string{"OPENCODE_CONFIG_CONTENT=" + string(config)}, err
}

func pointPi(urls []string, folder string) (args, env []string, err error) {
	text := "export default (pi) => {"
	for i, name := range []string{"anthropic", "openai"} {
		url, _ := json.Marshal(map[string]string{"baseUrl": urls[i]}) // never fails
		text += ` pi.registerProvider("` + name + `", ` + string(url) + ");"
	}
	file := filepath.Join(folder, "extension.js")
	return []string{"-e", file}, nil, os.WriteFile(file, []byte(text+" };\n"), 0o600)
}
