//go:build js && wasm

package main

import (
	"fmt"
	"net/http"
	"strings"
	"syscall/js"

	"tamp/worker/gateway"
)

// setGateway adds the functions of the gateway to the binding. head is the method, the URL and the headers, one a line,
// as for answerNow; worker.mjs is the caller.
//
//	route(head): [JSON of gateway.Route, the headers to forward], or null if the path names no upstream
//	compact(head, body): [JSON of gateway.Compacted, the body or null if it is unchanged]
//	retry(head, body, status, error text): the same, with the body to send
func setGateway(binding js.Value, token string) {
	c, err := gateway.ReadConfig(env)
	if err != nil {
		fmt.Println(err)  // names settings, never their values
		c.Upstreams = nil // nothing is forwarded with a wrong setting
	}
	c.Token = token
	g := &gateway.Gateway{Config: c}
	set := func(name string, f func(method, address string, h http.Header, args []js.Value) any) {
		binding.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			method, head, _ := strings.Cut(args[0].String(), "\n")
			address, head, _ := strings.Cut(head, "\n")
			return f(method, address, headersOf(head), args[1:])
		}))
	}
	answer := func(c gateway.Compacted, body []byte) any {
		if body == nil {
			return []any{string(encode(c)), js.Null()}
		}
		return []any{string(encode(c)), toJS(body)}
	}
	set("route", func(method, address string, h http.Header, _ []js.Value) any {
		r, ok := g.Route(method, address, h)
		if !ok {
			return js.Null()
		}
		return []any{string(encode(r)), linesOf(r.Headers)}
	})
	set("compact", func(method, address string, h http.Header, args []js.Value) any {
		return answer(g.Compact(method, address, h, bytesOf(args[0])))
	})
	set("retry", func(method, address string, h http.Header, args []js.Value) any {
		return answer(g.Retry(method, address, h, bytesOf(args[0]), args[1].Int(), []byte(args[2].String())))
	})
}
