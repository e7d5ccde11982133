/* Positions and moves of the small engine as the page draws them: the pictures, moves and sentences that
   board/serialize.py makes. The engine knows the rules; here are words and places. */

/** @import { Move as Shown, Over, Picture, Pile, Rules } from "../../board/static/types.d.ts" */
/** @import { Board, Move } from "../small/index.d.ts" */
/** @import { Drop, Searching, Sight } from "./types.d.ts" */

const RANKS = "A23456789TJQK";
/** @type {Record<string, string>} */
const NAMES = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const BLACK = ["C", "S"],
  RED = ["D", "H"];

export class Table {
  #rankAfter;

  /** The position of an engine.
      @param {Rules} game
      @param {Searching} engine
      @param {Sight} sight */
  constructor(game, engine, { isHidden, hasRuns, wasTurnedOver, rankAfter }) {
    this.game = game;
    this.isHidden = isHidden;
    this.hasRuns = hasRuns;
    this.wasTurnedOver = wasTurnedOver;
    this.#rankAfter = rankAfter;
    this.board = { stock: [], waste: [], draw: 1, jokers: [], ...engine.board() };
    this.legal = engine.legal();
    this.score = game.scored ? engine.cardsUp : null;
    /** @type {Over | null} */
    this.over = engine.isWon ? "won" : this.legal.length ? null : "stuck";
    this.piles = this.#piles();
  }

