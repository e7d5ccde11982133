/* Graph of a game: after each move the distance to the win, the score that can be reached, or the chances.
   Higher is better. A click goes there. */

import { find } from "./elements.js";

/** @import { Game } from "./game.js" */
/** @import { GameNode } from "./types.d.ts" */

/** The meaning of a height: values, and marks of some of them in words.
    @typedef {{ best: number; worst: number; marks: [value: number, words: string | number][] }} Scale */

/** The worth of a position; undefined or NaN where that is not known.
    @typedef {(node: GameNode) => number | null | undefined} Worth */

const TIERS = ["win", "double", "triple"],
  LANE = 13; // height in pixels of the lane of lost positions

export class Graph {
  /** The game; null before it is drawn first.
      @type {Game | null} */
  #game = null;
  #isScored = false;
  /** The positions of its line.
      @type {GameNode[]} */
  #line = [];
  #left = 0; // pixels from the edge to the first position
  #step = 1; // pixels from one position to the next

  /** `go` is called for the position that a person clicks.
      @param {SVGSVGElement} svg
      @param {(node: number) => void} go */
  constructor(svg, go) {
    this.svg = svg;
    svg.addEventListener("click", event => {
      const at = Math.round((event.clientX - svg.getBoundingClientRect().left - this.#left) / this.#step);
      const node = this.#line[Math.max(0, Math.min(this.#line.length - 1, at))];
      if (node) go(node.node);
    });
    new ResizeObserver(() => {
      if (this.#game) this.draw(this.#game, this.#isScored);
    }).observe(svg);
  }

  /** @type {(game: Game, isScored: boolean) => void} */
  draw(game, isScored) {
    this.#game = game;
    this.#isScored = isScored;
    this.#line = game.line;
    const { svg } = this,
      line = this.#line,
      isDistance = !game.isPlayed && !isScored;
    /** @type {Worth[]} */
    const worths = game.isPlayed
      ? TIERS.map(tier => node => node.chances?.[tier])
      : [isScored ? node => node.judged?.score : distance];
    const values = worths.map(worth => line.map(worth)).filter((list, i) => !i || list.some(isNumber));
    const known = values[0].filter(isNumber),
      box = svg.closest(".graph");
    if (!(box instanceof HTMLElement)) return;
    box.hidden = line.length < 3 || !known.length;
    if (box.hidden) return;
    const what = game.isPlayed ? "Chances" : isScored ? "Score that can be reached" : "Moves left to the win";
    find(box, ".what").textContent = what;
    find(box, "h2 small").textContent = isDistance ? "fewest at the top" : "";
    svg.setAttribute(
      "aria-label",
      `${what} after each of ${line.length - 1} moves, at first ${known[0].toLocaleString("en")}, ` +
        `at last ${known[known.length - 1].toLocaleString("en")}`,
    );
    const { clientWidth: width, clientHeight: height } = svg;
    if (width < 40 || height < 30) return; // its pane is hidden
    /** @type {Scale} */
    const scale = isDistance
      ? distances(known)
      : game.isPlayed
        ? {
            best: 1,
            worst: 0,
            marks: [
              [1, "100 %"],
              [0.5, "50 %"],
              [0, "0 %"],
            ],
          }
        : {
            best: game.places,
            worst: 0,
            marks: [0, game.places / 2, game.places].map(value => [value, value]),
          };
    const lane = isDistance && line.some(isLost) ? LANE : 0,
      x0 = 38,
      x1 = width - (values.length > 1 ? 46 : 10),
      y0 = 7,
      y1 = height - 18 - lane;
    const step = (x1 - x0) / (line.length - 1);
    this.#left = x0;
    this.#step = step;
    const x = (/** @type {number} */ i) => (x0 + i * step).toFixed(1),
      y = (/** @type {number} */ value) =>
        (y0 + ((scale.best - value) / (scale.best - scale.worst)) * (y1 - y0)).toFixed(1);
    /** @type {(kind: string, left: Shown, top: Shown, anchor: string, words: Shown) => string} */
    const text = (kind, left, top, anchor, words) =>
      `<text class="axis ${kind}" x="${left}" y="${top}" text-anchor="${anchor}">${words}</text>`;
    const every = [1, 2, 5, 10, 20, 50, 100].find(one => one * step >= 26) || 200,
      here = line.indexOf(/** @type {GameNode} */ (game.node));
    let out = lane
      ? `<rect class="lane" x="${x0}" y="${y1 + 2}" width="${x1 - x0}" height="${lane - 2}"/>` +
        text("bad", x0 - 4, y1 + lane - 1, "end", "lost")
      : "";
    for (const [value, words] of scale.marks)
      out +=
        `<path class="grid" d="M${x0} ${y(value)}H${x1}"/>` + text("", x0 - 4, +y(value) + 3.5, "end", words);
    for (let i = 0; i < line.length; i += every) out += text("", x(i), height - 2, "middle", i || "deal");
    let lowest = -Infinity; // bottom of the lowest line's name
    values.forEach((list, k) => {
      const at = list.map((value, i) =>
        isNumber(value) ? [x(i), y(value)] : lane && isLost(line[i]) ? [x(i), y1 + lane / 2 + 1] : null,
      );
      let d = "",
        isDown = true;
      for (const point of at) {
        if (point) {
          d += `${isDown ? "M" : "L"}${point}`;
          isDown = false;
        } else if (!game.isPlayed) isDown = true; // chances arrive late, and not for every position
      }
      out += `<path class="line ${TIERS[k]}" d="${d}"/>`;
      const last = at.findLast(point => point);
      if (values.length > 1 && last) {
        lowest = Math.max(lowest + 12, +last[1] + 3.5);
        out += text(TIERS[k], x1 + 5, lowest, "start", TIERS[k]);
      }
      out += circle(`dot ${TIERS[k]}`, at[here], 3.5);
      if (!k)
        line.forEach((node, i) => {
          if (node.mark === "mistake") out += circle("mistake", at[i], 4);
        });
    });
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.innerHTML = `${out}<path class="here" d="M${x(here)} ${y0}V${height - 15}"/>`;
  }
}

/** The scale of distances: the fewest moves at the top, and two to four round numbers.
    @type {(known: number[]) => Scale} */
export function distances(known) {
  const best = Math.min(...known),
    most = Math.max(...known),
    worst = most === best ? best + 1 : most;
  const step = [1, 2, 5, 10, 20, 50, 100].find(one => (worst - best) / one <= 3) || 200;
  /** @type {Scale["marks"]} */
  const marks = [];
  for (let value = Math.ceil(best / step) * step; value <= most; value += step)
    marks.push([value, value || "won"]);
  return { best, worst, marks };
}

/** A dot at a point; nothing if the point is not known.
    @type {(kind: string, point: Shown[] | null | undefined, radius: number) => string} */
const circle = (kind, point, radius) =>
  point ? `<circle class="${kind}" cx="${point[0]}" cy="${point[1]}" r="${radius}"/>` : "";

/** @typedef {string | number} Shown */

/** @param {number | null | undefined} value
    @returns {value is number} */
const isNumber = value => Number.isFinite(value);

/** @type {(node: GameNode) => boolean} */
const isLost = node => node.judged?.verdict === "unwinnable";

/** @type {Worth} */
const distance = node =>
  node.over === "won" ? 0 : node.judged?.verdict === "winnable" ? (node.judged.length ?? NaN) : NaN;
