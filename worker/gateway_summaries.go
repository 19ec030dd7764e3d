package worker

import (
	"context"
	"time"

	"tamp/core"
	"tamp/worker/gateway"
	"tamp/worker/summarizer"
)

// gatewaySummaries returns the summaries of the gateway, whose texts are kept in a cache; nil for the extractive
// summarizer, which needs no waiting.
func (s *server) gatewaySummaries(in cache) (*gateway.Summaries, error) {
	settings := s.config.Summarizer
	if settings.Provider == summarizer.Extractive {
		return nil, nil
	}
	ask, err := summarizer.New(settings, s.host.Summarizer)
	if err != nil {
		return nil, err
	}
	cached := summaryCache{in: in, ttl: max(s.config.SummaryTTL, time.Hour), read: true, write: true,
		prefix: "gateway\n" + settings.Provider + "\n" + settings.Model + "\n" + settings.BaseURL + "\n"}
	return &gateway.Summaries{
		Ask: func(ctx context.Context, r core.SummaryRequest) (string, error) {
			return ask.Summarize(ctx, summarizer.Request{ID: r.ID, System: r.System, User: r.User, MaxTokens: r.MaxTokens})
		},
		Find: func(id string) (string, bool) { return cached.find(context.Background(), id) },
		Keep: func(id, text string) {
			if _, found := cached.find(context.Background(), id); !found { // the first text stays
				cached.keep(context.Background(), id, text)
			}
		},
		Timeout: settings.Deadline, Concurrency: s.config.Concurrency,
	}, nil
}
