/* A game that the page plays by the small engine, with its tree, and what it tells the page of it. */

import { linkOf } from "./link.js";
import { Table } from "./table.js";
import { Tree } from "./tree.js";

/** @import { Analysis, GameMessage, Marks, Position } from "../../board/static/types.d.ts" */
/** @import { SavedGame, SavedHeader, TreeNode } from "../../board/static/types.d.ts" */
/** @import { Move } from "../small/index.d.ts" */
/** @import { Facts, Judged, Node, Searching, Wanted } from "./types.d.ts" */

const LONGEST_THOUGHT = 120; // most seconds between two moves that count as time of play
const KEEPS = { winnable: true, unwinnable: false, undecided: null };

/** Thrown for what only Python can do. */
export class Later extends Error {}

export class Game {
  wasPlayed = false; // a person has made a move
  /** When the latest move was made, in seconds. @type {number | null} */
  #movedAt = null;
  #of;
  #choices;
  #table;
  #key;

  /** Begin the game that is `wanted`. Throws Later for a move that cannot be made.
      @param {Searching} engine
      @param {Wanted} wanted */
  constructor(engine, wanted) {
    const { of, mode, choices, seed = null, key = newKey(), branches, shown, isTree, helped = [] } = wanted;
    this.engine = engine;
    this.mode = mode;
    this.seed = seed;
    this.#of = of;
    this.#choices = choices;
    this.#key = key;
    this.#table = wanted.table;
    this.seconds = wanted.seconds || 0;
    this.turnedBack = wanted.turned_back || 0;
    if (wanted.text) engine.read(wanted.text);
    else engine.deal(BigInt(seed ?? 0));
    this.tree = new Tree(this.#facts());
    const last = this.#grow(branches, helped);
    if (!isTree) this.tree.show(this.tree.nodes[last]);
    this.tree.show(this.tree.nodes[Math.min(shown ?? last, last)]);
  }

  close() {
    this.engine.close();
  }

  get isHidden() {
    return this.mode === "player";
  }

  /** True if its positions are judged here. */
  get isJudged() {
    return !this.isHidden && !this.#of.scored;
  }

  /** Add the time since the last move to the time of play. */
  spend() {
    const now = performance.now() / 1000;
    if (this.#movedAt !== null) this.seconds += Math.min(LONGEST_THOUGHT, now - this.#movedAt);
    this.#movedAt = now;
  }

  /** The position after a move, added to the tree unless it is there.
      @type {(node: Node, move: Move) => Node} */
  play(node, move) {
    const known = node.children.find(child => child.move === move.move);
    if (known) return known;
    const { table, text } = node,
      rank = table.rank(move),
      does = table.sentence(move);
    this.engine.read(text);
    this.engine.play(move.move);
    const facts = this.#facts(table.wasTurnedOver || (move.from === "s" && !table.board.stock.length));
    const effects = table.effects(move, facts.table),
      lies = table.landing(move, facts.table);
    return this.tree.add(node, { ...facts, move: move.move, does, as: rank, effects, lies, helped: false });
  }

  /** The answer for a position that follows from the one before it; undefined if none does.
      @type {(node: Node) => Judged | undefined} */
  inherited({ parent, move, over }) {
    const before = parent?.answer;
    if (over === "won") return { verdict: "winnable", moves: [], length: 0, states: 0 };
    if (before?.verdict === "unwinnable") return before;
    if (!before?.moves || before.moves[0] !== move) return undefined;
    return { ...before, moves: before.moves.slice(1), length: before.moves.length - 1 };
  }

  /** Add positions; returns the number of the last.
      @type {(branches: Wanted["branches"], helped: number[]) => number} */
  #grow(branches, helped) {
    let last = 0;
    const nodes = [this.tree.nodes[0]];
    for (const [before, text] of branches) {
      const move = nodes[before]?.table.named(text);
      if (!move) throw new Later(text); // Python says what is wrong with it
      const node = this.play(nodes[before], move);
      last = nodes.push(node) - 1;
      node.helped = helped.includes(last);
      if (node.number !== last) throw new Later(text); // a move that is there twice
    }
    return last;
  }

  /** The facts of the engine's position. @type {(wasTurnedOver?: boolean) => Facts} */
  #facts(wasTurnedOver = false) {
    const { engine, isHidden } = this,
      { text } = engine;
    const hasRuns = this.#of.runs;
    /** @type {(move: Move) => string} */
    const rankAfter = ({ move, to }) => {
      const column = +to - 1;
      engine.read(text);
      const at = engine.board().columns[column].cards.length;
      engine.play(move);
      const { columns, jokers = [] } = engine.board(),
        card = columns[column].cards[at]; // a natural, if the two changed places
      return jokers.find(joker => joker.card === card)?.declared ?? card[0];
    };
    const table = new Table(this.#of, engine, { isHidden, hasRuns, wasTurnedOver, rankAfter });
    return { text, table, over: table.over, does: null, effects: [] };
  }

  /* --- Messages --- */

  get #goal() {
    return this.#of.places * this.#of.decks;
  }

