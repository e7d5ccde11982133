/* Types of the page's first session. Nothing loads this file. */

import type { Limits, Mode, Over, Rules, SavedGame } from "../../board/static/types.d.ts";
import type { Answer, Board, Hint, Move } from "../small/index.d.ts";

/** What the page knows before Python is there. */
export interface Known {
  games: Rules[];
  limits: Limits;
}

/** What a session asks of the page. */
export interface Page {
  /** Make an engine for a game with rule options. */
  open(game: string, choices: object): Promise<Searching>;
  /** Take a message. */
  tell(message: object): void;
  /** The position shown is judged, or is not to be. */
  judged(): void;
  /** A game that was played is left, for another or with the page. */
  left(saved: SavedGame): void;
}

/** The engine of a game: its position, and searches that promise their answers. */
export interface Searching {
  readonly isWon: boolean;
  readonly cardsUp: number;
  readonly text: string;
  read(text: string): void;
  board(): Board;
  legal(): Move[];
  play(move: string): Move;
  close(): void;
  deal(seed: bigint | object): number | bigint | Promise<number | bigint>;
  solve(search: object): Promise<Answer>;
  hint(search: object): Promise<Hint[]>;
}

/** What was proved of a position. */
export type Judged = Pick<Answer, "verdict" | "moves" | "length" | "states"> & { reason?: string | null };

/** How a position is seen. */
export interface Sight {
  /** Cards that lie face down are not shown. */
  isHidden: boolean;
  /** Whole suits leave the table. */
  hasRuns: boolean;
  /** The stock was gone through before. */
  wasTurnedOver: boolean;
  /** The rank of a joker that has none, once a move of it to a column is made. */
  rankAfter(move: Move): string;
}

/** Cards that are picked up and put down: `count` of them, 0 for any number. */
export interface Drop {
  source: string;
  target: string;
  count?: number;
  /** Of a joker. */
  rank?: string;
  suit?: string;
}

/** A request of the page: its type and its parameters. */
export interface Asked {
  type: string;
  [name: string]: any;
}

/** The parameters of a request to open a game. */
export interface Opening {
  game?: string;
  mode?: Mode;
  choices?: Record<string, string>;
  moves?: string[];
  at?: number | null;
  think?: boolean;
  from: From;
}

/** What is opened. */
export interface From {
  link?: string;
  saved?: any;
  seed?: string | number;
  table?: any;
  random?: boolean;
  today?: string;
  winnable?: boolean;
  level?: string;
  tier?: string;
}

/** A game to open. */
export interface Wanted {
  of: Rules;
  mode: Mode;
  /** The rule options that differ from the usual ones. */
  choices: Record<string, string>;
  /** Each position after the start: the number of the one before, and the move. */
  branches: [number, string, string?][];
  /** The number of the position that is shown; the last for null. */
  shown: number | null;
  /** Whether `branches` is a tree; else it is a line. */
  isTree?: boolean;
  seed?: string | null;
  /** A table as an object, and as the engine reads it. */
  table?: object;
  text?: string;
  /** For a deal that is looked for: what it must be, from which seed on, with which limits. */
  goal?: object;
  first?: number;
  limits?: object;
  key?: string;
  helped?: number[];
  seconds?: number;
  turned_back?: number;
}

/** What a move leads to. */
export interface Facts {
  text: string;
  table: import("./table.js").Table;
  over: Over | null;
  does: string | null;
  effects: string[];
  move?: string;
  as?: string | null;
  lies?: string | null;
  helped?: boolean;
}

/** A position of the move tree. */
export interface Node extends Facts {
  number: number;
  parent: Node | null;
  children: Node[];
  /** The child shown last. */
  last: Node | null;
  ply: number;
  answer?: Judged;
  /** Seconds that judging it took. */
  seconds?: number;
  marks?: Hint[];
}
