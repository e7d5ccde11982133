// The entry for browsers and bundlers without the WebAssembly, which `load` is given.
import "./cjs/source.js";
import * as shared from "./all.js";

const start = () => shared.startFrom(shared.kept("worker"));

export { Engine, WinnableError, games, load, version } from "./all.js";

/** A position whose searches run in a worker and return promises. */
export class WorkerEngine extends shared.WorkerEngine {
  /** @param {ConstructorParameters<typeof shared.WorkerEngine>} given */
  constructor(...given) {
    shared.startWorkersWith(start);
    super(...given);
  }
}
