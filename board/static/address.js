/* The address of the page, `location.hash`, and the entries of the browser's history: the home page has none,
   the editor and each game have their own. */

const PAUSE = 400; // milliseconds between changes of the address by moves
const LATE = "winnable-late"; // key of the addresses that a reload may find
const LATE_FOR = 5000; // milliseconds before the end of the page, since when a reload may miss changes

export class Address {
  /** The address of the last move, until it is written; null if none waits.
      @type {string | null} */
  #waiting = null;
  /** The timer of the pause between two changes; null if none runs.
      @type {ReturnType<typeof setTimeout> | null} */
  #pause = null;
  /** The addresses of moves before the last, and when they were replaced.
      @type {{ link: string; at: number }[]} */
  #replaced = [];
  /** The addresses before the last that the page had shortly before it was left. */
  #late = takeLate();

  constructor() {
    addEventListener("pagehide", () => this.#leave());
    addEventListener("popstate", () => {
      this.#waiting = null; // another entry of the history, whose address stays
    });
  }

  /** Show an address: that of a new deal is a new entry of the browser's history, that of a move replaces the
      current entry. Moves in quick succession replace it once a pause: browsers refuse more than 100 changes
      in half a minute.
      @type {(link: string, isNewDeal: boolean) => void} */
  show(link, isNewDeal) {
    if (isNewDeal) {
      this.#write();
      if (location.hash !== link) history.pushState(null, "", link);
      return;
    }
    if (!this.#pause && link === location.hash) return; // no change, after which moves would have to wait
    this.#waiting = link;
    if (this.#pause) return;
    this.#write();
    this.#pause = setTimeout(() => {
      this.#pause = null;
      this.#write();
    }, PAUSE);
  }

  /** Make `link` a new entry of the browser's history, after the address of the last move.
      @type {(link: string) => void} */
  push(link) {
    this.#write();
    history.pushState(null, "", link);
  }

  /* Go to the address of the home page, as a new entry of the browser's history. */
  goHome() {
    this.#write();
    if (location.hash.length > 1) history.pushState(null, "", location.pathname + location.search);
  }

  /* Put the address of the home page in place of the current one. */
  clear() {
    history.replaceState(null, "", location.pathname + location.search);
  }

  /** True if a reload or Back may have found `link` in place of the address of the stored position. Only the
      first call can be true.
      @type {(link: string) => boolean} */
  takeLate(link) {
    const isLate = this.#late.includes(link);
    this.#late = [];
    return isLate;
  }

  /* Write the address of the last move, if it waits for the pause. */
  #write() {
    if (this.#waiting !== null && location.hash !== this.#waiting) {
      this.#replaced = [...this.#fresh(), { link: location.hash, at: performance.now() }];
      history.replaceState(null, "", this.#waiting);
    }
    this.#waiting = null;
  }

  #fresh() {
    const now = performance.now();
    return this.#replaced.filter(({ at }) => now - at < LATE_FOR);
  }

  /* Leave the page. A reload that has begun opens the address which the page had then, so that those which
     were replaced since are noted as late. */
  #leave() {
    this.#write();
    const links = this.#fresh().map(({ link }) => link);
    try {
      if (links.length) sessionStorage.setItem(LATE, JSON.stringify(links));
    } catch {
      /* storage is full or forbidden */
    }
  }
}

/** The addresses that the page noted when it was left, for a reload or Back. None if the person has opened a
    link: it means its own position.
    @type {() => string[]} */
function takeLate() {
  try {
    const links = JSON.parse(sessionStorage.getItem(LATE) || "[]"),
      [how] = performance.getEntriesByType("navigation");
    sessionStorage.removeItem(LATE);
    const isNew = how instanceof PerformanceNavigationTiming && how.type === "navigate";
    return Array.isArray(links) && !isNew ? links : [];
  } catch {
    return [];
  }
}
