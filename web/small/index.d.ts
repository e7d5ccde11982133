/** The name of a game. */
export type Game = keyof OptionsOf;

/** The version of the package. */
export const version: string;

/** The games by name. */
export const games: {
  readonly [G in Game]: {
    /** The name for people, with the usual rules after a comma. */
    readonly title: string;
    /** The rule options, each with its values, the usual one first. */
    readonly options: { readonly [option: string]: readonly string[] };
    /** The tiers, each with the cards that must be up for it. */
    readonly tiers: { readonly [tier: string]: number };
    readonly hasStock: boolean;
    /** Whether `score` is there. */
    readonly hasScores: boolean;
    /** Whether cards leave in runs of a whole suit. */
    readonly hasRuns: boolean;
    /** Copies of each card. */
    readonly copies: number;
  };
};

/** An error of the library. Wrong arguments are a TypeError or a RangeError. */
export class WinnableError extends Error {
  code:
    | "no-memory"
    | "bad-option"
    | "bad-deck"
    | "bad-position"
    | "bad-text"
    | "bad-move"
    | "bad-line"
    | "no-search"
    | "no-deal"
    | "overtaken"
    | "busy"
    | "closed"
    | "not-loaded"
    | "fault"
    | "misuse"
    | "failed";
}

/** What limits a search. Without limits on time it goes on until all is proved or the memory is full. */
export interface Limits {
  seconds?: number;
  /** In units of about a microsecond, the same on every machine. */
  work?: number;
  /** States of the game. */
  nodes?: number;
  /** 1,000 unless you say otherwise. */
  megabytes?: number;
}

/** What a search is doing. */
export interface Progress {
  stage:
    | "search"
    | "depth-first"
    | "breadth-first"
    | "best-first"
    | "relaxation"
    | "positions"
    | "beam"
    | "a-star"
    | "sampling"
    | null;
  states: number;
  work: number;
  megabytes: number;
  /** The greatest score so far. */
  score: number | null;
  /** The length of the best line so far. */
  length: number | null;
  lowerBound: number | null;
  /** In `hint`: the moves that are judged, and all. */
  done?: number;
  total?: number;
  /** In `deal`: the seed that is tried, and the number of seeds tried. */
  seed?: number | bigint;
  tried?: number;
}

/** Parameters of every search. */
export interface Search extends Limits {
  /** Ends the search, which throws the reason of the signal. */
  signal?: AbortSignal;
  /** Called some times a second, and for each shorter line. */
  onProgress?: (progress: Progress) => void;
}

/** A number above 2^53 - 1 has to be a BigInt or a string. */
export type Seed = number | bigint | string;

/** What deal to look for. The limits are for each deal that is tried: 2,000,000 units of work unless you say
 * otherwise. A deal that is still undecided then is skipped. */
export interface Wanted<G extends Game = Game> extends Search {
  /** The first seed that is tried. Without it: the one after the present seed; at first, one by chance. */
  seed?: Seed;
  /** Only a deal that can be won. */
  winnable?: true;
  /** Only a deal in which this tier can be reached. */
  tier?: TierOf[G];
}

/** A move. */
export interface Move {
  /** As text: "7S 10-f". */
  move: string;
  /** The card that is moved, the lowest one of several. */
  card: string;
  /** A column from "1" on, the stock "s", the waste "w", or a foundation such as "fS". */
  from: string;
  /** A column, the waste "w", the foundation of the card "f" or another such as "fS", or "x": out of play. */
  to: string;
  /** The cards that are moved; 1 if the stock is turned. */
  count: number;
  /** The rank as which a joker is declared. */
  declares?: string;
}

export type Verdict = "winnable" | "unwinnable" | "undecided";

/** What ended a search before all was proved. */
export type Reason = "seconds" | "work" | "nodes" | "memory" | null;

/** What is proved. In games with tiers, "winnable" means that the first tier can be reached. */
export interface Answer {
  verdict: Verdict;
  reason: Reason;
  /** The line found, or null. */
  moves: string[] | null;
  length: number | null;
  /** States of the game that were looked at. */
  states: number;
  work: number;
  /** The greatest score found, in games with tiers. */
  score: number | null;
  scoreBound: number | null;
  /** The score is the greatest possible one. */
  exact: boolean;
}

export interface Shortest extends Answer {
  /** No line is shorter. */
  shortest: boolean;
  lowerBound: number | null;
}

