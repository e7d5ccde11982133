/* Types of games.js, which `python -m web.npm` writes. */

export const version: string;

/** What the C library does not say of a game. */
export interface Game {
  title: string;
  /** The values of each rule option, the usual one first. */
  options: Record<string, string[]>;
  /** The least score of each tier. */
  tiers: Record<string, number>;
  hasStock: boolean;
  hasScores: boolean;
  hasRuns: boolean;
  copies: number;
}

export const games: Record<string, Game>;
