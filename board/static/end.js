/* Card of the end of a game, in the place of the hints: won, lost or stopped, with what was possible, and as
   a text to share. */

import { escapeText, pretty } from "./cards.js";
import { keepFocus } from "./input.js";
import { moveInWords } from "./looks.js";

/** @import { Game } from "./game.js" */
/** @import { GameNode, Known, Rules } from "./types.d.ts" */

/** The content of the card: `lead` and `more` are sentences, `rows` lead to moves as HTML, and with
    `isLine` a line can be shown.
    @typedef {{ title: string; lead: string; rows: string[]; more: string; isLine?: boolean }} End */

/** @type {(what: string, text: string, isMain?: boolean) => string} */
const button = (what, text, isMain) =>
  `<button type="button" data-do="${what}"${isMain ? ' class="main"' : ""}>${text}</button>`;
/** @type {(count: number) => string} */
const inMoves = count => (count === 1 ? "1 move" : `${count} moves`);
const EASY = 1.1,
  ALL = 3; // moves for two stars, as a multiple of the fewest; stars for the fewest
const MOST_ROWS = 5;
let drawn = ""; // the HTML of the card that is shown
const TIERS = ["win", "double", "triple"];
/** @type {(text: string) => string} */
const capital = text => text[0].toUpperCase() + text.slice(1);

/** Show the card in `element` where the game is at its end, `isEnd`; `rules` are those of the game. With
    `isSpent` the cards are hidden and nothing is left to weigh; with `isHopeless` they are hidden, and the
    game is proved lost.
    @param {HTMLElement} element     @param {Game} game     @param {Rules} rules     @param {boolean} isEnd
      @param {{ isSpent: boolean; isHopeless: boolean }} hidden */
export function drawEnd(element, game, rules, isEnd, { isSpent, isHopeless }) {
  if (!isEnd) {
    keepFocus(element, () => {
      element.hidden = true;
      drawn = element.textContent = "";
    });
    return;
  }
  const isNew = element.hidden,
    isScored = isOfScore(game, rules),
    isWon = game.position.over === "won",
    stars = starsOf(game);
  const { title, lead, rows, more, isLine } = isWon ? won(game) : isScored ? stopped(game) : lost(game);
  const last = isWon ? null : game.lastGood,
    before = isHopeless ? (game.firstHopeless?.parent ?? null) : null;
  const why = isHopeless
    ? "Lost, whatever the hidden cards are: that is proved."
    : isSpent && !isWon
      ? "No move that is left promises more: you may stop here."
      : lead;
  const head = escapeText(isHopeless ? "Hopeless" : isScored ? scoreTitle(game, rules) : title),
    others = rows.length - MOST_ROWS;
  const label = `aria-label="${stars} of ${ALL} stars"`,
    shine = `<span class="stars" role="img" ${label}>${starText(stars)}</span>`;
  const html = `<h2>${head} ${stars ? shine : ""}</h2>
    ${isScored ? ladder(game, rules) : ""}
    ${[why, more, helpOf(game, isWon)]
      .filter(text => text)
      .map((text, i) => `<p${i ? ' class="soft"' : ""}>${escapeText(text)}</p>`)
      .join("")}
    ${rows.length ? `<ul class="rows">${rows.slice(0, MOST_ROWS).join("")}` : ""}
    ${others > 0 ? `<li class="soft">and ${others} more</li>` : ""}${rows.length ? "</ul>" : ""}
    <p class="row">${[
      last
        ? button(
            "back",
            last.ply ? `Back to move ${last.ply} and try again` : "Back to the deal and try again",
          )
        : "",
      before === null ? "" : `<button type="button" data-node="${before}">Go back</button>`,
      isLine ? button("line", "Show that line") : "",
      game.mode === "player" ? button("finish", "Show the cards") : "",
      game.node?.ply && (game.revealed || (game.mode === "player" && game.position.over))
        ? button("judge", "Review my play")
        : "",
    ].join("")}</p>
    <p class="row finish">${button("another", "Another deal", true)}
    ${button("restart", "Same deal again")}${button("share", "Share")}</p>`;
  keepFocus(element, () => {
    element.hidden = false;
    element.dataset.kind = isWon || (isScored && tierOf(game, rules) !== "none") ? "won" : "lost";
    if (drawn !== html) element.innerHTML = drawn = html;
  });
  if (isNew) element.scrollIntoView({ block: "nearest" });
}

/** The score that can be reached; -1 if none is known.
    @type {(judged: Known | null | undefined) => number} */
const scoreOf = judged => judged?.score ?? -1;

/** The result of a game as a text for others.
    @type {(game: Game, rules: Rules) => string} */
