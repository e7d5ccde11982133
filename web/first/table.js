/* Positions and moves of the small engine as the page draws them: the pictures, moves and sentences that
   board/serialize.py makes. The engine knows the rules; here are words and places. */

const RANKS = "A23456789TJQK";
const NAMES = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const BLACK = ["C", "S"],
  RED = ["D", "H"];

/** The position of an engine. `game` is what the page knows of the game; `isHidden` is true if cards that lie face down
    are not shown, `wasTurnedOver` if the stock was gone through before; `rankAfter(move)` is the rank that a joker has
    once a move to a column is made. */
export class Table {
  constructor(game, engine, { isHidden, wasTurnedOver, rankAfter }) {
    Object.assign(this, {
      game,
      isHidden,
      wasTurnedOver,
      rankAfter,
      board: engine.board(),
      legal: engine.legal(),
    });
    this.score = game.scored ? engine.cardsUp : null;
    this.over = engine.isWon ? "won" : this.legal.length ? null : "stuck";
    this.piles = this.#piles();
  }

  /** The number of cards that the player has not seen. */
  get unknown() {
    const down = this.board.columns.reduce((sum, { hidden }) => sum + hidden, 0);
    return this.isHidden ? down + (this.#isUnseen ? this.board.stock.length : 0) : 0;
  }

  /** The picture: columns and piles as texts. */
  picture() {
    const columns = this.board.columns.map(({ cards, hidden }) =>
      cards.map((card, i) => (i < hidden ? this.#down(card) : this.#withRank(card))).join(" "),
    );
    const jokers = (this.board.jokers || []).map(joker => `${joker.card}: ${this.#jokerText(joker)}`);
    return { columns, piles: this.piles, jokers, score: this.score };
  }

  /** The legal moves, each with the places where its cards can be put down. */
  moves() {
    return this.legal.map(move => this.#shown(move));
  }

  /** The effects of a move in words: `after` is the position that it led to. */
  effects(move, after) {
    const { board } = this;
    if (after.board.base !== board.base) return [`the foundations begin at ${after.board.base}`];
    const turned = board.columns.flatMap(({ cards, hidden }, i) => {
      const left = after.board.columns[i].hidden;
      return left < hidden ? [`${cards[left]} is turned up in column ${i + 1}`] : [];
    });
    return [...turned, ...this.#left(after), ...this.#exchanged(move, after)];
  }

  /** The place where the first card of a move lies after it, such as c3/5, or p2 for the top of a pile; null if it has
      left the table. */
  landing(move, after) {
    const source = this.#place(move.from, move.card),
      target = this.#place(move.to, move.card);
    if (target[0] === "p") return target;
    const depth = this.board.columns[+target.slice(1)].cards.length - (source === target);
    return depth < after.board.columns[+target.slice(1)].cards.length ? `${target}/${depth}` : null;
  }

  /** The move that the page means by its text, where the card that is turned may be left out. */
  named(text) {
    const isTurn = this.isHidden && text.startsWith("?? ");
    return this.legal.find(move => (isTurn ? move.from === "s" : move.move === text));
  }

  /** The moves of `count` cards, 0 for any number, from one place to another. */
  between({ source, target, count = 0, rank = null, suit = null }) {
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

  /** A move in words. */
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
    const isEmpty = !this.board.columns[to - 1].cards.length,
      joker = this.#joker(card);
    const as = joker && !joker.declared ? ` as ${this.rank(move)}` : "";
    return `${start} to ${isEmpty ? "empty " : ""}column ${to}${as}`;
  }

  /** The rank that the first card of a move, a joker, has after it; null for other cards. */
  rank(move) {
    const joker = this.#joker(move.card);
    if (!joker || move.from === "s" || move.to === "x") return null;
    if (move.from === move.to) return move.declares;
    if (move.to[0] === "f") return RANKS[move.to === "f" ? 0 : this.board.foundations[move.to[1]].length];
    return joker.declared ?? this.rankAfter(move);
  }

  /** True if the next cards of the stock were not seen: it was never turned over. */
  get #isUnseen() {
    return !this.wasTurnedOver && this.board.stock.length > 0;
  }

  #down(card) {
    return this.isHidden ? "<??>" : `<${card}>`;
  }

  #withRank(card) {
    const { declared } = this.#joker(card) || {};
    return declared ? `${card}=${declared}` : card;
  }

  #joker(card) {
    return this.board.jokers?.find(joker => joker.card === card) || null;
  }

  #piles() {
    const { board, game } = this,
      piles = [];
    if (board.stock) {
      const pass = board.passes && !board.jokers ? `, pass ${board.redeals + 1} of ${board.passes}` : "";
      const stock = board.stock.map(card => this.#down(card)).reverse();
      piles.push(pile("stock", "stock", stock, `${stock.length}${pass}`));
      piles.push(pile("waste", "waste", board.waste, String(board.waste.length)));
    }
    const base = board.base ? `from ${board.base}` : "";
    Object.entries(board.foundations).forEach(([suit, cards], i) => {
      if (game.hasRuns) piles.push(pile("runs", suit, cards, `${cards.length / RANKS.length}/${game.decks}`));
      else
        piles.push(
          pile(
            "foundation",
            suit,
            cards.map((card, at) => (card[0] === "X" ? `${card}=${RANKS[at]}` : card)),
            i ? "" : base,
          ),
        );
    });
    for (const { card, isOpenAce, isOut } of board.jokers || []) {
      const note = isOpenAce ? "ace" : isOut ? "out" : "";
      piles.push(pile("joker", card, note ? [card] : [], note));
    }
    return piles;
  }

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

  #shown(move) {
    const { card, from, to } = move,
      source = this.#place(from, card),
      target = this.#place(to, card);
    const count = from === "s" ? 1 : move.count,
      suit = [from, to].find(text => text[0] === "f" && text[1])?.[1] ?? null;
    const shown = { text: move.move, card, source, count, target, targets: this.#targets(move, target) };
    const rank = from === to ? move.declares : null;
    Object.assign(shown, { rank, suit, as: this.rank(move), does: this.sentence(move) });
    if (!this.isHidden || from !== "s" || !this.#isUnseen) return shown;
    const { draw } = this.board,
      cards = Math.min(draw, this.board.stock.length);
    const does = cards === 1 ? "card of the stock is" : `${cards} cards of the stock are`;
    return { ...shown, text: "?? s-w", card: null, does: `the next ${does} turned` };
  }

  /** The places that take the cards of a move: for a joker that goes up as an open ace the empty foundations of its
      colour, else its target. */
  #targets({ card, to }, target) {
    if (to !== "f" || card[0] !== "X") return [target];
    const suits = card[1] === "B" ? BLACK : RED;
    return this.piles.flatMap(({ name, cards }, i) => (suits.includes(name) && !cards ? [`p${i}`] : []));
  }

  /** The place of a part of a move, such as 3, w or fS, as c2 or p4. */
  #place(text, card) {
    if (/^\d/.test(text)) return `c${text - 1}`;
    const isOfJoker = text === "x" || (text === "f" && card[0] === "X");
    const name = { s: "stock", w: "waste" }[text] ?? (isOfJoker ? card : text[1] || card[1]);
    return `p${this.piles.findIndex(pile => pile.name === name)}`;
  }

