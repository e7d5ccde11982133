// The entry for browsers and bundlers without the WebAssembly, which `load` is given.
import "./cjs/source.js";
import * as shared from "./engine.js";

const start = () => shared.startFrom(globalThis[Symbol.for(`winnable worker ${shared.version}`)]);

export { Engine, WinnableError, games, load, version } from "./engine.js";

/** A position whose searches run in a worker and return promises. */
export class WorkerEngine extends shared.WorkerEngine {
  constructor(...given) {
    shared.startWorkersWith(start);
    super(...given);
  }
}
