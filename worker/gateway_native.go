//go:build !js

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"tamp/core"
	"tamp/worker/gateway"
	"tamp/worker/summarizer"
)

// nativeGateway returns the gateway with checkpoints in memory. Its summaries use the summarizer and the cache of api.
func nativeGateway(api *server, getenv func(string) string) (*gateway.Gateway, error) {
	c, err := gateway.ReadConfig(getenv)
	if err != nil {
		return nil, err
	}
	if c.Secret == nil {
		c.Secret = make([]byte, 32)
		_, _ = rand.Read(c.Secret) // never fails
	}
	c.Token = api.config.Token
	g := &gateway.Gateway{Config: c, Checkpoints: gateway.NewLRU(gateway.DefaultCheckpoints), Sessions: api.host.Sessions,
		Log: func(e *gateway.Entry) { fmt.Println(string(encode(e))) }}
	g.Summaries, err = api.gatewaySummaries()
	return g, err
}

// gatewaySummaries returns the summaries of the gateway; nil for the extractive summarizer, which needs no waiting.
func (s *server) gatewaySummaries() (*gateway.Summaries, error) {
	settings := s.config.Summarizer
	if settings.Provider == summarizer.Extractive {
		return nil, nil
	}
	ask, err := summarizer.New(settings, s.host.Summarizer)
	if err != nil {
		return nil, err
	}
	cached := summaryCache{in: s.host.Summaries, ttl: max(s.config.SummaryTTL, time.Hour), read: true, write: true,
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