export function resultText(game, rules) {
  const isWon = game.position.over === "won",
    isScored = isOfScore(game, rules),
    stars = starsOf(game),
    { judged } = game.root;
  const name = game.day ? `deal of ${dayText(game.day)}` : game.name,
    ply = game.node ? game.node.ply : 0;
  const best = isWon
    ? judged?.length && judged.length < ply
      ? ` (${judged.shortest ? "fewest possible" : "fewest known"}: ${judged.length})`
      : ""
    : isScored && scoreOf(judged) > Number(game.position.picture.score)
      ? ` (best: ${scoreOf(judged) === game.places ? "all " : ""}${scoreOf(judged)})`
      : "";
  const title =
    isScored && !isWon
      ? scoreTitle(game, rules)
      : isWon
        ? `Won in ${inMoves(ply)}`
        : game.position.over
          ? `Lost after ${inMoves(ply)}`
          : `Stopped after ${inMoves(ply)}`;
  return [
    `winnable: ${game.title}, ${name}`,
    [title + best, stars ? starText(stars) : ""].filter(text => text).join(" "),
    helpOf(game, isWon),
  ]
    .filter(text => text)
    .join("\n");
}

/** @type {(day: Date) => string} */
export const dayText = day =>
  day.toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric" });

/** The fewest moves known of the deal, as words; empty if none are known.
    @type {(game: { root: { judged: Known | null } }) => string} */
export function parText({ root: { judged } }) {
  return judged && judged.verdict === "winnable" && judged.length && (judged.score ?? null) === null
    ? judged.shortest
      ? `proved fewest: ${judged.length}`
      : `fewest known: ${judged.length}`
    : "";
}

/** @type {(stars: number) => string} */
const starText = stars => "\u2605".repeat(stars) + "\u2606".repeat(ALL - stars);

/** @type {(game: Game) => number} */
function starsOf(game) {
  const { judged } = game.root,
    path = game.pathTo(game.position.node).slice(1);
  if (game.position.over !== "won" || !judged || !judged.length || path.every(node => node.helped)) return 0;
  return path.length <= judged.length ? ALL : path.length <= EASY * judged.length ? 2 : 1;
}

/** @type {(game: Game, isWon: boolean) => string} */
function helpOf(game, isWon) {
  const path = game.pathTo(game.position.node).slice(1),
    helped = path.filter(node => node.helped).length;
  const back = game.position.turned_back ? "Cards that were turned up were taken back." : "";
  if (!path.length) return back;
  const help = !helped
    ? isWon
      ? "Won without hints."
      : ""
    : helped === path.length
      ? `All moves were shown by hints${isWon ? ": it is not counted as a win" : ""}.`
      : `${inMoves(helped)} with hints.`;
  return [help, back].filter(text => text).join(" ");
}

/** A row that leads to a move: its label, the move, and its consequence.
    @type {(       node: GameNode, name: string, worth: string, kind?: string, move?: string | null, as?:
      string | null     ) => string} */
function row(node, name, worth, kind = "", move = node.move, as = node.as) {
  const words = `<b>${name}</b> <span>${pretty(moveInWords(move || "", as))}</span>`,
    end = `<em class="${kind}">${escapeText(worth)}</em>`;
  return `<li><button type="button" data-node="${node.node}">${words} ${end}</button></li>`;
}

/** @type {(game: Game) => End} */
function won(game) {
  const path = game.pathTo(game.position.node),
    { judged } = game.root,
    ply = path.length - 1;
  const fewest = judged?.verdict === "winnable" ? (judged.length ?? null) : null,
    isProved = !!judged?.shortest;
  const lead =
    fewest === null
      ? `You needed ${inMoves(ply)}.`
      : ply > fewest
        ? `You needed ${inMoves(ply)}; ${fewest} is the fewest ${isProved ? "possible, proved" : "known"}.`
        : isProved
          ? `You needed ${inMoves(ply)}, the fewest possible, proved.`
          : `You needed ${inMoves(ply)}; no shorter solution is known.`;
  const rows = path.slice(1).flatMap((node, i) => {
    const more = slower(path[i].judged, node.judged);
    return more > 0 ? [row(node, `Move ${node.ply}`, `${inMoves(more)} longer`)] : [];
  });
  return { title: "Won", lead, rows, more: "" };
}

/** The number of moves that the move between two results is proved to have cost.
    @type {(before: Known | null, after: Known | null) => number} */
function slower(before, after) {
  if (!before?.length || !after) return 0;
  const least = (after.shortest ? after.length : after.lower_bound) ?? null;
  return least === null ? 0 : least + 1 - before.length;
}

/** The end of a game without a score that was not won: where the win was lost.
    @type {(game: Game) => End} */
