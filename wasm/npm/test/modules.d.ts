declare module "*/tamp.wasm" {
  const wasm: WebAssembly.Module;
  export default wasm;
}

declare module "*/tamp.wasm?module" {
  const wasm: WebAssembly.Module;
  export default wasm;
}
