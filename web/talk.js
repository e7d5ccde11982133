/* The worker that talks with the page: it holds the game and its history, and has another worker search.

   A message from the page is a text of the board's protocol, {begin: true} for a new conversation, or {ask, what} for
   the history. To the page go texts, {progress: 0 to 1}, {answer, content} and {failed: why}. */

import { keep, kept, load } from "./load.js";

/* How a running search hears that it is to stop, the first that this browser has: memory that two workers share, which
   needs headers of the server; waiting for messages within the search; or an end of the worker, with a spare one ready. */
const canShare = globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer === "function";
const canWait = "Suspending" in WebAssembly;
const way =
  new URL(location.href).searchParams.get("stop") || (canShare ? "shared" : canWait ? "wait" : "spare");

class Searcher {
  constructor(snapshot, take) {
    Object.assign(this, { snapshot, take, running: 0, spare: null });
    this.shared = way === "shared" ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.worker = this.#started();
  }

  /* Search for `task`, bytes; `number` is greater than those before. */
  ask(number, task) {
    this.running = number;
    this.worker.postMessage({ number, task });
    if (way === "spare") this.spare ||= this.#started();
  }

  stop(number) {
    if (number < this.running || !this.running) return;
    this.running = 0;
    if (this.shared) {
      Atomics.store(this.shared, 0, number);
      return;
    }
    if (way === "wait") {
      this.worker.postMessage({ stop: number });
      return;
    }
    this.worker.terminate();
    this.worker = this.spare || this.#started();
    this.spare = this.#started();
  }

  #started() {
    const worker = new Worker(new URL("search.js", import.meta.url), { type: "module" });
    worker.postMessage({ way, shared: this.shared, snapshot: this.snapshot });
    worker.onmessage = ({ data }) => {
      if (data.failed) postMessage({ failed: data.failed });
      if (data.isEnd && data.number === this.running) this.running = 0;
      if (data.update) this.take(data.number, data.update);
    };
    worker.onerror = event => postMessage({ failed: `the searching part: ${event.message}` });
    return worker;
  }
}

const waiting = [];
let take = data => waiting.push(data);
onmessage = ({ data }) => take(data);

try {
  const before = await kept();
  const { python, snapshot } = await load(part => postMessage({ progress: part }), before);
  if (!before) keep(snapshot);
  const searcher = new Searcher(snapshot, (number, update) => talk.found(number, update));
  const files = python.FS;
  const sync = isReading =>
    new Promise((done, fail) => files.syncfs(isReading, error => (error ? fail(error) : done())));
  const atOnce = work => (navigator.locks ? navigator.locks.request("winnable history", work) : work());
  files.mkdirTree("/kept");
  files.mount(files.filesystems.IDBFS, {}, "/kept");
  let isKept = true;
  try {
    await atOnce(() => sync(true));
  } catch {
    isKept = false;
  } // a private window, perhaps
  const talk = python.pyimport("web.talk").Talk({
    send: text => postMessage(text),
    ask: (number, task) => searcher.ask(number, task),
    stop: number => searcher.stop(number),
    // Write the history with what other pages have written meanwhile; `change` makes the changes of this page.
    keep: change =>
      atOnce(async () => {
        await sync(true);
        change();
        await sync(false);
      }),
    isKept,
  });
  take = data => {
    if (typeof data === "string") talk.take(data);
    else if (data.begin) talk.begin();
    else if (data.ask)
      talk
        .history(JSON.stringify(data.what))
        .then(text => postMessage({ answer: data.ask, content: JSON.parse(text) }));
  };
  postMessage({ progress: 1 });
  for (const data of waiting.splice(0)) take(data);
} catch (error) {
  postMessage({ failed: String((error && error.message) || error) });
}
