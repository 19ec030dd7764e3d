// Package worker is the program tamp (cmd/tamp). It serves Tamp over HTTP: the operations of core/wire, and complete
// compactions with a summarizer and a store. On Cloudflare it is a Worker (main_js.go, worker.mjs). Natively it serves
// the same handler and the playground, to this machine only (main_native.go). It contains no rules about
// conversations: those are in core.
//
// It is not a part of the API (see package core). Start with handler.go, which has the routes; README.md is the
// operator's manual.
package worker
