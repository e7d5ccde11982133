/* What the entries take from elsewhere, as far as they use it. */

/** The bytes of winnable.wasm, which `python -m web.npm` writes into the script for node. */
declare const SIZE: number;

/** Scripts that `python -m web.npm` writes. */
declare module "*/bytes.js" {}
declare module "*/source.js" {}

declare module "fflate" {
  export function inflateSync(packed: Uint8Array, options: { out: Uint8Array }): Uint8Array<ArrayBuffer>;
}
