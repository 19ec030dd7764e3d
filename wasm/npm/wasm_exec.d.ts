// wasm_exec.js is Go's own support file, copied from the Go that built tamp.wasm. It has no exports.
export {};
