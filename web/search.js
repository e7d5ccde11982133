/* The worker that searches, one task after the other. It is sent {way, shared, snapshot} once, then {number,
   task, network} and {stop: number}; it sends {number, update}, and {number, isEnd: true, heap} at the end.
   `network` names the value network that the task needs, `heap` is the size of Python's memory in bytes,
   which never shrinks. */

import { addNetwork, load, tick } from "./load.js";

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
    const { number, task, network } = next;
    next = null;
    const post = update => postMessage({ number, update });
    try {
      if (network && !isStopped(number)) await addNetwork(python, network);
    } catch (error) {
      if (!isStopped(number)) search.refuse(post, String(error?.message || error));
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
  postMessage({ failed: String((error && error.message) || error) });
}
