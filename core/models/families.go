package models

// family is the common part of the profiles of models that count alike.
type family struct {
	name, counter                   string
	perMessage, perToolUse, perTool int
	image                           ImageRule
	scales                          [scales]Scale
}

// The counters that profiles have scales for, in the order of family.scales.
const (
	o200k  = "o200k_base"
	cl100k = "cl100k_base"
	scales = 3

	estimateName = "estimate" // of the counter without a vocabulary
)

var scaledCounters = [scales]string{estimateName, o200k, cl100k}

// unscaled is for counters that are published as a plain rule on text. The range is their error on the sessions of
// Claude models in the corpus, from chars3 (lowest) to chars4 (highest), and a fifth lower for GPT.
var unscaled = Scale{1000, 800, 2000}

const (
	familyUnknown = iota
	familyClaude
	familyClaudeOld
	familyClaudeUnnamed
	familyO200k
	familyCl100k
	familyGemini
	familyGemini3
	familyOther
)

// families holds the rules by which models count.
//
// Claude before 4.7: the frame of calls and results and the multipliers are fitted to fifteen sessions whose API wrote
// its own counts (make fit, November 2026); Low and High are the 10th and the 90th
// percentile of those sessions. Counts above High are mostly caused by text that the log does not show: reminders that
// the agent inserts.
//
// Claude from 4.7 on: Anthropic's migration guides say about 30 % more tokens for the same text, and frames are text
// too. One session of the corpus is of that kind; its steps have 1.34 times the tokens that an older model would count.
// The range is wider, since less is known.
//
// No vocabulary of a Claude model is public that comes near: with the one of the first models, 10 of 16 sessions were
// within 10 % of the API's count, with Estimate 12. So Estimate is their counter.
//
// GPT counts with its own vocabularies. Three tokens a message are OpenAI's ("how to count tokens with tiktoken"); two
// sessions of GPT-5.5 in the corpus have 21 tokens for a call with its result, of which a result of Chat Completions
// has three as a message. Estimate errs a little high against o200k_base; its range is that of the error table in its
// test.
//
// The vocabularies of Gemini, DeepSeek and Kimi are not available here; they have about the size of o200k_base, so
// counts are similar. A tenth is added, since a count that is too low makes a request that does not fit; for an unknown
// model a fifth.
var families = [...]family{
	familyUnknown: {"unknown", o200k, 3, 16, 8, ImagePatches28,
		[scales]Scale{{1200, 750, 1300}, {1200, 750, 1300}, {1200, 750, 1300}}},
	familyClaude: {"claude", estimateName, 4, 39, 10, ImagePatches28,
		[scales]Scale{{1564, 850, 1300}, {1599, 850, 1300}, {1602, 850, 1300}}},
	familyClaudeOld: {"claude-before-4.7", estimateName, 3, 30, 8, ImageArea750,
		[scales]Scale{{1203, 900, 1190}, {1230, 900, 1180}, {1232, 910, 1130}}},
	// Anthropic's format without a model: text as in most logs, images by the rule with the highest count.
	familyClaudeUnnamed: {"claude-before-4.7", estimateName, 3, 30, 8, ImagePatches28,
		[scales]Scale{{1203, 900, 1190}, {1230, 900, 1180}, {1232, 910, 1130}}},
	familyO200k: {"gpt", o200k, 3, 8, 8, ImageTiles512,
		[scales]Scale{{1000, 950, 1030}, {1000, 1000, 1000}, {1000, 950, 1050}}},
	familyCl100k: {"gpt-4", cl100k, 3, 8, 8, ImageTiles512,
		[scales]Scale{{1000, 930, 1050}, {1000, 930, 1070}, {1000, 1000, 1000}}},
	familyGemini: {"gemini", o200k, 3, 8, 8, ImageTiles768,
		[scales]Scale{{1100, 800, 1150}, {1100, 800, 1150}, {1100, 800, 1150}}},
	familyGemini3: {"gemini", o200k, 3, 8, 8, ImageFixed1120,
		[scales]Scale{{1100, 800, 1150}, {1100, 800, 1150}, {1100, 800, 1150}}},
	familyOther: {"other", o200k, 3, 8, 8, ImagePatches28,
		[scales]Scale{{1100, 800, 1150}, {1100, 800, 1150}, {1100, 800, 1150}}},
}
