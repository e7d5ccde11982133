/* The engine in a worker, in a page or in node. */

/** @import { DealParams, Options } from "./index.d.ts" */

/** A worker of a page or of node.
    @typedef {{ postMessage(message: unknown): void; terminate(): void }} AnyWorker */

/** The messages of a worker: the first, then one for each message of the engine.
    @typedef {{ ready?: true; canWait?: boolean; failed?: string; text?: string }} Sent */

/** Where the engine runs: `open` starts a worker and hands on its messages and its failure, `settings` are
    sent to it first, and `canShare` tells if memory can be shared with it.
    @typedef {{
      open: (take: (data: Sent) => void, failed: (error: Error) => void) => AnyWorker;
      settings: object;
      canShare: boolean;
    }} Place */

/** Makes a request.
    @typedef {(params: object, options?: Options) => Promise<any>} Ask */

/** A request that waits for its answer.
    @typedef {{
      id: number;
      text: string;
      onInfo?: (info: any) => void;
      isSent: boolean;
      isGivenUp: boolean;
      resolve: (result: any) => void;
      reject: (error: unknown) => void;
    }} Job */

const EXACT = "expected a whole number up to 2^53 - 1, a BigInt or a string of digits";

/* An answer of the engine that is an error, with its code. */
export class EngineError extends Error {
  /** @param {{ code: number; message: string }} error */
  constructor({ code, message }) {
    super(message);
    this.name = "EngineError";
    this.code = code;
  }
}

/** Start the engine.
    @type {(place: Place) => Promise<Winnable>} */
export async function start(place) {
  const engine = new Winnable(place);
  try {
    await engine.hello();
  } catch (error) {
    engine.close();
    throw error;
  }
  return engine;
}

/** A request as text. Seeds stay exact: a BigInt is sent as its digits, a number that may be rounded is
    refused.
    @type {(request: object) => string} */
function written(request) {
  return JSON.stringify(request, (key, value) => {
    if (key !== "seed") return value;
    if (typeof value === "bigint") return String(value);
    if (typeof value === "number" && !Number.isSafeInteger(value))
      throw new RangeError(`seed: ${EXACT}, got ${value}`);
    return value;
  });
}

export class Winnable {
  #place;
  /** The worker; null until a request comes, and after a failure.
      @type {AnyWorker | null} */
  #worker = null;
  /** The number of a request that is given up, in memory shared with the worker; null if none can be shared.
      @type {Int32Array | null} */
  #shared = null;
  /** Resolves when the worker is ready; null if there is none.
      @type {Promise<unknown> | null} */
  #ready = null;
  #last = 0; // the number of the latest request
  /** The requests that were not sent.
      @type {Job[]} */
  #jobs = [];
  /** The request that the worker is about to answer.
      @type {Job | null} */
  #now = null;
  #canWait = false; // whether the worker hears of messages within a search
  /** The reason why the engine takes no requests.
      @type {Error | null} */
  #closed = null;

  /** @param {Place} place */
  constructor(place) {
    this.#place = place;
  }

