package validity

import (
	"slices"
	"strconv"
	"strings"

	"tamp/core/internal/order"
	"tamp/core/msg"
)

// The rules that make a conversation valid. This file and the files named check_*.go hold all of them.
//
//  1. The code that finds a violation reports it and records the edit that repairs it, so Check and Repair cannot
//     disagree. Check discards the edits.
//  2. Pairs are matched by occurrence (see Pair), since later rounds can reuse ids.
//  3. A call at the end of the conversation may still get its result. It is reported as a warning, because the provider
//     would refuse a request that ends there, and Repair does not change it.
//  4. Repair removes nothing that the agent could still need: a misplaced result is moved to its call, a call without a
//     result gets one that says so. It removes only blocks that no provider accepts in any position.
//  5. Unknown roles and blocks are kept. They are never a reason to change another message.

// Severity says whether the provider refuses the request because of a problem.
type Severity string

const (
	SeverityError   Severity = "error"   // the provider refuses the request
	SeverityWarning Severity = "warning" // not refused, or not yet
)

// Problem is one violation of a rule.
type Problem struct {
	Rule     Rule     `json:"rule"`
	Severity Severity `json:"severity"`
	// JSON Pointer into the input; for a block that Tamp made, that of its message
	Path          string `json:"path"`
	Message       string `json:"message"`                 // one sentence, naming ids and tools, never content
	ProviderError string `json:"providerError,omitempty"` // the provider's error text
	Repair        string `json:"repair"`                  // what Repair does about it; "" if Repair leaves the problem
	Reason        string `json:"reason,omitempty"`        // why Repair leaves the problem; "" if it does not
	// Block -1: the whole message; Message -1: outside of the messages
	Ref msg.Ref `json:"-"`
}

// Valid reports that no problem among those given is an error.
func Valid(problems []Problem) bool {
	return !slices.ContainsFunc(problems, func(p Problem) bool { return p.Severity == SeverityError })
}

// MaxProblems is the maximum length of a list of problems. A broken conversation of a million messages can have several
// in each message, and no reader needs more than these.
const MaxProblems = 1000

// Check reports the violations that make the provider refuse the conversation, in document order: system and tools,
// then the messages. The same conversation gives the same problems; a valid one gives none. A format without rules is
// valid.
//
// It lists at most MaxProblems and drops warnings before errors: a list without an error means that there is none.
// CheckAll counts the rest.
func Check(c *msg.Conversation) []Problem { return examine(c).problems }

// CheckAll is Check, and returns the number of problems over MaxProblems, which the list leaves out.
func CheckAll(c *msg.Conversation) (problems []Problem, omitted int) {
	ck := examine(c)
	return ck.problems, ck.omitted
}

// BrokenRules returns each rule with an error in c once, ordered by the place of its first error. It reads all errors:
// MaxProblems does not limit it.
func BrokenRules(c *msg.Conversation) []Rule {
	firsts := examine(c).firsts
	order.Stable(firsts, inOrder)
	rules := make([]Rule, len(firsts))
	for i := range firsts {
		rules[i] = firsts[i].Rule
	}
	return rules
}

// checker examines one conversation and collects violations and their repairs.
type checker struct {
	c        *msg.Conversation
	problems []Problem
	firsts   []Problem // for each rule with an error, its first error; only Rule and Ref are set
	omitted  int       // problems over MaxProblems, which are not in problems
	repaired int       // the number of omitted problems that edit repairs
	edit     edit
	freeIDs  freeIDs
	part     bool // c is a part of a conversation: rules that depend on the rest do not run
	rules    pairRules
}

func examine(c *msg.Conversation) *checker {
	ck := &checker{c: c}
	ck.examine()
	return ck
}

func (ck *checker) examine() {
	switch ck.c.Format {
	case msg.Anthropic, msg.ClaudeCode:
		ck.rules = anthropicPairs
		ck.anthropic()
	case msg.AISDK:
		ck.rules = aiSDKPairs
		ck.aiSDK()
	case msg.Gemini:
		ck.rules = geminiPairs
		ck.gemini()
	case msg.Pi, msg.OpenCode, msg.Cline, msg.CopilotCLI, msg.Aider, msg.VSCodeChat, msg.KimiCode,
		msg.GrokCLI, msg.Crush:
		ck.client(anthropicPairs, A1Empty)
	case msg.GeminiCLI, msg.QwenCode, msg.Interactions:
		ck.client(geminiPairs, G4Empty)
	case msg.AISDKUI:
		ck.client(aiSDKPairs, S3Schema)
	case msg.OpenAIChat, msg.KimiCLI:
		ck.openAI()
	case msg.OpenAIResponses, msg.Codex:
		ck.responses()
	}
	ck.pictures()
	if !ck.part {
		ck.lines()
		ck.checkSurrogates()
	}
	ck.limit()
	order.Stable(ck.problems, inOrder)
}

