// The engine in the calling thread.
import { WinnableError, checkSearch } from "./errors.js";
import { games } from "./games.js";
import { compiled } from "./module.js";
import { Position, checkDeal } from "./position.js";
import { Searcher, Stopped } from "./searcher.js";

/** @import { Answer, Hint, Limits, Search, Seed, Shortest, Wanted } from "./index.d.ts" */
/** @import { Asked, Kind } from "./types.d.ts" */

/** The searches of both kinds of engines: each makes a request of its parameters.
    @type {Record<"solve" | "shortest" | "score" | "hint", (engine: Position, params: unknown) => Asked>} */
export const SEARCHES = {
  solve: (engine, params) => asked(engine, "solve", params),
  shortest: (engine, params) => asked(engine, "shortest", params),
  hint: (engine, params) => asked(engine, "hint", params, { work: 2_000_000 }),
  score(engine, params) {
    const { hasScores } = games[engine.game];
    if (hasScores) return asked(engine, "score", params);
    const names = Object.keys(games).filter(name => games[name].hasScores);
    const expected = `expected a game among ${names.join(", ")}`;
    throw new WinnableError("no-search", `score: ${expected}, got ${engine.game}`);
  },
};

/** @type {(engine: Position, kind: Kind, params: unknown, usual?: Limits) => Asked} */
function asked(engine, kind, params, usual) {
  const search = checkSearch(kind, params, usual);
  return { ...search, request: { ...engine._asked(), kind, limits: search.limits } };
}

/** The request for the deal that `params` wants; or its seed, if that needs no search.
    @type {(engine: Position, params: unknown) => { seed: bigint } | (Asked & { seed?: undefined })} */
export function askedDeal(engine, params) {
  engine._check();
  const asked = checkDeal(engine, params);
  if (!asked.wanted) return { seed: asked.seed };
  const { wanted, limits, ...rest } = asked,
    { game, options } = engine;
  return { ...rest, request: { game, options, kind: "deal", limits, wanted } };
}

/** A position and its searches, which block the calling thread. */
export class Engine extends Position {
  /** The runner of the searches; null until one is wanted.
      @type {Searcher | null} */
  #searcher = null;

  /** Lay out a deal, or the next one that is as wanted; returns its seed.
      @type {(params: Seed | Wanted) => number | bigint} */
  deal(params) {
    const asked = askedDeal(this, params);
    return this._lay(asked.seed ?? this.#run(asked));
  }

  /** Decide the position.
      @type {(params?: Search) => Answer} */
  solve(params) {
    return this._answered(this.#run(SEARCHES.solve(this, params)));
  }

  /** Find a shortest line.
      @type {(params?: Search) => Shortest} */
  shortest(params) {
    return this._answered(this.#run(SEARCHES.shortest(this, params)));
  }

  /** Find the most cards that can be up.
      @type {(params?: Search) => Shortest} */
  score(params) {
    return this._answered(this.#run(SEARCHES.score(this, params)));
  }

  /** Judge each legal move; returns them, the best first.
      @type {(params?: Search) => Hint[]} */
  hint(params) {
    return this.#run(SEARCHES.hint(this, params));
  }

  close() {
    this.#searcher?.close();
    this.#searcher = null;
    super.close();
  }

  /** @type {(asked: Asked) => any} */
  #run({ request, signal, onProgress }) {
    if (signal?.aborted) throw signal.reason;
    this.#searcher ??= new Searcher(compiled());
    try {
      return this.#searcher.run(request, { onProgress, isStopped: () => signal?.aborted === true });
    } catch (error) {
      throw error instanceof Stopped ? signal?.reason : error;
    }
  }
}
