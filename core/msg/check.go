package msg

import (
	"slices"
	"strconv"
	"strings"
)

// The rules that make a conversation valid, here and in the files named check_*.go, and nowhere else.
//
//  1. A rule that finds a breach reports it and, in the same breath, notes the edit that mends it: so Check and Repair
//     cannot disagree. Check throws the edits away.
//  2. Pairs are matched by occurrence (see Pair), since ids come again in later rounds.
//  3. What may still come is not missing: a call at the very end of the conversation waits for its result. It is reported
//     as a warning, because a request that ends so would be refused, and never touched.
//  4. Nothing is removed that the agent could still need: a result without its place is moved to its call, a call without
//     a result gets one that says so. Only what no provider accepts anywhere is taken out.
//  5. Roles and blocks that we do not know are kept. They are never reasons to change something else.

// Severity says what a problem means to the provider.
type Severity string

const (
	SeverityError   Severity = "error"   // the provider refuses the request
	SeverityWarning Severity = "warning" // not refused as it stands, or not yet
)

// Problem is one breach of a rule.
type Problem struct {
	Rule          Rule     `json:"rule"`
	Severity      Severity `json:"severity"`
	Path          string   `json:"path"`                    // JSON Pointer into the input; of a block that Tamp made, its message's
	Message       string   `json:"message"`                 // one sentence, naming ids and tools, never content
	ProviderError string   `json:"providerError,omitempty"` // what the provider answers, in its own words
	Repair        string   `json:"repair"`                  // what Repair does about it; "" where it leaves it
	Reason        string   `json:"reason,omitempty"`        // why Repair leaves it; "" where it does not
	Ref           Ref      `json:"-"`                       // Block is -1: the whole message; Message is -1: outside of the messages
}

// Valid reports that no problem among those given is an error.
func Valid(problems []Problem) bool {
	return !slices.ContainsFunc(problems, func(p Problem) bool { return p.Severity == SeverityError })
}

// MaxProblems is the length of the longest list of problems: a broken conversation of a million messages can have several
// in each, and nobody reads more than these.
const MaxProblems = 1000

// Check reports what the conversation's provider would refuse, in document order: system and tools, then the messages.
// The same conversation gives the same problems; a valid one gives none. A format without rules of its own is valid.
//
// It lists at most MaxProblems, errors before warnings: where the list holds no error, there is none. CheckAll counts the rest.
func Check(c *Conversation) []Problem { return examine(c).problems }

// CheckAll is Check, with the number of problems that its list has no room for.
func CheckAll(c *Conversation) (problems []Problem, omitted int) {
	f := examine(c)
	return f.problems, f.omitted
}

// finder goes through one conversation and gathers breaches and what mends them.
type finder struct {
	c        *Conversation
	problems []Problem
	omitted  int // problems that MaxProblems has no room for
	repaired int // those of them that the edit repairs
	edit     edit
	names    names
	part     bool // c is a part of a conversation: no rule that may reach outside of it
}

func examine(c *Conversation) *finder {
	f := &finder{c: c}
	f.examine()
	return f
}

func (f *finder) examine() {
	switch f.c.Format {
	case Anthropic, ClaudeCode:
		f.anthropic()
	case OpenAIChat:
		f.openAI()
	}
	f.limit()
	slices.SortStableFunc(f.problems, inOrder)
}

func inOrder(a, b Problem) int {
	if a.Ref.Message != b.Ref.Message {
		return a.Ref.Message - b.Ref.Message
	}
	return a.Ref.Block - b.Ref.Block
}

// limit keeps the first MaxProblems problems, errors before warnings, and counts the others.
func (f *finder) limit() {
	if len(f.problems) <= MaxProblems {
		return
	}
	slices.SortStableFunc(f.problems, func(a, b Problem) int {
		if a.Severity != b.Severity {
			if a.Severity == SeverityError {
				return -1
			}
			return 1
		}
		return inOrder(a, b)
	})
	for _, p := range f.problems[MaxProblems:] {
		f.omitted++
		if p.Repair != "" {
			f.repaired++
		}
	}
	f.problems = f.problems[:MaxProblems]
}

