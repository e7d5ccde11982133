// The worker: it is sent the compiled module, then requests, each of which it answers.
import { Searcher, Stopped } from "./searcher.js";

let searcher = null;
let flag = null;

globalThis.onmessage = ({ data }) => {
  if (data.module) {
    searcher = new Searcher(data.module);
    flag = data.flag;
  } else globalThis.postMessage(answerTo(data));
};

function answerTo({ id, request, hears }) {
  const onProgress = hears ? progress => globalThis.postMessage({ id, progress }) : undefined;
  const isStopped = () => flag !== null && Atomics.load(flag, 0) === id;
  try {
    return { id, result: searcher.run(request, { onProgress, isStopped }) };
  } catch (error) {
    if (error instanceof Stopped) return { id };
    const { name, code, message } = error;
    return { id, error: { name, code, message } };
  }
}
