package summarizer_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"tamp/worker/internal/fake"
	"tamp/worker/summarizer"
)

// The wait is the provider's Retry-After, in each format of the header.
func TestRetryAfter(t *testing.T) {
	at := newClock().now
	for _, row := range []struct {
		seconds, ms string
		wait        time.Duration
		why         string
	}{
		{"", "", 500 * time.Millisecond, "the first wait of our own"},
		{"7", "", 7 * time.Second, "seconds"},
		{" 7 ", "", 7 * time.Second, ""},
		{"1.5", "", 1500 * time.Millisecond, "some providers write fractions"},
		{"7", "2500", 2500 * time.Millisecond, "milliseconds are finer"},
		{"", "2500.5", 2500*time.Millisecond + 500*time.Microsecond, ""},
		{at.Add(9 * time.Second).Format(http.TimeFormat), "", 9 * time.Second, "an HTTP date"},
		{at.Add(-time.Hour).Format(http.TimeFormat), "", 500 * time.Millisecond, "a date that has passed"},
		{"0", "", 500 * time.Millisecond, "at once is still not at once"},
		{"-3", "", 500 * time.Millisecond, ""},
		{"soon", "never", 500 * time.Millisecond, "not a time"},
		{"NaN", "", 500 * time.Millisecond, ""},
	} {
		t.Run(row.seconds+"/"+row.ms, func(t *testing.T) {
			clock := newClock()
			waits := runWith(t, clock, 60*time.Second, header(429, row.seconds, row.ms), header(200, "", ""))
			require.Equal(t, []time.Duration{row.wait}, waits, row.why)
		})
	}
}

// A Retry-After beyond the deadline is returned at once, without waiting.
func TestRetryAfterBeyondDeadline(t *testing.T) {
	for _, wish := range []string{"60", "61", "86400", "1e300", "Inf", "99999999999999999999"} {
		clock := newClock()
		_, err := summarize(t, clock, 60*time.Second, header(429, wish, ""))
		e := failure(t, err)
		require.Equal(t, summarizer.Upstream, e.Code, wish)
		require.Equal(t, 429, e.Status)
		require.GreaterOrEqual(t, e.RetryAfter, 60*time.Second) // the deadline
		require.Empty(t, clock.waits)
	}
}

func TestBackoffDoubles(t *testing.T) {
	clock := newClock()
	_, err := summarize(t, clock, 60*time.Second, header(529, "", ""))
	require.Equal(t, 5, failure(t, err).Attempts)
	require.Equal(t, []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second}, clock.waits)
}

type step struct {
	status int
	header http.Header
	takes  time.Duration
	broken bool
}

func header(status int, seconds, ms string) step {
	h := http.Header{}
	if seconds != "" {
		h.Set("Retry-After", seconds)
	}
	if ms != "" {
		h.Set("Retry-After-Ms", ms)
	}
	return step{status: status, header: h}
}

// summarize runs steps, repeating the last one, with the time of clock.
func summarize(t require.TestingT, clock *clock, deadline time.Duration, steps ...step) (string, error) {
	h := clock.host()
	n := 0
	h.Transport = transport(func(*http.Request) (*http.Response, error) {
		s := steps[min(n, len(steps)-1)]
		n++
		clock.now = clock.now.Add(s.takes)
		if s.broken {
			return nil, io.ErrUnexpectedEOF
		}
		r := answer(s.status, `{"content":[{"type":"text","text":"fine"}],"stop_reason":"end_turn"}`)
		r.Header = s.header
		return r, nil
	})
	c := config(summarizer.Anthropic, "http://x")
	c.Deadline = deadline
	s, err := summarizer.New(c, h)
	require.NoError(t, err)
	return s.Summarize(context.Background(), request())
}

func runWith(t *testing.T, clock *clock, deadline time.Duration, steps ...step) []time.Duration {
	_, err := summarize(t, clock, deadline, steps...)
	require.NoError(t, err)
	return clock.waits
}

