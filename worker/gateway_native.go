//go:build !js

package worker

import (
	"crypto/rand"
	"fmt"
	"time"

	"tamp/worker/gateway"
)

// nativeGateway returns the gateway with checkpoints in memory. Its summaries use the summarizer and the cache of api.
// From then on the metrics of api are those of both.
func nativeGateway(api *server, getenv func(string) string) (*gateway.Gateway, error) {
	c, err := gateway.ReadConfig(getenv)
	if err != nil {
		return nil, err
	}
	if c.Secret == nil {
		c.Secret = make([]byte, 32)
		_, _ = rand.Read(c.Secret) // never fails
	}
	c.Token, c.WireToken, c.Origins = api.config.Token, api.config.WireToken, api.config.Origins
	count := newMeter(time.Now())
	api.host.Count, api.host.Metrics = count.answered, count.Text
	g := &gateway.Gateway{Config: c, Checkpoints: gateway.NewLRU(gateway.DefaultCheckpoints), Live: gateway.DefaultLive,
		Sessions: api.host.Sessions,
		Log: func(e *gateway.Entry) {
			fmt.Println(string(encode(e)))
			count.forwarded(e)
		}}
	count.Gauge("tamp_gateway_requests_in_flight", "Requests whose body has arrived and whose response has not ended.",
		func() float64 { return float64(g.InFlight()) })
	count.Gauge("tamp_gateway_sessions", "Sessions in the list of the page.",
		func() float64 { return float64(api.host.Sessions.Len()) })
	g.Summaries, err = api.gatewaySummaries(api.host.Summaries)
	return g, err
}
