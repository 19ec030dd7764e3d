// Command cmd serves the fake providers on 127.0.0.1, for tests in other languages. It prints its URL as the first line, and
// ends when its standard input does, so that it does not outlive a test that was killed.
package main

import (
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"tamp/worker/internal/fake"
)

func main() {
	port := flag.Int("port", 0, "the port; 0 takes a free one")
	script := flag.String("script", "ok", "what clients meet whose base URL names no script")
	keyless := flag.Bool("keyless", false, "ask for no key")
	stay := flag.Bool("stay", false, "go on when the standard input ends")
	flag.Parse()
	server, err := fake.New(*script)
	if err == nil {
		server.Keyless = *keyless
		err = serve(server, *port, *stay)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cannot serve:", err)
		os.Exit(1)
	}
}

func serve(handler http.Handler, port int, stay bool) error {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	if !stay {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}()
	}
	return http.Serve(listener, handler)
}
