// The engine in the calling thread.
import { WinnableError, checkSearch } from "./errors.js";
import { games } from "./games.js";
import { compiled } from "./module.js";
import { Position, checkDeal } from "./position.js";
import { Searcher, Stopped } from "./searcher.js";

/** The searches of both kinds of engines: each makes a request of its parameters. */
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

function asked(engine, kind, params, usual) {
  const search = checkSearch(kind, params, usual);
  return { ...search, request: { ...engine._asked(), kind, limits: search.limits } };
}

/** The request for the deal that `params` wants; or its seed, if that needs no search. */
export function askedDeal(engine, params) {
  engine._check();
  const { seed, wanted, limits, ...rest } = checkDeal(engine, params);
  if (!wanted) return { seed };
  const { game, options } = engine;
  return { ...rest, request: { game, options, kind: "deal", limits, wanted } };
}

/** A position and its searches, which block the calling thread. */
export class Engine extends Position {
  #searcher = null;

  /** Lay out a deal, or the next one that is as wanted; returns its seed. */
  deal(params) {
    const { seed, ...search } = askedDeal(this, params);
    return this._lay(seed ?? this.#run(search));
  }

  /** Decide the position. */
  solve(params) {
    return this._answered(this.#run(SEARCHES.solve(this, params)));
  }

  /** Find a shortest line. */
  shortest(params) {
    return this._answered(this.#run(SEARCHES.shortest(this, params)));
  }

  /** Find the most cards that can be up. */
  score(params) {
    return this._answered(this.#run(SEARCHES.score(this, params)));
  }

  /** Judge each legal move; returns them, the best first. */
  hint(params) {
    return this.#run(SEARCHES.hint(this, params));
  }

  close() {
    this.#searcher?.close();
    this.#searcher = null;
    super.close();
  }

  #run({ request, signal, onProgress }) {
    if (signal?.aborted) throw signal.reason;
    this.#searcher ??= new Searcher(compiled());
    try {
      return this.#searcher.run(request, { onProgress, isStopped: () => signal?.aborted === true });
    } catch (error) {
      throw error instanceof Stopped ? signal.reason : error;
    }
  }
}
