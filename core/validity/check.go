package validity

import (
	"slices"

	"tamp/core/internal/order"
	"tamp/core/msg"
)

// The rules that make a conversation valid. providers.go has the table of them, the files named
// check_*.go how each is checked.
//
//  1. The code that finds a violation reports it and records the edit that repairs it, so Check and Repair cannot
//     disagree. Check discards the edits.
//  2. Pairs are matched by occurrence (see Pair), since later rounds can reuse ids.
//  3. A call at the end of the conversation may still get its result. It is reported as a warning, because the provider
//     would refuse a request that ends there, and Repair does not change it.
//  4. Repair removes nothing that the agent could still need: a misplaced result is moved to its call, a call without a
//     result gets one that says so. It removes only blocks that no provider accepts in any position.
//  5. Unknown roles and blocks are kept. They are never a reason to change another message.

// Check reports the violations that make the provider refuse the conversation, in document order: system and tools,
// then the messages. The same conversation gives the same problems; a valid one gives none. A format without rules is
// valid.
//
// It lists at most MaxProblems and drops warnings before errors: a list without an error means that there is none.
// CheckAll counts the rest.
func Check(c *msg.Conversation) []Problem { return examine(c, false).problems }

// CheckAll is Check, and returns the number of problems over MaxProblems, which the list leaves out.
func CheckAll(c *msg.Conversation) (problems []Problem, omitted int) {
	ck := examine(c, false)
	return ck.problems, ck.omitted
}

// BrokenRules returns each rule with an error in c once, ordered by the place of its first error. It reads all errors:
// MaxProblems does not limit it.
func BrokenRules(c *msg.Conversation) []Rule {
	firsts := examine(c, false).firsts
	order.Stable(firsts, inOrder)
	rules := make([]Rule, len(firsts))
	for i := range firsts {
		rules[i] = firsts[i].Rule
	}
	return rules
}

func examine(c *msg.Conversation, part bool) *checker {
	ck := &checker{c: c, part: part}
	for i := range providers {
		if of := &providers[i]; slices.Contains(of.formats, c.Format) && (of.newest || !c.Partial) {
			ck.of = of
			if len(c.Messages) == 0 && of.none != "" {
				reportNoMessages(ck)
			} else {
				ck.run(of.checks)
			}
		}
	}
	ck.run(everywhere[:])
	ck.limit()
	order.Stable(ck.problems, inOrder)
	return ck
}

func (ck *checker) run(checks []check) {
	for i := range checks {
		if !checks[i].whole || !ck.part {
			checks[i].find(ck)
		}
	}
}

// reportNoMessages reports a conversation without a message. Repair leaves it: there is nothing to keep or to answer.
func reportNoMessages(ck *checker) {
	p := ck.reportUnrepaired(ck.of.none, outside, "The conversation has no messages.", "there is no message to repair")
	p.ProviderError = ck.of.noneIs
	if ck.c.Model != "" || len(ck.c.System) > 0 || len(ck.c.Tools) > 0 {
		p.Path = "/messages" // only a whole request body has these
	}
}