/** A legal move with what is proved of the position after it; `length` counts the move itself. */
export interface Hint extends Move {
  verdict: Verdict;
  reason: Reason;
  length: number | null;
  score: number | null;
}

/** What a page needs to draw a position. The last card of a pile is its top. */
export interface Board {
  game: Game;
  /** `hidden` cards of a column, the first ones, lie face down. */
  columns: { cards: string[]; hidden: number }[];
  /** The cards on each foundation by suit; where runs leave, the cards that have left. */
  foundations: { [suit in "C" | "D" | "H" | "S"]?: string[] };
  /** The first card is turned next. */
  stock?: string[];
  waste?: string[];
  draw?: number;
  /** How often the stock may be gone through; null: without a limit. */
  passes?: number | null;
  redeals?: number;
  worryingBack?: boolean;
  /** The rank on which the foundations begin, null before it is chosen. */
  base?: string | null;
  jokers?: {
    card: "XB" | "XR";
    /** The rank as which it is declared. */
    declared: string | null;
    /** The card whose place on the foundations it takes. */
    place: string | null;
    /** It lies on the foundations as an ace of a suit that is still open. */
    isOpenAce: boolean;
    isOut: boolean;
  }[];
}

/** What both engines do at once. */
export interface Position<G extends Game = Game> {
  readonly game: G;
  /** The rule options of deals. */
  readonly options: { [option: string]: string };
  /** The seed of the deal: a BigInt above 2^53 - 1, or null if it is not known. */
  readonly seed: number | bigint | null;
  readonly movesMade: number;
  /** Whether all cards are up. Which tiers are reached, `cardsUp` says. */
  readonly isWon: boolean;
  /** Cards on the foundations, or that have left in runs. */
  readonly cardsUp: number;
  /** The position as text. */
  readonly text: string;
  /** The moves of the last answer. */
  readonly line: string[];
  /** Lay out a position given as text. */
  read(text: string): void;
  board(): Board;
  legal(): Move[];
  /** Play a move, given as text or as `legal` or `hint` returns it. */
  play(move: string | { move: string }): Move;
  /** Undo the last move played; false if there is none. */
  undo(): boolean;
  /** Free the engine. */
  close(): void;
}

export interface Engine<G extends Game = Game> extends Position<G> {}

/** An engine in the calling thread, which its searches block. */
export class Engine<G extends Game = Game> {
  constructor(game: G, options?: OptionsOf[G]);
  /** Lay out the deal of a seed, or the next deal that is as wanted; returns its seed. */
  deal(seed: Seed | Wanted<G>): number | bigint;
  /** Decide the position. */
  solve(search?: Search): Answer;
  /** Find a shortest line. */
  shortest(search?: Search): Shortest;
  /** Find the most cards that can be up, in games with `hasScores`. In a lost deal of Chessboard and Fortress
   * the line is a shortest one. */
  score(search?: Search): Shortest;
  /** Judge each legal move; the best comes first. The limits are for all moves together: 2,000,000 units of
   * work unless you say otherwise. */
  hint(search?: Search): Hint[];
}

export interface WorkerEngine<G extends Game = Game> extends Position<G> {}

/** An engine whose searches run in a worker, one after the other, each of the position at its call. */
export class WorkerEngine<G extends Game = Game> {
  /** `worker` starts a worker that runs `winnable/worker.js`, where none can be started from a Blob. */
  constructor(game: G, options?: OptionsOf[G], settings?: { worker?: () => unknown });
  /** Promise to lay out the next deal that is as wanted, and its seed. */
  deal(wanted: Wanted<G> & ({ winnable: true } | { tier: TierOf[G] })): Promise<number | bigint>;
  /** Lay out the deal of a seed. */
  deal(seed: Seed | { seed: Seed }): number | bigint;
  solve(search?: Search): Promise<Answer>;
  shortest(search?: Search): Promise<Shortest>;
  score(search?: Search): Promise<Shortest>;
  hint(search?: Search): Promise<Hint[]>;
}

/** Where the bytes of winnable.wasm come from: the object is a WebAssembly.Module. */
export type Source = Response | ArrayBuffer | ArrayBufferView | object;

/** Compile the WebAssembly without blocking the thread. Without it, the first engine compiles it. */
export function load(source?: Source | Promise<Source>): Promise<void>;
