// Command serve shows the playground on this machine: web/ at /, wasm/npm at /npm/, the same tree that any static host can carry.
//
//	serve                   serves http://127.0.0.1:8787; PORT overrides
//	serve -export DIR       writes that tree to DIR instead
//
// It listens on the loopback address only, and reads files anew for every request, so that an edit shows on reload.
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
	"syscall"
	"time"
)

func main() {
	web := flag.String("web", "web", "folder of the page")
	npm := flag.String("npm", "wasm/npm", "folder of the built package")
	export := flag.String("export", "", "write the site to this folder and stop")
	flag.Parse()

	err := run(*web, *npm, *export, os.Getenv("PORT"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(web, npm, export, port string) error {
	s, err := newSite(web, npm)
	if err != nil {
		return err
	}
	if export != "" {
		return s.export(export)
	}
	l, err := listen(port)
	if err != nil {
		return err
	}
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	fmt.Printf("  playground at http://%s (Ctrl-C stops it)\n", l.Addr())
	return serve(stop, l, s)
}

const defaultPort = "8787"

// listen opens the port on the loopback address; "" is the default one, and "0" lets the system choose.
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

// serve answers on l until stop is done, then lets answers under way finish.
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
