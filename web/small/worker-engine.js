// The engine whose searches run in a worker.
import { WinnableError, checkKeys, shown } from "./errors.js";
import { SEARCHES, askedDeal } from "./engine.js";
import { compiled } from "./module.js";
import { Position } from "./position.js";

let startOne = null;

/** Name the function that starts a worker, unless the caller has one. */
export function startWorkersWith(start) {
  startOne = start;
}

/** A position whose searches run in a worker and return promises. */
export class WorkerEngine extends Position {
  #jobs;

  constructor(game, options, settings) {
    const { worker } = checkKeys("settings", settings, ["worker"]);
    if (worker !== undefined && typeof worker !== "function")
      throw new TypeError(`worker: expected a function that returns a Worker, got ${shown(worker)}`);
    super(game, options);
    this.#jobs = new Jobs(worker);
  }

  /** Lay out a deal and return its seed; or promise to do so, if the deal has to be looked for. */
  deal(params) {
    const { seed, ...search } = askedDeal(this, params);
    if (seed !== undefined) return this._lay(seed);
    const changes = this._changes;
    return this.#run(search).then(found => {
      if (changes === this._changes) return this._lay(found);
      throw new WinnableError("overtaken", "deal: expected no other change of the position meanwhile");
    });
  }

  /** Decide the position. */
  async solve(params) {
    return this.#answer(SEARCHES.solve(this, params));
  }

  /** Find a shortest line. */
  async shortest(params) {
    return this.#answer(SEARCHES.shortest(this, params));
  }

  /** Find the most cards that can be up. */
  async score(params) {
    return this.#answer(SEARCHES.score(this, params));
  }

  /** Judge each legal move. */
  async hint(params) {
    return this.#run(SEARCHES.hint(this, params));
  }

  close() {
    super.close();
    this.#jobs.fail(new WinnableError("closed", "the engine is closed"));
  }

  async #answer(search) {
    const changes = this._changes;
    return this._answered(await this.#run(search), changes);
  }

  async #run(search) {
    if (search.signal?.aborted) throw search.signal.reason;
    return this.#jobs.add(search);
  }
}

/** The requests of an engine, which a worker answers one after the other. */
class Jobs {
  #start;
  #worker = null;
  #flag = null; // the number of a search that ends, in memory shared with the worker
  #waiting = [];
  #now = null;
  #last = 0;

  constructor(start) {
    this.#start = start ?? (() => startOne());
  }

  /** Promise the result of a request. */
  add({ request, signal, onProgress }) {
    return new Promise((resolve, reject) => {
      const job = { id: ++this.#last, request, onProgress };
      const abort = () => this.#drop(job, signal.reason);
      job.end = (settle, value) => {
        signal?.removeEventListener("abort", abort);
        job.isOver = true;
        settle(value);
      };
      job.resolve = value => job.end(resolve, value);
      job.reject = error => job.end(reject, error);
      signal?.addEventListener("abort", abort);
      this.#waiting.push(job);
      this.#next();
    });
  }

  /** Reject all requests and end the worker; a later request starts another. */
  fail(error) {
    const jobs = [this.#now, ...this.#waiting].filter(job => job && !job.isOver);
    this.#end();
    this.#now = null;
    this.#waiting = [];
    for (const job of jobs) job.reject(error);
  }

  #next() {
    if (this.#now || !this.#waiting.length) return;
    const job = (this.#now = this.#waiting.shift());
    try {
      this.#worker ??= this.#started();
      this.#worker.ref?.();
      this.#worker.postMessage({ id: job.id, request: job.request, hears: Boolean(job.onProgress) });
    } catch (error) {
      this.fail(error);
    }
  }

  #started() {
    const worker = this.#start();
    if (typeof worker?.postMessage !== "function")
      throw new TypeError(`worker: expected a function that returns a Worker, got ${shown(worker)}`);
    const isMine = () => worker === this.#worker;
    const take = data => isMine() && this.#take(data);
    const fail = error => isMine() && this.fail(error);
    if (worker.addEventListener) {
      worker.addEventListener("message", ({ data }) => take(data));
      const message =
        "the worker could not be started; if the page forbids workers from a Blob, " +
        "let { worker } start one from the file winnable/worker.js";
      worker.addEventListener("error", event => fail(new Error(event.message || message)));
    } else worker.on("message", take).on("error", fail);
    this.#flag = canShare() ? new Int32Array(new SharedArrayBuffer(4)) : null;
    worker.postMessage({ module: compiled(), flag: this.#flag });
    return worker;
  }

  #take({ id, progress, result, error }) {
    const job = this.#now;
    if (job?.id !== id) return;
    if (progress) {
      this.#say(job, progress);
      return;
    }
    this.#now = null;
    if (!this.#waiting.length) this.#worker.unref?.();
    if (!job.isOver) error ? job.reject(errorOf(error)) : job.resolve(result);
    this.#next();
  }

  /** Tell the listener of a job; an error that it throws ends the job. */
  #say(job, progress) {
    try {
      if (!job.isOver) job.onProgress(progress);
    } catch (error) {
      this.#drop(job, error);
    }
  }

  /** Give up a job. */
  #drop(job, reason) {
    this.#waiting = this.#waiting.filter(each => each !== job);
    job.reject(reason);
    if (job !== this.#now) return;
    if (this.#flag) {
      Atomics.store(this.#flag, 0, job.id);
      return;
    }
    this.#end();
    this.#now = null;
    this.#next();
  }

  #end() {
    const worker = this.#worker;
    this.#worker = null;
    worker?.terminate();
  }
}

function canShare() {
  return typeof SharedArrayBuffer === "function" && globalThis.crossOriginIsolated !== false;
}

function errorOf({ name, code, message }) {
  if (name === "WinnableError") return new WinnableError(code, message);
  return Object.assign(new Error(message), { name });
}
