/* The engine in a worker, in a page or in node. */

const EXACT = "expected a whole number up to 2^53 - 1, a BigInt or a string of digits";

/* An answer of the engine that is an error, with its code. */
export class EngineError extends Error {
  constructor({ code, message }) {
    super(message);
    this.name = "EngineError";
    this.code = code;
  }
}

/* Start the engine. `place` says where: `open(take, failed)` starts a worker and hands on its messages and
   its failure, `settings` are sent to it first, and `canShare` tells if memory can be shared with it. */
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

/* A request as text. Seeds stay exact: a BigInt is sent as its digits, a number that may be rounded is
   refused. */
function written(request) {
  return JSON.stringify(request, (key, value) => {
    if (key !== "seed") return value;
    if (typeof value === "bigint") return String(value);
    if (typeof value === "number" && !Number.isSafeInteger(value))
      throw new RangeError(`seed: ${EXACT}, got ${value}`);
    return value;
  });
}

class Winnable {
  #place;
  #worker = null;
  #shared = null;
  #ready = null;
  #last = 0;
  #jobs = [];
  #now = null;
  #canWait = false;
  #closed = null;

  constructor(place) {
    this.#place = place;
  }

  /* The answer of the engine to a request, after those before it. `signal` gives it up, `onInfo` hears of
     progress. */
  request(method, params = {}, { signal, onInfo } = {}) {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw this.#closed;
      signal?.throwIfAborted();
      const id = ++this.#last,
        text = written({ jsonrpc: "2.0", id, method, params });
      const job = { id, text, onInfo };
      const abort = () => {
        this.#giveUp(job);
        end(reject, signal.reason);
      };
      const end = (settle, value) => {
        signal?.removeEventListener("abort", abort);
        settle(value);
      };
      job.resolve = value => end(resolve, value);
      job.reject = error => end(reject, error);
      signal?.addEventListener("abort", abort);
      this.#jobs.push(job);
      this.#next();
    });
  }

  hello(options) {
    return this.request("hello", {}, options);
  }
  games(options) {
    return this.request("games", {}, options);
  }
  position(params, options) {
    return this.request("position", params, options);
  }
  legal(params, options) {
    return this.request("legal", params, options);
  }
  apply(params, options) {
    return this.request("apply", params, options);
  }
  solve(params, options) {
    return this.request("go", params, options);
  }
  hint(params, options) {
    return this.request("go", { goal: "moves", ...params }, options);
  }
  difficulty(params, options) {
    return this.request("difficulty", params, options);
  }

  /* A deal of a game; without a seed, one by chance. */
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
    if (this.#now || !this.#jobs.length) return;
    const job = (this.#now = this.#jobs.shift());
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
    this.#worker.postMessage({ take: job.text });
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
      const failed = error => {
        reject(error);
        if (worker === this.#worker) this.#fail(error);
      };
      const take = data => {
        if (worker !== this.#worker) return;
        if (data.ready) {
          this.#canWait = data.canWait;
          resolve();
        } else if (data.failed) failed(new Error(data.failed));
        else this.#hear(JSON.parse(data.text));
      };
      const worker = (this.#worker = open(take, failed));
      worker.postMessage({ ...settings, shared: this.#shared });
    });
  }

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

  #giveUp(job) {
    job.isGivenUp = true;
    this.#jobs = this.#jobs.filter(each => each !== job);
    if (job !== this.#now || !job.isSent) return;
    if (this.#shared) Atomics.store(this.#shared, 0, job.id);
    else if (this.#canWait) this.#worker.postMessage({ stop: job.id });
    else {
      // the next worker loads at once
      this.#worker.terminate();
      this.#ready = this.#start();
      this.#ready.catch(() => {});
      this.#end();
    }
  }

  /* Reject all requests and end the worker; a later request starts another. */
  #fail(error) {
    const jobs = [this.#now, ...this.#jobs].filter(job => job && !job.isGivenUp);
    this.#worker?.terminate();
    this.#worker = this.#ready = this.#now = null;
    this.#jobs = [];
    for (const job of jobs) job.reject(error);
  }
}
