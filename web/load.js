/* Load Python and the package in a worker. */

import { loadPyodide } from "./pyodide.mjs";

export { tick } from "./tick.js";

/* Pyodide frees a Python object that JavaScript has dropped in a task of its own, which fails while Python cannot be
   entered. The object then stays in memory, which does no harm, and the worker goes on. */
addEventListener("error", event => {
  if (/NoGilError/.test(event.message)) event.preventDefault();
});

const PLACE = "/lib/python3.14/site-packages";

/* Load Pyodide; resolves to it and a snapshot. `tell(part)` is called with the part done, from 0 to 1. Starting Python
   takes two seconds, copying the memory of one that has started a tenth of that: `snapshot` is such a copy, a Blob, or
   null. */
export async function load(tell, snapshot) {
  const archive = fetch(new URL("winnable.zip", import.meta.url)).then(answer => {
    if (!answer.ok) throw new Error(`winnable.zip: ${answer.status}`);
    return answer.arrayBuffer();
  });
  tell(0.05);
  const memory = snapshot ? { _loadSnapshot: await snapshot.arrayBuffer() } : { _makeSnapshot: true };
  const python = await loadPyodide({
    indexURL: new URL("./", import.meta.url).href,
    checkAPIVersion: true,
    ...memory,
  });
  tell(0.7);
  const own = snapshot || new Blob([python.makeMemorySnapshot()]);
  python.unpackArchive(await archive, "zip", { extractDir: PLACE });
  tell(0.9);
  return { python, snapshot: own };
}

/* The snapshot stored by an earlier visit, or null. It fits only the files of one version of Python. */
export async function kept() {
  try {
    const answer = await (await caches.open(NAME)).match(NAME);
    return answer ? await answer.blob() : null;
  } catch {
    return null; // a private window, or an insecure connection
  }
}

/* Store a snapshot for later visits, replacing those of other versions. */
export async function keep(snapshot) {
  try {
    for (const name of await caches.keys())
      if (name.startsWith(KIND) && name !== NAME) await caches.delete(name);
    await (await caches.open(NAME)).put(NAME, new Response(snapshot));
  } catch {
    /* as above; the next visit takes two seconds more */
  }
}

const KIND = "python-started-",
  NAME = `${KIND}@python@`;
