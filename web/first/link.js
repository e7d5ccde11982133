/* The address of a game, as board/links.py writes and reads it. */

const KEYS = ["game", "seed", "mode", "moves", "at", "level", "tier"];
const MOST_SEED = 2n ** 64n - 1n;

/** The request to open the game of an address; null if only Python can read it, or say what is wrong with it. */
export function requestOf(link, games) {
  const all = [...new URLSearchParams(link.replace(/^#/, ""))],
    fields = Object.fromEntries(all);
  const game = games.find(one => one.game === fields.game);
  if (!game || all.length !== Object.keys(fields).length) return null;
  const names = Object.keys(game.choices),
    choices = {};
  for (const [key, value] of all) {
    if (names.includes(key)) choices[key] = value;
    else if (!KEYS.includes(key)) return null;
  }
  const { seed, level, tier, mode = "analysis", at } = fields;
  if (at !== undefined && !/^\d{1,6}$/.test(at)) return null;
  const from =
    seed !== undefined ? { seed } : level || tier ? { winnable: true, level, tier } : { random: true };
  const moves = fields.moves ? fields.moves.split(",") : [];
  return { game: game.game, mode, choices, from, moves, ...(at && { at: +at }) };
}

/** The rule options that differ from the usual ones; null if one has a value that its game does not know. */
export function unusual(game, choices = {}) {
  const given = Object.entries(choices);
  if (given.some(([name, value]) => !game.choices[name]?.includes(value))) return null;
  return Object.fromEntries(given.filter(([name, value]) => value !== game.choices[name][0]));
}

/** A seed as text, a whole number from 0 to 2^64 - 1; null for anything else. */
export function seedOf(value) {
  const text = String(value);
  return /^\d{1,20}$/.test(text) && BigInt(text) <= MOST_SEED ? String(BigInt(text)) : null;
}

/** The address of a game: `fields` are pairs of a key and a value. */
export const linkOf = fields => "#" + fields.map(([key, value]) => `${key}=${quoted(value)}`).join("&");

const quoted = value => encodeURIComponent(value).replace(/%(3D|2C|2B|28|29|3F)/g, decodeURIComponent);
