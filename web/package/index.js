/* The engine in a worker of a page: `const w = await load()`. See README.md. */

import { start } from "./engine.js";

/** @import { Place, Winnable } from "./engine.js" */

export { EngineError } from "./engine.js";

const PYODIDE = "https://cdn.jsdelivr.net/npm/pyodide@@pyodide@/";

/** Start the engine. `indexURL` is the folder with Pyodide's files, by default at jsDelivr.
    @type {(settings?: { indexURL?: string }) => Promise<Winnable>} */
export async function load({ indexURL = PYODIDE } = {}) {
  const folder = new URL(indexURL, location.href);
  const settings = {
    pyodide: new URL("pyodide.mjs", folder).href,
    indexURL: folder.href,
    archive: new URL("./winnable.zip", import.meta.url).href,
  };
  const canShare = typeof SharedArrayBuffer === "function" && globalThis.crossOriginIsolated === true;
  return start({ open, settings, canShare });
}

/** @type {Place["open"]} */
function open(take, failed) {
  const worker = startWorker();
  worker.onmessage = ({ data }) => take(data);
  worker.onerror = event => failed(new Error(event.message || "the worker could not be loaded"));
  return worker;
}

function startWorker() {
  const here = import.meta.url; // a worker has to come from the origin of its page
  if (/^https?:/.test(here) && new URL(here).origin !== location.origin) {
    const text = `import ${JSON.stringify(new URL("./worker.js", here).href)};`;
    return new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), { type: "module" });
  }
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}
