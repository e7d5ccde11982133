// The entry for node, built as CommonJS. It takes winnable.wasm, or the inlined bytes where that file is
// missing, as in a bundle.
import { version } from "./games.js";
import { provide } from "./module.js";
import { unpacked } from "./unpack.js";
import { startWorkersWith } from "./worker-engine.js";

export { Engine } from "./engine.js";
export { WinnableError } from "./errors.js";
export { games, version } from "./games.js";
export { load } from "./module.js";
export { WorkerEngine } from "./worker-engine.js";

// Gives the source of a worker in node what workers in browsers have.
const PORT = `
  const { parentPort } = require("node:worker_threads");
  globalThis.postMessage = (message) => parentPort.postMessage(message);
  parentPort.on("message", (data) => globalThis.onmessage({ data }));
`;

// Modules of node. In bundles that are ES modules there is no `require` of them.
const path = () => process.getBuiltinModule?.("node:path") ?? require("node:path");
const fs = () => process.getBuiltinModule?.("node:fs") ?? require("node:fs");
const zlib = () => process.getBuiltinModule?.("node:zlib") ?? require("node:zlib");
const threads = () => process.getBuiltinModule?.("node:worker_threads") ?? require("node:worker_threads");

/** @type {(name: string) => any} */
const kept = name => Reflect.get(globalThis, Symbol.for(`winnable ${name} ${version}`));

provide(() => {
  try {
    const bytes = fs().readFileSync(path().join(__dirname, "..", "winnable.wasm"));
    if (bytes.length === SIZE) return bytes;
  } catch {
    // the inlined bytes are the same
  }
  require("./bytes.js");
  return unpacked(kept("bytes"), zlib().inflateRawSync);
});

startWorkersWith(() => {
  require("./source.js");
  const { Worker } = threads();
  const source = kept("worker");
  return new Worker(`${PORT}${source}`, { eval: true, execArgv: [] });
});
