/* The worker that searches, one task after the other. It is sent {way, shared, snapshot} once, then {number, task} and
   {stop: number}; it sends {number, update}, and {number, isEnd: true} at the end. */

import { load, tick } from "./load.js";

let stopped = 0,
  next = null,
  wake = () => {},
  begin;
const begun = new Promise(resolve => {
  begin = resolve;
});
onmessage = ({ data }) => {
  if (data.way) begin(data);
  if (data.stop) stopped = Math.max(stopped, data.stop);
  if (data.task) {
    next = data;
    wake();
  }
};

try {
  const { way, shared, snapshot } = await begun;
  const { python } = await load(() => {}, snapshot);
  tick(python);
  const search = (globalThis.search = python.pyimport("web.search")),
    run = (globalThis.run = search.run);
  const isStopped = number => number <= (shared ? Atomics.load(shared, 0) : stopped);
  for (;;) {
    while (!next)
      await new Promise(resolve => {
        wake = resolve;
      });
    const { number, task } = next;
    next = null;
    if (!isStopped(number)) {
      const post = update => postMessage({ number, update });
      await (way === "wait"
        ? run.callPromising(task, post, () => isStopped(number), true)
        : run(task, post, () => isStopped(number), false));
    }
    postMessage({ number, isEnd: true });
  }
} catch (error) {
  postMessage({ failed: String((error && error.message) || error) });
}
