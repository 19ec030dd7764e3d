package bounded

import (
	"tamp/core/msg"
	"tamp/core/plan/choice"
	"tamp/core/policy"
	"tamp/core/summarize"
	"tamp/core/view"
	"tamp/core/words"
)

// Strategy is that of a policy that IsBounded.
func Strategy() choice.Strategy {
	return choice.Strategy{Shorten: longTasks, Choose: choose, MinGain: minGain, Failed: summarize.FailedCalls,
		Frame: frame, AnswerRoom: answerRoom, MaxSummaries: maxClearedShare, ForcesOnce: true, Condenses: true,
		Archives: true, MergesInBudget: true}
}

func choose(p *policy.Policy, in, before *view.View, l *choice.Limits, k *view.Cache) choice.Selection {
	var b bounds
	b.read(in, before, p, l, k)
	return b.choose()
}

// minGain always asks: for four turns like the last one at least, or for any gain.
func minGain(p *policy.Policy, in *view.View, l *choice.Limits) (tokens int, asks bool) {
	if l.Manual || p.Trigger.MinGainPermille == 0 {
		return 0, true
	}
	return max(l.MinGain, 4*lastTurn(in)), true
}

// lastTurn returns the tokens of the newest turn: from the newest assistant message to the end.
func lastTurn(in *view.View) int {
	sum := 0
	for m := len(in.Conversation.Messages) - 1; m >= 0; m-- {
		sum += in.Counts.Messages[m].Tokens
		if in.Conversation.Messages[m].Role == msg.Assistant {
			break
		}
	}
	return sum
}

func frame(*policy.Policy, int) int { return choice.ArchivedLabelTokens + words.FrameTokens }

// answerRoom is all that an answer may take without being longer than what it replaces.
func answerRoom(asked, replaces, _ int) int {
	return min(asked, max(replaces*2/3-choice.LabelTokens, replaces-choice.ArchivedLabelTokens-choice.LabelTokens))
}
