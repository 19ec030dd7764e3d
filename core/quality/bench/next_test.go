package bench

import (
	"cmp"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode"

	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/summarize"
)

// Names next: what a summary alone, of the whole conversation before a model call, has of the names that the agent uses
// next, at the length of a model's summary. It is printed by kind of work and by language, and next to the summaries
// that models wrote in recorded sessions, at their length.

// nextLengths are lengths of a summary in tokens: models wrote 900 to 3,600 in the recorded sessions. A cut with less
// than five times as many tokens is left out.
var nextLengths = []int{1000, 3000}

// next is what one text has, in permille.
type next struct{ present, context int }

func (k *cut) next(summary string) next {
	f := k.r.find(k.r.read(summary), k.originals)
	return next{share(len(f.present), len(k.used)), share(len(f.inContext), len(k.used))}
}

// extract is the extractive summary of the conversation before a cut.
func (k *cut) extract(length int) string {
	span := msg.Span{End: len(k.c.Messages)}
	return summarize.Summarize(k.c, span, summarize.Options{Counter: counter, MaxTokens: length})
}

// workOf is the kind of work of a session: code if most files that its calls change are code, documents if most are
// not, and office if it changes none.
func workOf(c *msg.Conversation) string {
	code, others := 0, 0
	for _, b := range c.Blocks() {
		if b.Kind != msg.KindToolUse {
			continue
		}
		summarize.Files(b.Name, b.Text, func(file, _ string, changes bool) {
			switch ext := path.Ext(file); {
			case !changes:
			case ext == ".md" || ext == ".txt" || ext == ".json" || ext == ".csv" || !pathPattern.MatchString(ext+"/x"+ext):
				others++
			default:
				code++
			}
		})
	}
	switch {
	case code+others == 0:
		return "office"
	case code > others:
		return "code"
	}
	return "documents"
}

// languageOf is the language of the user's prompts by their script: a tenth of other letters than Latin ones decides,
// since code and names are in Latin ones.
func languageOf(c *msg.Conversation) string {
	letters, korean, chinese := 0, 0, 0
	for m := range c.Messages {
		for _, r := range realText(&c.Messages[m]) {
			switch {
			case unicode.In(r, unicode.Hangul):
				korean++
			case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
				chinese++
			}
			if unicode.IsLetter(r) {
				letters++
			}
		}
	}
	switch {
	case korean*10 > letters:
		return "Korean"
	case chinese*10 > letters:
		return "Chinese"
	}
	return "English"
}

func nextTable(t *testing.T) {
	all := sessions(t)
	printf("\nNames next: of the names that the agent's next %d messages use, those that a summary alone has, and those in "+
		"context.", horizon)
	printf("Rivals get as many characters. work: most changed files are code, documents, or none is changed.")
	type row struct {
		work, language string
		ours           next
		rivals         []next
	}
	for _, length := range nextLengths {
		rows := make([][]row, len(all))
		each(len(all), func(i int) {
			work, language := workOf(all[i].c), languageOf(all[i].c)
			for _, k := range cutsOf(all[i]) {
				if k.tokens < 5*length {
					continue
				}
				summary := k.extract(length)
				r := row{work: work, language: language, ours: k.next(summary)}
				for _, rival := range rivals {
					r.rivals = append(r.rivals, k.next(rival.short(&k, characters(summary))))
				}
				if verbose {
					printf("%5d %-9s %-8s %-44.44s at %d: present %s, context %s\n%s", length, work, language, k.name, k.permille,
						ratio(r.ours.present), ratio(r.ours.context), summary)
				}
				rows[i] = append(rows[i], r)
			}
		})
		head := ""
		for _, r := range rivals {
			head += "  " + r.name
		}
		printf("%6s %-10s %-9s %5s | %7s %7s | present in%s", "tokens", "work", "language", "cuts", "present", "context",
			head)
		for _, work := range []string{"code", "documents", "office", ""} {
			for _, language := range []string{"English", "Chinese", "Korean", ""} {
				of := slices.DeleteFunc(slices.Concat(rows...), func(r row) bool {
					return work != "" && r.work != work || language != "" && r.language != language
				})
				if len(of) == 0 || work == "" && language != "" && len(of) < 3 {
					continue
				}
				cells := ""
				for n, rival := range rivals {
					cells += strings.Repeat(" ", len(rival.name)-3) + ratio(meanOf(of, func(r row) int { return r.rivals[n].present }))
				}
				printf("%6d %-10s %-9s %5d | %7s %7s |           %s", length, cmp.Or(work, "all"), cmp.Or(language, "all"), len(of),
					ratio(meanOf(of, func(r row) int { return r.ours.present })),
					ratio(meanOf(of, func(r row) int { return r.ours.context })), cells)
			}
		}
	}
	nextOfModels(t)
}

