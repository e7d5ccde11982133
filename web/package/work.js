/* Python and the engine, in a worker. */

import { tick } from "./tick.js";

const PLACE = "/lib/python3.14/site-packages";

/* What takes the messages to a worker: {pyodide, indexURL, archive, shared} once, then {take: request}, one at
   a time, and {stop: id} if it can wait for messages within a search. It calls `post` with {ready: true,
   canWait}, {text: message} for each message of the engine, and {failed: why}. `read` gives the bytes of an
   address. */
export function serve(post, read) {
  let stopped = 0;

  async function begin({ pyodide, indexURL, archive, shared }) {
    const library = import(/* webpackIgnore: true */ /* @vite-ignore */ pyodide);
    const [{ loadPyodide }, bytes] = await Promise.all([library, read(archive)]);
    const python = await loadPyodide(indexURL ? { indexURL } : {});
    python.unpackArchive(bytes, "zip", { extractDir: PLACE });
    const canWait = !shared && "Suspending" in WebAssembly;
    const engine = python.pyimport("web.engine").WorkerEngine(
      text => post({ text }),
      number => number <= (shared ? Atomics.load(shared, 0) : stopped),
      canWait,
    );
    tick(python);
    return { canWait, answer: text => (canWait ? engine.take.callPromising(text) : engine.take(text)) };
  }

  function guarded(work) {
    return async data => {
      try {
        await work(data);
      } catch (error) {
        post({ failed: String(error?.message || error) });
      }
    };
  }

  let take = guarded(async data => {
    const { canWait, answer } = await begin(data);
    take = guarded(({ take: request, stop }) => (stop ? (stopped = stop) : answer(request)));
    post({ ready: true, canWait });
  });
  return data => take(data);
}
