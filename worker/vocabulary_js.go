//go:build js && wasm

package worker

import (
	"context"
	"syscall/js"

	"tamp/core/tokens/bpe"
)

// On Cloudflare the vocabularies are files of the playground, which is deployed with the Worker as its static assets:
// together they are larger than a Worker may be. The binding ASSETS reads them, when a request first needs one.

// keptVocabularies are those of the kept instance, which must not wait for I/O. A vocabulary that a request needs and
// that is not loaded is only recorded; worker.mjs reads the file, passes it to load, and repeats the request.
type keptVocabularies struct {
	loaded map[string]*bpe.Vocabulary
	wanted string // that the request needed, and that is not loaded; "" if none
}

// get returns a loaded vocabulary, or nil.
func (k *keptVocabularies) get(name string) *bpe.Vocabulary {
	v := k.loaded[name]
	if v == nil {
		k.wanted = name
	}
	return v
}

// load takes the file of a vocabulary. It reports whether the file is that vocabulary.
func (k *keptVocabularies) load(name string, file []byte) bool {
	v := loadNamed(name, file)
	if v == nil {
		return false
	}
	k.loaded[name] = v
	return true
}

func loadNamed(name string, file []byte) *bpe.Vocabulary {
	v, err := bpe.Load(file)
	if err != nil || v.Name() != name {
		return nil
	}
	return v
}

// assetVocabulary reads a vocabulary and waits for it, which only an instance for one request may. It returns nil if
// ASSETS is not bound or has no such file.
func assetVocabulary(ctx context.Context, name string) *bpe.Vocabulary {
	assets, ok := findBinding("ASSETS")
	if !ok {
		return nil
	}
	response, err := await(ctx, assets.Call("fetch", "https://assets.invalid/npm/vocab/"+name+".bin"))
	if err != nil || !response.Get("ok").Bool() {
		return nil
	}
	buffer, err := await(ctx, response.Call("arrayBuffer"))
	file, _, err := fromBuffer(buffer, err)
	if err != nil {
		return nil
	}
	return loadNamed(name, file)
}

// loadFunc is load for worker.mjs: load(name, Uint8Array) returns a boolean.
func (k *keptVocabularies) loadFunc() js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any { return k.load(args[0].String(), bytesOf(args[1])) })
}
