/* The engine in a worker of node: `const w = await load()`. See README.md. */

import { Worker } from "node:worker_threads";
import { start } from "./engine.js";

/** @import { Place } from "./engine.js" */

export { EngineError } from "./engine.js";

/* Start the engine, with the package pyodide. */
export async function load() {
  const settings = { pyodide: "pyodide", archive: new URL("./winnable.zip", import.meta.url).href };
  return start({ open, settings, canShare: typeof SharedArrayBuffer === "function" });
}

/** @type {Place["open"]} */
function open(take, failed) {
  return new Worker(new URL("./node-worker.js", import.meta.url)).on("message", take).on("error", failed);
}
