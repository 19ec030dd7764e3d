//go:build js && wasm

// Command wasm is the JavaScript adapter of core/wire, for pages, Workers and Node. It holds no rules of its own.
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

// engine serves all calls: the program has one thread.
var engine = wire.Engine{
	Progress: func(done, of int) bool { return progress(int32(done), int32(of)) != 0 },
	Text:     func(body []byte) string { return unsafe.String(unsafe.SliceData(body), len(body)) },
}

// maxSpare is the largest memory that is kept for the next request, so that one long text does not occupy it for ever.
const maxSpare = 4 << 20

var (
	request []byte    // made by room
	spare   []byte    // memory of an answered request, for the next one: the first write to new memory is slow
	parts   [2][]byte // the answer, kept from the garbage collector
	answer  [4]uint32 // addresses and sizes of parts
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
	request = nil // the engine keeps the parts that it needs
	name, all := string(whole[:op]), whole[op:]
	var conversation []byte
	if body != none {
		conversation = all[header : header+body : header+body]
	}
	a := do(name, all[:header:header], conversation)
	parts[0], parts[1] = a.Header, a.Body
	if a.Reusable && cap(whole) <= maxSpare {
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

// do runs an operation. An error, or a panic, is an answer.
func do(op string, header, body []byte) (a wire.Answer) {
	defer func() {
		if recover() != nil {
			a = wire.Answer{Header: []byte(internal)}
		}
	}()
	a, err := engine.Do(op, header, body)
	if err != nil {
		return wire.Answer{Header: wire.EncodeError(err)}
	}
	return a
}

func address(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }
