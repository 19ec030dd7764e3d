package wire

import (
	"tamp/core"
	"tamp/core/format"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/validity"
)

func (*call) version(*Empty) (*string, error) {
	version := Version
	return &version, nil
}

func (*call) presets(*Empty) (*[]policy.PresetInfo, error) {
	presets := policy.Presets()
	return &presets, nil
}

// Detection is the answer of detect.
type Detection struct {
	Format   string `json:"format"`
	Messages int    `json:"messages"`
}

func (c *call) detect(r *ConversationRequest) (*Detection, error) {
	conversation, err := c.parse(r.Format)
	if err != nil {
		return nil, err
	}
	return &Detection{conversation.Format, len(conversation.Messages)}, nil
}

func (c *call) count(r *CountRequest) (*tokens.Count, error) {
	conversation, err := c.parse(r.Format)
	if err != nil {
		return nil, err
	}
	if err := conversation.RefusePart("count"); err != nil {
		return nil, err
	}
	counter, err := c.counterFor(r.Counter, conversation)
	if err != nil {
		return nil, err
	}
	count := tokens.NewMeter(counter, conversation).Count(conversation)
	return &count, nil
}

// CheckReport is the answer of check.
type CheckReport struct {
	Valid bool `json:"valid"` // the provider would accept the conversation
	// in document order, at most 1,000: errors before warnings if there are more
	Problems []validity.Problem `json:"problems"`
	Omitted  int                `json:"omitted,omitempty"` // number of problems that are not in the list
}

func (c *call) check(r *ConversationRequest) (*CheckReport, error) {
	conversation, err := c.parse(r.Format)
	if err != nil {
		return nil, err
	}
	problems, omitted := validity.CheckAll(conversation)
	return &CheckReport{Valid: validity.Valid(problems), Problems: append([]validity.Problem{}, problems...),
		Omitted: omitted}, nil
}

// Converted is the answer of convert, with the conversation.
type Converted struct {
	Losses []format.Loss `json:"losses"` // what the format cannot hold, in document order, at most 1,000
}

func (c *call) convert(r *ConvertRequest) (*Converted, error) {
	conversation, err := c.parse(r.Format)
	if err != nil {
		return nil, err
	}
	out, losses, err := format.Convert(conversation, r.To)
	if err != nil {
		return nil, err
	}
	return &Converted{Losses: append([]format.Loss{}, losses...)}, c.render(out)
}

// Repaired is the answer of repair, with the conversation.
type Repaired struct {
	Problems []validity.Problem `json:"problems"`          // problems that were repaired, at most 1,000
	Omitted  int                `json:"omitted,omitempty"` // number of repaired problems that are not in the list
	// problems that were not repaired, each with its reason, at most 1,000: no error means valid
	Left []validity.Problem `json:"left"`
	More int                `json:"leftOmitted,omitempty"` // number of those that are not in the list
	// the messages that were changed or removed, as an archive has them, then the removed lines that could not be read;
	// save them BEFORE the conversation is used
	Originals string `json:"originals,omitempty"`
}

func (c *call) repair(r *ConversationRequest) (*Repaired, error) {
	conversation, err := c.parse(r.Format)
	if err != nil {
		return nil, err
	}
	repaired, done := validity.RepairAll(conversation)
	unread, err := format.Unread(repaired)
	if err != nil {
		return nil, err
	}
	originals := append(core.Archive(conversation, &core.Plan{Archive: changed(conversation, repaired)}), unread...)
	return &Repaired{Originals: string(originals),
		Problems: append([]validity.Problem{}, done.Problems...), Omitted: done.Omitted,
		Left: append([]validity.Problem{}, done.Left...), More: done.More}, c.render(repaired)
}

// changed returns a span for each message of a conversation that another one does not have as it is.
func changed(conversation, other *msg.Conversation) (spans []msg.Span) {
	same := map[*msg.Block]bool{}
	for m := range other.Messages {
		if blocks := other.Messages[m].Blocks; len(blocks) > 0 {
			same[&blocks[0]] = true
		}
	}
	for m := range conversation.Messages {
		if blocks := conversation.Messages[m].Blocks; len(blocks) == 0 || !same[&blocks[0]] {
			spans = append(spans, msg.Span{Start: m, End: m + 1})
		}
	}
	return spans
}

func (c *call) inspect(r *PlanRequest) (*core.Report, error) {
	conversation, p, env, err := c.parseWithSettings(r)
	if err != nil {
		return nil, err
	}
	return core.Inspect(conversation, r.State, p, env)
}

func (c *call) plan(r *PlanRequest) (*core.Plan, error) {
	conversation, p, env, err := c.parseWithSettings(r)
	if err != nil {
		return nil, err
	}
	return core.NewPlan(conversation, r.State, p, env)
}

func (c *call) apply(r *ApplyRequest) (*core.Outcome, error) {
	conversation, p, env, err := c.parseWithSettings(&r.PlanRequest)
	if err != nil {
		return nil, err
	}
	out, err := core.Apply(conversation, r.State, p, env, r.Plan, r.Results)
	if err != nil {
		return nil, err
	}
	if r.Fates != nil {
		if out.Fates, err = core.JoinFates(r.Fates, out.Fates); err != nil {
			return nil, err
		}
	}
	return out, c.render(out.Conversation)
}

func (c *call) archive(r *ArchiveRequest) (*Empty, error) {
	conversation, err := c.parse(r.Format)
	if err != nil {
		return nil, err
	}
	return c.archiveOf(conversation, r.Plan)
}

func (c *call) archiveOf(conversation *msg.Conversation, plan *core.Plan) (*Empty, error) {
	if plan == nil {
		return nil, msg.NewError(msg.BadRequest, "/plan", "cannot archive: there is no plan")
	}
	c.document, c.plainText = core.Archive(conversation, plan), true
	if c.document == nil {
		c.document = []byte{}
	}
	return &Empty{}, nil
}

func (c *call) summarize(r *SummarizeRequest) (*[]core.SummaryResult, error) {
	conversation, p, env, err := c.parseWithSettings(&r.PlanRequest)
	if err != nil {
		return nil, err
	}
	results, err := core.Summarize(conversation, r.State, p, env, r.Plan, r.IDs)
	return &results, err
}
