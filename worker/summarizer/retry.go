package summarizer

import (
	"context"
	"time"
)

// Rules of asking again:
//   - Only what may go better a moment later is tried again: retryable statuses and broken connections.
//   - A wait is never shorter than the provider asked for, and never so long that the deadline would pass in it:
//     rather than wait in vain, the failure is returned at once, with the provider's wish in RetryAfter.
//   - The deadline covers everything, and a context that ends stops everything, waits included.

const (
	maxAttempts = 5
	firstWait   = 500 * time.Millisecond // as the vendors' own clients
	longestWait = 8 * time.Second
)

// Statuses after which the same request may succeed. 529 is Anthropic's "overloaded".
var retryable = map[int]bool{408: true, 429: true, 500: true, 502: true, 503: true, 529: true}

// attempt asks a provider once.
type attempt func(ctx context.Context) (string, *Error)

// loop asks until there is an answer or no more hope.
type loop struct {
	provider string
	deadline time.Duration
	host     Host
}

func (l *loop) run(ctx context.Context, ask attempt) (string, error) {
	end := l.host.Now().Add(l.deadline)
	for n := 1; ; n++ {
		text, err := once(ctx, end.Sub(l.host.Now()), ask)
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
			err = ended(ctx)
			err.Provider, err.Attempts = l.provider, n
			return "", err
		}
	}
}

// backoff doubles from wait to wait. Half of it is chance, so that requests which failed together do not come back together.
func (l *loop) backoff(n int) time.Duration {
	half := min(firstWait<<(n-1), longestWait) / 2
	return half + min(max(l.host.Jitter(half), 0), half)
}

// once asks, and stops waiting when the context ends or the time is over. It does not rely on the one who answers to notice: a
// fetch of a Worker knows no context. Invariant: what still runs then writes to nobody and ends with its own I/O.
func once(ctx context.Context, left time.Duration, ask attempt) (string, *Error) {
	ctx, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	if ctx.Err() != nil {
		return "", ended(ctx)
	}
	type answer struct {
		text string
		err  *Error
	}
	done := make(chan answer, 1)
	go func() {
		// A panic here is one of the host's transport or binding, for syscall/js panics where JavaScript throws. No
		// handler could recover it: this is another goroutine.
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
			return "", ended(ctx) // the broken connection is our own doing
		}
		return a.text, a.err
	case <-ctx.Done():
		return "", ended(ctx)
	}
}
