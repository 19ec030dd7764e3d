//go:build !js

package worker

import (
	"runtime"
	"strconv"
	"time"

	"tamp/core/wire"
	"tamp/worker/gateway"
	"tamp/worker/metrics"
)

// meter counts the requests of a native server for GET /metrics. A Worker has many processes, none of which sees all
// requests; its log has the same figures.
type meter struct {
	metrics.Registry
	requests, took, added, compactions, retries, before, after, usage, sent, received *metrics.Metric
	operations, operationTook                                                         *metrics.Metric
}

// Answers of models take seconds to minutes, what the gateway adds to them milliseconds.
var (
	longTimes  = []float64{0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250}
	shortTimes = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}
)

func newMeter(began time.Time) *meter {
	m := &meter{}
	m.Constant("tamp_build_info", "Version of the server; the value is 1.", "version", wire.Version,
		"goversion", runtime.Version())
	m.Gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds.",
		func() float64 { return float64(began.UnixMilli()) / 1000 })
	m.Gauge("go_goroutines", "Number of goroutines that currently exist.",
		func() float64 { return float64(runtime.NumGoroutine()) })
	m.requests = m.Counter("tamp_gateway_requests_total", "Requests to the gateway, by the status of the response and by "+
		"what became of the request: compacted, or the reason why it was not.", "upstream", "code", "outcome")
	m.took = m.Histogram("tamp_gateway_request_duration_seconds", "Time from the request to the end of the response.",
		longTimes, "upstream")
	m.added = m.Histogram("tamp_gateway_added_duration_seconds", "Time from the request until it was forwarded.",
		shortTimes, "upstream")
	m.before = m.Counter("tamp_gateway_tokens_before_total", "Tokens of the histories that clients sent, as counted here.",
		"upstream", "model")
	m.after = m.Counter("tamp_gateway_tokens_after_total", "Tokens of the histories that were forwarded, as counted here.",
		"upstream", "model")
	m.compactions = m.Counter("tamp_gateway_compactions_total", "Calls at which a history was compacted further.",
		"upstream", "cause")
	m.retries = m.Counter("tamp_gateway_retries_total", "Requests that were sent again after the provider refused them.",
		"upstream", "reason")
	m.usage = m.Counter("tamp_gateway_usage_tokens_total", "Tokens that providers reported: input, cache_read, "+
		"cache_write and output.", "upstream", "model", "kind")
	m.sent = m.Counter("tamp_gateway_sent_bytes_total", "Bytes of the forwarded bodies that were read.", "upstream")
	m.received = m.Counter("tamp_gateway_received_bytes_total", "Bytes of the responses of providers.", "upstream")
	m.operations = m.Counter("tamp_http_requests_total", "Requests to the API, by operation and status.", "op", "code")
	m.operationTook = m.Histogram("tamp_http_request_duration_seconds",
		"Time from the request to the end of the response.", shortTimes, "op")
	return m
}

// forwarded counts a request to the gateway.
func (m *meter) forwarded(e *gateway.Entry) {
	outcome := e.Reason
	if outcome == "" {
		outcome = "compacted"
	}
	m.requests.Add(1, e.Upstream, strconv.Itoa(e.Status), outcome)
	m.took.Add(float64(e.Ms)/1000, e.Upstream)
	m.added.Add(float64(e.AddedMs)/1000, e.Upstream)
	m.sent.Add(float64(e.Sent), e.Upstream)
	m.received.Add(float64(e.Bytes), e.Upstream)
	if e.Before > 0 {
		m.before.Add(float64(e.Before), e.Upstream, e.Model)
		m.after.Add(float64(e.After), e.Upstream, e.Model)
	}
	if e.Cause != "" {
		m.compactions.Add(1, e.Upstream, e.Cause)
	}
	if e.Retried != "" {
		m.retries.Add(1, e.Upstream, e.Retried)
	}
	if u := e.Usage; u != nil {
		for kind, tokens := range map[string]int{"input": u.Input, "cache_read": u.CacheRead, "cache_write": u.CacheWrite,
			"output": u.Output} {
			m.usage.Add(float64(max(tokens, 0)), e.Upstream, e.Model, kind)
		}
	}
}

// answered counts a request to the API.
func (m *meter) answered(e *logEntry) {
	m.operations.Add(1, e.Op, strconv.Itoa(e.Status))
	m.operationTook.Add(float64(e.Milliseconds)/1000, e.Op)
}
