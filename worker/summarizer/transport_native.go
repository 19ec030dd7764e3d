//go:build !js

package summarizer

import "net/http"

func defaultTransport() http.RoundTripper { return http.DefaultTransport }
