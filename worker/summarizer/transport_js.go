package summarizer

import "net/http"

// defaultTransport returns nil: in a Worker only the platform's fetch reaches the network, and the host must provide
// it. A reference to http.DefaultTransport, or to http.Client, which refers to it, would link TLS and HTTP/2 into the
// wasm: 1.1 MB gzip.
func defaultTransport() http.RoundTripper { return nil }