  /** The answer of the engine to a request, after those before it. `signal` gives it up, `onInfo` hears of
      progress.
      @type {(method: string, params?: object, options?: Options) => Promise<any>} */
  request(method, params = {}, { signal, onInfo } = {}) {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw this.#closed;
      signal?.throwIfAborted();
      const id = ++this.#last,
        text = written({ jsonrpc: "2.0", id, method, params });
      /** @type {(settle: (value: any) => void) => (value: any) => void} */
      const ending = settle => value => {
        signal?.removeEventListener("abort", abort);
        settle(value);
      };
      const settled = { resolve: ending(resolve), reject: ending(reject) },
        job = { id, text, onInfo, isSent: false, isGivenUp: false, ...settled };
      const abort = () => {
        this.#giveUp(job);
        job.reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort);
      this.#jobs.push(job);
      this.#next();
    });
  }

  /** @type {(options?: Options) => Promise<any>} */
  hello(options) {
    return this.request("hello", {}, options);
  }
  /** @type {(options?: Options) => Promise<any>} */
  games(options) {
    return this.request("games", {}, options);
  }
  /** @type {Ask} */
  position(params, options) {
    return this.request("position", params, options);
  }
  /** @type {Ask} */
  legal(params, options) {
    return this.request("legal", params, options);
  }
  /** @type {Ask} */
  apply(params, options) {
    return this.request("apply", params, options);
  }
  /** @type {Ask} */
  solve(params, options) {
    return this.request("go", params, options);
  }
  /** @type {Ask} */
  hint(params, options) {
    return this.request("go", { goal: "moves", ...params }, options);
  }
  /** @type {Ask} */
  difficulty(params, options) {
    return this.request("difficulty", params, options);
  }

  /** A deal of a game; without a seed, one by chance.
      @type {(game: string, params?: DealParams, options?: Options) => Promise<any>} */
  deal(game, params = {}, options = {}) {
    const isNamed = params.seed != null || params.pysol != null;
    const seed = isNamed ? {} : { seed: Math.floor(Math.random() * 2 ** 32) };
    return this.request("deal", { game, ...params, ...seed }, options);
  }

  /* End the worker; requests without an answer are rejected. */
  close() {
    this.#fail((this.#closed ||= new Error("the engine was closed")));
  }

  async #next() {
    const [job, ...others] = this.#jobs;
    if (this.#now || !job) return;
    this.#now = job;
    this.#jobs = others;
    try {
      await (this.#ready ||= this.#start());
    } catch (error) {
      if (this.#now === job) this.#fail(error);
      return;
    }
    if (this.#now !== job) return;
    if (job.isGivenUp) {
      this.#end();
      return;
    }
    this.#worker?.postMessage({ take: job.text });
    job.isSent = true;
  }

  #end() {
    this.#now = null;
    this.#next();
  }

  async #start() {
    if (this.#closed) throw this.#closed;
    const { open, settings, canShare } = this.#place;
    this.#shared = canShare ? new Int32Array(new SharedArrayBuffer(4)) : null;
    await new Promise((resolve, reject) => {
      /** @type {(error: Error) => void} */
      const failed = error => {
        reject(error);
        if (worker === this.#worker) this.#fail(error);
      };
      /** @type {(data: Sent) => void} */
      const take = data => {
        if (worker !== this.#worker) return;
        if (data.ready) {
          this.#canWait = data.canWait === true;
          resolve(true);
        } else if (data.failed) failed(new Error(data.failed));
        else if (data.text) this.#hear(JSON.parse(data.text));
      };
      const worker = (this.#worker = open(take, failed));
      worker.postMessage({ ...settings, shared: this.#shared });
    });
  }

  /** @type {(message: any) => void} */
  #hear({ id, method, params, result, error }) {
    const job = this.#now;
    // The message may be of a worker that was ended; an unreadable request has no id.
    if (!job || job.id !== (id ?? params?.id ?? job.id)) return;
    if (method === "info") {
      if (!job.isGivenUp) job.onInfo?.(params);
      return;
    }
    if (!job.isGivenUp) error ? job.reject(new EngineError(error)) : job.resolve(result);
    this.#end();
  }

  /** @type {(job: Job) => void} */
  #giveUp(job) {
    job.isGivenUp = true;
    this.#jobs = this.#jobs.filter(each => each !== job);
    if (job !== this.#now || !job.isSent) return;
    if (this.#shared) Atomics.store(this.#shared, 0, job.id);
    else if (this.#canWait) this.#worker?.postMessage({ stop: job.id });
    else {
      // the next worker loads at once
      this.#worker?.terminate();
      this.#ready = this.#start();
      this.#ready.catch(() => {});
      this.#end();
    }
  }

  /** Reject all requests and end the worker; a later request starts another.
      @type {(error: unknown) => void} */
  #fail(error) {
    const sent = this.#now ? [this.#now] : [],
      jobs = [...sent, ...this.#jobs].filter(job => !job.isGivenUp);
    this.#worker?.terminate();
    this.#worker = this.#ready = this.#now = null;
    this.#jobs = [];
    for (const job of jobs) job.reject(error);
  }
}
