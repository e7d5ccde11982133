/* Types of what the page and its server send each other, as PROTOCOL.md specifies them, and of what the
   scripts of the page hand to each other. Comments in the scripts name them; nothing loads this file. */

/* --- Messages of the server ----------------------------------------------------------------------------- */

/** What is known of a position. */
export interface Known {
  verdict?: Verdict | null;
  length?: number | null;
  shortest?: boolean | null;
  lower_bound?: number | null;
  score?: number | null;
  score_bound?: number | null;
  tier?: string | null;
  bound_tier?: string | null;
  exact?: boolean | null;
  to_tier?: { length: number; shortest?: boolean; lower_bound?: number | null } | null;
  reason?: string | null;
}

export type Verdict = "winnable" | "unwinnable" | "undecided";

/** `won`, or no legal move is left. */
export type Over = "won" | "stuck";

export type Mode = "analysis" | "player" | "table";

/** A game on offer. */
export interface Rules {
  game: string;
  title: string;
  summary: string;
  /** The game in a sentence. */
  blurb: string;
  /** The share of deals that can be won, in words, of the games that are shown first; else empty. */
  rate: string;
  rules: string;
  legend: string;
  columns: number;
  /** Columns of the left wing; null if the table has no wings. */
  wing: number | null;
  /** Whether the first card on a foundation chooses the rank at which all begin. */
  free_base: boolean;
  /** Whether complete runs leave the columns, and nothing goes to foundations. */
  runs: boolean;
  scored: boolean;
  /** The least score of each tier. */
  tiers: Record<string, number>;
  modes: Mode[];
  /** The values of each rule option, the usual one first. */
  choices: Record<string, string[]>;
  /** Each rule option in words, and its values, where these do not speak for themselves. */
  options: Record<string, { title: string; values: Record<string, string> }>;
  levels: string[];
  /** Cards of each column of a deal. */
  sizes: number[];
  /** Cards of the stock of a deal. */
  stock: number;
  /** Places of one deck on the foundations. */
  places: number;
  pysol: boolean;
  jokers: boolean;
  has_stock: boolean;
  decks: number;
}

export interface Limits {
  seconds: number;
  megabytes: number;
  most_seconds: number;
  most_megabytes: number;
}

export interface Hello {
  type: "hello";
  protocol: number;
  version: string;
  games: Rules[];
  limits: Limits;
  history?: boolean;
  start?: boolean | null;
}

export interface Pile {
  kind: string;
  name: string;
  cards: string;
  note: string;
}

/** The cards of a position. */
export interface Picture {
  columns: string[];
  piles: Pile[];
  jokers: string[];
  score: number | null;
}

export interface Move {
  text: string;
  card: string | null;
  source: string;
  target: string;
  /** Places where a person may put the cards down. */
  targets: string[];
  count: number;
  does: string;
  rank: string | null;
  suit: string | null;
  /** The rank that a joker among the cards has after the move. */
  as: string | null;
}

export interface Position {
  type: "position";
  node: number;
  picture: Picture;
  moves: Move[];
  over: Over | null;
  undo: boolean;
  redo: number | null;
  auto: number;
  unknown: number;
  seconds: number;
  turned_back: number;
  link: string | null;
}

/** A position of the move tree. */
export interface TreeNode {
  node: number;
  parent: number | null;
  main: boolean;
  ply: number;
  move: string | null;
  does: string | null;
  as: string | null;
  effects: string[];
  lies: string | null;
  turned: string | null;
  helped: boolean;
  over: Over | null;
  judged: Known | null;
  keeps: boolean | null;
  mark: "mistake" | null;
  loss: string | null;
  best: string | null;
  best_as: string | null;
}

/** What reopens a game, without its moves. */
export interface SavedHeader {
  winnable: "game";
  game: string;
  key: string;
  mode: Mode;
  revealed: boolean;
  seed?: string | null;
  choices?: Record<string, string>;
  /** A table that was not dealt, as an object. */
  deal?: object;
}

