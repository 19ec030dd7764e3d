package tokens

import "strings"

// Profile is what a model family adds to the counted texts. It is data with sources, never a guess from one session.
type Profile struct {
	Family     string
	PerMessage int // role and delimiters around each message
	PerToolUse int // the frame around a call or a result
	PerTool    int // the frame around a tool definition
	Image      ImageRule
}

// ImageRule says how a provider counts the pixels of an image.
type ImageRule uint8

const (
	// ImagePatches28 counts patches of 28 × 28 pixels: Anthropic models from 4.7 on, also the careful choice for an
	// unknown model, since it counts the most. Source: Anthropic's vision page.
	ImagePatches28 ImageRule = iota
	// ImageArea750 counts ⌈w × h / 750⌉, at most 1,568: Anthropic models before 4.7. Source: the same page.
	ImageArea750
	// ImageTiles512 counts 85 and 170 for each tile of 512 pixels: OpenAI models. Source: OpenAI's vision page.
	ImageTiles512
)

// The frames are OpenAI's published three tokens a message ("how to count tokens with tiktoken"), and what a call's or
// a definition's braces, role words and ids take up in the vendors' rendered prompts.
var (
	anthropicNew = Profile{Family: "claude", PerMessage: 3, PerToolUse: 8, PerTool: 8, Image: ImagePatches28}
	anthropicOld = Profile{Family: "claude-before-4.7", PerMessage: 3, PerToolUse: 8, PerTool: 8, Image: ImageArea750}
	openAI       = Profile{Family: "gpt", PerMessage: 3, PerToolUse: 8, PerTool: 8, Image: ImageTiles512}
	// Bare is for counters that are published as a plain rule on text: nothing is added.
	bare = Profile{Family: "bare", Image: ImagePatches28}
)

// claudeBefore47 lists the prefixes of model names that count images by area.
var claudeBefore47 = [...]string{
	"claude-2", "claude-3", "claude-instant", "claude-opus-4-0", "claude-opus-4-1", "claude-opus-4-2", "claude-opus-4-5",
	"claude-opus-4-6", "claude-sonnet-4-0", "claude-sonnet-4-2", "claude-sonnet-4-5", "claude-sonnet-4-6", "claude-haiku-4-5",
}

// ProfileFor chooses the profile of a model by its name, or where there is none by the format the conversation is in.
func ProfileFor(model, format string) Profile {
	model = model[strings.LastIndexByte(model, '/')+1:] // OpenRouter and others write vendor/model
	switch {
	case strings.HasPrefix(model, "claude"):
		for _, old := range claudeBefore47 {
			if strings.HasPrefix(model, old) {
				return anthropicOld
			}
		}
		return anthropicNew
	case strings.HasPrefix(model, "gpt"), strings.HasPrefix(model, "o1"), strings.HasPrefix(model, "o3"),
		strings.HasPrefix(model, "o4"), model == "" && format == "openai-chat":
		return openAI
	}
	return anthropicNew
}

// windows holds context windows by prefix of the model's name, the first that fits; providers' model pages. Where a larger
// window has to be asked for, it is the smaller one.
var windows = [...]struct {
	prefix string
	tokens int
}{
	{"gpt-3.5", 16_385}, {"gpt-4-turbo", 128_000}, {"gpt-4o", 128_000}, {"gpt-4.1", 1_047_576}, {"gpt-4", 8_192},
	{"gpt-5", 400_000}, {"o1", 200_000}, {"o3", 200_000}, {"o4", 200_000}, {"gemini", 1_048_576}, {"deepseek", 128_000},
	{"kimi", 256_000},
}

// WindowOf is the context window of a model in tokens; 200,000 for Claude and for a model that is not known.
func WindowOf(model string) int {
	model = model[strings.LastIndexByte(model, '/')+1:]
	for _, w := range windows {
		if strings.HasPrefix(model, w.prefix) {
			return w.tokens
		}
	}
	return 200_000
}
