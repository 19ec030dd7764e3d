//go:build !js

package worker

import "net/http"

func writeBody(w http.ResponseWriter, body []byte) {
	_, _ = w.Write(body) // an error means that the client has disconnected
}