/** A game with its moves, as it is stored. The parts of a node are the index of its parent, its move, and the
    card that it turned up. */
export interface SavedGame extends Omit<SavedHeader, "key"> {
  key?: string;
  nodes: [number, string, string?][];
  helped?: number[];
  seconds?: number;
  turned_back?: number;
  here: number;
}

export interface GameMessage {
  type: "game";
  game: string;
  title: string;
  name: string | null;
  mode: Mode;
  seed: string | null;
  pysol: string | null;
  choices: Record<string, string>;
  revealed: boolean;
  places: number;
  fan: number;
  note: string | null;
  nodes: TreeNode[];
  position: Position;
  link: string | null;
  saved: SavedHeader;
}

/** What a search streams. */
export interface Analysis extends Known {
  type: "analysis";
  node: number;
  state: "waiting" | "searching" | "done";
  text?: string | null;
  states?: number | null;
  seconds?: number | null;
  megabytes?: number | null;
  stage?: string | null;
  part?: string | null;
  most_up?: { score: number; length: number; text: string } | null;
  marks?: Marks;
}

/** What is known of the position after a move. */
export interface Mark extends Known {
  keeps?: boolean | null;
  best?: boolean;
}

/** Marks by the text of the move. */
export type Marks = Record<string, Mark>;

/** A probability, its standard error, and its interval. */
export interface Chance {
  probability: number;
  error: number;
  low: number;
  high: number;
}

/** Moves that belong together, and the chances after them by tier. */
export interface Advice {
  moves: string[];
  visits: number;
  tiers: Record<string, Chance>;
  reason?: string | null;
}

export interface Chances {
  type: "chances";
  node: number;
  state: "searching" | "done";
  samples?: number | null;
  seconds?: number | null;
  advice?: Advice[] | null;
  certain?: "won" | "lost" | null;
  text?: string | null;
}

/** A position of a line, with the move that led to it but for the first. */
export interface Step {
  picture: Picture;
  move?: string | null;
  does?: string | null;
  effects?: string[] | null;
}

export interface Line {
  type: "line";
  node: number;
  found: boolean;
  shortest?: boolean;
  text?: string | null;
  why?: string | null;
  other?: { goal: string; text: string } | null;
  steps?: Step[] | null;
}

/** Why a position is lost: the cards that block each other. */
export interface Why {
  type: "why";
  node: number;
  text: string;
  cards: { spot: string; waits: string[]; text: string }[];
}

/** The content of a file. */
export interface Saved {
  type: "saved";
  name: string;
  media: string;
  content: string;
}

/** What is wrong with a table that is being laid out. */
export interface Checked {
  type: "checked";
  ok: boolean;
  mode: Mode | null;
  game: string;
  problems: { code: string; text: string; line?: number | null }[];
  missing: string[];
  doubled: string[];
  unknown: number;
  picture: Picture | null;
  note: string | null;
}

/** The legal moves that a request may mean. */
export interface Choose {
  type: "choose";
  moves: Move[];
}

/** The server asks which card was turned up. */
export interface Turned {
  type: "turned";
  place: string | null;
  cards: string[];
}

export interface Refused {
  type: "refused" | "error";
  why?: string | null;
}

/** The game as another program has taken it over. */
export type Renewed = Omit<GameMessage, "type"> & { type: "renewed" };

/** A move that lost something, judged by what its player saw; `text` has the word and the chances. */
export interface FairStep {
  node: number;
  word: string;
  text: string;
  better: string | null;
}

/** The review of a game by what its player saw. */
export interface Fair {
  type: "fair";
  node: number;
  state: "judging" | "done";
  part?: string | null;
  lines?: string[];
  steps?: FairStep[];
}

/** Messages that answer no request. */
export type Streamed =
  | { type: "dealing"; tried: number }
  | { type: "drawn"; game: string; picture: Picture; fan: number }
  | Renewed
  | { type: "nodes"; nodes: TreeNode[] }
  | { type: "gone"; nodes: number[] }
  | { type: "marks"; node: number; marks: Marks }
  | Analysis
  | Chances
  | Fair
  | Refused;