// For any sequence of failures and Retry-After values: no wait is shorter than Retry-After, none is longer than the
// maximum of Retry-After and backoff, none ends after the deadline, there are at most five attempts, and the whole call
// ends before the deadline.
func TestWaitsStayWithinDeadline(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) { checkWaits(t, r) })
}

func checkWaits(outer *testing.T, t *rapid.T) {
	deadline := time.Duration(rapid.IntRange(1, 120_000).Draw(t, "deadline ms")) * time.Millisecond
	steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		ms := rapid.IntRange(-10, 40_000).Draw(t, "wish ms")
		s := header(rapid.SampledFrom([]int{200, 400, 408, 429, 500, 502, 503, 529}).Draw(t, "status"), "", "")
		if ms > 0 {
			s.header.Set("Retry-After-Ms", strconv.Itoa(ms))
		}
		s.broken = rapid.IntRange(0, 4).Draw(t, "broken") == 0
		s.takes = time.Duration(rapid.IntRange(0, 5000).Draw(t, "takes ms")) * time.Millisecond
		return s
	}), 1, 8).Draw(t, "steps")
	jitter := time.Duration(rapid.IntRange(-1000, 10_000).Draw(t, "jitter ms")) * time.Millisecond

	attempts := 0
	var waits []time.Duration
	var took time.Duration
	var err error
	c := config(summarizer.Anthropic, "http://x")
	c.Deadline = deadline
	h := summarizer.Host{
		Transport: transport(func(r *http.Request) (*http.Response, error) {
			s := steps[min(attempts, len(steps)-1)]
			attempts++
			select {
			case <-time.After(s.takes):
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
			if s.broken {
				return nil, io.ErrUnexpectedEOF
			}
			a := answer(s.status, `{"content":[{"type":"text","text":"fine"}],"stop_reason":"end_turn"}`)
			a.Header = s.header
			return a, nil
		}),
		Sleep: func(_ context.Context, d time.Duration) error {
			waits = append(waits, d)
			time.Sleep(d)
			return nil
		},
		Jitter: func(time.Duration) time.Duration { return jitter }, // values out of range must do no harm
	}
	synctest.Test(outer, func(inner *testing.T) { // rapid itself cannot run in a bubble
		start := time.Now()
		_, err = build(inner, c, h).Summarize(context.Background(), request())
		took = time.Since(start)
	})

	require.LessOrEqual(t, took, deadline)
	require.Equal(t, attempts, len(waits)+1)
	require.LessOrEqual(t, attempts, 5)
	for n, wait := range waits {
		s := steps[min(n, len(steps)-1)]
		wish := time.Duration(0)
		if ms, e := strconv.Atoi(s.header.Get("Retry-After-Ms")); e == nil && !s.broken {
			wish = time.Duration(ms) * time.Millisecond
		}
		backoff := 500 * time.Millisecond << n
		require.GreaterOrEqual(t, wait, max(wish, backoff/2))
		require.LessOrEqual(t, wait, max(wish, backoff))
	}
	last := steps[min(attempts-1, len(steps)-1)]
	if err == nil {
		require.Equal(t, 200, last.status)
	} else {
		e := (*summarizer.Error)(nil)
		require.ErrorAs(t, err, &e)
		require.Equal(t, attempts, e.Attempts)
	}
}

// hang is a transport that never answers. If deaf is not nil, it ignores its context, as a Worker's fetch does.
func hang(deaf chan struct{}) transport {
	return func(r *http.Request) (*http.Response, error) {
		select {
		case <-deaf:
		case <-r.Context().Done():
			if deaf != nil {
				<-deaf
			}
		}
		return nil, errors.New("PRIVATE")
	}
}

