// Command cmd serves the fake provider on 127.0.0.1, for tests in other languages. It prints its URL as the first line.
// It ends when its standard input ends, so that it does not run on after a killed test.
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
	script := flag.String("script", "ok", "script for clients whose base URL names none")
	keyless := flag.Bool("keyless", false, "need no key")
	window := flag.Int("window", 0, "maximum tokens of a prompt; 0: no limit")
	stay := flag.Bool("stay", false, "continue when the standard input ends")
	flag.Parse()
	server, err := fake.New(*script)
	if err == nil {
		server.Keyless, server.Window = *keyless, *window
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