/** Any message of the server; an answer has the id of its request. */
export type Message = { id?: number } & (
  | Hello
  | Streamed
  | GameMessage
  | Position
  | Line
  | Why
  | Saved
  | Checked
  | Choose
  | Turned
  | ({ type: "limits" } & Limits)
  | { type: "done" }
);

/* --- The history ---------------------------------------------------------------------------------------- */

export interface KeptGame {
  id: number;
  began: string;
  title: string;
  name: string | null;
  link: string | null;
  outcome: string;
  score: number | null;
  tier: string | null;
  /** The best tier that could be reached. */
  could: string | null;
  moves: number;
  fewest: number | null;
  fewest_proved: boolean;
  winnable: boolean | null;
  mistakes: number;
  seconds: number;
  hints: number;
  turned_back: number;
}

/** Totals of the games of one kind. */
export interface Totals {
  title: string;
  played: number;
  won: number;
  winnable: number;
  won_of_winnable: number;
  thrown: number;
  streak: number;
  longest_streak: number;
  best: number | null;
  moves_above_fewest: number | null;
}

/** The elements of its page by their ids. */
export interface HistoryPage {
  problem: HTMLElement;
  totals: HTMLElement;
  games: HTMLElement;
  forget: HTMLElement;
  picker: HTMLDialogElement;
  theme: HTMLButtonElement;
  deck: HTMLButtonElement;
}

/* --- The replay page ------------------------------------------------------------------------------------ */

/** A position of the line, with the move that led to it but for the first. */
export interface ReplayStep extends Picture {
  move: string;
  does: string;
  effects?: string[];
  /** What the move lost; in a reviewed line. */
  loss?: string;
  /** What the player weighed before the next move, in a game that it played. */
  advice?: Weighed[];
  /** The table as JSON, where no card is hidden. */
  position?: object;
}

/** A move that the player evaluated, by `visits` simulations, with the chance of each tier. */
export type Weighed = { moves: string[]; visits: number } & Record<"win" | "double" | "triple", Chance>;

/** A line of play. */
export interface Replay {
  verdict: string | null;
  outcome: string;
  /** The name of the player. */
  player?: string;
  wing: number | null;
  steps: ReplayStep[];
}

/** The elements of its page by their ids. */
export interface ReplayPage {
  outcome: HTMLElement;
  mistakes: HTMLButtonElement;
  theme: HTMLButtonElement;
  deck: HTMLButtonElement;
  peek: HTMLButtonElement;
  first: HTMLButtonElement;
  back: HTMLButtonElement;
  play: HTMLButtonElement;
  next: HTMLButtonElement;
  last: HTMLButtonElement;
  speed: HTMLSelectElement;
  place: HTMLInputElement;
  now: HTMLElement;
  felt: HTMLElement;
  words: HTMLElement;
  table: HTMLElement;
  advice: HTMLElement;
  moves: HTMLElement;
  jokers: HTMLElement;
  "copy-position": HTMLButtonElement;
  "copy-moves": HTMLButtonElement;
  /** JSON of a `Replay`. */
  "play-data": HTMLScriptElement;
}

/* --- Requests ------------------------------------------------------------------------------------------- */

/** Where an opened game comes from. */
export interface From {
  seed?: string | number;
  pysol?: string;
  random?: true;
  winnable?: true;
  level?: string;
  tier?: string;
  today?: string;
  text?: string;
  start?: true;
  link?: string;
  saved?: SavedGame | Omit<SavedGame, "key">;
  game?: number;
}

export interface Open {
  game?: string;
  mode?: Mode;
  from: From;
  choices?: Record<string, string>;
}

