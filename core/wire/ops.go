package wire

import (
	"reflect"
	"strings"

	"tamp/core"
	"tamp/core/format"
	"tamp/core/internal/order"
	"tamp/core/msg"
	"tamp/core/policy"
	"tamp/core/tokens"
	"tamp/core/validity"
)

// operation is one row of the table: a name, the types of its request and answer, and the function.
type operation struct {
	name            string
	request, answer reflect.Type
	run             func(c *call, request any) (any, error) // request is a pointer to the request type
	reusable        bool                                    // see Answer.Reusable
	textOnly        bool                                    // the answer is the document itself
}

// define makes a row. Req and Ans are pointers to the types of request and answer: the compiler shares one instance of
// a generic function between all pointer types, and one for each type would take 20 KB of gzipped wasm.
func define[Req, Ans any](name string, f func(*call, Req) (Ans, error)) *operation {
	return &operation{name: name, request: reflect.TypeFor[Req]().Elem(), answer: reflect.TypeFor[Ans]().Elem(),
		run: func(c *call, request any) (any, error) { return f(c, request.(Req)) }}
}

// operations is the table of all operations. A name is the same on every surface.
var operations = [...]*operation{
	define("version", (*call).version),
	define("presets", (*call).presets),
	define("models", (*call).models),
	reusing(define("countText", (*call).countText)),
	reusing(define("tokens", (*call).tokens)),
	define("detect", (*call).detect),
	define("count", (*call).count),
	define("check", (*call).check),
	define("repair", (*call).repair),
	define("convert", (*call).convert),
	define("inspect", (*call).inspect),
	define("plan", (*call).plan),
	define("apply", (*call).apply),
	textOnly(define("archive", (*call).archive)),
	define("summarize", (*call).summarize),
	define("anchors", (*call).anchors),
	define("assemble", (*call).assemble),
	define("observe", (*call).observe),
	define("tools", (*call).tools),
	define("recall", (*call).recall),
	define("checkAppend", (*call).checkAppend),
	define("quality", (*call).quality),
	define("questions", (*call).questions),
	define("gradeAnswers", (*call).gradeAnswers),
	define("scoreAnswers", (*call).scoreAnswers),
	define("replay", (*call).replay),
	define("replayAt", (*call).replayAt),
	define("verdict", (*call).verdict),
	define("audit", (*call).audit),
	reusing(define("usage", (*call).usage)),
	define("resent", (*call).resent),
	define("lost", (*call).lost),
	define("loadVocabulary", (*call).loadVocabulary),
	define("session.open", (*call).openSession),
	onSession("append", (*session).append),
	onSession("turn", (*session).turn),
	onSession("count", (*session).count),
	onSession("plan", (*session).plan),
	onSession("apply", (*session).apply),
	textOnly(onSession("archive", (*session).archive)),
	onSession("summarize", (*session).summarize),
	onSession("observe", (*session).observe),
	onSession("conversation", (*session).conversation),
	onSession("close", (*session).close),
}

func reusing(o *operation) *operation { o.reusable = true; return o }

func textOnly(o *operation) *operation { o.textOnly = true; return o }

// findOperation returns nil for an unknown name.
func findOperation(name string) *operation {
	for _, o := range operations {
		if o.name == name {
			return o
		}
	}
	return nil
}

// stateful reports an operation on what an Engine keeps for its caller: sessions and vocabularies.
func (o *operation) stateful() bool {
	return o.name == "loadVocabulary" || strings.HasPrefix(o.name, "session.")
}

// Ops lists the names of the operations that need no earlier request to the same Engine, sorted. HTTP offers these.
func Ops() []string {
	var names []string
	for _, o := range operations {
		if !o.stateful() {
			names = append(names, o.name)
		}
	}
	order.Stable(names, strings.Compare)
	return names
}

// Operation describes one row of the table, for generators of declarations.
type Operation struct {
	Name            string
	Request, Answer reflect.Type
	TextOnly        bool // the answer is a text
}

// Operations lists the table.
func Operations() []Operation {
	var all []Operation
	for _, o := range operations {
		all = append(all, Operation{o.name, o.request, o.answer, o.textOnly})
	}
	return all
}

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
