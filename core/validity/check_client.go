package validity

import "tamp/core/msg"

// The rules of the histories of clients: pi, opencode, Gemini CLI and UIMessage[]. A client writes the request of its
// provider from them, with ids, roles and signatures of its own, so only calls and results must match. The same holds
// for the steps of Gemini's Interactions API, of which no other rule is known. They have the
// rules of the provider, or of the SDK.

func (ck *checker) client(rules pairRules, empty Rule) {
	if ck.c.Partial { // the provider has the rest
		return
	}
	ck.rules = rules
	ck.rules.id, ck.rules.noID, ck.rules.toolRole, ck.rules.onlyResults = "", "", false, false
	ck.rules.byPlace = ck.c.Format == msg.OpenCode || ck.c.Format == msg.GeminiCLI || ck.c.Format == msg.AISDKUI
	if len(ck.c.Messages) == 0 {
		ck.reportNoMessages(empty, "")
		return
	}
	ck.checkPairs(ck.rounds())
}
