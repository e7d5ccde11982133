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

// A module of node. In bundles that are ES modules there is no `require` of it.
function builtin(name) {
  return process.getBuiltinModule?.(name) ?? require(name);
}

provide(() => {
  try {
    const path = builtin("node:path").join(__dirname, "..", "winnable.wasm");
    const bytes = builtin("node:fs").readFileSync(path);
    if (bytes.length === SIZE) return bytes;
  } catch {
    // the inlined bytes are the same
  }
  require("./bytes.js");
  return unpacked(globalThis[Symbol.for(`winnable bytes ${version}`)], builtin("node:zlib").inflateRawSync);
});

startWorkersWith(() => {
  require("./source.js");
  const { Worker } = builtin("node:worker_threads");
  const source = globalThis[Symbol.for(`winnable worker ${version}`)];
  return new Worker(`${PORT}${source}`, { eval: true });
});
