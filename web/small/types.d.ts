/* Types that the modules of the engine share; those for callers are in index.d.ts. Nothing loads this file.
 */

import type { Limits, Move, Progress, Reason, Verdict } from "./index.d.ts";

/** The functions of the module, which take and return numbers, and its memory. */
export type Exports = Record<string, (...given: (number | bigint)[]) => number> & {
  memory: WebAssembly.Memory;
};

/** Figures of a running search, as the library has them. */
export type Figures = Pick<
  Progress,
  "stage" | "states" | "work" | "megabytes" | "score" | "length" | "lowerBound"
>;

/** What a search has proved. */
export interface Found {
  verdict: Verdict;
  reason: Reason;
  states: number;
  work: number;
  length: number | null;
  lowerBound: number | null;
  score: number | null;
  scoreBound: number | null;
  exact: boolean;
  shortest: boolean;
}

export type Kind = "solve" | "shortest" | "score" | "hint" | "deal";

/** What a search is asked, as plain data. */
export interface Request {
  game: string;
  options: Record<string, string>;
  kind: Kind;
  limits: Limits;
  /** The position; a search for a deal has none. */
  table?: Uint8Array;
  /** The deal that is looked for: the first seed that is tried, and its least score, or 0. */
  wanted?: { seed: bigint; goal: number };
}

export interface Listeners {
  onProgress?: (progress: Progress) => void;
  /** True if the search has to end. */
  isStopped: () => boolean;
}

/** An answer of the library to a search, which may have been interrupted. */
export type Ended = Omit<Found, "reason"> & { reason: Reason | "interrupted" };

/** A search with what its caller gave. */
export interface Asked {
  request: Request;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** An error as plain data. */
export interface PlainError {
  name: string;
  code: string;
  message: string;
}

/** What a worker sends about the request with this id. */
export interface Sent {
  id: number;
  progress?: Progress;
  result?: unknown;
  error?: PlainError;
}

/** A worker of a page, or one of node. */
export interface AnyWorker {
  postMessage(message: unknown): void;
  terminate(): void;
  addEventListener?: Worker["addEventListener"];
  on?(event: "message", listener: (sent: Sent) => void): AnyWorker;
  on?(event: "error", listener: (error: unknown) => void): AnyWorker;
  ref?(): void;
  unref?(): void;
}

/** A legal move with its bytes. */
export interface Made {
  bytes: Int8Array;
  made: Move;
  isBest: boolean;
}
