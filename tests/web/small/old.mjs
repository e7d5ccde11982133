// Browsers that refuse to compile and instantiate large modules at once, as Chrome before version 114 does.
import assert from "node:assert/strict";

const { Module, Instance } = WebAssembly;
const sizes = new WeakMap();

function OldModule(bytes) {
  if (bytes.byteLength > 4096) throw new RangeError("use WebAssembly.compile");
  const made = new Module(bytes);
  sizes.set(made, bytes.byteLength);
  return made;
}

function OldInstance(module, imports) {
  if (!sizes.has(module)) throw new RangeError("use WebAssembly.instantiate");
  return new Instance(module, imports);
}

OldModule.prototype = Module.prototype;
OldModule.exports = Module.exports;
Object.assign(WebAssembly, { Module: OldModule, Instance: OldInstance });

const { Engine, load } = await import("winnable");
assert.throws(() => new Engine("joker"), RangeError);
await load();
const engines = ["joker", "fortress", "fortress"].map(game => new Engine(game));
for (const engine of engines) engine.deal(3);
assert.deepEqual(
  engines.map(engine => engine.solve().verdict),
  ["winnable", "unwinnable", "unwinnable"],
);
engines[1].close();
assert.equal(engines[2].solve().verdict, "unwinnable");
