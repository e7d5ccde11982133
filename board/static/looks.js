/* Appearance: dark or light, two or four suit colours; stored where the browser allows it. */

import { inWords } from "./cards.js";

const root = document.documentElement;

/* A chance in percent with its standard error; where all samples agree, the end of its interval. */
export function chancePercent({ probability, error, low, high }) {
  if (low === 0) return `\u2264${Math.max(0.1, Math.round(1000 * high) / 10)}`;
  if (high === 1) return `\u2265${Math.min(99.9, Math.round(1000 * low) / 10)}`;
  return `${Math.round(100 * probability)}<small>\u00b1${Math.round(100 * error) || "&lt;1"}</small>`;
}

export function keep(name, value) {
  try { localStorage.setItem("winnable-" + name, value); } catch { /* not everywhere */ }
}
export function kept(name) {
  try { return localStorage.getItem("winnable-" + name); } catch { return null; }
}

/* Whether figures are shown: notation, states, seconds, stages. */
export const showsFigures = () => kept("figures") === "on";

/* A move in notation for those who want figures, for others in words. */
export const moveText = text => showsFigures() ? text : inWords(text);

/* Let two buttons change the looks. */
export function offerLooks(themeButton, deckButton) {
  const setTheme = theme => { root.dataset.theme = theme; themeButton.textContent = theme === "dark" ? "Light" : "Dark"; };
  const setDeck = deck => { root.dataset.deck = deck; deckButton.textContent = deck === "two" ? "Four colours" : "Two colours"; };
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const usual = () => isDark.matches ? "dark" : "light";
  setTheme(kept("theme") || usual());
  isDark.addEventListener("change", () => { if (!kept("theme")) setTheme(usual()); });
  setDeck(kept("deck") || "four");
  themeButton.onclick = () => { setTheme(root.dataset.theme === "dark" ? "light" : "dark"); keep("theme", root.dataset.theme); };
  deckButton.onclick = () => { setDeck(root.dataset.deck === "two" ? "four" : "two"); keep("deck", root.dataset.deck); };
}

/* Mark a button of a list as the step that is shown, and bring it into the middle, without moving the page. */
export function markStep(list, button) {
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  if (!button) return;
  button.setAttribute("aria-current", "step");
  list.scrollTop += button.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
}

/* Put text on the clipboard; whether that worked. */
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