func meanOf[T any](of []T, value func(T) int) int {
	sum := 0
	for _, v := range of {
		sum += value(v)
	}
	return sum / max(len(of), 1)
}

// nextOfModels compares the summaries that models wrote in session logs with ours of the same messages.
func nextOfModels(t *testing.T) {
	printf("Summaries of models in recorded sessions, and ours of the same messages with as many tokens:")
	logs := []string{"claude-code", "codex", "pi"}
	for _, s := range loadFolders(t, logs, os.Getenv("TAMP_SET"), os.Getenv("TAMP_ONLY")) {
		segments := append(format.SegmentsOf(s.c).Earlier, s.c)
		for i := range len(segments) - 1 {
			k, theirs := compactionOf(segments[i], segments[i+1])
			if theirs == "" || len(k.used) == 0 {
				continue
			}
			length := counter.Count(theirs)
			summary := k.extract(length)
			span := msg.Span{End: len(k.c.Messages)}
			lacks := summarize.New(k.c, []msg.Span{span}, nil).Complete(0, theirs,
				summarize.Options{Counter: counter, MaxTokens: length / 2})
			a, b, both := k.next(theirs), k.next(summary), k.next(theirs+"\n"+lacks)
			printf("%6d %-10s %-9s %-30.30s %3d names | theirs %s (context %s), ours %s (%s), theirs and what it lacks %s (%s)",
				length, workOf(segments[i]), languageOf(segments[i]), s.name, len(k.used), ratio(a.present), ratio(a.context),
				ratio(b.present), ratio(b.context), ratio(both.present), ratio(both.context))
			if verbose {
				printf("THEIRS:\n%s\nLACKS:\n%s\nOURS:\n%s", theirs, lacks, summary)
			}
		}
	}
}

// compactionOf is the cut at a recorded compaction, with the text of its summary, "" if it is short or encrypted. The
// messages that stayed are not in the cut, and their names do not count.
func compactionOf(before, after *msg.Conversation) (k cut, summary string) {
	stayed := map[string]bool{} // the messages before, by their text: true if they are also after
	for m := range before.Messages {
		stayed[text(before.Messages[m:m+1])] = false
	}
	var kept, later []msg.Message
	for m := range after.Messages {
		message, said := after.Messages[m], text(after.Messages[m:m+1])
		_, was := stayed[said]
		switch {
		case len(later) > 0:
			later = append(later, message)
		case was:
			kept, stayed[said] = append(kept, message), true
		case summary == "" && isRecordedSummary(&message):
			summary = said
		default:
			later = append(later, message)
		}
	}
	if len(summary) < 1000 {
		return k, ""
	}
	messages := slices.DeleteFunc(slices.Clone(before.Messages), func(m msg.Message) bool {
		return stayed[text([]msg.Message{m})]
	})
	k = cut{r: newReader(), used: usedAfter(later)}
	k.c = before.WithMessages(messages)
	names := map[string]nameKind{}
	readNames(text(kept), names)
	k.originals = originals(k.r.read(text(k.c.Messages)), k.used)
	for name := range k.used {
		if k.originals[name] == nil || names[name] != 0 {
			delete(k.used, name)
			delete(k.originals, name)
		}
	}
	return k, summary
}

// isRecordedSummary reports a summary of an agent: a block of that kind, or the text of Claude Code.
func isRecordedSummary(m *msg.Message) bool {
	return slices.ContainsFunc(m.Blocks, func(b msg.Block) bool {
		return b.Kind == msg.KindSummary || strings.HasPrefix(b.Text, "This session is being continued")
	})
}
