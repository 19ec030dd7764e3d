//go:build !js

package main

import (
	"crypto/rand"
	"fmt"

	"tamp/worker/gateway"
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
	c.Token, c.WireToken, c.Origins = api.config.Token, api.config.WireToken, api.config.Origins
	g := &gateway.Gateway{Config: c, Checkpoints: gateway.NewLRU(gateway.DefaultCheckpoints), Sessions: api.host.Sessions,
		Log: func(e *gateway.Entry) { fmt.Println(string(encode(e))) }}
	g.Summaries, err = api.gatewaySummaries(api.host.Summaries)
	return g, err
}
