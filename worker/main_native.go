//go:build !js

package worker

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tamp/core/wire"
	"tamp/web/site"
	"tamp/worker/gateway"
	"tamp/worker/store"
)

// Main is the program. Natively it serves the API, the gateway and the playground, and stores originals in a directory.
// By default only this machine can connect.
//
//	tamp serve              serves http://127.0.0.1:8787, also without the word serve; --help lists the settings
//	tamp -export DIR        writes the playground to DIR instead, for any static host
//
// The page is part of the program. With -web and -npm its files are read for every request instead, so that an edit
// shows on reload.
func Main() {
	os.Exit(command(os.Args[1:], os.Stdout, os.Stderr, os.Getenv))
}

// command reads the command line and runs the program. It returns the exit code: 0 done, 1 an error, 2 wrong usage.
func command(args []string, out, problems io.Writer, getenv func(string) string) int {
	if len(args) > 0 && args[0] == "serve" {
		args = args[1:]
	}
	flags := flag.NewFlagSet("tamp serve", flag.ContinueOnError)
	flags.SetOutput(problems)
	flags.Usage = func() { _, _ = io.WriteString(flags.Output(), help()) }
	web := flags.String("web", "", "folder of the page; default: the page in this program")
	npm := flags.String("npm", "", "folder of the built package; default: the one in this program")
	export := flags.String("export", "", "write the playground to this folder and stop")
	version := flags.Bool("version", false, "print the version")
	given := map[string]string{}
	for _, s := range allSettings {
		if !s.Secret {
			flags.Func(s.option(), s.Meaning, func(value string) error {
				given[s.Name] = value
				return nil
			})
		}
	}
	if slices.ContainsFunc(args, func(arg string) bool { return strings.Trim(arg, "-") == "help" || arg == "-h" }) {
		flags.SetOutput(out) // it was asked for
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case *version:
		fmt.Fprintln(out, wire.Version)
		return 0
	case flags.NArg() > 0:
		fmt.Fprintf(problems, "cannot serve %q: serve takes only options; serve --help lists them\n", flags.Arg(0))
		return 2
	}
	setting := func(name string) string {
		if value, found := given[name]; found {
			return value
		}
		return getenv(name)
	}
	if err := run(*web, *npm, *export, setting); err != nil {
		fmt.Fprintln(problems, err)
		return 1
	}
	return 0
}

func run(web, npm, export string, getenv func(string) string) error {
	page, err := site.New(web, npm)
	if err != nil {
		return err
	}
	if !page.HasEngine() {
		fmt.Fprintln(os.Stderr, "  this program has no engine for the playground: build it with `make binary`")
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
	proxy, err := nativeGateway(api, getenv)
	if err != nil {
		return err
	}
	page.Gateway = true
	l, err := listen(getenv("HOST"), getenv("PORT"))
	if err != nil {
		return err
	}
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	context.AfterFunc(stop, cancel) // a second signal ends the program at once
	fmt.Printf("  playground at http://%s with its API at /v1, the gateway at %s (Ctrl-C stops it)\n", l.Addr(),
		upstreamPaths(proxy.Upstreams))
	return serve(stop, l, local(allowedHosts(getenv), api, proxy, page), api.host.Sessions.Close)
}

// ServeGateway serves the gateway, without the API and the page, until stop is called, and returns its address. The
// settings are those of `tamp serve`. seen is called after each request, with its log entry and its body as the client
// sent it, nil if it has no history or GATEWAY_KEEP is 0.
func ServeGateway(getenv func(string) string, seen func(e *gateway.Entry, body []byte)) (url string, stop func(),
	err error) {
	api, err := native(getenv)
	if err != nil {
		return "", nil, err
	}
	proxy, err := nativeGateway(api, getenv)
	if err != nil {
		return "", nil, err
	}
	proxy.Log = func(e *gateway.Entry) { seen(e, api.host.Sessions.Request(e.Session)) }
	l, err := listen(getenv("HOST"), getenv("PORT"))
	if err != nil {
		return "", nil, err
	}
	none := http.NotFoundHandler()
	server := newServer(local(allowedHosts(getenv), none, proxy, none))
	go func() { _ = server.Serve(l) }() // ends with stop
	return "http://" + l.Addr().String(), func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			_ = server.Close()
		}
	}, nil
}

func upstreamPaths(all []gateway.Upstream) string {
	var paths []string
	for _, u := range all {
		paths = append(paths, "/"+u.Name)
	}
	return strings.Join(paths, " and ")
}

