// The entry for browsers and bundlers, with the WebAssembly inlined.
import "./cjs/bytes.js";
import "./cjs/source.js";
import * as shared from "./engine.js";

const packed = () => globalThis[Symbol.for(`winnable bytes ${shared.version}`)];
const inlined = () => shared.unpacked(packed(), shared.inflateSync);
const start = () => shared.startFrom(globalThis[Symbol.for(`winnable worker ${shared.version}`)]);

export { WinnableError, games, version } from "./engine.js";

/** A position and its searches, which block the calling thread. */
export class Engine extends shared.Engine {
  constructor(...given) {
    shared.provide(inlined);
    super(...given);
  }
}

/** A position whose searches run in a worker and return promises. */
export class WorkerEngine extends shared.WorkerEngine {
  constructor(...given) {
    shared.provide(inlined);
    shared.startWorkersWith(start);
    super(...given);
  }
}

/** Compile the module without blocking the thread. */
export async function load(source) {
  shared.provide(inlined);
  return shared.load(source);
}
