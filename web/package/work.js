/* Python and the engine, in a worker. */

import { tick } from "./tick.js";

/** @import { Sent } from "./engine.js" */

const PLACE = "/lib/python3.14/site-packages";

/** The settings that a worker is sent first: where Pyodide and the engine are, and memory that it shares,
    if any.
    @typedef {{ pyodide: string; indexURL?: string; archive: string; shared: Int32Array | null }} Settings */

/** Gives the bytes of an address.
    @typedef {(address: string) => Promise<ArrayBuffer | Uint8Array>} Read */

/** The way of messages to a worker: its settings once, then {take: request}, one at a time, and {stop:
    id} if it can wait for messages within a search. It calls `post` with {ready: true, canWait}, {text:
    message} for each message of the engine, and {failed: why}.
    @type {(post: (sent: Sent) => void, read: Read) => (data: any) => Promise<void>} */
export function serve(post, read) {
  let stopped = 0;

  /** @param {Settings} settings */
  async function begin({ pyodide, indexURL, archive, shared }) {
    const library = import(/* webpackIgnore: true */ /* @vite-ignore */ pyodide);
    const [{ loadPyodide }, bytes] = await Promise.all([library, read(archive)]);
    const python = await loadPyodide(indexURL ? { indexURL } : {});
    python.unpackArchive(bytes, "zip", { extractDir: PLACE });
    const canWait = !shared && "Suspending" in WebAssembly;
    const engine = python.pyimport("web.engine").WorkerEngine(
      (/** @type {string} */ text) => post({ text }),
      (/** @type {number} */ number) => number <= (shared ? Atomics.load(shared, 0) : stopped),
      canWait,
    );
    tick(python);
    /** @type {(text: string) => Promise<void>} */
    const answer = async text => (canWait ? engine.take.callPromising(text) : engine.take(text));
    return { canWait, answer };
  }

  /** @type {(work: (data: any) => Promise<void>) => (data: any) => Promise<void>} */
  function guarded(work) {
    return async data => {
      try {
        await work(data);
      } catch (error) {
        post({ failed: (error instanceof Error && error.message) || String(error) });
      }
    };
  }

  /** @type {(data: any) => Promise<void>} */
  let take = guarded(async data => {
    const { canWait, answer } = await begin(data);
    take = guarded(async ({ take: request, stop }) => {
      if (stop) stopped = stop;
      else await answer(request);
    });
    post({ ready: true, canWait });
  });
  return data => take(data);
}
