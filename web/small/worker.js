// The worker: it is sent the compiled module, then requests, each of which it answers.
import { Searcher, Stopped } from "./searcher.js";

/** @import { Progress } from "./index.d.ts" */
/** @import { PlainError, Request, Sent } from "./types.d.ts" */

/** The runner of the requests; null until the module comes.
    @type {Searcher | null} */
let searcher = null;
/** The number of a search that has to end, in memory shared with the sender; null if none is.
    @type {Int32Array | null} */
let flag = null;

globalThis.onmessage = ({ data }) => {
  if (data.module) {
    searcher = new Searcher(data.module);
    flag = data.flag;
  } else globalThis.postMessage(answerTo(data));
};

/** @type {(asked: { id: number; request: Request; hears: boolean }) => Sent} */
function answerTo({ id, request, hears }) {
  if (!searcher) throw new Error("a request before the module");
  /** @type {((progress: Progress) => void) | undefined} */
  const onProgress = hears ? progress => globalThis.postMessage({ id, progress }) : undefined;
  const isStopped = () => flag !== null && Atomics.load(flag, 0) === id;
  try {
    return { id, result: searcher.run(request, { onProgress, isStopped }) };
  } catch (error) {
    if (error instanceof Stopped) return { id };
    const { name, code, message } = /** @type {PlainError} */ (error);
    return { id, error: { name, code, message } };
  }
}
