//go:build !js

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tamp/web/site"
	"tamp/worker/store"
)

// Natively the program serves the API and the playground to this machine only, and stores originals in a directory.
//
//	worker                  serves http://127.0.0.1:8787; PORT changes the port, README.md has the other settings
//	worker -export DIR      writes the playground to DIR instead, for any static host
//
// Files of the page are read for every request, so that an edit shows on reload.
func main() {
	web := flag.String("web", "web", "folder of the page")
	npm := flag.String("npm", "wasm/npm", "folder of the built package")
	export := flag.String("export", "", "write the playground to this folder and stop")
	flag.Parse()

	if err := run(*web, *npm, *export, os.Getenv); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(web, npm, export string, getenv func(string) string) error {
	page, err := site.New(web, npm)
	if err != nil {
		return err
	}
	if export != "" {
		n, err := page.Export(export)
		if err == nil {
			fmt.Printf("  %d files in %s\n", n, export)
		}
		return err
	}
	api, err := native(getenv)
	if err != nil {
		return err
	}
	l, err := listen(getenv("PORT"))
	if err != nil {
		return err
	}
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	fmt.Printf("  playground at http://%s and its API at /v1 (Ctrl-C stops it)\n", l.Addr())
	return serve(stop, l, local(api, page))
}

const defaultTranscripts = ".tamp/transcripts"

// native returns the handler with a directory as the store and a cache in memory.
func native(getenv func(string) string) (*server, error) {
	c, err := readConfig(getenv, true)
	if err != nil {
		return nil, err
	}
	dir := getenv("TRANSCRIPTS_DIR")
	if dir == "" {
		dir = defaultTranscripts
	}
	return &server{config: c, host: host{Store: store.NewDir(dir), Summaries: newMemory(), Vocabulary: vocabulary, Now: time.Now,
		Log: func(line []byte) { fmt.Println(string(line)) }}}, nil
}

// local routes the API's paths to api and all others to page. It refuses requests whose Host is not this machine:
// otherwise a page of another origin could point its DNS name here and read the responses (DNS rebinding).
func local(api, page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.Host
		if host, _, err := net.SplitHostPort(name); err == nil {
			name = host
		}
		ip := net.ParseIP(strings.Trim(name, "[]"))
		switch path := r.URL.Path; {
		case name != "localhost" && (ip == nil || !ip.IsLoopback()):
			http.Error(w, "this server answers on this machine only", http.StatusMisdirectedRequest)
		case path == "/healthz" || path == "/v1" || strings.HasPrefix(path, "/v1/"):
			api.ServeHTTP(w, r)
		default:
			page.ServeHTTP(w, r)
		}
	})
}

const defaultPort = "8787"

// listen opens the port on the loopback address; "" is defaultPort, and "0" lets the system choose.
func listen(port string) (net.Listener, error) {
	if port == "" {
		port = defaultPort
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on port %q: want a number from 0 to 65535 in PORT", port)
	}
	addr := net.JoinHostPort("127.0.0.1", port)
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("cannot listen on %s: the port is taken; try PORT=%d make run", addr, n%65535+1)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", addr, err)
	}
	return l, nil
}

// serve serves on l until stop is done, then waits up to 2 s for the open requests.
func serve(stop context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-stop.Done():
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		return server.Shutdown(ctx)
	}
}
