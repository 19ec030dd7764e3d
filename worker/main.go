// Command worker is Tamp over HTTP: the operations of core/wire, and the whole loop of a compaction with a real summarizer and
// a real store. On Cloudflare it is a Worker (main_js.go, worker.mjs); natively it serves the same handler, with the
// playground, on this machine alone (main_native.go). It holds no rules about conversations: those are core/wire's.
//
// handler.go has the routes; README.md is the operator's manual.
package main