/** The type of a request, its parameters, and its answer, which may be `Refused` instead. */
interface Exchanges {
  open: [Open & { think: boolean }, GameMessage];
  move: [MoveRequest, Changed];
  undo: [object, Changed];
  redo: [object, Changed];
  restart: [object, Changed];
  auto: [object, Changed];
  finish: [object, Changed];
  goto: [{ node: number }, Changed];
  delete: [{ node: number }, Changed];
  promote: [{ node: number }, Changed];
  add: [{ node: number; moves: string[]; go: boolean }, Changed];
  hints: [{ on: boolean }, Done];
  think: [{ on: boolean }, Done];
  cancel: [object, Done];
  ping: [object, Done];
  line: [{ node: number; goal?: string }, Line];
  better: [{ node: number }, Line];
  fair: [{ on: boolean }, Done];
  why: [{ node: number }, Why];
  limits: [{ seconds: number; megabytes: number }, { type: "limits" } & Limits];
  save: [{ what: string; form: string }, Saved];
  check: [{ game: string; text: string }, Checked];
}

/** A move by its text, or by cards and the place where they go. */
export interface MoveRequest {
  text?: string;
  source?: string;
  count?: number;
  target?: string;
  turned?: string;
  aside?: boolean;
}

type Done = { type: "done" };

/** What answers a request for a change of the position. */
export type Changed = Position | GameMessage | Choose | Turned;

export type RequestType = keyof Exchanges;
export type Request<T extends RequestType = RequestType> = {
  [Each in T]: { type: Each } & Exchanges[Each][0];
}[T];
export type Answer<T extends RequestType = RequestType> = Exchanges[T][1] | Refused;

/** What opening a game resolves to; `late` if another page was chosen meanwhile. */
export type Opened = Answer<"open"> | { type: "late" };

/** Sends a request; the answer has the type that belongs to it. */
export type Ask = <T extends RequestType>(message: Request<T>) => Promise<Answer<T>>;

/** Requests a change of the position; resolves to whether it was made. */
export type Act = (message: Request<ChangeType>) => Promise<boolean>;
export type ChangeType = { [T in RequestType]: Exchanges[T][1] extends Changed ? T : never }[RequestType];

/** The part of WebSocket's interface that the page needs. */
export type Connected = Pick<WebSocket, "send" | "close" | "readyState" | "onmessage" | "onclose">;

/* --- What the scripts hand to each other ---------------------------------------------------------------- */

/** A card read from its notation. */
export interface Card {
  name: string;
  /** The rank as which a joker is declared. */
  as?: string;
  isDown: boolean;
  isJoker: boolean;
  isUnknown: boolean;
  rank: string;
  suit: string;
}

/** A pile or a column with its cards. */
export interface Place {
  id: string;
  pile?: Pile;
  /** The index of a column. */
  column?: number;
  cards: Card[];
}

/** Where a place lies on the table, in pixels: its first card at `x` and `y`, its last one at `lastX` and
    `last`. */
export interface Zone {
  place: Place;
  x: number;
  y: number;
  last: number;
  lastX: number;
  w: number;
  h: number;
}

/** A card of a position with where it is drawn. */
export interface CardSpot {
  place: Place;
  card: Card;
  depth: number;
  /** The place and the depth, such as c3/5. */
  id: string;
  x: number;
  y: number;
  /** The size, as a share of that of other cards. */
  scale?: number;
  /** The right neighbour in a fan covers it. */
  isFanned: boolean;
  /** Two cards of its pile or more cover it. */
  isDeep: boolean;
}

/** What a table has to fit: columns and piles on `width` and `height` pixels, each of `lengths` the numbers
    of cards face down and face up under the last one of a column. */
export interface Frame {
  columns: number;
  piles: Pile[];
  width: number;
  height: number;
  lengths: number[][];
  /** Columns of the left wing; null if the table has no wings. */
  wing: number | null;
  /** Cards of the waste side by side. */
  fan: number;
  /** The greatest width of a card. */
  widest: number;
  /** Cards that are face down are as far apart as others. */
  isPeek: boolean;
  /** The table fills its height, in place of being as high as its cards. */
  isFixed: boolean;
}

