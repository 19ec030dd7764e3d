package main

// broken damages a copy of a session in the four ways in which real histories get damaged. Nothing is invented: each
// message is from the recording, or a part of one.
func broken(s *Session) *Session {
	rounds := roundsOf(s)
	const keep = 11 // rounds that stay: enough to look like a session, small enough to read
	first := rounds[1]
	last := rounds[min(len(rounds)-1, keep)]
	out := &Session{Story: s.Story}

	// 1. A sliding window cut the head off between calls and their results: orphans at the start.
	// 2. The process was killed while the last calls ran: no result for them at the end.
	for _, m := range s.Messages[first+1 : last+1] {
		m.Parts = append([]Part(nil), m.Parts...)
		out.Messages = append(out.Messages, m)
	}

	// 3. The user interrupted a parallel round: one result is missing, and the text precedes the other results.
	// 4. A retry saved the same result twice.
	interrupted, repeated := false, false
	for i := 1; i < len(out.Messages); i++ {
		m := &out.Messages[i]
		switch {
		case m.Role != "user" || m.Parts[0].Kind != Result:
		case !interrupted && len(m.Parts) > 1 && m.Parts[1].Kind == Result:
			words := Part{Kind: Text, Text: "[Request interrupted by user] One file is enough for now, go on."}
			m.Parts = append([]Part{words}, m.Parts[:len(m.Parts)-1]...)
			interrupted = true
		case interrupted && !repeated:
			m.Parts = append([]Part{m.Parts[0]}, m.Parts...)
			repeated = true
		}
	}
	return out
}

// roundsOf returns the index of each assistant message with calls.
func roundsOf(s *Session) []int {
	var rounds []int
	for i, m := range s.Messages {
		for _, p := range m.Parts {
			if p.Kind == Call {
				rounds = append(rounds, i)
				break
			}
		}
	}
	return rounds
}
