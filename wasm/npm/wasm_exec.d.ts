// wasm_exec.js is the support file of the Go version that built tamp.wasm. It has no exports.
export {};