// With synctest's clock: the deadline ends an attempt, and a cancellation ends everything at once. synctest fails the
// test if a goroutine is left.
func TestDeadlineAndCancel(t *testing.T) {
	for _, row := range []struct {
		name   string
		cancel time.Duration // 0: no cancellation
		parent time.Duration // the caller's deadline
		script transport
		code   summarizer.Code
		after  time.Duration
		why    string
	}{
		{"a provider that hangs", 0, 0, hang(nil), summarizer.Timeout, 60 * time.Second, "the default deadline"},
		{"the caller's deadline is shorter", 0, 3 * time.Second, hang(nil), summarizer.Timeout, 3 * time.Second, ""},
		{"canceled in an attempt", time.Second, 0, hang(nil), summarizer.Canceled, time.Second, "at once"},
		{"canceled in a wait", 100 * time.Millisecond, 0, func(*http.Request) (*http.Response, error) {
			return answer(529, ""), nil
		}, summarizer.Canceled, 100 * time.Millisecond, "the first wait takes longer than that"},
		{"canceled before", -1, 0, hang(nil), summarizer.Canceled, 0, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				if row.parent > 0 {
					ctx, cancel = context.WithTimeout(ctx, row.parent)
					defer cancel()
				}
				switch {
				case row.cancel > 0:
					time.AfterFunc(row.cancel, cancel)
				case row.cancel < 0:
					cancel()
				}
				start := time.Now()
				s := build(t, config(summarizer.Anthropic, "http://x"),
					summarizer.Host{Transport: row.script, Jitter: func(limit time.Duration) time.Duration { return limit }})
				_, err := s.Summarize(ctx, request())
				e := failure(t, err)
				require.Equal(t, row.code, e.Code, row.why)
				require.Equal(t, row.after, time.Since(start))
				require.Equal(t, row.code == summarizer.Canceled, errors.Is(err, context.Canceled))
				require.Equal(t, row.code == summarizer.Timeout, errors.Is(err, context.DeadlineExceeded))
			})
		})
	}
}

// The summarizer does not wait for a transport that ignores its context.
func TestTransportThatIgnoresItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deaf := make(chan struct{})
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := build(t, config(summarizer.OpenAI, "http://x"), summarizer.Host{Transport: hang(deaf)}).Summarize(ctx,
			request())
		require.Equal(t, summarizer.Timeout, failure(t, err).Code)
		require.Equal(t, time.Second, time.Since(start))
		close(deaf)
	})
}

// The same with a real connection: a slow provider, and a caller that cancels.
func TestSlowProvider(t *testing.T) {
	for _, provider := range []string{summarizer.Anthropic, summarizer.OpenAI} {
		f, url := serve(t, "ok:delay=30s")
		c := config(provider, url)
		c.Deadline = 200 * time.Millisecond
		start := time.Now()
		_, err := build(t, c, summarizer.Host{}).Summarize(context.Background(), request())
		require.Equal(t, summarizer.Timeout, failure(t, err).Code)

		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		time.AfterFunc(200*time.Millisecond, cancel)
		_, err = build(t, config(provider, url), summarizer.Host{}).Summarize(ctx, request())
		require.Equal(t, summarizer.Canceled, failure(t, err).Code)
		require.Less(t, time.Since(start), 25*time.Second)
		require.LessOrEqual(t, len(f.Calls()), 2, "neither was tried again")
	}
}

// Many concurrent requests with one summarizer: each gets the answer to its own prompt, after failures too.
func TestConcurrent(t *testing.T) {
	for _, provider := range []string{summarizer.Anthropic, summarizer.OpenAI} {
		f, url := serve(t, "529:retry-after-ms=1,500,drop,ok")
		h := summarizer.Host{Sleep: func(context.Context, time.Duration) error { return nil }}
		s := build(t, config(provider, url), h)
		type result struct {
			user, text string
			err        error
		}
		results := make(chan result)
		for n := range 20 {
			go func() {
				r := request()
				r.User = "prompt " + strconv.Itoa(n)
				text, err := s.Summarize(context.Background(), r)
				results <- result{r.User, text, err}
			}()
		}
		for range 20 {
			r := <-results
			require.NoError(t, r.err)
			require.Equal(t, fake.Answer(r.user), r.text)
		}
		require.Len(t, f.Calls(), 23)
		require.Empty(t, f.Problems())
	}
}
