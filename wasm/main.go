//go:build js && wasm

// Command wasm is the JavaScript hinge of Tamp: it hands core/wire to a page, a Worker or Node, and holds no rules of its own.
//
// The protocol, in the same words as wasm/npm/instance.js. Everything crosses in the module's memory, since a JavaScript value
// in Go's hands takes as long as counting a paragraph:
//
//	room(size) -> address       JavaScript writes there the op's name, the header and the body, one after the other, and need not fill it
//	handle(op, header, body) -> address of four uint32: where the answer's header is, its size, where its body is, its size
//
// handle is given the three sizes. The request's header is the JSON of the input without its conversation, its body the conversation's
// bytes. The answer's header is the JSON of the result, or {"error":{code,path,message}}; its body the rendered conversation or the
// archive. A size of 2^32 - 1 is no body. An answer lies there until the next call. tamp.progress(done, of), which the module
// imports, is called while a long op is at work; it ends the op by returning 0.
package main

import (
	"unsafe"

	"tamp/core/wire"
)

// A panic is a bug of ours, never the user's input, and its words may quote a conversation: they stay inside.
const internal = `{"error":{"code":"internal","path":"","message":"cannot finish the call: an internal error of tamp, please report it"}}`

const none = 1<<32 - 1

// door keeps the last conversation: a page plans, archives and applies the same one. A program has one thread here.
var door = wire.Door{Progress: func(done, of int) bool { return progress(int32(done), int32(of)) != 0 }}

// maxSpare is how much memory waits at most for the next request, so that a long text does not hold on to its room.
const maxSpare = 4 << 20

var (
	request []byte    // as room made it
	spare   []byte    // the room of a request that is answered, for the next one: to touch memory the first time takes long
	parts   [2][]byte // the answer, kept from the collector
	answer  [4]uint32 // where the answer is
)

func main() { select {} } // the exported functions live as long as the program does

//go:wasmimport tamp progress
func progress(done, of int32) int32

//go:wasmexport room
func room(size uint32) uint32 {
	if int(size) <= cap(spare) {
		request = spare[:size]
	} else {
		request = make([]byte, size)
	}
	spare = nil
	return address(request)
}

//go:wasmexport handle
func handle(op, header, body uint32) uint32 {
	whole := request
	request = nil // what of it is still needed, the door keeps
	name, all := string(whole[:op]), whole[op:]
	var conversation []byte
	if body != none {
		conversation = all[header : header+body : header+body]
	}
	parts[0], parts[1] = guarded(name, all[:header:header], conversation)
	if takes, keeps := wire.TakesText(name); takes && !keeps && cap(whole) <= maxSpare {
		spare = whole
	}
	for i, part := range parts {
		answer[2*i], answer[2*i+1] = address(part), uint32(len(part))
		if part == nil {
			answer[2*i+1] = none
		}
	}
	return uint32(uintptr(unsafe.Pointer(&answer)))
}

func guarded(op string, header, body []byte) (outHeader, outBody []byte) {
	defer func() {
		if recover() != nil {
			outHeader, outBody = []byte(internal), nil
		}
	}()
	if takes, _ := wire.TakesText(op); takes {
		return door.HandleText(op, header, unsafe.String(unsafe.SliceData(body), len(body))), nil
	}
	return door.HandleBeside(op, header, body)
}

func address(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }
