//go:build js && wasm

package worker

import (
	"context"
	"strconv"
	"syscall/js"
	"time"

	"tamp/worker/summarizer"
)

// The platform's bindings. Each value is passed in one copy; the library's own bindings use streams, which are slower.

// bucket is an R2 bucket.
type bucket struct{ js.Value }

func (b bucket) Read(ctx context.Context, key string) ([]byte, bool, error) {
	object, err := await(ctx, b.Call("get", key))
	if err != nil || object.IsNull() {
		return nil, false, err
	}
	buffer, err := await(ctx, object.Call("arrayBuffer"))
	return fromBuffer(buffer, err)
}

func (b bucket) Write(ctx context.Context, key string, data []byte) error {
	_, err := await(ctx, b.Call("put", key, toJS(data)))
	return err
}

// namespace is a KV namespace.
type namespace struct{ js.Value }

func (n namespace) Read(ctx context.Context, key string) ([]byte, bool, error) {
	buffer, err := await(ctx, n.Call("get", key, "arrayBuffer"))
	if err == nil && buffer.IsNull() {
		return nil, false, nil
	}
	return fromBuffer(buffer, err)
}

func (n namespace) Write(ctx context.Context, key string, data []byte) error {
	_, err := await(ctx, n.Call("put", key, toJS(data)))
	return err
}

// boundAI runs a model of Cloudflare's; nil if the operator has no binding AI.
func boundAI() summarizer.AI {
	ai, ok := findBinding("AI")
	if !ok {
		return nil
	}
	return func(ctx context.Context, model string, input []byte) ([]byte, error) {
		answer, err := await(ctx, ai.Call("run", model, js.Global().Get("JSON").Call("parse", string(input))))
		if err != nil {
			return nil, err
		}
		return []byte(js.Global().Get("JSON").Call("stringify", answer).String()), nil
	}
}

// boundCache is the KV namespace SUMMARIES if it is bound, else the Cache API of the data center.
func boundCache() cache {
	if v, ok := findBinding("SUMMARIES"); ok {
		return kvCache{v}
	}
	if caches := js.Global().Get("caches"); caches.Truthy() {
		return httpCache{caches.Get("default")}
	}
	return nil
}

type kvCache struct{ js.Value }

func (c kvCache) Find(ctx context.Context, key string) (string, bool) {
	text, err := await(ctx, c.Call("get", "summaries/"+key))
	if err != nil || text.Type() != js.TypeString {
		return "", false
	}
	return text.String(), true
}

// minKVLifetime is the shortest lifetime that KV accepts.
const minKVLifetime = time.Minute

func (c kvCache) Keep(ctx context.Context, key, text string, ttl time.Duration) {
	options := map[string]any{"expirationTtl": int(max(ttl, minKVLifetime).Seconds())}
	_, _ = await(ctx, c.Call("put", "summaries/"+key, text, options))
}

type httpCache struct{ js.Value }

// The top-level domain .invalid is reserved, so no server can have this name.
func cacheURL(key string) string { return "https://summaries.invalid/" + key }

func (c httpCache) Find(ctx context.Context, key string) (string, bool) {
	found, err := await(ctx, c.Call("match", cacheURL(key)))
	if err != nil || !found.Truthy() {
		return "", false
	}
	return textOf(ctx, found)
}

func (c httpCache) Keep(ctx context.Context, key, text string, ttl time.Duration) {
	headers := map[string]any{
		"Cache-Control": "max-age=" + strconv.Itoa(int(ttl.Seconds())), "Content-Type": "text/plain; charset=utf-8",
	}
	stored := js.Global().Get("Response").New(text, map[string]any{"headers": headers})
	_, _ = await(ctx, c.Call("put", cacheURL(key), stored))
}

// textOf returns the text of a Response.
func textOf(ctx context.Context, response js.Value) (string, bool) {
	text, err := await(ctx, response.Call("text"))
	if err != nil {
		return "", false
	}
	return text.String(), true
}

// objectCache keeps each text in a Durable Object of its own: Checkpoints in worker.mjs, which deletes it after a day.
type objectCache struct{ js.Value }

func (c objectCache) Find(ctx context.Context, key string) (string, bool) {
	found, err := await(ctx, c.fetch(key, "POST", key))
	if err != nil || !found.Get("headers").Call("get", "name").Truthy() {
		return "", false
	}
	return textOf(ctx, found)
}

func (c objectCache) Keep(ctx context.Context, key, text string, _ time.Duration) {
	_, _ = await(ctx, c.fetch(key, "PUT", text))
}

func (c objectCache) fetch(key, method, body string) js.Value {
	object := c.Call("get", c.Call("idFromName", "summary "+key))
	return object.Call("fetch", "https://checkpoints.invalid/", map[string]any{"method": method, "body": body,
		"headers": map[string]any{"name": key}})
}
