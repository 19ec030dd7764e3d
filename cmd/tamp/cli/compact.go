package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tamp/core"
	"tamp/core/msg"
	"tamp/core/tokens"
	"tamp/core/validity"
	"tamp/core/wire"
)

// compaction compacts the conversation of a command as compact of the npm package does, without a model: what the
// provider would refuse is repaired first, since a compaction must not hand on what ends the session.
type compaction struct {
	*call
	engine   *wire.Engine
	request  wire.PlanRequest
	text     []byte             // the conversation
	save     func([]byte) error // nil: originals are discarded
	warnings []string           // of the plans
	code     int                // fault: the provider would refuse the result
}

// compacting reads the conversation and the options of a command.
func compacting(c *call) (*compaction, error) {
	text, err := c.input()
	if err != nil {
		return nil, err
	}
	k := &compaction{call: c, engine: c.engine(), text: text}
	k.request.ConversationRequest = *c.conversation()
	k.request.Counter, k.request.Preset, k.request.Thinking = c.given["counter"], c.given["preset"], c.given["thinking"]
	k.request.Force = c.has("force")
	k.request.Policy, err = policyOf(&c.options)
	return k, err
}

// madeBefore is a string in JSON that begins with a label of a summary, or is a placeholder of a cleared result, as
// core/internal/marker writes them. "[Old tool result content cleared]" is not among them, since agents write it, too.
var madeBefore = regexp.MustCompile(`"\[(compacted summary of turns \d+-\d+[;\]]|` +
	`Summary of the earlier (conversation|\d+ messages), as history|Conversation compressed\. Transcript: |` +
	`Compressed\]\\n|Previous: used [^"\]]+\]"|cleared to save context\]")`)

// run compacts the conversation.
func (c *compaction) run() (out *core.Outcome, document []byte, err error) {
	if err := c.makeValid(); err != nil {
		return nil, nil, err
	}
	c.request.Extractive = true
	loop, err := c.engine.StartText(&c.request, c.text)
	if err != nil {
		return nil, nil, err
	}
	if madeBefore.Match(c.text) {
		c.warn("the session was compacted before: its summaries are summarized again, as if they were messages")
	}
	err = loop.Run(core.Host{Save: c.save, Planned: func(plan *core.Plan) error {
		for _, w := range plan.Warnings {
			if !slices.Contains(c.warnings, w.Message) {
				c.warnings = append(c.warnings, w.Message)
			}
		}
		return nil
	}, Applied: func(_ *core.Plan, _ []core.SummaryResult, out *core.Outcome) error {
		for _, w := range out.Warnings {
			c.warn(w.Message)
			c.warnings = slices.DeleteFunc(c.warnings, func(message string) bool { return message == w.Message })
		}
		return nil
	}})
	if err != nil {
		return nil, nil, err
	}
	return loop.Result()
}

func (c *compaction) warn(message string) { c.show("tamp: %s", message) }

// makeValid repairs a conversation that the provider would refuse. What the user chose are positions, which a repair
// would move: then it stays as it is.
func (c *compaction) makeValid() error {
	of := &c.request.ConversationRequest
	report, _, err := wire.Call[wire.CheckReport](c.engine, "check", of, c.text)
	if err != nil {
		return err
	}
	found := errorsIn(report.Problems)
	chosen := len(c.request.Keep) + len(c.request.Drop) + len(c.request.Summarize)
	if len(found) == 0 || chosen > 0 {
		c.refused(found)
		return nil
	}
	repaired, document, err := wire.Call[wire.Repaired](c.engine, "repair", of, c.text)
	if err != nil {
		return err
	}
	done := errorsIn(repaired.Problems)
	if len(done) > 0 {
		c.warn("the conversation was broken, and is repaired: the provider would have refused it. " + listed(done))
		c.text = document
	}
	c.refused(errorsIn(repaired.Left))
	if len(done) > 0 && repaired.Originals != "" && c.save != nil {
		return c.save([]byte(repaired.Originals))
	}
	return nil
}

func (c *compaction) refused(problems []validity.Problem) {
	if len(problems) > 0 {
		c.warn("the conversation stays broken, and the provider would refuse it. " + listed(problems))
		c.code = fault
	}
}

// errorsIn leaves out warnings, and the rule about the window of a model, which compaction is for.
func errorsIn(problems []validity.Problem) (found []validity.Problem) {
	for _, p := range problems {
		if p.Severity == validity.SeverityError && p.Rule != validity.R5Context {
			found = append(found, p)
		}
	}
	return found
}

// listed is the first problems, with their rules and places.
func listed(problems []validity.Problem) string {
	var texts []string
	for _, p := range problems[:min(len(problems), 3)] {
		texts = append(texts, fmt.Sprintf("%s (%s at %s)", p.Message, p.Rule, p.Path))
	}
	if more := len(problems) - 3; more > 0 {
		texts = append(texts, fmt.Sprintf("And %d more.", more))
	}
	return strings.Join(texts, " ")
}

// refs reads the blocks that an option names: "12" is a message, "12.0" one of its blocks.
func (c *compaction) refs(name string) (refs []msg.Ref, err error) {
	for _, text := range c.values(name) {
		message, block, hasBlock := strings.Cut(text, ".")
		m, isMessage := whole(message)
		b, isBlock := whole(block)
		switch {
		case !isMessage || hasBlock && !isBlock:
			return nil, usageError(text + " is neither a message, such as 12, nor a block, such as 12.0")
		case hasBlock:
			refs = append(refs, msg.Ref{Message: m, Block: b})
			continue
		}
		r := wire.CountRequest{ConversationRequest: c.request.ConversationRequest}
		counted, _, err := wire.Call[tokens.Count](c.engine, "count", &r, c.text)
		if err != nil {
			return nil, err
		}
		blocks := 1 // of a message that does not exist, the engine says so
		if m < len(counted.Messages) {
			blocks = len(counted.Messages[m].Blocks)
		}
		for b := range blocks {
			refs = append(refs, msg.Ref{Message: m, Block: b})
		}
	}
	return refs, nil
}

func (c *call) compact() (code int, err error) {
	archive := c.given["archive"]
	if (archive == "") != c.has("discard") {
		return wrong, usageError("compact needs --archive and the file for the originals that it removes, or --discard")
	}
	k, err := compacting(c)
	if err != nil {
		return fault, err
	}
	for _, list := range []struct {
		name string
		refs *[]msg.Ref
	}{{"keep", &k.request.Keep}, {"drop", &k.request.Drop}, {"summarize", &k.request.Summarize}} {
		if *list.refs, err = k.refs(list.name); err != nil {
			return fault, err
		}
	}
	if archive != "" {
		k.save = func(originals []byte) error { return appendTo(archive, originals, 0o666) }
	}
	out, document, err := k.run()
	if err != nil {
		return fault, err
	}
	if c.has("json") {
		_, err := c.answer(out, document)
		return k.code, err
	}
	if _, err := c.Out.Write(document); err != nil {
		return fault, err
	}
	unchanged := ""
	if out.After == out.Before && !c.has("force") {
		unchanged = ": the policy removes nothing yet, --force compacts anyway"
	}
	c.show("%d tokens before, %d after%s", out.Before, out.After, unchanged)
	c.list(k.warnings, "warnings")
	return k.code, nil
}