  /** The answer to the request that opened the game. @type {() => GameMessage} */
  message() {
    const { mode, seed, tree } = this,
      of = this.#of,
      choices = this.#choices,
      [start] = tree.nodes;
    return {
      type: "game",
      game: of.game,
      title: Object.keys(choices).length ? of.title.split(",")[0] : of.title,
      name: seed === null ? "own deal" : `seed ${seed}`,
      mode,
      seed,
      pysol: null,
      choices,
      revealed: false,
      note: null,
      places: this.#goal,
      fan: of.scored ? 1 : start.table.board.draw,
      nodes: this.nodes(tree.below(start)),
      position: this.position(),
      link: this.#link(),
      saved: this.#header(),
    };
  }

  /** The position shown, which the engine then has too. @type {() => Position} */
  position() {
    const { tree } = this,
      node = tree.here;
    this.engine.read(node.text);
    return {
      type: "position",
      node: node.number,
      picture: node.table.picture(),
      moves: node.table.moves(),
      over: node.over,
      undo: node.parent !== null,
      redo: tree.following(node)?.number ?? null,
      auto: 0, // which cards are safe to put up, Python says
      unknown: node.table.unknown,
      seconds: Math.round(10 * this.seconds) / 10,
      turned_back: this.turnedBack,
      link: this.#link(),
    };
  }

  /** Positions of the tree. @type {(nodes: Node[]) => TreeNode[]} */
  nodes(nodes) {
    const main = new Set(this.tree.mainLine());
    return nodes.map(node => {
      const { number, parent, ply, does, effects, over, answer } = node;
      const keeps = parent?.answer?.verdict === "winnable" && answer ? KEEPS[answer.verdict] : null;
      return {
        node: number,
        parent: parent ? parent.number : null,
        main: main.has(node),
        ply,
        move: node.move ?? null,
        does,
        as: node.as ?? null,
        effects,
        lies: node.lies ?? null,
        turned: null,
        helped: node.helped ?? false,
        over,
        judged: answer ? judgedOf(answer) : null,
        keeps,
        mark: keeps === false ? "mistake" : null,
        loss: keeps === false ? "makes the deal unwinnable" : null,
        best: answer?.moves?.[0] ?? null,
        best_as: null,
      };
    });
  }

  /** The message with the answer for a position. @type {(node: Node) => Analysis} */
  analysis({ number, answer, seconds = 0 }) {
    const told = {
      type: /** @type {const} */ ("analysis"),
      node: number,
      stage: null,
      part: null,
      megabytes: 0,
    };
    if (!answer)
      return { ...told, state: "searching", verdict: null, text: "searching", states: 0, seconds: 0 };
    const { verdict, states, moves } = answer,
      count = moves?.length ?? 0;
    const words = {
      unwinnable: "lost, proved",
      undecided: "undecided",
      winnable: count ? `winnable in at most ${count === 1 ? "1 move" : `${count} moves`}` : "won",
    };
    const state = verdict === "winnable" && count ? "searching" : "done"; // Python shortens the line
    return {
      ...told,
      state,
      ...judgedOf(answer),
      text: `all ${this.#goal} cards: ${words[verdict]}`,
      states,
      seconds,
    };
  }

  /** The message with the answers for the moves of a position.
      @type {(node: Node) => { type: "marks", node: number, marks: Marks }} */
  marks({ number, answer, marks = [] }) {
    const isWinnable = answer?.verdict === "winnable";
    const judged = marks.map(({ move, verdict, reason, length }) => {
      const after = { verdict, reason, length: length === null ? null : length - 1 };
      const keeps = isWinnable ? KEEPS[verdict] : null;
      return [move, { keeps, best: move === answer?.moves?.[0], ...judgedOf(after), to_tier: null }];
    });
    return { type: "marks", node: number, marks: Object.fromEntries(judged) };
  }

  /** The data that reopens the game. @type {() => SavedGame} */
  saved() {
    const { nodes, here } = this.tree;
    return {
      ...this.#header(),
      nodes: nodes.flatMap(({ parent, move }) => (parent ? [[parent.number, move ?? ""]] : [])),
      here: here.number,
      helped: nodes.filter(node => node.helped).map(({ number }) => number),
      seconds: this.seconds,
      turned_back: this.turnedBack,
    };
  }

  /** @type {() => SavedHeader} */
  #header() {
    const source = this.#table ? { deal: this.#table } : { seed: this.seed, choices: this.#choices };
    const game = { winnable: /** @type {const} */ ("game"), game: this.#of.game, key: this.#key };
    return { ...game, mode: this.mode, revealed: false, ...source };
  }

  #link() {
    const { seed, mode, tree } = this,
      line = tree.line(tree.here).slice(1);
    const deal = this.#table
      ? [["deal", JSON.stringify(this.#table)]]
      : [["seed", seed], ...Object.entries(this.#choices)];
    const moves = line.map(({ move }) => move?.replaceAll(" ", "+")).join(",");
    return linkOf([
      ["game", this.#of.game],
      ...deal,
      ...(mode === "player" ? [["mode", mode]] : []),
      ...(moves ? [["moves", moves]] : []),
      ...(line.length && tree.here !== line.at(-1) ? [["at", tree.here.ply]] : []),
    ]);
  }
}

/** A name of a game that nobody guesses. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** An answer in the keys of the page.
    @type {(found: Pick<Judged, "verdict" | "length" | "reason">) => object} */
function judgedOf({ verdict, length, reason = null }) {
  const none = { lower_bound: null, score: null, tier: null, score_bound: null, exact: null };
  return { verdict, length, shortest: length === 0, reason, ...none };
}
