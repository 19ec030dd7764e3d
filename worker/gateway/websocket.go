//go:build !js

package gateway

import (
	"io"
	"log"
	"net/http"
	"net/http/httputil"
)

// webSocket passes a WebSocket through unread: its messages are not compacted. On a path with a history it is refused,
// so that the client uses HTTP.
func (x *exchange) webSocket(rest string) {
	if endpointOf(http.MethodPost, rest, x.u.Plain) != nil {
		x.refuse(http.StatusUpgradeRequired, reasonWebSocket, noWebSocket)
		return
	}
	x.p = &Prepared{Reason: reasonNoHistory}
	clear(x.w.Header()) // the headers of this server's own pages
	proxy := httputil.ReverseProxy{Transport: x.g.Transport, ErrorLog: log.New(io.Discard, "", 0),
		Rewrite: func(r *httputil.ProxyRequest) {
			header := requestHeaders(r.In.Header)
			header.Set("Connection", "Upgrade")
			header.Set("Upgrade", r.In.Header.Get("Upgrade"))
			r.Out.URL, r.Out.Host, r.Out.Header = x.url, "", header
		},
		ModifyResponse: func(response *http.Response) error {
			x.entry.Status = response.StatusCode
			for name := range response.Header {
				if _, kept := forwarded(response.Header)[name]; !kept && name != "Connection" && name != "Upgrade" {
					response.Header.Del(name)
				}
			}
			x.mark(response.Header, x.p.Note())
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, r *http.Request, _ error) {
			if r.Context().Err() == nil {
				x.refuse(http.StatusBadGateway, "unreachable", "the provider cannot be reached")
			}
		}}
	proxy.ServeHTTP(x.w, x.r)
}
