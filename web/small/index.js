// The entry for browsers and bundlers, with the WebAssembly inlined.
import "./cjs/bytes.js";
import "./cjs/source.js";
import * as shared from "./all.js";

/** @import { Source } from "./index.d.ts" */

const packed = () => shared.kept("bytes");
const inlined = () => shared.unpacked(packed(), shared.inflateSync);
const start = () => shared.startFrom(shared.kept("worker"));

export { WinnableError, games, version } from "./all.js";

/** A position and its searches, which block the calling thread. */
export class Engine extends shared.Engine {
  /** @param {ConstructorParameters<typeof shared.Engine>} given */
  constructor(...given) {
    shared.provide(inlined);
    super(...given);
  }
}

/** A position whose searches run in a worker and return promises. */
export class WorkerEngine extends shared.WorkerEngine {
  /** @param {ConstructorParameters<typeof shared.WorkerEngine>} given */
  constructor(...given) {
    shared.provide(inlined);
    shared.startWorkersWith(start);
    super(...given);
  }
}

/** Compile the module without blocking the thread.
    @type {(source?: Source | Promise<Source>) => Promise<void>} */
export async function load(source) {
  shared.provide(inlined);
  return shared.load(source);
}
