package wire

import (
	"tamp/core"
	"tamp/core/msg"
	"tamp/core/tokens"
)

// The table of operations. Each reads what it needs of the request and answers with a value to marshal and perhaps a
// document beside it.

type op func(*request) (any, *body, error)

var ops = map[string]op{
	"version": version, "presets": presets, "countText": countText,
	"detect": detect, "count": count, "check": check, "repair": repair,
	"inspect": inspect, "plan": plan, "apply": apply, "archive": archive, "summarize": summarize,
	"anchors": anchors, "assemble": assembleNext, "observe": observe, "tools": tools,
	"checkAppend": checkAppend, "quality": compare,
	"replay": replaySession, "replayAt": replayAt, "verdict": verdict,
}

func version(*request) (any, *body, error) { return Version, nil, nil }

func presets(*request) (any, *body, error) { return core.Presets(), nil, nil }

// Detection is the answer of detect.
type Detection struct {
	Format   string `json:"format"`
	Messages int    `json:"messages"`
}

func detect(r *request) (any, *body, error) {
	c, err := r.parse()
	if err != nil {
		return nil, nil, err
	}
	return Detection{c.Format, len(c.Messages)}, nil, nil
}

func count(r *request) (any, *body, error) {
	c, err := r.parse()
	if err != nil {
		return nil, nil, err
	}
	counter, err := r.counterNamed(c)
	if err != nil {
		return nil, nil, err
	}
	return tokens.NewMeter(counter, c).Count(c), nil, nil
}

// CheckReport is the answer of check.
type CheckReport struct {
	Valid    bool          `json:"valid"`             // nothing that the provider would refuse
	Problems []msg.Problem `json:"problems"`          // in document order, at most 1,000: errors before warnings where there are more
	Omitted  int           `json:"omitted,omitempty"` // problems that the list has no room for
}

func check(r *request) (any, *body, error) {
	c, err := r.parse()
	if err != nil {
		return nil, nil, err
	}
	problems, omitted := msg.CheckAll(c)
	return CheckReport{Valid: msg.Valid(problems), Problems: append([]msg.Problem{}, problems...), Omitted: omitted}, nil, nil
}

// Repaired is the answer of repair, beside the conversation.
type Repaired struct {
	Problems []msg.Problem `json:"problems"`              // what was repaired, at most 1,000
	Omitted  int           `json:"omitted,omitempty"`     // repaired problems that the list has no room for
	Left     []msg.Problem `json:"left"`                  // what was not repaired, each with its reason, at most 1,000: no error means valid
	More     int           `json:"leftOmitted,omitempty"` // problems that the list of those has no room for
}

func repair(r *request) (any, *body, error) {
	c, err := r.parse()
	if err != nil {
		return nil, nil, err
	}
	repaired, done := msg.RepairAll(c)
	document, err := render(repaired)
	return Repaired{Problems: append([]msg.Problem{}, done.Problems...), Omitted: done.Omitted,
		Left: append([]msg.Problem{}, done.Left...), More: done.More}, document, err
}

func inspect(r *request) (any, *body, error) {
	c, policy, env, err := r.parseWithSettings()
	if err != nil {
		return nil, nil, err
	}
	report, err := core.Inspect(c, r.state, policy, env)
	return report, nil, err
}

func plan(r *request) (any, *body, error) {
	c, policy, env, err := r.parseWithSettings()
	if err != nil {
		return nil, nil, err
	}
	p, err := core.NewPlan(c, r.state, policy, env)
	return p, nil, err
}

func apply(r *request) (any, *body, error) {
	c, policy, env, err := r.parseWithSettings()
	if err != nil {
		return nil, nil, err
	}
	var results []core.SummaryResult
	if err := decodeInto("results", r.results, &results); err != nil {
		return nil, nil, err
	}
	out, err := core.Apply(c, r.state, policy, env, r.plan, results)
	if err != nil {
		return nil, nil, err
	}
	document, err := render(out.Conversation)
	return out, document, err
}

func archive(r *request) (any, *body, error) {
	c, err := r.parse()
	if err != nil {
		return nil, nil, err
	}
	return archiveOf(c, r.plan)
}

func archiveOf(c *msg.Conversation, plan *core.Plan) (any, *body, error) {
	if plan == nil {
		return nil, nil, msg.NewError(msg.BadRequest, "/plan", "cannot archive: there is no plan")
	}
	return struct{}{}, &body{bytes: core.Archive(c, plan), text: true}, nil
}
