package summarizer

import (
	"context"
	"time"
)

// Rules of retries:
//   - Only retryable statuses and broken connections are tried again.
//   - A wait is never shorter than the provider asked for. If the deadline would pass during the wait, the failure is
//     returned at once, with the provider's value in RetryAfter.
//   - The deadline covers all attempts and waits, and a context that ends stops both.

const (
	maxAttempts    = 5
	initialBackoff = 500 * time.Millisecond // as in the vendors' clients
	maxBackoff     = 8 * time.Second
)

// retryable are the statuses after which a retry may succeed. 529 is Anthropic's "overloaded".
var retryable = map[int]bool{408: true, 429: true, 500: true, 502: true, 503: true, 529: true}

// attempt sends one request to a provider.
type attempt func(ctx context.Context) (string, *Error)

// loop runs attempts until one succeeds or a rule above ends the loop.
type loop struct {
	provider string
	deadline time.Duration
	host     Host
}

func (l *loop) run(ctx context.Context, ask attempt) (string, error) {
	end := l.host.Now().Add(l.deadline)
	for n := 1; ; n++ {
		text, err := attemptOnce(ctx, end.Sub(l.host.Now()), ask)
		if err == nil {
			return text, nil
		}
		err.Provider, err.Attempts = l.provider, n
		if !err.retry || n == maxAttempts {
			return "", err
		}
		wait := max(l.backoff(n), err.RetryAfter)
		if !l.host.Now().Add(wait).Before(end) {
			return "", err
		}
		if l.host.Sleep(ctx, wait) != nil {
			err = contextError(ctx)
			err.Provider, err.Attempts = l.provider, n
			return "", err
		}
	}
}

// backoff doubles from wait to wait. Half of it is random, so that requests which failed together are not retried
// together.
func (l *loop) backoff(n int) time.Duration {
	half := min(initialBackoff<<(n-1), maxBackoff) / 2
	return half + min(max(l.host.Jitter(half), 0), half)
}

// attemptOnce runs ask and stops waiting when the context or the time ends, even if ask does not return: a fetch of a
// Worker has no context. Invariant: the goroutine of ask then sends to a buffered channel and ends with its I/O.
func attemptOnce(ctx context.Context, left time.Duration, ask attempt) (string, *Error) {
	ctx, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	if ctx.Err() != nil {
		return "", contextError(ctx)
	}
	type answer struct {
		text string
		err  *Error
	}
	done := make(chan answer, 1)
	go func() {
		// The host's transport or binding may panic, since syscall/js panics when JavaScript throws. The handler cannot
		// recover it, because this is another goroutine.
		defer func() {
			if recover() != nil {
				done <- answer{err: &Error{Code: Failed}}
			}
		}()
		text, err := ask(ctx)
		done <- answer{text, err}
	}()
	select {
	case a := <-done:
		if a.err != nil && ctx.Err() != nil {
			return "", contextError(ctx) // the context ended and broke the connection
		}
		return a.text, a.err
	case <-ctx.Done():
		return "", contextError(ctx)
	}
}
