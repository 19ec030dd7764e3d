//go:build js && wasm

// Command wasm is the JavaScript hinge of Tamp: it hands core/wire to a page, a Worker or Node, and holds no rules of its own.
//
// The protocol, in the same words as wasm/npm/instance.js: at start-up it registers
//
//	globalThis.__tamp = { handle(op: string, header: Uint8Array, body: Uint8Array | null, progress?) -> { header: Uint8Array, body: Uint8Array | null } }
//
// The request's header is the JSON of the input without its conversation, its body the conversation's bytes. The answer's header
// is the JSON of the result, or {"error":{code,path,message}}; its body the rendered conversation or the archive, where there is one.
// Bytes are copied once each way, and neither side keeps the other's. progress(done: number, of: number) is called while a long op is
// at work; it ends the op by returning false.
package main

import (
	"syscall/js"

	"tamp/core/wire"
)

// A panic is a bug of ours, never the user's input, and its words may quote a conversation: they stay inside.
const internal = `{"error":{"code":"internal","path":"","message":"cannot finish the call: an internal error of tamp, please report it"}}`

// door keeps the last conversation: a page plans, archives and applies the same one. A program has one thread here.
var door wire.Door

func main() {
	js.Global().Set("__tamp", map[string]any{"handle": js.FuncOf(handle)})
	select {} // the exported function lives as long as the program does
}

func handle(_ js.Value, args []js.Value) any {
	door.Progress = nil
	if len(args) > 3 && args[3].Type() == js.TypeFunction {
		door.Progress = func(done, of int) bool {
			says := args[3].Invoke(done, of)
			return says.Type() != js.TypeBoolean || says.Bool()
		}
	}
	header, body := answer(args[0].String(), fromJS(args[1]), fromJS(args[2]))
	return map[string]any{"header": toJS(header), "body": toJS(body)}
}

func answer(op string, header, body []byte) (outHeader, outBody []byte) {
	defer func() {
		if recover() != nil {
			outHeader, outBody = []byte(internal), nil
		}
	}()
	return door.HandleBeside(op, header, body)
}

// fromJS copies a Uint8Array into memory that the caller owns; null is nil, and an empty array is not.
func fromJS(array js.Value) []byte {
	if !array.Truthy() {
		return nil
	}
	b := make([]byte, array.Length())
	js.CopyBytesToGo(b, array)
	return b
}

// toJS copies b into a new Uint8Array; nil is null.
func toJS(b []byte) js.Value {
	if b == nil {
		return js.Null()
	}
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array
}