/** Where the first card of a place lies; cards that lie beside each other elsewhere go down if `isDown`. */
export interface Corner {
  x: number;
  y: number;
  scale?: number;
  isDown?: boolean;
}

/** The sizes of a table, in pixels. */
export interface Sizes {
  shape: Shape;
  w: number;
  h: number;
  gap: number;
  width: number;
  height: number;
  strip: number;
  /** Strips for which there is space. */
  strips: number;
  font: number;
  padTop: number;
  isNarrow: boolean;
  isFlat: boolean;
  label: number;
  top: number;
  down: number;
  fan: number;
  columnAt: (i: number) => Corner;
  pileAt: (i: number) => Corner;
}

/** Where the piles lie. */
export type Shape = "wings" | "rails" | "top";

/** A tag on a place. */
export interface Tag {
  target: string;
  text: string;
  loses?: boolean;
}

/** The element of a card, with the card and the spot that it shows. */
export interface CardElement {
  element: HTMLElement;
  name: string | null;
  /** The place and the depth in it, such as c3/5; null if it was not drawn yet. */
  spot: string | null;
  face: string | null;
  hasMoved: boolean;
  x: number;
  y: number;
}

/** A node of the page's copy of the tree. */
export interface GameNode extends TreeNode {
  children: GameNode[];
  /** The hints have said that the game is lost whatever the hidden cards are. */
  isHopeless?: boolean;
  /** The move judged by what its player saw, if it lost something. */
  fair?: FairStep;
  /** The probability of each tier. */
  chances?: Record<string, number>;
}

/** The game stored in the browser: its title, move and link, and what reopens it. */
export interface Stored {
  link: string | null;
  title: string;
  ply: number;
  game: SavedGame;
}

/** One of the things between which a person chooses. */
export interface Choice<Value> {
  label: string;
  value: Value;
}

/** What the badge and the bars say: all that is known of the position. */
export interface Worth {
  analysis: Analysis | null;
  chances: Chances | null;
  over: Over | null;
  isThinking: boolean;
  rules: Rules;
  places: number;
  score: number | null;
}

/** The elements of the board's page that its script names, by their ids. */
export interface BoardPage {
  title: HTMLElement;
  "deal-name": HTMLElement;
  new: HTMLElement;
  menu: HTMLElement;
  link: HTMLButtonElement;
  copy: HTMLButtonElement;
  save: HTMLButtonElement;
  edit: HTMLButtonElement;
  finish: HTMLButtonElement;
  peeking: HTMLElement;
  peek: HTMLInputElement;
  theme: HTMLInputElement;
  deck: HTMLInputElement;
  think: HTMLInputElement;
  figures: HTMLInputElement;
  limits: HTMLElement;
  note: HTMLElement;
  lost: HTMLElement;
  retry: HTMLButtonElement;
  home: HTMLElement;
  felt: HTMLElement;
  table: HTMLElement;
  places: HTMLElement;
  "joker-card": HTMLElement;
  say: HTMLElement;
  auto: HTMLButtonElement;
  panel: HTMLElement;
  badge: HTMLElement;
  why: HTMLButtonElement;
  tabs: HTMLElement;
  "tab-hints": HTMLButtonElement;
  viewer: HTMLElement;
  review: HTMLElement;
  fair: HTMLElement;
  reason: HTMLElement;
  end: HTMLElement;
  options: HTMLElement;
  regain: HTMLButtonElement;
  mistakes: HTMLButtonElement;
  tree: HTMLElement;
  variation: HTMLElement;
  jokers: HTMLElement;
  graph: SVGSVGElement;
  restart: HTMLButtonElement;
  undo: HTMLButtonElement;
  redo: HTMLButtonElement;
  hints: HTMLButtonElement;
  line: HTMLButtonElement;
  turn: HTMLButtonElement;
  heard: HTMLElement;
  start: HTMLDialogElement;
  editor: HTMLDialogElement;
  picker: HTMLDialogElement;
  rules: HTMLDialogElement;
}

/** Shows a message to the person. */
export type Say = (text: string, kind?: string) => void;
