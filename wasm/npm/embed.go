// Package npm has the files of the npm package that the page loads.
//
// It is not a part of the API (see package core).
package npm

import "embed"

// Files has tamp.wasm, wasm_exec.js and the vocabularies only if `make wasm` wrote them before this package was
// compiled. No pattern names them alone, because a pattern without a file is an error. The first leaves out
// program.wasm.br, 1.5 MB, which is for Node.
//
//go:embed *.[jw]*[ms] [vw]o* NOTICE.md
var Files embed.FS
