//go:build !js

package gateway

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// A provider closes each connection at the moment of its second request. However many idle ones there are, a request
// whose body can be sent again gets a response.
func TestManyStaleConnections(t *testing.T) {
	type connection struct{}
	var together sync.WaitGroup
	together.Add(5)
	var later atomic.Bool
	p := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Context().Value(connection{}).(*atomic.Int32).Add(1) > 1 {
			panic(http.ErrAbortHandler)
		}
		if !later.Load() {
			together.Done()
			together.Wait()
		}
	}))
	p.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
		return context.WithValue(ctx, connection{}, new(atomic.Int32))
	}
	p.Start()
	t.Cleanup(p.Close)
	s := start(t, p.URL)
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			response, err := http.Post(s.URL+"/up/v1/messages", "application/json", strings.NewReader(history(1, 10, "")))
			if err == nil {
				response.Body.Close()
			}
		})
	}
	all.Wait()
	later.Store(true)
	for range 5 {
		response, _ := s.post(t, "/up/v1/messages", history(1, 10, ""))
		require.Equal(t, 200, response.StatusCode)
	}
}
