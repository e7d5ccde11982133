// The engine whose searches run in a worker.
import { WinnableError, checkKeys, shown } from "./errors.js";
import { SEARCHES, askedDeal } from "./engine.js";
import { compiled } from "./module.js";
import { Position } from "./position.js";

/** @import { Answer, Hint, Progress, Search, Seed, Shortest, Wanted } from "./index.d.ts" */
/** @import { AnyWorker, Asked, PlainError, Request, Sent } from "./types.d.ts" */

/** A request that waits for its result or has it.
    @typedef {{
      id: number;
      request: Request;
      onProgress?: (progress: Progress) => void;
      isOver: boolean;
      resolve: (result: any) => void;
      reject: (error: unknown) => void;
    }} Job */

/** Starts a worker; null until a page or node says how.
    @type {(() => AnyWorker) | null} */
let startOne = null;

/** Name the function that starts a worker, unless the caller has one.
    @type {(start: () => AnyWorker) => void} */
export function startWorkersWith(start) {
  startOne = start;
}

/** A position whose searches run in a worker and return promises. */
export class WorkerEngine extends Position {
  #jobs;

  /** @param {string} game
      @param {Record<string, string>} [options]
      @param {{ worker?: () => unknown }} [settings] */
  constructor(game, options, settings) {
    const { worker } = checkKeys("settings", settings, ["worker"]);
    if (worker !== undefined && typeof worker !== "function")
      throw new TypeError(`worker: expected a function that returns a Worker, got ${shown(worker)}`);
    super(game, options);
    this.#jobs = new Jobs(worker);
  }

  /** Lay out a deal and return its seed; or promise to do so, if the deal has to be looked for.
      @type {(params: Seed | Wanted) => number | bigint | Promise<number | bigint>} */
  deal(params) {
    const asked = askedDeal(this, params);
    if (asked.seed !== undefined) return this._lay(asked.seed);
    const changes = this._changes;
    return this.#run(asked).then(found => {
      if (changes === this._changes) return this._lay(found);
      throw new WinnableError("overtaken", "deal: expected no other change of the position meanwhile");
    });
  }

  /** Decide the position.
      @type {(params?: Search) => Promise<Answer>} */
  async solve(params) {
    return this.#answer(SEARCHES.solve(this, params));
  }

  /** Find a shortest line.
      @type {(params?: Search) => Promise<Shortest>} */
  async shortest(params) {
    return this.#answer(SEARCHES.shortest(this, params));
  }

  /** Find the most cards that can be up.
      @type {(params?: Search) => Promise<Answer>} */
  async score(params) {
    return this.#answer(SEARCHES.score(this, params));
  }

  /** Judge each legal move.
      @type {(params?: Search) => Promise<Hint[]>} */
  async hint(params) {
    return this.#run(SEARCHES.hint(this, params));
  }

  close() {
    super.close();
    this.#jobs.fail(new WinnableError("closed", "the engine is closed"));
  }

  /** @type {(search: Asked) => Promise<any>} */
  async #answer(search) {
    const changes = this._changes;
    return this._answered(await this.#run(search), changes);
  }

  /** @type {(search: Asked) => Promise<any>} */
  async #run(search) {
    if (search.signal?.aborted) throw search.signal.reason;
    return this.#jobs.add(search);
  }
}

/** The requests of an engine, which a worker answers one after the other. */
class Jobs {
  #start;
  /** The worker; null until a request comes.
      @type {AnyWorker | null} */
  #worker = null;
  /** The number of a search that ends, in memory shared with the worker; null if none can be shared.
      @type {Int32Array | null} */
  #flag = null;
  /** The requests that were not sent.
      @type {Job[]} */
  #waiting = [];
  /** The request that the worker runs.
      @type {Job | null} */
  #now = null;
  #last = 0; // the number of the latest request

  /** @param {(() => unknown) | undefined} start */
  constructor(start) {
    this.#start = start ?? (() => startOne?.());
  }

  /** Promise the result of a request.
      @type {(asked: Asked) => Promise<any>} */
  add({ request, signal, onProgress }) {
    return new Promise((resolve, reject) => {
      /** @type {(settle: (value: any) => void) => (value: any) => void} */
      const ending = settle => value => {
        signal?.removeEventListener("abort", abort);
        job.isOver = true;
        settle(value);
      };
      const id = ++this.#last;
      const job = {
        id,
        request,
        onProgress,
        isOver: false,
        resolve: ending(resolve),
        reject: ending(reject),
      };
      const abort = () => this.#drop(job, signal?.reason);
      signal?.addEventListener("abort", abort);
      this.#waiting.push(job);
      this.#next();
    });
  }

  /** Reject all requests and end the worker; a later request starts another.
      @type {(error: unknown) => void} */
  fail(error) {
    const sent = this.#now ? [this.#now] : [],
      jobs = [...sent, ...this.#waiting].filter(job => !job.isOver);
    this.#end();
    this.#now = null;
    this.#waiting = [];
    for (const job of jobs) job.reject(error);
  }

  #next() {
    const [job, ...others] = this.#waiting;
    if (this.#now || !job) return;
    this.#now = job;
    this.#waiting = others;
    try {
      this.#worker ??= this.#started();
      this.#worker.ref?.();
      this.#worker.postMessage({ id: job.id, request: job.request, hears: Boolean(job.onProgress) });
    } catch (error) {
      this.fail(error);
    }
  }

  #started() {
    const worker = /** @type {AnyWorker} */ (this.#start());
    if (typeof worker?.postMessage !== "function")
      throw new TypeError(`worker: expected a function that returns a Worker, got ${shown(worker)}`);
    const isMine = () => worker === this.#worker;
    const take = (/** @type {Sent} */ data) => isMine() && this.#take(data);
    const fail = (/** @type {unknown} */ error) => isMine() && this.fail(error);
    if (worker.addEventListener) {
      worker.addEventListener("message", ({ data }) => take(data));
      const message =
        "the worker could not be started; if the page forbids workers from a Blob, " +
        "let { worker } start one from the file winnable/worker.js";
      worker.addEventListener("error", event => fail(new Error(event.message || message)));
    } else worker.on?.("message", take).on?.("error", fail);
    this.#flag = canShare() ? new Int32Array(new SharedArrayBuffer(4)) : null;
    worker.postMessage({ module: compiled(), flag: this.#flag });
    return worker;
  }

  /** @type {(sent: Sent) => void} */
  #take({ id, progress, result, error }) {
    const job = this.#now;
    if (job?.id !== id) return;
    if (progress) {
      this.#say(job, progress);
      return;
    }
    this.#now = null;
    if (!this.#waiting.length) this.#worker?.unref?.();
    if (!job.isOver) error ? job.reject(errorOf(error)) : job.resolve(result);
    this.#next();
  }

  /** Tell the listener of a job; an error that it throws ends the job.
      @type {(job: Job, progress: Progress) => void} */
  #say(job, progress) {
    try {
      if (!job.isOver) job.onProgress?.(progress);
    } catch (error) {
      this.#drop(job, error);
    }
  }

  /** Give up a job.
      @type {(job: Job, reason: unknown) => void} */
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

/** @type {(error: PlainError) => Error} */
function errorOf({ name, code, message }) {
  if (name === "WinnableError") return new WinnableError(code, message);
  return Object.assign(new Error(message), { name });
}