  /** The number of cards that the player has not seen. */
  get unknown() {
    const down = this.board.columns.reduce((sum, { hidden }) => sum + hidden, 0);
    return this.isHidden ? down + (this.#isUnseen ? this.board.stock.length : 0) : 0;
  }

  /** The columns and piles as texts. @type {() => Picture} */
  picture() {
    const columns = this.board.columns.map(({ cards, hidden }) =>
      cards.map((card, i) => (i < hidden ? this.#down(card) : this.#withRank(card))).join(" "),
    );
    const jokers = this.board.jokers.map(joker => `${joker.card}: ${this.#jokerText(joker)}`);
    return { columns, piles: this.piles, jokers, score: this.score };
  }

  /** The legal moves, each with the places where its cards can be put down. */
  moves() {
    return this.legal.map(move => this.#shown(move));
  }

  /** The effects of a move in words: `after` is the position that it led to.
      @type {(move: Move, after: Table) => string[]} */
  effects(move, after) {
    const { board } = this;
    if (after.board.base !== board.base) return [`the foundations begin at ${after.board.base}`];
    const turned = board.columns.flatMap(({ cards, hidden }, i) => {
      const left = after.board.columns[i].hidden;
      return left < hidden ? [`${cards[left]} is turned up in column ${i + 1}`] : [];
    });
    return [...turned, ...this.#left(after), ...this.#exchanged(move, after)];
  }

  /** The place where the first card of a move lies after it, such as c3/5, or p2 for the top of a pile;
      null if it has left the table.
      @type {(move: Move, after: Table) => string | null} */
  landing(move, after) {
    const source = this.#place(move.from, move.card),
      target = this.#place(move.to, move.card);
    if (target[0] === "p") return target;
    const depth = this.board.columns[+target.slice(1)].cards.length - (source === target ? 1 : 0);
    return depth < after.board.columns[+target.slice(1)].cards.length ? `${target}/${depth}` : null;
  }

  /** The move that the page means by its text, where the card that is turned may be left out.
      @type {(text: string) => Move | undefined} */
  named(text) {
    const isTurn = this.isHidden && text.startsWith("?? ");
    return this.legal.find(move => (isTurn ? move.from === "s" : move.move === text));
  }

  /** The moves of `count` cards, 0 for any number, from one place to another.
      @type {(drop: Drop) => Move[]} */
  between({ source, target, count = 0, rank = "", suit = "" }) {
    const isUp = this.piles[+target.slice(1)]?.kind === "foundation" && target[0] === "p";
    return this.legal.filter(move => {
      const shown = this.#shown(move);
      if (shown.source !== source || (count && shown.count !== count)) return false;
      if ((rank && shown.rank !== rank) || (suit && shown.suit !== suit)) return false;
      return (
        shown.target === target ||
        shown.targets.includes(target) ||
        (isUp && move.to === "f" && move.card[0] !== "X")
      );
    });
  }

  /** A move in words. @type {(move: Move) => string} */
  sentence(move) {
    const { card, from, to, count } = move,
      source = this.#words(from),
      names = this.#names(move);
    if (from === "s")
      return `${names} turned from the ${this.board.stock.length ? "stock" : "waste turned over"}`;
    if (from === to) return `${card} in ${source} declared as ${move.declares}`;
    const start = `${count > 1 ? names : card} from ${source}`;
    if (to === "x") return `${start} out of play`;
    if (to === "f")
      return `${start} to ${card[0] === "X" ? "the foundations as an open ace" : "its foundation"}`;
    if (to[0] === "f") return `${start} to ${this.#words(to)} as ${this.rank(move)}`;
    const isEmpty = !this.board.columns[+to - 1].cards.length,
      joker = this.#joker(card);
    const as = joker && !joker.declared ? ` as ${this.rank(move)}` : "";
    return `${start} to ${isEmpty ? "empty " : ""}column ${to}${as}`;
  }

  /** The rank that the first card of a move, a joker, has after it; null for other cards.
      @type {(move: Move) => string | null} */
  rank(move) {
    const joker = this.#joker(move.card);
    if (!joker || move.from === "s" || move.to === "x") return null;
    if (move.from === move.to) return move.declares ?? null;
    if (move.to[0] === "f") return RANKS[move.to === "f" ? 0 : this.#up(move.to[1]).length];
    return joker.declared ?? this.#rankAfter(move);
  }

  /** True if the next cards of the stock were not seen: it was never turned over. */
  get #isUnseen() {
    return !this.wasTurnedOver && this.board.stock.length > 0;
  }

  /** The cards of a foundation. @type {(suit: string) => string[]} */
  #up(suit) {
    return Object.entries(this.board.foundations).find(([name]) => name === suit)?.[1] ?? [];
  }

  /** @type {(card: string) => string} */
  #down(card) {
    return this.isHidden ? "<??>" : `<${card}>`;
  }

  /** @type {(card: string) => string} */
  #withRank(card) {
    const { declared } = this.#joker(card) || {};
    return declared ? `${card}=${declared}` : card;
  }

  /** @type {(card: string) => NonNullable<Board["jokers"]>[number] | undefined} */
  #joker(card) {
    return this.board.jokers.find(joker => joker.card === card);
  }

  /** @type {() => Pile[]} */
  #piles() {
    const { board, game, hasRuns } = this,
      stock = board.stock.map(card => this.#down(card)).reverse();
    const pass = board.passes && !game.jokers ? `, pass ${(board.redeals ?? 0) + 1} of ${board.passes}` : "";
    const drawn = [
      pile("stock", "stock", stock, `${stock.length}${pass}`),
      pile("waste", "waste", board.waste, String(board.waste.length)),
    ];
    const up = Object.entries(board.foundations).map(([suit, cards], i) =>
      hasRuns
        ? pile("runs", suit, cards, `${cards.length / RANKS.length}/${game.decks}`)
        : pile("foundation", suit, cards.map(namedAt), board.base && !i ? `from ${board.base}` : ""),
    );
    const jokers = board.jokers.map(({ card, isOpenAce, isOut }) => {
      const note = isOpenAce ? "ace" : isOut ? "out" : "";
      return pile("joker", card, note ? [card] : [], note);
    });
    return [...(game.has_stock ? drawn : []), ...up, ...jokers];
  }

  /** The state of a joker in words. @type {(joker: NonNullable<Board["jokers"]>[number]) => string} */
  #jokerText({ card, declared, place, isOpenAce, isOut }) {
    if (isOut) return "out of play";
    if (place) return `on the foundations as ${place}`;
    if (isOpenAce) return "open ace";
    if (declared) return `declared as ${declared}`;
    const { columns, stock, waste } = this.board;
    if (waste.includes(card)) return "undeclared in the waste";
    const column = columns.findIndex(({ cards }) => cards.includes(card));
    const isDown = column >= 0 && columns[column].cards.indexOf(card) < columns[column].hidden;
    if (column >= 0 && !isDown) return `undeclared in column ${column + 1}`;
    if (this.isHidden) return "not seen yet";
    return isDown ? `face down in column ${column + 1}` : `in the stock, ${stock.indexOf(card) + 1} to turn`;
  }

  /** A move as the page takes it. @type {(move: Move) => Shown} */
  #shown(move) {
    const { card, from, to } = move,
      target = this.#place(to, card);
    const shown = {
      text: move.move,
      card,
      source: this.#place(from, card),
      count: from === "s" ? 1 : move.count,
      target,
      targets: this.#targets(move, target),
      rank: from === to ? (move.declares ?? null) : null,
      suit: [from, to].find(text => /^f./.test(text))?.[1] ?? null,
      as: this.rank(move),
      does: this.sentence(move),
    };
    if (!this.isHidden || from !== "s" || !this.#isUnseen) return shown;
    const cards = Math.min(this.board.draw, this.board.stock.length);
    const does = cards === 1 ? "card of the stock is" : `${cards} cards of the stock are`;
    return { ...shown, text: "?? s-w", card: null, does: `the next ${does} turned` };
  }

