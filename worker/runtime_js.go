//go:build js && wasm

package worker

import (
	"syscall/js"

	"github.com/syumai/workers/cloudflare"
)

// runtime is the object that worker.mjs passes to this instance: { env, ctx, binding }.
func runtime() js.Value { return js.Global().Get("context") }

// env reads a setting, "" if it is not set; the library's Getenv returns "<undefined>" then.
func env(name string) string {
	if v := cloudflare.GetBinding(name); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}

// findBinding returns the binding of that name; ok is false if it is not configured.
func findBinding(name string) (js.Value, bool) {
	v := cloudflare.GetBinding(name)
	return v, v.Type() == js.TypeObject
}