// lines reports the lines of a log that are not part of the conversation because they cannot be read.
func (ck *checker) lines() {
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
func (ck *checker) checkSurrogates() {
	for _, place := range ck.c.Lone {
		p := ck.report(J1Surrogate, place.Ref, "A string has half of a surrogate pair, or invalid UTF-8.",
			"it becomes U+FFFD")
		if p.Path = place.Path; msg.API(ck.c.Format) != msg.Anthropic {
			p.ProviderError = "" // the known text is Anthropic's
		}
		ck.edit.whole = true
	}
}

func inOrder(a, b Problem) int {
	if a.Ref.Message != b.Ref.Message {
		return a.Ref.Message - b.Ref.Message
	}
	return a.Ref.Block - b.Ref.Block
}

// limit keeps the first MaxProblems problems, errors before warnings, and counts the others.
func (ck *checker) limit() {
	if len(ck.problems) <= MaxProblems {
		return
	}
	order.Stable(ck.problems, func(a, b Problem) int {
		if a.Severity != b.Severity {
			if a.Severity == SeverityError {
				return -1
			}
			return 1
		}
		return inOrder(a, b)
	})
	for _, p := range ck.problems[MaxProblems:] {
		ck.omitted++
		if p.Repair != "" {
			ck.repaired++
		}
	}
	ck.problems = ck.problems[:MaxProblems]
}

// outside is the Ref of problems in the system prompt, the tools or the request body.
var outside = msg.Ref{Message: -1, Block: -1}

// messageRef is the Ref of a whole message.
func messageRef(message int) msg.Ref { return msg.Ref{Message: message, Block: -1} }

// report adds an error with the provider's text of the rule, "…" replaced by the ids.
func (ck *checker) report(rule Rule, at msg.Ref, message, repair string, ids ...string) *Problem {
	if i := slices.IndexFunc(ck.firsts, func(p Problem) bool { return p.Rule == rule }); i < 0 {
		ck.firsts = append(ck.firsts, Problem{Rule: rule, Ref: at})
	} else if p := (Problem{Ref: at}); inOrder(p, ck.firsts[i]) < 0 {
		ck.firsts[i].Ref = at
	}
	return ck.addProblem(rule, SeverityError, at, message, repair, ids...)
}

// addProblem adds a problem, as report does.
func (ck *checker) addProblem(rule Rule, severity Severity, at msg.Ref, message, repair string,
	ids ...string) *Problem {
	if len(ck.problems) >= 2*MaxProblems {
		ck.limit() // not after each problem, so that the time stays linear
	}
	text := ""
	for _, r := range Rules {
		if r.Rule == rule {
			text = r.Error
		}
	}
	ck.problems = append(ck.problems, Problem{Rule: rule, Severity: severity, Path: ck.path(at), Message: message,
		ProviderError: filled(text, ids...), Repair: repair, Ref: at})
	return &ck.problems[len(ck.problems)-1]
}

// filled returns a text of a provider with the ids in place of "…".
func filled(text string, ids ...string) string {
	for _, id := range ids {
		text = strings.Replace(text, "…", id, 1)
	}
	return text
}

// reportUnrepaired adds an error that Repair leaves, and the reason.
func (ck *checker) reportUnrepaired(rule Rule, at msg.Ref, message, reason string, ids ...string) *Problem {
	p := ck.report(rule, at, message, "", ids...)
	p.Reason = reason
	return p
}

// reportUnfinished adds a warning about a call whose result may still come.
func (ck *checker) reportUnfinished(rule Rule, at msg.Ref, message string, ids ...string) {
	ck.addProblem(rule, SeverityWarning, at, message, "", ids...).Reason = "its result may still come"
}

func (ck *checker) path(at msg.Ref) string {
	if at.Message < 0 {
		return ""
	}
	m := &ck.c.Messages[at.Message]
	if at.Block >= 0 && m.Blocks[at.Block].Path != "" {
		return m.Blocks[at.Block].Path
	}
	return m.Path
}

// block returns the block at r after the edits recorded so far.
func (ck *checker) block(r msg.Ref) msg.Block {
	if b, ok := ck.edit.replace[r]; ok {
		return b
	}
	return *ck.c.At(r)
}

// freeIDs finds ids that no call or result has.
type freeIDs struct {
	taken map[string]bool
	next  map[string]int // per id, the first suffix not tried yet
}

// assignID gives a call and its result a new id: the old id with the first free number as a suffix, or call_1, call_2
// and so on if the call has no id. It returns the new id.
func (ck *checker) assignID(call, result msg.Ref, answered bool) string {
	if ck.freeIDs.taken == nil {
		ck.freeIDs = freeIDs{ids(ck.c), map[string]int{}}
	}
	old, first := ck.c.At(call).ID, 2
	if old == "" {
		old, first = "call", 1
	}
	old = msg.ToolName(old, len(old)) // no API refuses the characters of a name in an id
	n := max(ck.freeIDs.next[old], first)
	for ck.freeIDs.taken[old+"_"+strconv.Itoa(n)] {
		n++
	}
	id := old + "_" + strconv.Itoa(n)
	ck.freeIDs.next[old] = n + 1
	ck.freeIDs.taken[id] = true
	ck.edit.replaceBlock(call, ck.block(call).WithID(id))
	if answered {
		ck.edit.replaceBlock(result, ck.block(result).WithID(id))
	}
	return id
}

// ids returns the ids of all calls and results of the conversation.
func ids(c *msg.Conversation) map[string]bool {
	taken := map[string]bool{}
	for it := c.Walk(); it.Next(); {
		block := it.Block
		if id := block.ID; id != "" {
			taken[id] = true
		}
	}
	return taken
}

// callName names a call in a message: `toolu_1 (read_file)`.
func callName(b *msg.Block) string {
	switch {
	case b.ID == "", b.Type == "function_call" && strings.HasPrefix(b.ID, "function:"),
		b.Type == "function" && b.Kind == msg.KindToolResult: // known by name only
		return short(b.Name)
	case b.Name == "":
		return short(b.ID)
	}
	return short(b.ID) + " (" + short(b.Name) + ")"
}

// short shortens an id or a name for a message. In hostile input they can have any length.
func short(name string) string {
	return msg.Shorten(name, 80) // twice the length of the longest known provider id
}
