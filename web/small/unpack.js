// The bytes of the module out of the text that is inlined.

/** Undoes raw deflate.
    @typedef {(packed: Uint8Array, options: { out: Uint8Array }) => Uint8Array<ArrayBuffer>} Inflate */

/** Unpack the module, which was packed by raw deflate and written as base64.
    @type {(packed: { size: number; wasm: string }, inflate: Inflate) => Uint8Array<ArrayBuffer>} */
export function unpacked({ size, wasm }, inflate) {
  const letters = atob(wasm);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return inflate(bytes, { out: new Uint8Array(size) });
}