  #words(text) {
    if (text === "w") return "the waste";
    return text[0] === "f" ? `the foundation of ${NAMES[text[1]]}` : `column ${text}`;
  }

  /** The cards that a move takes up or turns, in words. */
  #names({ card, from, count }) {
    const { columns, stock, waste, draw } = this.board;
    if (from === "s") return (stock.length ? stock : waste).slice(0, draw).join(" ");
    return `${card} to ${columns[from - 1]?.cards.at(-1)}`;
  }

  /** The runs that left, in words. */
  #left(after) {
    if (!this.game.hasRuns) return [];
    return Object.entries(this.board.foundations).flatMap(([suit, cards]) =>
      Array((after.board.foundations[suit].length - cards.length) / RANKS.length).fill(
        `king to ace of ${NAMES[suit]} leave`,
      ),
    );
  }

  /** The cards that changed places with a joker, in words: the joker lies where they would lie after the move. */
  #exchanged(move, after) {
    if (!this.board.jokers) return [];
    const expected = this.#spots(),
      found = after.#spots();
    this.#taken(move).forEach((card, i) => expected.set(card, this.#spotAfter(move, i)));
    return this.board.jokers.flatMap(({ card: joker, isOpenAce }, i) => {
      const spot = found.get(joker);
      const isPlaced = isOpenAce && after.board.jokers[i].place; // an open ace that a suit was chosen for
      const other = [...expected].find(([card, at]) => at === spot && card !== joker);
      if (isPlaced || spot === expected.get(joker) || !other) return [];
      return [`${other[0]} and ${joker} change places`];
    });
  }

  /** The cards that a move takes up, deepest first. */
  #taken({ card, from, to, count }) {
    if (from === to) return [];
    return from === "s" || from === "w" ? [card] : this.board.columns[from - 1].cards.slice(-count);
  }

  /** The place of the card number `i` of a move after it, before any exchange. */
  #spotAfter({ card, to }, i) {
    if (to === "w") return `waste/${this.board.waste.length}`;
    if (/^\d/.test(to)) return `c${to - 1}/${this.board.columns[to - 1].cards.length + i}`;
    if (to === "x" || (to === "f" && card[0] === "X")) return "joker";
    const suit = to[1] || card[1];
    return `${suit}/${this.board.foundations[suit].length}`;
  }

  /** The place of each card, by its name. */
  #spots() {
    const spots = new Map();
    this.board.columns.forEach(({ cards }, i) => cards.forEach((card, at) => spots.set(card, `c${i}/${at}`)));
    for (const [suit, cards] of Object.entries(this.board.foundations))
      cards.forEach((card, at) => spots.set(card, `${suit}/${at}`));
    this.board.waste.forEach((card, at) => {
      spots.set(card, `waste/${at}`);
    });
    for (const card of this.board.stock) spots.set(card, "stock");
    for (const { card, isOpenAce, isOut } of this.board.jokers)
      if (isOpenAce || isOut) spots.set(card, "joker");
    return spots;
  }
}

const pile = (kind, name, cards, note) => ({ kind, name, cards: cards.join(" "), note });
