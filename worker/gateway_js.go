//go:build js && wasm

package worker

import (
	"fmt"
	"strings"
	"syscall/js"
	"time"

	"tamp/worker/gateway"
)

// setGateway adds the functions of the gateway to the binding, and returns the error of its settings. head
// is the method, the URL and the headers, one a line, as for answerNow; worker.mjs is the caller.
//
//	route(head): [JSON of gateway.Route, the headers to forward], or null if the path names no upstream
//	names(head, body): the names of the checkpoints that the request may have, the oldest first, one a line
//	compact(head, body, name, checkpoint): [JSON of gateway.Compacted, the body or null if it is unchanged, the
//		checkpoint to store or null]. name and checkpoint are one that was found, or "" and null.
//	retry(head, body, name, checkpoint, status, error text): the same, with the body to send
//	slowly(function, …): a promise of compact or retry, which may wait for a model; not in the kept instance
//	background(): a promise that ends when the summaries of the last slow compact are stored
func setGateway(binding js.Value, s *server) error {
	c, err := gateway.ReadConfig(env)
	if err != nil {
		fmt.Println(err)  // names settings, never their values
		c.Upstreams = nil // nothing is forwarded with a wrong setting
	}
	c.Token, c.WireToken, c.Origins = s.config.Token, s.config.WireToken, s.config.Origins
	if _, ok := findBinding("CHECKPOINTS"); !ok {
		c.Secret = nil // names would be computed in vain
	}
	g := &gateway.Gateway{Config: c, Now: time.Now}
	model := edgeSummaries(s)
	if model != nil {
		g.Summaries = &gateway.Summaries{} // the kept instance must not wait
	}
	calls := map[string]func(args []js.Value) any{}
	set := func(name string, f func(r gateway.Request, args []js.Value) any) {
		calls[name] = func(args []js.Value) any {
			method, head, _ := strings.Cut(args[0].String(), "\n")
			address, head, _ := strings.Cut(head, "\n")
			r := gateway.Request{Method: method, Address: address, Header: headersOf(head)}
			if len(args) > 1 {
				r.Body = bytesOf(args[1])
			}
			if len(args) > 3 && args[3].Truthy() {
				found, checkpoint := args[2].String(), bytesOf(args[3])
				r.Find = func(name string) []byte {
					if name == found {
						return checkpoint
					}
					return nil
				}
			}
			return f(r, args)
		}
		binding.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any { return calls[name](args) }))
	}
	orNull := func(data []byte) any {
		if data == nil {
			return js.Null()
		}
		return toJS(data)
	}
	answer := func(c gateway.Compacted, body []byte) any {
		return []any{string(encode(c)), orNull(body), orNull(c.Checkpoint)}
	}
	set("route", func(r gateway.Request, _ []js.Value) any {
		to, ok := g.Route(r.Method, r.Address, r.Header)
		if !ok {
			return js.Null()
		}
		return []any{string(encode(to)), linesOf(to.Headers)}
	})
	set("names", func(r gateway.Request, _ []js.Value) any { return strings.Join(g.Names(r), "\n") })
	var last gateway.Compacted
	set("compact", func(r gateway.Request, _ []js.Value) any {
		var body []byte
		last, body = g.Compact(r)
		return answer(last, body)
	})
	set("retry", func(r gateway.Request, args []js.Value) any {
		return answer(g.Retry(r, args[4].Int(), []byte(args[5].String())))
	})
	binding.Set("slowly", js.FuncOf(func(_ js.Value, args []js.Value) any {
		g.Summaries = model
		return promised(func() any { return calls[args[0].String()](args[1:]) })
	}))
	binding.Set("background", js.FuncOf(func(js.Value, []js.Value) any {
		return promised(func() any {
			g.Background(&last)
			return nil
		})
	}))
	return err
}

// edgeSummaries returns the summaries of a model; nil if they are extractive. The texts must be found at once by every
// later call, so a Durable Object keeps them. Callers spend the operator's money, so they need a token.
func edgeSummaries(s *server) *gateway.Summaries {
	objects, ok := findBinding("CHECKPOINTS")
	if !ok || s.config.Token+s.config.WireToken == "" || s.configErr != nil {
		return nil
	}
	model, err := s.gatewaySummaries(objectCache{objects})
	if err != nil {
		fmt.Println(err) // names settings, never their values
	}
	return model
}
