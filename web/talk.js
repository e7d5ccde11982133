/* The worker that talks with the page: it holds the game and its history, and has another worker search.

   A message from the page is a text of the board's protocol, {begin: true} for a new conversation, or {ask,
   what} for the history. To the page go texts, {progress: 0 to 1}, {answer, content} and {failed: why}. */

import { drop, keep, kept, load } from "./load.js";

/** Hears of what a search has found: the number of its task, and bytes.
    @typedef {(number: number, update: Uint8Array) => void} Take */

/* The way in which a running search hears that it is to stop, the first that this browser has: memory that
   two workers share, which needs headers of the server; waiting for messages within the search; or an end
   of the worker, with a spare one ready. */
const canShare = globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer === "function";
const canWait = "Suspending" in WebAssembly;
const way =
  new URL(location.href).searchParams.get("stop") || (canShare ? "shared" : canWait ? "wait" : "spare");

const MOST_HEAP = 300e6; // bytes; a worker that holds more is replaced when it has nothing to do

/* The worker that searches. It starts with the first task, since its start takes time from the page. */
class Searcher {
  #running = 0; // the number of the task that is searched; 0 if none is
  /** The worker; null before the first task, and where it ended.
      @type {Worker | null} */
  #worker = null;
  /** One that waits to take its place.
      @type {Worker | null} */
  #spare = null;

  /** @param {Blob} snapshot
      @param {Take} take */
  constructor(snapshot, take) {
    this.snapshot = snapshot;
    this.take = take;
    this.shared = way === "shared" ? new Int32Array(new SharedArrayBuffer(4)) : null;
  }

  /** Search for `task`, bytes; `number` is greater than those before. `network` names the value network that
      it needs, or is empty.
      @type {(number: number, task: Uint8Array, network: string) => void} */
  ask(number, task, network) {
    this.#running = number;
    this.#worker ||= this.#started();
    this.#worker.postMessage({ number, task, network });
  }

  /** @type {(number: number) => void} */
  stop(number) {
    if (number < this.#running || !this.#running) return;
    this.#running = 0;
    if (this.shared) {
      Atomics.store(this.shared, 0, number);
      return;
    }
    if (way === "wait") {
      this.#worker?.postMessage({ stop: number });
      return;
    }
    this.#worker?.terminate();
    this.#worker = this.#spare || this.#started();
    this.#spare = null;
  }

  #started() {
    const worker = new Worker(new URL("search.js", import.meta.url), { type: "module" });
    worker.postMessage({ way, shared: this.shared, snapshot: this.snapshot });
    worker.onmessage = ({ data }) => {
      if (data.failed) postMessage({ failed: data.failed });
      if (data.update) {
        if (way === "spare") this.#spare ||= this.#started();
        this.take(data.number, data.update);
      }
      if (data.isEnd) this.#ended(worker, data);
    };
    worker.onerror = event => postMessage({ failed: `the searching part: ${event.message}` });
    return worker;
  }

  /** @type {(worker: Worker, end: { number: number; heap?: number }) => void} */
  #ended(worker, { number, heap }) {
    if (number === this.#running) this.#running = 0;
    if (!(Number(heap) > MOST_HEAP) || worker !== this.#worker || this.#running) return;
    worker.terminate();
    this.#worker = this.#spare;
    this.#spare = null;
  }
}

/** Messages that came before Python was there.
    @type {any[]} */
const waiting = [];
/** @type {(data: any) => void} */
let take = data => waiting.push(data);
addEventListener("message", ({ data }) => take(data));
addEventListener("unhandledrejection", ({ reason }) => {
  if (reason?.pyodide_fatal_error) postMessage({ failed: "Python has ended" });
});

let before = null;
try {
  before = await kept();
  const { python, snapshot } = await load(part => postMessage({ progress: part }), before);
  if (!before) keep(snapshot);
  const searcher = new Searcher(snapshot, (number, update) => talk.found(number, update));
  const files = python.FS;
  const sync = (/** @type {boolean} */ isReading) =>
    new Promise((done, fail) => files.syncfs(isReading, error => (error ? fail(error) : done(true))));
  const atOnce = (/** @type {() => Promise<unknown>} */ work) =>
    navigator.locks ? navigator.locks.request("winnable history", work) : work();
  files.mkdirTree("/kept");
  files.mount(files.filesystems.IDBFS, {}, "/kept");
  let isKept = true;
  try {
    await atOnce(() => sync(true));
  } catch {
    isKept = false;
  } // a private window, perhaps
  /** Write the history with what other pages have written meanwhile; `change` makes the changes of this page.
      @type {(change: () => void) => Promise<unknown>} */
  const keepChange = change =>
    atOnce(async () => {
      await sync(true);
      change();
      await sync(false);
    });
  const talk = python.pyimport("web.talk").Talk({
    send: (/** @type {string} */ text) => postMessage(text),
    ask: searcher.ask.bind(searcher),
    stop: searcher.stop.bind(searcher),
    keep: keepChange,
    isKept,
  });
  take = data => {
    if (typeof data === "string") talk.take(data);
    else if (data.begin) talk.begin();
    else if (data.ask)
      talk
        .history(JSON.stringify(data.what))
        .then((/** @type {string} */ text) => postMessage({ answer: data.ask, content: JSON.parse(text) }));
  };
  postMessage({ progress: 1 });
  for (const data of waiting.splice(0)) take(data);
} catch (error) {
  if (before) await drop();
  postMessage({ failed: String((error instanceof Error && error.message) || error) });
}