function lost(game) {
  const { judged } = game.root,
    { over } = game.position,
    ply = game.node ? game.node.ply : 0,
    before = game.lastGood,
    here = game.node?.judged;
  const title = over ? "Lost: no move is left" : `Stopped after ${inMoves(ply)}`;
  const bad = before && game.pathTo(game.position.node).find(node => node.parent === before.node);
  if (before && bad) {
    const worth = before.judged;
    const length = worth?.length ? `${worth.shortest ? "" : "at most "}${inMoves(worth.length)}` : "";
    const lead = [
      `The win was lost at move ${bad.ply}.`,
      ...(length ? [`It could still be won in ${length} before it.`] : []),
    ].join(" ");
    const played = bad === game.node && over ? "no move is left" : "makes the deal unwinnable";
    const kept = before.best
      ? [
          row(
            before,
            "Kept it",
            worth?.length
              ? `wins in ${worth.shortest ? "" : "at most "}${worth.length - 1} more`
              : "still wins",
            "good",
            before.best,
            before.best_as,
          ),
        ]
      : [];
    return { title, lead, rows: [row(bad, "Played", played, "bad"), ...kept], more: "" };
  }
  if (judged?.verdict === "unwinnable")
    return { title, lead: "Nobody could win this deal: that is proved.", rows: [], more: "" };
  if (!over && here?.verdict === "winnable") {
    return {
      title,
      lead: `It could still be won in ${here.shortest ? "" : "at most "}${inMoves(here.length ?? 0)}.`,
      rows: [],
      more: "",
      isLine: true,
    };
  }
  return {
    title,
    lead: judged?.verdict === "winnable" ? "The deal can be won; which move lost it is not known yet." : "",
    rows: [],
    more: "",
  };
}

/** The end of a game with a score: what could still have gone up, and the moves that lost something.
    @type {(game: Game) => End} */
function stopped(game) {
  const score = Number(game.position.picture.score),
    { judged } = game.root,
    here = game.node?.judged,
    best = scoreOf(here),
    first = scoreOf(judged),
    all = (/** @type {number} */ count) => (count === game.places ? `all ${count}` : `${count} cards`);
  const isMore = best > score;
  const most = `${here?.exact ? "" : "at least "}${all(best)}`,
    ends = best === game.places && here?.length ? inMoves(here.length) : "",
    length = ends && `, in ${ends}${here?.shortest ? "" : " or fewer"}`;
  const lead =
    !here || best < 0
      ? ""
      : isMore
        ? `With all cards known, ${most} could have gone up from here${length}.`
        : here.exact
          ? "No more cards can go up from here, proved."
          : "";
  const tier = judged?.tier && judged.tier !== "none" ? ` (${judged.tier})` : "";
  const more =
    first < 0
      ? ""
      : first === score && judged?.exact
        ? "Nobody could reach more from this deal."
        : first > (here?.score ?? score)
          ? `From the deal ${all(first)}${tier} could be reached${judged?.exact ? "" : ", or more"}.`
          : "";
  const bad = game.pathTo(game.position.node).filter(node => node.mark === "mistake");
  return {
    title: "",
    lead,
    more,
    rows: bad.map(node => row(node, `Move ${node.ply}`, node.loss || "", "bad")),
    isLine: isMore,
  };
}

/** @type {(game: Game, rules: Rules) => boolean} */
const isOfScore = (game, rules) => rules.scored && game.position.picture.score !== null;
/** @type {(game: Game, rules: Rules) => string} */
const tierOf = (game, rules) =>
  (Object.entries(rules.tiers)
    .sort((a, b) => b[1] - a[1])
    .find(([, cards]) => cards && Number(game.position.picture.score) >= cards) || ["none"])[0];

/** @type {(game: Game, rules: Rules) => string} */
function scoreTitle(game, rules) {
  const { score } = game.position.picture,
    tier = tierOf(game, rules);
  const count = score === game.places ? `all ${score}` : `${score} of ${game.places}`;
  return `${tier === "none" ? "No win" : capital(tier)}: ${count} cards up`;
}

/** The tiers; those reached have a tick.
    @type {(game: Game, rules: Rules) => string} */
function ladder(game, rules) {
  const score = Number(game.position.picture.score);
  const steps = TIERS.filter(tier => rules.tiers[tier]).map(tier => {
    const cards = rules.tiers[tier],
      isDone = score >= cards;
    const count = cards === game.places ? `all ${cards}` : `${cards} cards`,
      name = `${isDone ? "\u2713\u00a0" : ""}${capital(tier)}`;
    return `<li${isDone ? ' class="done"' : ""}><b>${name}</b>
      <small>${count}${isDone ? '<span class="sr">, reached</span>' : ""}</small></li>`;
  });
  return `<ol class="ladder">${steps.join("")}</ol>`;
}
