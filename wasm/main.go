//go:build js && wasm

// Command wasm is the adapter between core/wire and JavaScript in a page, a Worker or Node. It contains no rules.
//
// The protocol; wasm/npm/instance.js has the same text. All data is passed in the module's memory, since passing one
// JavaScript value to Go takes as long as counting a paragraph:
//
//	allocate(size) -> address   JavaScript writes the op's name, header and body there, without gaps; it need not fill it
//	handle(op, header, body) -> address of four uint32: address and size of the answer's header, and of its body
//
// The arguments of handle are the three sizes. The request's header is the JSON of the input without its conversation,
// its body the bytes of the conversation. The answer's header is the JSON of the result, or
// {"error":{code,path,message}}; its body is the rendered conversation or the archive. The size 2^32 - 1 means no body.
// An answer is valid until the next call. The module imports tamp.progress(done, of), and calls it during long ops; if
// it returns 0, the op stops.
package main

import (
	"runtime"
	"unsafe"

	"tamp/core/wire"
)

// internal is the answer after a panic, which is a bug of the engine. Its text may quote a conversation, so it is not
// returned.
const internal = `{"error":{"code":"internal","path":"","message":"cannot finish the call: an internal error of tamp, please report it"}}`

// none is the size of an absent body.
const none = 1<<32 - 1

// engine caches the last conversation, since a page plans, archives and applies the same one. The program has one
// thread.
var engine = wire.Engine{
	Progress: func(done, of int) bool { return progress(int32(done), int32(of)) != 0 },
	Text:     func(body []byte) string { return unsafe.String(unsafe.SliceData(body), len(body)) },
}

// maxSpare is the maximum size of a buffer that is kept for the next request, in bytes, so that the buffer of a long
// text is freed.
const maxSpare = 4 << 20

var (
	request []byte    // buffer of the next request, from allocate
	spare   []byte    // buffer of the last request, reused because the first access to new memory is slow
	parts   [2][]byte // header and body of the answer, referenced so that they are not collected
	answer  [4]uint32 // addresses and sizes of the answer
)

const (
	// minReserve is the size of a request, in bytes, from which on memory is reserved: less saves no time.
	minReserve = 16 << 20
	// memoryFactor is the memory that planning takes, in sizes of the request, rounded down.
	memoryFactor = 5
)

var (
	block    []byte // allocated by reserve and freed at once
	reserved int    // size of the largest block so far
)

// reserve makes the module's memory larger in one step. Go's runtime adds 512 KB in each of its steps, and after each
// the host gets a new buffer, which its garbage collector counts. The first inspection of 100 MB takes 6.2 s instead of
// 8.7.
func reserve(size int) {
	if size <= reserved {
		return
	}
	block, reserved = make([]byte, size), size
	block = nil
	runtime.GC()
}

func main() { select {} } // the exported functions can be called as long as main runs

//go:wasmimport tamp progress
func progress(done, of int32) int32

//go:wasmexport allocate
func allocate(size uint32) uint32 {
	if int(size) <= cap(spare) {
		request = spare[:size]
	} else {
		if size >= minReserve {
			reserve(memoryFactor * int(size))
		}
		request = make([]byte, size)
	}
	spare = nil
	return address(request)
}

//go:wasmexport handle
func handle(op, header, body uint32) uint32 {
	buffer := request
	request, parts = nil, [2][]byte{} // the engine keeps the parts that it needs
	name, all := string(buffer[:op]), buffer[op:]
	var conversation []byte
	if body != none {
		conversation = all[header : header+body : header+body]
	}
	if cap(buffer) > maxSpare {
		buffer = nil // so that it may be freed meanwhile
	}
	a := handleRecovered(name, all[:header:header], conversation)
	parts[0], parts[1] = a.Header, a.Body
	if a.Reusable && buffer != nil {
		spare = buffer
	}
	for i, part := range parts {
		answer[2*i], answer[2*i+1] = address(part), uint32(len(part))
		if part == nil {
			answer[2*i+1] = none
		}
	}
	return uint32(uintptr(unsafe.Pointer(&answer)))
}

// handleRecovered runs one op. An error is an answer; a panic becomes the answer internal.
func handleRecovered(op string, header, body []byte) (a wire.Answer) {
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
