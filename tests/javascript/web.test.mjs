/* Parts of the packages that need neither a browser nor WebAssembly. */

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { unpacked } from "../../web/small/unpack.js";
import { tick } from "../../web/tick.js";

test("the inlined module is unpacked to the bytes that were packed", () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * i) % 251);
  const wasm = deflateRawSync(bytes).toString("base64");
  let size = 0;
  const inflate = (packed, { out }) => {
    size = out.length;
    return new Uint8Array(inflateRawSync(packed));
  };
  assert.deepEqual(unpacked({ size: 1000, wasm }, inflate), bytes);
  assert.equal(size, 1000);
});

test("a running search gets an alarm at most every 50 milliseconds", () => {
  let buffer,
    now = 1000;
  mock.method(performance, "now", () => now);
  tick({ setInterruptBuffer: given => (buffer = given) });
  assert.equal(buffer[0], 14);
  now += 49;
  assert.equal(buffer[0], 0);
  now += 1;
  assert.equal(buffer[0], 14);
  buffer[0] = 0; // Python takes the signal
  now += 60;
  assert.equal(buffer[0], 14);
});
