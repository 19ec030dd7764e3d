//go:build js && wasm

package main

import (
	"context"
	"fmt"
	"net/http"
	"syscall/js"
	"time"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"

	"tamp/core/tokens/bpe"
	"tamp/worker/store"
	"tamp/worker/summarizer"
)

// On Cloudflare an instance of this program lives in one of two ways; worker.mjs says which request goes to which.
//
//   - One instance is kept for everything that needs no I/O. worker.mjs calls answer, which is done when it returns.
//   - Whatever waits (a model, a store) gets an instance of its own, by the library's way, for one request: no I/O of one
//     request may be waited for in another, and Go's scheduler would do just that. So does a replay, which takes long: it pauses
//     between calls, so that the isolate answers other requests meanwhile.
//
// Both serve the same handler.
func main() {
	c, wrong := readConfig(env, false)
	if wrong != nil {
		fmt.Println(wrong) // names settings, never their values
	}
	var said string // the log's line of the last request
	vocabularies := &keptVocabularies{loaded: map[string]*bpe.Vocabulary{}}
	s := &server{config: c, wrong: wrong, host: host{
		Store:      boundStore(),
		Summaries:  boundCache(),
		Vocabulary: vocabularies.get,
		Summarizer: summarizer.Host{Transport: fetcher{}, AI: boundAI()},
		Log:        func(line []byte) { said = string(line) },
		Now:        time.Now,
	}}
	binding := runtime().Get("binding")
	binding.Set("answer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		vocabularies.wanted = ""
		return answerNow(s, args[0].String(), args[1], &said, &vocabularies.wanted)
	}))
	binding.Set("load", vocabularies.loadFunc())

	gone, leave := context.WithCancel(context.Background())
	binding.Set("leave", js.FuncOf(func(js.Value, []js.Value) any {
		leave()
		return nil
	}))
	workers.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(gone, cancel)()
		s.pause = func() { time.Sleep(time.Microsecond) } // in the kept instance nothing may wait
		s.host.Vocabulary = func(name string) *bpe.Vocabulary { return assetVocabulary(ctx, name) }
		r = r.WithContext(ctx)
		r.Header, r.Body = headersOf(binding.Get("headers").String()), newWhole(bytesOf(binding.Get("body")))
		s.ServeHTTP(w, r)
		fmt.Println(said)
	}))
}

// runtime is what worker.mjs hands to this instance: { env, ctx, binding }.
func runtime() js.Value { return js.Global().Get("context") }

// env reads a setting; the library's own Getenv has "<undefined>" for what is not set.
func env(name string) string {
	if v := cloudflare.GetBinding(name); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}

// bound finds a binding; ok is false where the operator has none.
func bound(name string) (js.Value, bool) {
	v := cloudflare.GetBinding(name)
	return v, v.Type() == js.TypeObject
}

// boundStore is R2 where that is bound, else KV, else none. Both bindings answer to TRANSCRIPTS; only KV has getWithMetadata.
func boundStore() store.Store {
	v, ok := bound("TRANSCRIPTS")
	switch {
	case !ok:
		return store.None{}
	case v.Get("getWithMetadata").Type() == js.TypeFunction:
		return store.NewKV(namespace{v})
	}
	return store.NewR2(bucket{v})
}
