/* What index.d.ts names and `python -m web.npm` appends to it, without the names of games. */

interface OptionsOf {
  [game: string]: Record<string, string>;
}

interface TierOf {
  [game: string]: string;
}
