package validity

import "tamp/core/msg"

// providers are the rules of each API, and of each agent whose history has rules of its own. Of the names of tools the
// sources are: platform.claude.com, define-tools; anthropics/claude-code#2673, a session with the call "git diff", for
// calls; OpenAI's API reference on function names; ai.google.dev/api/caching#FunctionDeclaration.
var providers = [...]provider{
	{ // a Claude Code log, too
		formats: []string{msg.Anthropic, msg.ClaudeCode},
		none:    A1Empty, noneIs: "at least one message is required",
		pairs: pairRules{unanswered: A2Unanswered, orphan: A3Orphan, order: A4Order, duplicate: A5Duplicate, id: A6ID,
			secondResult: errSingleResult},
		names: nameRule{A14Name, 128, 200, false},
		checks: []check{
			{find: checkRoles, rules: []Rule{A1Role, A21Fallback}},
			{find: checkEmpty, rules: []Rule{A1Empty}},
			{find: checkPairs, rules: []Rule{A2Unanswered, A3Orphan, A4Order, A5Duplicate, A6ID}},
			{find: checkSystem, rules: []Rule{A18System, A19SystemModel, A1Role}},
			{find: checkProgrammatic, rules: []Rule{A20Programmatic}},
			{find: checkServerPairs, rules: []Rule{A7ServerTool, A6ID}, whole: true},
			{find: checkOpenThinking, rules: []Rule{A9ThinkingOpen}},
			{find: checkDeferred, rules: []Rule{A11Cache, A22Deferred}, whole: true},
			{find: checkBreakpoints, rules: []Rule{A11Cache}},
			{find: checkCompactions, rules: []Rule{A12Compaction}},
			{find: checkParts, rules: []Rule{A13MediaType, A15Type, A16Reference, A17Size}},
			{find: checkNames, rules: []Rule{A14Name}},
		},
	},
	{
		formats: []string{msg.OpenAIChat, msg.KimiCLI},
		none:    O3Empty,
		noneIs: "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array " +
			"instead.",
		names: nameRule{O8Name, 64, 0, true},
		checks: []check{
			{find: checkOpenAIContent, rules: []Rule{O3Empty, O4Role}},
			{find: checkChatMembers, rules: []Rule{O6ID, O7Calls}},
			{find: checkReasoning, rules: []Rule{O10Reasoning}},
			{find: checkAlternation, rules: []Rule{O11Alternation}, whole: true},
			{find: checkNames, rules: []Rule{O8Name}},
			{find: checkChatTypes, rules: []Rule{O9Type}},
			{find: checkToolPairs, rules: []Rule{O1Unanswered, O2Orphan, O5Duplicate, O6ID}},
		},
	},
	{
		formats: []string{msg.OpenAIResponses, msg.Codex},
		newest:  true,
		names:   nameRule{R10Name, 64, 0, true},
		checks: []check{
			{find: checkItemIDs, rules: []Rule{R7ID, R9Duplicate}},
			{find: checkNames, rules: []Rule{R10Name}},
			{find: checkItemTypes, rules: []Rule{R11Type}},
			{find: checkItems, rules: []Rule{R1Orphan, R1Unanswered, R2Reasoning, R3Sealed, R3Stored, R4Compaction, R6Role,
				R7ID, R8Content}},
			{find: checkWindow, rules: []Rule{R5Context}, whole: true},
		},
	},
	{
		formats: []string{msg.Gemini},
		none:    G4Empty, noneIs: errNoContents,
		pairs: pairRules{unanswered: G2Count, orphan: G2Count, duplicate: G2Count, onlyResults: true},
		names: nameRule{G5Name, 128, 0, false},
		checks: []check{
			{find: checkContents, rules: []Rule{G1Order, G4Empty}},
			{find: checkPairs, rules: []Rule{G2Count}},
			{find: checkCallTurns, rules: []Rule{G1Order}},
			{find: checkSignatures, rules: []Rule{G3Signature}},
			{find: checkNames, rules: []Rule{G5Name}},
		},
	},
	{
		formats: []string{msg.AISDK},
		none:    S3Schema, noneIs: errNoPrompt,
		pairs: pairRules{unanswered: S1Unanswered, orphan: S2Orphan, order: S1Unanswered, duplicate: S2Orphan,
			noID: S3Schema, toolRole: true},
		checks: []check{
			{find: checkSchema, rules: []Rule{S3Schema}},
			{find: checkPairs, rules: []Rule{S1Unanswered, S2Orphan, S3Schema}},
		},
	},

	// The histories of clients. A client writes the request of its provider from them, with ids, roles and signatures of
	// its own, so only calls and results must match. The same holds for the steps of Gemini's Interactions API, of which
	// no other rule is known. They have the rules of the provider, or of the SDK.
	{
		formats: []string{msg.Pi, msg.Cline, msg.CopilotCLI, msg.Aider, msg.VSCodeChat, msg.KimiCode,
			msg.GrokCLI, msg.Crush},
		none: A1Empty,
		pairs: pairRules{unanswered: A2Unanswered, orphan: A3Orphan, order: A4Order, duplicate: A5Duplicate,
			secondResult: errSingleResult},
		checks: []check{{find: checkPairs, rules: []Rule{A2Unanswered, A3Orphan, A4Order, A5Duplicate}}},
	},
	{
		formats: []string{msg.OpenCode},
		none:    A1Empty,
		pairs: pairRules{unanswered: A2Unanswered, orphan: A3Orphan, order: A4Order, duplicate: A5Duplicate,
			secondResult: errSingleResult, byPlace: true},
		checks: []check{{find: checkPairs, rules: []Rule{A2Unanswered, A3Orphan, A4Order, A5Duplicate}}},
	},
	{
		formats: []string{msg.QwenCode, msg.Interactions},
		none:    G4Empty,
		pairs:   pairRules{unanswered: G2Count, orphan: G2Count, duplicate: G2Count},
		checks:  []check{{find: checkPairs, rules: []Rule{G2Count}}},
	},
	{
		formats: []string{msg.GeminiCLI},
		none:    G4Empty,
		pairs:   pairRules{unanswered: G2Count, orphan: G2Count, duplicate: G2Count, byPlace: true},
		checks:  []check{{find: checkPairs, rules: []Rule{G2Count}}},
	},
	{
		formats: []string{msg.AISDKUI},
		none:    S3Schema,
		pairs: pairRules{unanswered: S1Unanswered, orphan: S2Orphan, order: S1Unanswered, duplicate: S2Orphan,
			byPlace: true},
		checks: []check{{find: checkPairs, rules: []Rule{S1Unanswered, S2Orphan}}},
	},
}

// everywhere are the checks of every format, after those of its provider.
var everywhere = [...]check{
	{find: checkPictures, rules: []Rule{J2Image}},
	{find: checkLines, rules: []Rule{L1Line}, whole: true},
	{find: checkSurrogates, rules: []Rule{J1Surrogate}, whole: true},
}
