package validity

import "tamp/core/msg"

// The rules on the input as a text: the lines of a log, and valid Unicode.

// checkLines reports the lines of a log that are not part of the conversation because they cannot be read.
func checkLines(ck *checker) {
	for _, w := range ck.c.Warnings {
		repair, reason := "", "the line is kept as it is"
		switch w.Code {
		case msg.CutLine, msg.OddLine, msg.GluedLine:
			if ck.c.Clean {
				continue
			}
			repair, reason, ck.edit.clean = "the line is removed", "", true
			if w.Code == msg.GluedLine {
				repair = "each record becomes a line"
			}
		case msg.OddMessage:
		default:
			continue
		}
		p := ck.addProblem(L1Line, SeverityWarning, outside, w.Message, repair)
		p.Path, p.Reason = w.Path, reason
	}
}

// checkSurrogates reports the strings of the input that are no valid Unicode. Parse has repaired them.
func checkSurrogates(ck *checker) {
	for _, place := range ck.c.Lone {
		p := ck.report(J1Surrogate, place.Ref, "A string has half of a surrogate pair, or invalid UTF-8.",
			"it becomes U+FFFD")
		if p.Path = place.Path; msg.API(ck.c.Format) != msg.Anthropic {
			p.ProviderError = "" // the known text is Anthropic's
		}
		ck.edit.whole = true
	}
}
