package msg

// The names of the formats, as Conversation.Format and every surface spell them.
const (
	Anthropic       = "anthropic"
	OpenAIChat      = "openai-chat"
	OpenAIResponses = "openai-responses"
	Gemini          = "gemini"
	AISDK           = "ai-sdk"    // the Vercel AI SDK's ModelMessage[]
	AISDKUI         = "ai-sdk-ui" // the Vercel AI SDK's UIMessage[]
	ClaudeCode      = "claude-code"
	Codex           = "codex"
	Pi              = "pi"
	GeminiCLI       = "gemini-cli"
	OpenCode        = "opencode"
	Cline           = "cline" // and Roo Code
	QwenCode        = "qwen-code"
	KimiCLI         = "kimi-cli"
	KimiCode        = "kimi-code" // read only
	CopilotCLI      = "copilot-cli"
	GrokCLI         = "grok-cli"
	Crush           = "crush" // read only
	Aider           = "aider"
	VSCodeChat      = "vscode-chat"
	Interactions    = "gemini-interactions" // the steps of Gemini's Interactions API
)

// API returns the format of the requests that send a conversation of the given format: that of its provider for the log
// of an agent, else the format itself. Agents that use several providers have Anthropic's.
func API(format string) string {
	switch format {
	case ClaudeCode, Pi, OpenCode, Cline, CopilotCLI, Aider, VSCodeChat, KimiCode, GrokCLI, Crush:
		return Anthropic
	case KimiCLI:
		return OpenAIChat
	case Codex:
		return OpenAIResponses
	case GeminiCLI, QwenCode, Interactions: // whose calls, results and thoughts obey the same rules
		return Gemini
	case AISDKUI: // the client turns them into model messages
		return AISDK
	}
	return format
}

// IsLog reports a format that is not a request: the session log of an agent, or the messages of a client.
func IsLog(format string) bool { return API(format) != format }
