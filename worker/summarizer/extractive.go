package summarizer

import (
	"context"
	"errors"
)

// Extract answers the core's request with that ID without a model: the core's own summarizer over the plan at hand, which
// only the handler has. The cost is that of the whole conversation, so answer all requests of a plan at the first call.
// "" says that there is nothing to extract.
type Extract func(ctx context.Context, id string) (string, error)

type extractive struct {
	run       Extract
	maxAnswer int
}

func (x *extractive) Summarize(ctx context.Context, r Request) (string, error) {
	fail := func(e *Error) (string, error) {
		e.Provider, e.Attempts = Extractive, 1
		return "", e
	}
	if ctx.Err() != nil {
		return fail(ended(ctx))
	}
	if x.run == nil {
		return fail(&Error{Code: Failed})
	}
	text, err := x.run(ctx, r.ID)
	var ours *Error
	switch {
	case ctx.Err() != nil:
		return fail(ended(ctx))
	case errors.As(err, &ours):
		e := *ours
		return fail(&e)
	case err != nil:
		return fail(&Error{Code: Failed})
	case len(text) > x.maxAnswer:
		return fail(&Error{Code: TooLarge})
	}
	text, e := finish(text)
	if e != nil {
		return fail(e)
	}
	return text, nil
}
