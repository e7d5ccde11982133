import type {
  Found,
  Game,
  Games,
  Hello,
  Hinted,
  Info,
  Legal,
  Limits,
  Measured,
  Moved,
  Origin,
  Placed,
  Position,
  Result,
  Search,
} from "./schema.js";

export type * from "./schema.js";

/** Options of every request. */
export interface Options {
  /** Gives up the request, whose promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Hears of the progress of a search, and of better lines and bounds. */
  onInfo?: (info: Info["params"]) => void;
}

/** What a deal is to be: that of the seed, or the first from the seed on that can be won. */
export interface DealParams {
  /** By default one by chance. */
  seed?: number | bigint | string;
  pysol?: string;
  choices?: Record<string, string>;
  /** Only a deal that can be won. */
  winnable?: boolean;
  /** Only a winnable deal of this difficulty. */
  difficulty?: "easy" | "medium" | "hard";
  /** In scored games: only a deal in which this tier can be reached. */
  tier?: "win" | "double" | "triple";
  /** For each deal that is tried; by default 2,000,000 units of work. */
  limits?: Limits;
}

export type Solved = Origin & { goal: "win" | "score" | "shortest" } & Result;
export type Hints = Origin & { goal: "moves" } & Hinted;

/** The engine in a worker. It answers one request after the other. */
export interface Winnable {
  hello(options?: Options): Promise<Hello>;
  games(options?: Options): Promise<Games>;
  deal(game: Game, params?: DealParams, options?: Options): Promise<Placed>;
  position(params: Position, options?: Options): Promise<Placed>;
  legal(params: Position, options?: Options): Promise<Legal>;
  apply(params: Position & { move: string }, options?: Options): Promise<Moved>;
  /** What is proved of a position; a search that a limit ended has a reason. */
  solve(
    params: Position & Search & { goal?: "win" | "score" | "shortest" },
    options?: Options,
  ): Promise<Solved>;
  solve(params: Position & Search, options?: Options): Promise<Found>;
  /** All moves of a position, the best first, with what is proved of each. */
  hint(params: Position & Search & { goal?: "moves" }, options?: Options): Promise<Hints>;
  hint(params: Position & Search, options?: Options): Promise<Found>;
  difficulty(params: Position & { limits?: Limits }, options?: Options): Promise<Measured>;
  /** Any request of the engine. */
  request(method: string, params?: object, options?: Options): Promise<unknown>;
  /** Ends the worker. */
  close(): void;
}

/** Starts the engine. */
export function load(settings?: {
  /** In a page: the folder with the files of the package pyodide, by default at jsDelivr. */
  indexURL?: string;
}): Promise<Winnable>;

/** An error of the engine, with its code. */
export class EngineError extends Error {
  code: number;
}
