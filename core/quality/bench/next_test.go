package bench

import (
	"cmp"
	"fmt"
	"maps"
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

// kindsOfWork are the rows by kind of work: documents are texts, plans and data, office is chat, research and tools.
var kindsOfWork = []string{"code", "documents", "office", "not code", ""}

// isOf reports whether a kind of work belongs to a row; "" is all.
func isOf(work, row string) bool {
	return row == "" || row == work || row == "not code" && work != "code"
}

// workOf is the kind of work of a session by its files, those that its calls change, each time, or if they change none,
// those that the agent names: code if most of them are source files, documents if most are others and it changes them,
// else office.
func workOf(c *msg.Conversation) string {
	changed, named := [2]int{}, [2]int{} // other files, source files
	for m := range c.Messages {
		if c.Messages[m].Role != msg.Assistant {
			continue
		}
		for b := range c.Messages[m].Blocks {
			block := &c.Messages[m].Blocks[b]
			names := map[string]nameKind{}
			readNames(blockText(block), names)
			for name, kind := range names {
				if kind == 'p' && path.Ext(name) != "" {
					named[sourceFile(name)]++
				}
			}
			if block.Kind == msg.KindToolUse {
				summarize.Files(block.Name, block.Text, func(file, _ string, changes, _ bool) {
					if changes {
						changed[sourceFile(file)]++
					}
				})
			}
		}
	}
	files := changed
	if changed == [2]int{} {
		files = named
	}
	switch {
	case files[1] > files[0]:
		return "code"
	case changed == [2]int{}:
		return "office"
	}
	return "documents"
}

// sourceFile is 1 for the name of a source file, else 0.
func sourceFile(name string) int {
	switch ext := path.Ext(name); {
	case ext == ".md" || ext == ".txt" || ext == ".json" || ext == ".csv" || !pathPattern.MatchString("x"+ext):
		return 0
	}
	return 1
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
	printf("Rivals get as many characters. work: most files are source files, others that are changed, or else office.")
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
					printf("%5d %-9s %-8s %-44.44s at %d: present %s, context %s\n%s\nMISSED:\n%s", length, work, language, k.name,
						k.permille, ratio(r.ours.present), ratio(r.ours.context), summary, k.missed(summary))
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
		for _, work := range kindsOfWork {
			for _, language := range []string{"English", "Chinese", "Korean", ""} {
				of := slices.DeleteFunc(slices.Concat(rows...), func(r row) bool {
					return !isOf(r.work, work) || language != "" && r.language != language
				})
				if len(of) == 0 || language != "" && len(of) < 3 {
					continue
				}
				cells := ""
				for n, rival := range rivals {
					cells += strings.Repeat(" ", len(rival.name)-3) + ratio(meanOf(of, func(r row) int { return r.rivals[n].present }))
				}
				if language == "" {
					record("next", "tokens,work,cuts,present,in context,results cut to that length", thousands(length),
						cmp.Or(work, "all"), len(of), costOf(meanOf(of, func(r row) int { return r.ours.present })),
						costOf(meanOf(of, func(r row) int { return r.ours.context })),
						costOf(meanOf(of, func(r row) int { return r.rivals[len(rivals)-1].present })))
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

// nextOfModels compares the summaries that models wrote in session logs with ours of the same messages. A summary that
// is in several logs, which are states of one session, counts once.
func nextOfModels(t *testing.T) {
	printf("Summaries of models in recorded sessions, and ours of the same messages with as many tokens:")
	type row struct {
		work               string
		length             int
		theirs, ours, both next
	}
	var rows []row
	seen := map[string]bool{}
	logs := []string{"claude-code", "codex", "pi"}
	for _, s := range loadFolders(t, logs, os.Getenv("TAMP_SET"), os.Getenv("TAMP_ONLY")) {
		segments := append(format.SegmentsOf(s.c).Earlier, s.c)
		for i := range len(segments) - 1 {
			k, theirs := compactionOf(segments[i], segments[i+1])
			if theirs == "" || len(k.used) == 0 || seen[theirs] {
				continue
			}
			seen[theirs] = true
			length := counter.Count(theirs)
			summary := k.extract(length)
			span := msg.Span{End: len(k.c.Messages)}
			lacks := summarize.New(k.c, []msg.Span{span}, nil).Complete(0, theirs,
				summarize.Options{Counter: counter, MaxTokens: length / 2})
			r := row{workOf(segments[i]), length, k.next(theirs), k.next(summary), k.next(theirs + "\n" + lacks)}
			rows = append(rows, r)
			printf("%6d %-10s %-9s %-30.30s %3d names | theirs %s (context %s), ours %s (%s), theirs and what it lacks %s (%s)",
				length, r.work, languageOf(segments[i]), s.name, len(k.used), ratio(r.theirs.present), ratio(r.theirs.context),
				ratio(r.ours.present), ratio(r.ours.context), ratio(r.both.present), ratio(r.both.context))
			if verbose {
				printf("THEIRS:\n%s\nLACKS:\n%s\nOURS:\n%s\nMISSED:\n%s", theirs, lacks, summary, k.missed(summary))
			}
		}
	}
	for _, work := range kindsOfWork {
		of := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !isOf(r.work, work) })
		if len(of) == 0 {
			continue
		}
		present := func(value func(r row) next) string {
			return ratio(meanOf(of, func(r row) int { return value(r).present })) + " (context " +
				ratio(meanOf(of, func(r row) int { return value(r).context })) + ")"
		}
		printf("%6d %-10s %5d summaries | theirs %s, ours %s, theirs and what it lacks %s",
			meanOf(of, func(r row) int { return r.length }), cmp.Or(work, "all"), len(of),
			present(func(r row) next { return r.theirs }), present(func(r row) next { return r.ours }),
			present(func(r row) next { return r.both }))
	}
}

// missed lists the names that a summary lacks, each with the block that had it last.
func (k *cut) missed(summary string) string {
	f := k.r.find(k.r.read(summary), k.originals)
	pairs := msg.Pair(k.c)
	last := map[string]string{}
	for m := range k.c.Messages {
		for b := range k.c.Messages[m].Blocks {
			block := &k.c.Messages[m].Blocks[b]
			where := string(k.c.Messages[m].Role) + " " + string(block.Kind) + " " + block.Name
			if block.Kind == msg.KindToolResult {
				where = "result of " + pairs.ToolName(k.c, msg.Ref{Message: m, Block: b})
			}
			for _, l := range k.r.read(blockText(block)) {
				for _, name := range l.names {
					if k.used[name] != 0 && !f.present[name] {
						last[name] = fmt.Sprintf("%c %s | %d of %d, %s: %.140s", k.used[name], name, m, len(k.c.Messages), where, l.text)
					}
				}
			}
		}
	}
	return strings.Join(slices.Sorted(maps.Values(last)), "\n")
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
