package summarizer

import (
	"context"
	"errors"
)

// Extract answers the request with that ID without a model, by the core's extractive summarizer. The host provides it,
// since it needs the plan. One call costs as much as the whole conversation, so compute the results of all requests of
// a plan at the first call. "" means that there is nothing to extract.
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
		return fail(contextError(ctx))
	}
	if x.run == nil {
		return fail(&Error{Code: Failed})
	}
	text, err := x.run(ctx, r.ID)
	var known *Error
	switch {
	case ctx.Err() != nil:
		return fail(contextError(ctx))
	case errors.As(err, &known):
		e := *known
		return fail(&e)
	case err != nil:
		return fail(&Error{Code: Failed})
	case len(text) > x.maxAnswer:
		return fail(&Error{Code: TooLarge})
	}
	text, e := requireText(text)
	if e != nil {
		return fail(e)
	}
	return text, nil
}
