/* Graph of a game: after each move the distance to the win, the score that can be reached, or the chance. A click goes there. */

const WIDTH = 300, HEIGHT = 64, LOST = HEIGHT - 5;

export class Graph {
  /* `go(node)` is called for the position that a person clicks. */
  constructor(svg, go) {
    Object.assign(this, { svg, line: [] });
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.addEventListener("click", event => {
      const box = svg.getBoundingClientRect(), part = (event.clientX - box.left) / box.width;
      const node = this.line[Math.round(part * (this.line.length - 1))];
      if (node) go(node.node);
    });
  }

  draw(game, isScored) {
    this.line = game.line;
    const worth = game.isPlayed ? node => node.chance : isScored ? node => node.judged?.score : distance;
    const values = this.line.map(worth), known = values.filter(Number.isFinite);
    this.svg.parentElement.hidden = this.line.length < 3 || !known.length;
    if (this.svg.parentElement.hidden) return;
    const most = game.isPlayed ? 1 : isScored ? game.places : Math.max(1, ...known), isDistance = !game.isPlayed && !isScored;
    const x = i => (i / (this.line.length - 1) * (WIDTH - 8) + 4).toFixed(1);
    const y = value => (isDistance ? 6 + (LOST - 12) * value / most : LOST - (LOST - 6) * value / most).toFixed(1);
    const at = values.map((value, i) => Number.isFinite(value) ? [x(i), y(value)] : isLost(this.line[i]) ? [x(i), LOST] : null);
    const here = this.line.indexOf(game.node);
    const dots = this.line.map((node, i) => node.mark === "mistake" && at[i] ? `<circle class="mistake" cx="${at[i][0]}" cy="${at[i][1]}" r="4"/>` : "").join("");
    this.svg.innerHTML = `<path class="line" d="${at.map((point, i) => point ? `${i && at[i - 1] ? "L" : "M"}${point}` : "").join("")}"/>${dots}
      <path class="here" d="M${x(here)} 0V${HEIGHT}"/>${at[here] ? `<circle cx="${at[here][0]}" cy="${at[here][1]}" r="4"/>` : ""}`;
    const what = game.isPlayed ? "Chance to win" : isScored ? "Score that can be reached" : "Moves to the win";
    this.svg.previousElementSibling.textContent = `${what} after each move`;
    this.svg.setAttribute("aria-label", `${what} after each of ${this.line.length - 1} moves, at first ${known[0].toLocaleString("en")}, at last ${known.at(-1).toLocaleString("en")}`);
  }
}

const isLost = node => node.judged && node.judged.verdict === "unwinnable";
const distance = node => node.over === "won" ? 0 : node.judged && node.judged.verdict === "winnable" ? node.judged.length : NaN;
