// The compiled module: from the bytes in the package, or from where `load` is told.
import { WinnableError, shown } from "./errors.js";
import { Instance } from "./instance.js";

let module = null;
let inlined = null;

/** Name the function that returns the bytes of the module, for the first use. */
export function provide(bytes) {
  inlined ??= bytes;
}

/** The compiled module; compiles the inlined bytes at the first use. */
export function compiled() {
  if (!module && !inlined)
    throw new WinnableError("not-loaded", "the WebAssembly module: expected load(...) to be awaited first");
  return (module ??= new WebAssembly.Module(inlined()));
}

/** Compile the module without blocking the thread: the inlined bytes, or those of `source`. */
export async function load(source) {
  if (source === undefined && inlined) module ??= await WebAssembly.compile(inlined());
  else module = await loaded(await source);
  await Instance.prepare(module);
}

async function loaded(given) {
  const found = given instanceof WebAssembly.Module ? given : await compile(given);
  const names = WebAssembly.Module.exports(found).map(({ name }) => name);
  if (!names.includes("winnable_on_host"))
    throw new TypeError("load: expected winnable.wasm, got another module");
  return found;
}

async function compile(given) {
  if (typeof Response === "function" && given instanceof Response) return compileResponse(given);
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return WebAssembly.compile(given);
  const expected = "expected a Response, the bytes or the WebAssembly.Module of winnable.wasm";
  throw new TypeError(`load: ${expected}, got ${shown(given)}`);
}

async function compileResponse(response) {
  const { ok, status, url } = response;
  if (!ok) throw new TypeError(`load: expected winnable.wasm, got status ${status} for ${url}`);
  const isWasm = response.headers.get("content-type")?.startsWith("application/wasm");
  return isWasm ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
