/* Appearance: dark or light, two or four suit colours; stored where the browser allows it. */

import { escapeText, inWords, SIGNS } from "./cards.js";

/** @import { Chance } from "./types.d.ts" */

/** A probability in percent, which never is 0 or 100: a chance is no proof.
    @type {(part: number) => string} */
export const percentText = part =>
  part < 0.005 ? "<1" : part >= 0.995 ? ">99" : `${Math.round(100 * part)}`;

/** A chance in percent with its standard error, as HTML; if all samples agree, with the distance to the end
    of its interval.
    @type {(chance: Chance) => string} */
export function chancePercent({ probability, error: usual, low, high }) {
  const apart = low === 0 ? high - probability : high === 1 ? probability - low : usual;
  const error = `\u00b1${Math.round(100 * apart) || "&lt;1"}`;
  return `${escapeText(percentText(probability))}<small title="standard error">${error}</small>`;
}

/** @type {(name: string, value: string) => void} */
export function keep(name, value) {
  try {
    localStorage.setItem("winnable-" + name, value);
  } catch {
    /* not everywhere */
  }
}
/** @type {(name: string) => string | null} */
export function kept(name) {
  try {
    return localStorage.getItem("winnable-" + name);
  } catch {
    return null;
  }
}

/* True if search figures are shown: notation, states, seconds, stages. */
export const showsFigures = () => kept("figures") === "on";

/** A move in notation if figures are shown, else with arrows, for narrow lists.
    @type {(text: string, as?: string | null) => string} */
export const moveText = (text, as) => (showsFigures() ? text : inWords(text, as));

/** A move in notation if figures are shown, else in words: 7S 10-f is "7S to its foundation". With `isLong`
    the words name the column that it leaves, for games with two cards of a name.
    @type {(text: string, as?: string | null, isLong?: boolean) => string} */
export function moveInWords(text, as = "", isLong = false) {
  const [, card, from, to] = /^(\S+) (\w+)-(\w+)$/.exec(text) || [];
  if (showsFigures() || !card || from === "s") return moveText(text, as);
  const source = isLong && /^\d/.test(from) ? ` from column ${from}` : "",
    target = /^\d/.test(to) ? `to column ${to}` : WHERE[to] || `to the foundation of ${SIGNS[to[1]]}`;
  return `${card}${source} ${target}${as ? ` as ${as}` : ""}`;
}

/** @type {Record<string, string>} */
const WHERE = { f: "to its foundation", x: "out of play" };

/* True on a screen that is touched: there is no pointer that hovers. */
export const isTouched = () => matchMedia("(hover: none) and (pointer: coarse)").matches;

/** Connect two buttons, or checkboxes for dark mode and for four colours, to the appearance.
    @type {(themeButton: HTMLElement, deckButton: HTMLElement) => void} */
export function offerLooks(themeButton, deckButton) {
  const root = document.documentElement;
  const setTheme = (/** @type {string} */ theme) => {
    root.dataset.theme = theme;
    if (themeButton instanceof HTMLInputElement) themeButton.checked = theme === "dark";
    else themeButton.textContent = theme === "dark" ? "Light" : "Dark";
  };
  const setDeck = (/** @type {string} */ deck) => {
    root.dataset.deck = deck;
    if (deckButton instanceof HTMLInputElement) deckButton.checked = deck === "four";
    else deckButton.textContent = deck === "two" ? "Four colours" : "Two colours";
  };
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const usual = () => (isDark.matches ? "dark" : "light");
  setTheme(kept("theme") || usual());
  isDark.addEventListener("change", () => {
    if (!kept("theme")) setTheme(usual());
  });
  setDeck(kept("deck") || "four");
  themeButton.onclick = () => {
    setTheme(root.dataset.theme === "dark" ? "light" : "dark");
    keep("theme", root.dataset.theme || "");
  };
  deckButton.onclick = () => {
    setDeck(root.dataset.deck === "two" ? "four" : "two");
    keep("deck", root.dataset.deck || "");
  };
}

/** Mark a button of a list as the current step and scroll it to the middle of the list, without scrolling the
    page.
    @type {(list: Element, button: HTMLElement | null | undefined) => void} */
export function markStep(list, button) {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  if (!button) return;
  button.setAttribute("aria-current", "step");
  list.scrollTop +=
    button.getBoundingClientRect().top -
    list.getBoundingClientRect().top -
    (list.clientHeight - button.offsetHeight) / 2;
}

/** Copy text to the clipboard; resolves to whether that worked.
    @type {(text: string) => Promise<boolean>} */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "sr";
    document.body.append(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    return isDone;
  }
}
