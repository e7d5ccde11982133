// The compiled module: from the bytes in the package, or from where `load` is told.
import { WinnableError, shown } from "./errors.js";
import { Instance } from "./instance.js";

/** @import { Source } from "./index.d.ts" */

/** The compiled module; null until it is needed.
    @type {WebAssembly.Module | null} */
let module = null;
/** Returns its bytes; null if the package has none.
    @type {(() => BufferSource) | null} */
let inlined = null;

/** Name the function that returns the bytes of the module, for the first use.
    @type {(bytes: () => BufferSource) => void} */
export function provide(bytes) {
  inlined ??= bytes;
}

/** The compiled module; compiles the inlined bytes at the first use.
    @type {() => WebAssembly.Module} */
export function compiled() {
  if (module) return module;
  if (!inlined)
    throw new WinnableError("not-loaded", "the WebAssembly module: expected load(...) to be awaited first");
  return (module = new WebAssembly.Module(inlined()));
}

/** Compile the module without blocking the thread: the inlined bytes, or those of `source`.
    @type {(source?: Source | Promise<Source>) => Promise<void>} */
export async function load(source) {
  if (source === undefined && inlined) module ??= await WebAssembly.compile(inlined());
  else module = await loaded(await source);
  await Instance.prepare(module);
}

/** @type {(given: Source | undefined) => Promise<WebAssembly.Module>} */
async function loaded(given) {
  const found = given instanceof WebAssembly.Module ? given : await compile(given);
  const names = WebAssembly.Module.exports(found).map(({ name }) => name);
  if (!names.includes("winnable_on_host"))
    throw new TypeError("load: expected winnable.wasm, got another module");
  return found;
}

/** @type {(given: Source | undefined) => Promise<WebAssembly.Module>} */
async function compile(given) {
  if (typeof Response === "function" && given instanceof Response) return compileResponse(given);
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given))
    return WebAssembly.compile(/** @type {BufferSource} */ (given));
  const expected = "expected a Response, the bytes or the WebAssembly.Module of winnable.wasm";
  throw new TypeError(`load: ${expected}, got ${shown(given)}`);
}

/** @type {(response: Response) => Promise<WebAssembly.Module>} */
async function compileResponse(response) {
  const { ok, status, url } = response;
  if (!ok) throw new TypeError(`load: expected winnable.wasm, got status ${status} for ${url}`);
  const isWasm = response.headers.get("content-type")?.startsWith("application/wasm");
  return isWasm ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
