/* Load Python and the package in a worker. */

import { loadPyodide } from "./pyodide.mjs";

/** @typedef {{ python: Pyodide; snapshot: Blob }} Started */

export { tick } from "./tick.js";

/* Pyodide frees a Python object that JavaScript has dropped in a task of its own, which fails while Python
   cannot be entered. The object then stays in memory, which does no harm, and the worker goes on. */
addEventListener("error", event => {
  if (/NoGilError/.test(event.message)) event.preventDefault();
});

/** Of each file that is fetched: its bytes, and how many of them are transferred. The build puts them here.
    @type {Record<string, [bytes: number, packed: number]>} */
const SIZES = /** @type {any} */ ("@sizes@");
const PLACE = "/lib/python3.14/site-packages",
  STARTED = "@started@", // changes with all that a snapshot depends on
  FETCHING = 0.7; // part of a first start until everything is fetched

/** @type {(name: string) => URL} */
const here = name => new URL(name, import.meta.url);

/** @type {(name: string) => Promise<ArrayBuffer>} */
async function fetched(name) {
  const answer = await fetch(here(name));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
}

/** Load Pyodide and our modules; resolves to it and a snapshot. `tell(part)` is called with the part done,
    from 0 to 1. Starting Python takes a second and importing our modules a quarter of that, copying the
    memory of one that has done both a tenth: `snapshot` is such a copy, a Blob, or null.
    @type {(tell: (part: number) => void, snapshot: Blob | null) => Promise<Started>} */
export async function load(tell, snapshot) {
  let most = 0;
  const step = (/** @type {number} */ part) => {
    if (part > most) tell((most = part));
  };
  const uncount = snapshot ? () => {} : counting(part => step(FETCHING * part));
  const archive = fetched("winnable.zip");
  archive.catch(() => {}); // reported below
  try {
    if (snapshot) step(0.1);
    const memory = snapshot ? { _loadSnapshot: await snapshot.arrayBuffer() } : { _makeSnapshot: true };
    if (snapshot) step(0.3);
    const python = await loadPyodide({ indexURL: here("./").href, checkAPIVersion: true, ...memory });
    step(0.85);
    python.unpackArchive(await archive, "zip", { extractDir: PLACE });
    step(0.9);
    for (const name of ["web.talk", "web.search"]) python.pyimport(name).destroy();
    step(0.95);
    return { python, snapshot: snapshot || new Blob([python.makeMemorySnapshot()]) };
  } finally {
    uncount();
  }
}

/** Call `tell` with the part of all bytes that have come, from 0 to 1, until the function that is returned is
    called.
    @type {(tell: (part: number) => void) => () => void} */
function counting(tell) {
  const whole = globalThis.fetch,
    all = Object.values(SIZES).reduce((sum, [, packed]) => sum + packed, 0);
  let done = 0;
  globalThis.fetch = async (...asked) => {
    const answer = await whole(...asked),
      name = answer.url.split(/[?#]/)[0].split("/").pop() || "",
      size = SIZES[name];
    if (size && answer.ok) count(answer.clone(), size).catch(() => {}); // a failure is told to who asked
    return answer;
  };
  /** @type {(answer: Response, size: [bytes: number, packed: number]) => Promise<void>} */
  async function count(answer, [bytes, packed]) {
    const reader = answer.body?.getReader();
    for (;;) {
      const { done: isEnd, value } = (await reader?.read()) || { done: true };
      if (isEnd) return;
      done += (value.length * packed) / bytes;
      tell(Math.min(1, done / all));
    }
  }
  return () => {
    globalThis.fetch = whole;
    tell = () => {};
  };
}

/** Fetch the value network with this name, unless Python has it.
    @type {(python: Pyodide, name: string) => Promise<void>} */
export async function addNetwork(python, name) {
  const path = `${PLACE}/winnable/solver/player/${name}`;
  if (python.FS.analyzePath(path).exists) return;
  python.FS.writeFile(path, new Uint8Array(await fetched(name)));
}

/** The snapshot stored by an earlier visit, or null.
    @type {() => Promise<Blob | null>} */
export async function kept() {
  try {
    const answer = await (await caches.open(NAME)).match(KEY);
    return answer ? await answer.blob() : null;
  } catch {
    return null; // a private window, or an insecure connection
  }
}

/** Store a snapshot for later visits, replacing those of other versions in this folder.
    @type {(snapshot: Blob) => Promise<void>} */
export async function keep(snapshot) {
  try {
    for (const name of await caches.keys()) if (await isOld(name)) await caches.delete(name);
    await (await caches.open(NAME)).put(KEY, new Response(snapshot));
  } catch {
    /* as above; the next visit takes a second more */
  }
}

/* Delete the stored snapshot, with which Python did not start. */
export const drop = () => caches.delete(NAME).catch(() => {});

/** @type {(name: string) => Promise<boolean>} */
async function isOld(name) {
  if (name.startsWith(KIND)) return name !== NAME;
  if (!name.startsWith(FORMER)) return false;
  const stored = await (await caches.open(name)).keys();
  return stored.some(({ url }) => url.startsWith(here(FORMER).href));
}

const KIND = `winnable-started ${here("./").pathname} `,
  FORMER = "python-started-", // of version 3.0.0, in all folders
  NAME = KIND + STARTED,
  KEY = here("started");
