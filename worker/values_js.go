//go:build js && wasm

package worker

import (
	"context"
	"errors"
	"net/http"
	"syscall/js"
)

// await waits for a promise. A rejection is returned as an error with JavaScript's text, which is for the operator only
// and must not be sent to clients.
func await(ctx context.Context, promise js.Value) (js.Value, error) {
	type settled struct {
		value js.Value
		err   error
	}
	done := make(chan settled, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- settled{value: args[0]}
		return nil
	})
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		done <- settled{err: errors.New(js.Global().Get("String").Invoke(args[0]).String())}
		return nil
	})
	promise.Call("then", then, failed)
	select {
	case s := <-done:
		then.Release()
		failed.Release()
		return s.value, s.err
	case <-ctx.Done(): // the promise may still settle, so the functions are not released
		return js.Value{}, ctx.Err()
	}
}

// promised runs f, which may wait, and returns a promise of its result.
func promised(f func() any) js.Value {
	return js.Global().Get("Promise").New(js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() {
			defer func() {
				if recover() != nil { // a bug or a binding that throws; its text may quote the conversation
					args[1].Invoke("a bug")
				}
			}()
			args[0].Invoke(f())
		}()
		return nil
	}))
}

func fromBuffer(buffer js.Value, err error) ([]byte, bool, error) {
	if err != nil {
		return nil, false, err
	}
	return bytesOf(js.Global().Get("Uint8Array").New(buffer)), true, nil
}

func toJS(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}

// bytesOf copies a Uint8Array; it returns nil for null and undefined.
func bytesOf(array js.Value) []byte {
	if !array.Truthy() {
		return nil
	}
	b := make([]byte, array.Length())
	js.CopyBytesToGo(b, array)
	return b
}

// writeBody passes a body to JavaScript in one copy. The library's streams would pass pieces of 16 KB, each with a
// promise.
func writeBody(w http.ResponseWriter, body []byte) {
	if raw, ok := w.(interface{ WriteRawJSBody(js.Value) }); ok && len(body) > 0 {
		raw.WriteRawJSBody(toJS(body))
	}
}