// outside is the Ref of what stands beside the messages.
var outside = Ref{-1, -1}

// whole names a message rather than one of its blocks.
func whole(message int) Ref { return Ref{message, -1} }

// report notes an error with the provider's text of the rule, "…" replaced by the ids.
func (f *finder) report(rule Rule, at Ref, message, repair string, ids ...string) *Problem {
	if len(f.problems) >= 2*MaxProblems {
		f.limit() // not after each one, so that the time stays linear
	}
	text := ""
	for _, r := range Rules {
		if r.Rule == rule {
			text = r.Error
		}
	}
	for _, id := range ids {
		text = strings.Replace(text, "…", id, 1)
	}
	f.problems = append(f.problems, Problem{Rule: rule, Severity: SeverityError, Path: f.path(at), Message: message,
		ProviderError: text, Repair: repair, Ref: at})
	return &f.problems[len(f.problems)-1]
}

// leave notes an error that Repair leaves, and why.
func (f *finder) leave(rule Rule, at Ref, message, reason string, ids ...string) *Problem {
	p := f.report(rule, at, message, "", ids...)
	p.Reason = reason
	return p
}

// wait notes a call whose result may still come: a warning.
func (f *finder) wait(rule Rule, at Ref, message string, ids ...string) {
	f.leave(rule, at, message, "its result may still come", ids...).Severity = SeverityWarning
}

func (f *finder) path(at Ref) string {
	if at.Message < 0 {
		return ""
	}
	m := &f.c.Messages[at.Message]
	if at.Block >= 0 && m.Blocks[at.Block].Path != "" {
		return m.Blocks[at.Block].Path
	}
	return m.Path
}

// block returns the block at r as the edits noted so far leave it.
func (f *finder) block(r Ref) Block {
	if b, ok := f.edit.replace[r]; ok {
		return b
	}
	return *f.c.At(r)
}

// names hands out ids that nobody has.
type names struct {
	taken map[string]bool
	next  map[string]int // per id, the first number not tried
}

// rename gives a call and its result another id: its own with the first number behind it that is free; call_1 and so on
// where it has none.
func (f *finder) rename(call, result Ref, answered bool) string {
	if f.names.taken == nil {
		f.names = names{ids(f.c), map[string]int{}}
	}
	old, first := f.c.At(call).ID, 2
	if old == "" {
		old, first = "call", 1
	}
	n := max(f.names.next[old], first)
	for f.names.taken[old+"_"+strconv.Itoa(n)] {
		n++
	}
	id := old + "_" + strconv.Itoa(n)
	f.names.next[old] = n + 1
	f.names.taken[id] = true
	f.edit.put(call, f.block(call).WithID(id))
	if answered {
		f.edit.put(result, f.block(result).WithID(id))
	}
	return id
}

// ids returns every id that a call or result of the conversation goes by.
func ids(c *Conversation) map[string]bool {
	taken := map[string]bool{}
	for m := range c.Messages {
		for b := range c.Messages[m].Blocks {
			if id := c.Messages[m].Blocks[b].ID; id != "" {
				taken[id] = true
			}
		}
	}
	return taken
}

// callName names a call in a message: `toolu_1 (read_file)`.
func callName(b *Block) string {
	switch {
	case b.ID == "", b.Type == "function_call", b.Type == "function" && b.Kind == KindToolResult: // known by name only
		return short(b.Name)
	case b.Name == "":
		return short(b.ID)
	}
	return short(b.ID) + " (" + short(b.Name) + ")"
}

// short cuts an id or a name, which may be of any length in a hostile input, to what a sentence can hold.
func short(name string) string {
	return Shorten(name, 80) // twice the length of the longest id that a provider makes
}

// noResult is what a call without a result gets as one. It says that we do not know, since the tool may have run.
const noResult = "[No result was recorded for this call]"