const defaultTranscripts = ".tamp/transcripts"

// native returns the handler with a directory as the store and a cache in memory.
func native(getenv func(string) string) (*server, error) {
	open := isLoopback(hostOf(getenv))
	c, err := readConfig(getenv, open)
	if err != nil {
		return nil, err
	}
	if !open && c.Token == "" {
		return nil, errors.New("cannot use HOST: other machines can connect then, so TAMP_TOKEN must be set")
	}
	if c.Token == "" && getenv("ALLOWED_HOSTS") != "" {
		return nil,
			errors.New("cannot use ALLOWED_HOSTS: others can reach this server by these names, so TAMP_TOKEN must be set")
	}
	dir := getenv("TRANSCRIPTS_DIR")
	if dir == "" {
		dir = defaultTranscripts
	}
	return &server{config: c, host: host{Store: store.NewDir(dir), Summaries: newRecentSummaries(), Vocabulary: vocabulary,
		Now: time.Now, Sessions: gateway.NewSessions(time.Now),
		Log: func(line []byte) { fmt.Println(string(line)) }}}, nil
}

const defaultHost = "127.0.0.1"

func hostOf(getenv func(string) string) string { return cmp.Or(getenv("HOST"), defaultHost) }

func isLoopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// allowedHosts lists the names, besides those of this machine, that the header Host may have.
func allowedHosts(getenv func(string) string) []string {
	names := strings.FieldsFunc(getenv("ALLOWED_HOSTS"), func(r rune) bool { return r == ',' || r == ' ' })
	if host := hostOf(getenv); host != "0.0.0.0" && host != "::" {
		names = append(names, host)
	}
	return names
}

// local routes the API's paths to api, those of an upstream to the gateway, and all others to page. It refuses requests
// whose Host is neither this machine nor allowed: otherwise a page of another origin could point its DNS name here and
// read the responses (DNS rebinding).
func local(allowed []string, api http.Handler, proxy *gateway.Gateway, page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer discard(w, r)
		name := r.Host
		if host, _, err := net.SplitHostPort(name); err == nil {
			name = host
		}
		isAllowed := func(host string) bool { return strings.EqualFold(host, name) }
		switch path := r.URL.Path; {
		case !isLoopback(name) && !slices.ContainsFunc(allowed, isAllowed):
			http.Error(w, "this server does not have this name; its operator can allow it with ALLOWED_HOSTS",
				http.StatusMisdirectedRequest)
		case proxy.Misses(r):
			proxy.ServeHTTP(w, r)
		case path == "/healthz" || path == "/metrics" || path == "/v1" || strings.HasPrefix(path, "/v1/"):
			api.ServeHTTP(w, r)
		case proxy.Handles(r.URL.EscapedPath()):
			proxy.ServeHTTP(w, r)
		default:
			page.ServeHTTP(w, r)
		}
	})
}

// discardTimeout is the time in which the rest of a body that no handler read may arrive.
const discardTimeout = 5 * time.Second

// discard reads what a handler has left of a request's body, up to maxBody. A connection that ends while the client
// still sends is reset, and the client may see that instead of the response.
func discard(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(discardTimeout)) // an error: the server has no deadlines
	if _, err := io.CopyN(io.Discard, r.Body, maxBody); err == io.EOF {
		_ = control.SetReadDeadline(time.Time{})
	}
}

const defaultPort = "8787"

// listen opens the port on an address; "" is defaultHost and defaultPort, and the port "0" lets the system choose.
func listen(host, port string) (net.Listener, error) {
	if port == "" {
		port = defaultPort
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on port %q: want a number from 0 to 65535 in PORT", port)
	}
	addr := net.JoinHostPort(strings.Trim(cmp.Or(host, defaultHost), "[]"), port)
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("cannot listen on %s: the port is taken; try PORT=%d make run", addr, n%65535+1)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", addr, err)
	}
	return l, nil
}

func newServer(h http.Handler) *http.Server {
	return &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 5 * time.Minute}
}

// shutdownWait is the time for which a stopped server waits for open responses: most answers of a model take less.
const shutdownWait = 30 * time.Second

// serve serves on l until stop is done, then waits up to shutdownWait for the open requests. closing is called first.
func serve(stop context.Context, l net.Listener, h http.Handler, closing func()) error {
	server := newServer(h)
	server.RegisterOnShutdown(closing)
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-stop.Done():
		ctx, cancel := context.WithTimeout(context.Background(), shutdownWait)
		defer cancel()
		return server.Shutdown(ctx)
	}
}
