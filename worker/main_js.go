//go:build js && wasm

package worker

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"syscall/js"
	"time"

	"github.com/syumai/workers"

	"tamp/core/tokens/bpe"
	"tamp/core/wire"
	"tamp/worker/store"
	"tamp/worker/summarizer"
)

// Main is the program. On Cloudflare an instance of it serves requests in one of two ways; worker.mjs chooses.
//
//   - One kept instance serves all requests that need no I/O. worker.mjs calls answer, which is synchronous.
//   - A request that waits for a model or a store gets its own instance, with the library's Serve: a Worker must not
//     wait in one request for the I/O of another, which Go's scheduler would do. A replay gets its own instance, too,
//     because it takes long: it pauses between calls, so that the isolate can answer other requests.
//
// Both use the same handler.
func Main() {
	c, configErr := readConfig(env, runtime().Get("trusted").Truthy()) // never on Cloudflare, see serve.mjs
	if configErr != nil {
		fmt.Println(configErr) // names settings, never their values
	}
	var logged string // log entry of the last request
	vocabularies := &keptVocabularies{loaded: map[string]*bpe.Vocabulary{}}
	s := &server{config: c, configErr: configErr, host: host{
		Store:      boundStore(),
		Summaries:  boundCache(),
		Vocabulary: vocabularies.get,
		Summarizer: summarizer.Host{Transport: fetcher{}, AI: boundAI()},
		Log:        func(line []byte) { logged = string(line) },
		Now:        time.Now,
	}}
	binding := runtime().Get("binding")
	binding.Set("answer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		vocabularies.wanted = ""
		return answerNow(s, args[0].String(), args[1], &logged, &vocabularies.wanted)
	}))
	binding.Set("load", vocabularies.loadFunc())
	binding.Set("help", help())
	binding.Set("settings", string(encode(allSettings)))
	binding.Set("version", wire.Version)
	problem := ""
	if err := errors.Join(configErr, setGateway(binding, s)); err != nil {
		problem = err.Error() // names settings, never their values
	}
	binding.Set("problem", problem)

	disconnected, disconnect := context.WithCancel(context.Background())
	binding.Set("disconnect", js.FuncOf(func(js.Value, []js.Value) any {
		disconnect()
		return nil
	}))
	workers.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(disconnected, cancel)()
		s.pause = func() { time.Sleep(time.Microsecond) } // only here: the kept instance must not wait
		s.host.Vocabulary = func(name string) *bpe.Vocabulary { return assetVocabulary(ctx, name) }
		r = r.WithContext(ctx)
		r.Header, r.Body = headersOf(binding.Get("headers").String()), newBufferedBody(bytesOf(binding.Get("body")))
		s.ServeHTTP(w, r)
		fmt.Println(logged)
	}))
}

// boundStore returns the store that is bound as TRANSCRIPTS: an R2 bucket, or a KV namespace, which has
// getWithMetadata. It is store.None if nothing is bound.
func boundStore() store.Store {
	v, ok := findBinding("TRANSCRIPTS")
	switch {
	case !ok:
		return store.None{}
	case v.Get("getWithMetadata").Type() == js.TypeFunction:
		return store.NewKV(namespace{v})
	}
	return store.NewR2(bucket{v})
}