  /** The places that take the cards of a move: for a joker that goes up as an open ace the empty
      foundations of its colour, else its target.
      @type {(move: Move, target: string) => string[]} */
  #targets({ card, to }, target) {
    if (to !== "f" || card[0] !== "X") return [target];
    const suits = card[1] === "B" ? BLACK : RED;
    return this.piles.flatMap(({ name, cards }, i) => (suits.includes(name) && !cards ? [`p${i}`] : []));
  }

  /** The place of a part of a move, such as 3, w or fS, as c2 or p4.
      @type {(text: string, card: string) => string} */
  #place(text, card) {
    if (/^\d/.test(text)) return `c${+text - 1}`;
    const isOfJoker = text === "x" || (text === "f" && card[0] === "X");
    const name = text === "s" ? "stock" : text === "w" ? "waste" : isOfJoker ? card : text[1] || card[1];
    return `p${this.piles.findIndex(pile => pile.name === name)}`;
  }

  /** @type {(text: string) => string} */
  #words(text) {
    if (text === "w") return "the waste";
    return text[0] === "f" ? `the foundation of ${NAMES[text[1]]}` : `column ${text}`;
  }

  /** The cards that a move takes up or turns, in words. @type {(move: Move) => string} */
  #names({ card, from }) {
    const { columns, stock, waste, draw } = this.board;
    if (from === "s") return (stock.length ? stock : waste).slice(0, draw).join(" ");
    return `${card}-${columns[+from - 1]?.cards.at(-1)}`;
  }

  /** The runs that left, in words. @type {(after: Table) => string[]} */
  #left(after) {
    if (!this.hasRuns) return [];
    return Object.entries(this.board.foundations).flatMap(([suit, cards]) => {
      const runs = (after.#up(suit).length - cards.length) / RANKS.length;
      return Array(runs).fill(`king to ace of ${NAMES[suit]} leave`);
    });
  }

  /** The cards that changed places with a joker, in words: the joker lies where they would lie after the
      move.
      @type {(move: Move, after: Table) => string[]} */
  #exchanged(move, after) {
    if (!this.board.jokers.length) return [];
    const expected = this.#spots(),
      found = after.#spots();
    for (const [i, card] of this.#taken(move).entries()) expected.set(card, this.#spotAfter(move, i));
    return this.board.jokers.flatMap(({ card: joker, isOpenAce }, i) => {
      const spot = found.get(joker);
      const isPlaced = isOpenAce && after.board.jokers[i].place; // an open ace that a suit was chosen for
      const other = [...expected].find(([card, at]) => at === spot && card !== joker);
      if (isPlaced || spot === expected.get(joker) || !other) return [];
      return [`${other[0]} and ${joker} change places`];
    });
  }

  /** The cards that a move takes up, deepest first. @type {(move: Move) => string[]} */
  #taken({ card, from, to, count }) {
    if (from === to) return [];
    return from === "s" || from === "w" ? [card] : this.board.columns[+from - 1].cards.slice(-count);
  }

  /** The place of the card number `i` of a move after it, before any exchange.
      @type {(move: Move, i: number) => string} */
  #spotAfter({ card, to }, i) {
    if (to === "w") return `waste/${this.board.waste.length}`;
    if (/^\d/.test(to)) return `c${+to - 1}/${this.board.columns[+to - 1].cards.length + i}`;
    if (to === "x" || (to === "f" && card[0] === "X")) return "joker";
    const suit = to[1] || card[1];
    return `${suit}/${this.#up(suit).length}`;
  }

  /** The place of each card, by its name. */
  #spots() {
    /** @type {Map<string, string>} */
    const spots = new Map();
    const piles = Object.entries({ ...this.board.foundations, waste: this.board.waste });
    for (const [i, { cards }] of this.board.columns.entries()) piles.push([`c${i}`, cards]);
    for (const [name, cards] of piles)
      for (const [at, card] of cards.entries()) spots.set(card, `${name}/${at}`);
    for (const card of this.board.stock) spots.set(card, "stock");
    for (const { card, isOpenAce, isOut } of this.board.jokers)
      if (isOpenAce || isOut) spots.set(card, "joker");
    return spots;
  }
}

/** @type {(kind: string, name: string, cards: string[], note: string) => Pile} */
const pile = (kind, name, cards, note) => ({ kind, name, cards: cards.join(" "), note });

/** A card of a foundation, a joker with the rank that it has there.
    @type {(card: string, i: number) => string} */
const namedAt = (card, i) => (card[0] === "X" ? `${card}=${RANKS[i]}` : card);
