/* The worker with Python and the engine. It is sent {indexURL, archive, shared} once, then {take: request}, one at a
   time, and {stop: id} if it can wait for messages within a search; it sends {ready: true, canWait}, {text: message} for each message of the engine, and {failed: why}. */

import { tick } from "./tick.js";

const PLACE = "/lib/python3.14/site-packages";
const isNode = typeof process === "object" && Boolean(process.versions?.node);
const port = isNode ? (await import("node:worker_threads")).parentPort : globalThis;
const waiting = [];
let stopped = 0;
let take = data => waiting.push(data);
if (isNode) port.on("message", data => take(data));
else port.onmessage = ({ data }) => take(data);

async function begin({ indexURL, archive, shared }) {
  const from = new URL(indexURL || "https://cdn.jsdelivr.net/npm/pyodide@@pyodide@/");
  const library = isNode ? import("pyodide") : import(/* webpackIgnore: true */ /* @vite-ignore */ new URL("pyodide.mjs", from).href);
  const [{ loadPyodide }, bytes] = await Promise.all([library, read(archive)]);
  const python = await loadPyodide(isNode ? {} : { indexURL: from.href });
  python.unpackArchive(bytes, "zip", { extractDir: PLACE });
  const canWait = !shared && "Suspending" in WebAssembly;
  const engine = python.pyimport("web.engine").WorkerEngine(
    text => port.postMessage({ text }),
    number => number <= (shared ? Atomics.load(shared, 0) : stopped),
    canWait,
  );
  tick(python);
  return { canWait, answer: text => canWait ? engine.take.callPromising(text) : engine.take(text) };
}

async function read(archive) {
  if (isNode) return new Uint8Array(await (await import("node:fs/promises")).readFile(new URL(archive)));
  const answer = await fetch(archive);
  if (!answer.ok) throw new Error(`${archive}: ${answer.status}`);
  return answer.arrayBuffer();
}

function guarded(work) {
  return async data => {
    try { await work(data); } catch (error) { port.postMessage({ failed: String(error?.message || error) }); }
  };
}

take = guarded(async data => {
  const { canWait, answer } = await begin(data);
  take = guarded(({ take: request, stop }) => stop ? stopped = stop : answer(request));
  port.postMessage({ ready: true, canWait });
});
if (waiting.length) take(waiting.shift());
