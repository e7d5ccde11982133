/* The worker that searches, one task after the other. It is sent {way, shared, snapshot} once, then {number,
   task, network} and {stop: number}; it sends {number, update}, and {number, isEnd: true, heap} at the end.
   `network` names the value network that the task needs, `heap` is the size of Python's memory in bytes,
   which never shrinks. */

import { addNetwork, load, tick } from "./load.js";

/** The settings of a searching worker: how it hears that it is to stop, memory for that, and a snapshot of
    Python.
    @typedef {{ way: string; shared: Int32Array | null; snapshot: Blob }} Begin */

/** @typedef {{ number: number; task: Uint8Array; network: string }} Task */

/** @type {(error: unknown) => string} */
const textOf = error => String((error instanceof Error && error.message) || error);

let stopped = 0; // the number of the latest task that has to stop
/** The task that waits.
    @type {Task | null} */
let next = null;
let wake = () => {};
/** @type {Promise<Begin>} */
const begun = new Promise(resolve => {
  addEventListener("message", ({ data }) => {
    if (data.way) resolve(data);
    if (data.stop) stopped = Math.max(stopped, data.stop);
    if (data.task) {
      next = data;
      wake();
    }
  });
});

try {
  const { way, shared, snapshot } = await begun;
  const { python } = await load(() => {}, snapshot);
  tick(python);
  const search = python.pyimport("web.search"),
    { run } = search;
  Object.assign(globalThis, { search, run }); // so that Python's objects are never freed
  const isStopped = (/** @type {number} */ number) => number <= (shared ? Atomics.load(shared, 0) : stopped);
  for (;;) {
    while (!next)
      await new Promise(resolve => {
        wake = () => resolve(true);
      });
    const { number, task, network } = /** @type {Task} */ (next);
    next = null;
    const post = (/** @type {Uint8Array} */ update) => postMessage({ number, update });
    try {
      if (network && !isStopped(number)) await addNetwork(python, network);
    } catch (error) {
      if (!isStopped(number)) search.refuse(post, textOf(error));
      postMessage({ number, isEnd: true });
      continue;
    }
    if (!isStopped(number))
      await (way === "wait"
        ? run.callPromising(task, post, () => isStopped(number), true)
        : run(task, post, () => isStopped(number), false));
    postMessage({ number, isEnd: true, heap: python._module.HEAPU8.length });
  }
} catch (error) {
  postMessage({ failed: textOf(error) });
}
