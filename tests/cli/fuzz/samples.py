"""Files as users have them: deals in all formats, positions, solutions, games, stores."""

import json
from collections import namedtuple

from tests.compiled import SEARCHED

from winnable.rules import find_variant
from winnable.rules.formats import read_deal, write_deals

SEEDS = {name: number for number, name in enumerate(SEARCHED, 1)}
SEEDS |= {"chessboard": 8, "fortress": 8, "klondike-vegas-one": 9}
PLAYED = ("joker", "klondike-one-pass")


Sample = namedtuple("Sample", "game kind data")
"""The game of a file, its kind, which is deals, deal, view, line or store, and its content."""


def make_samples(run, folder):
    """Samples of all games, made by the program ``run``; ``folder`` is for temporary stores."""
    found = []
    for game, seed in SEEDS.items():
        found += [Sample(game, kind, data.encode()) for kind, data in _texts(run, game, seed, folder)]
        found.append(Sample(game, "store", _store(run, game, folder)))
    for game in PLAYED:
        played = ["simulate", game, "--seed", 3, "--player", "rule"]
        for kind, args in (("line", []), ("view", ["--before", 9])):
            texts = _out(run, *played, *args), _out(run, *played, *args, "--json")
            found += [Sample(game, kind, text.encode()) for text in texts]
    return found


def _texts(run, game, seed, folder):
    """Yield pairs of a kind of file and its text."""
    deal = _out(run, "deal", game, "--seed", seed)
    board = "".join(line for line in deal.splitlines(True) if not line.startswith("#"))
    solve = ["solve", game, "--seed", seed, "--shorten" if "simon" in game else "--work"]
    solve.append(0 if "simon" in game else 10**5)
    solution, answer = _out(run, *solve), _out(run, *solve, "--json")
    moves = json.loads(answer)["moves"]
    (folder / "deal").write_text(deal)
    (folder / "moves").write_text("\n".join(moves[:9]) + "\n")
    yield from (("deal", deal), ("deal", board))
    yield "deal", _out(run, "deal", folder / "deal", "--moves", folder / "moves")
    for style in ("json", "jsonl", "text"):
        yield "deals", _out(run, "deal", game, "--seed", seed, "--count", 3, "--format", style)
    for style in ("json", "solvitaire", "fc-solve", "klondike-solver"):
        yield from (("deal", text) for text in _written(game, deal, style))
    yield from (("line", solution), ("line", answer), ("line", "\n".join(moves)), ("line", json.dumps(moves)))
    yield "line", f"{deal}\nMoves:\n" + "; ".join(moves[:20])


def _written(game, deal, style):
    """The deal in another format, if the format can express it."""
    variant = find_variant(game)
    try:
        yield "".join(write_deals(variant, [read_deal(variant, deal.encode(), "deal")], style, True))
    except ValueError:
        return


def _store(run, game, folder):
    path = folder / f"{game}.sqlite"
    _out(run, "rate", game, "--deals", "1-4", "--work", 500, "--workers", 1, "--output", path)
    return path.read_bytes()


def _out(run, *args):
    status, out, err = run(*args)
    assert status == 0, (args, err)
    return out
