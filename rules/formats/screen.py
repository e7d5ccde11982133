"""Reader of the lines above the columns on our own screen, as `play` draws it: piles, foundations and jokers.

    stock 10, pass 2 of 3   waste 11: 9H 6C 5S   C --   D --   H 2H   S AS
    XB: on the foundations as 5C

The numbers of the columns follow and then their cards by rows, which `cleaning` and the reader of texts know.
Of the waste only three cards are shown, and of the stock none: the others are unknown.
"""

import re

_STOCK = r"stock ([0-9]{1,2})(?:, pass ([0-9]{1,2}) of [0-9]{1,2})?"
_WASTE = r"waste ([0-9]{1,2}):?((?: \S+){0,3})"
_SUIT = r"([CDHS]) (--|[A2-9TJQK][CDHS]|X[BR]=[A2-9TJQK])(?: from ([A2-9TJQK])| ([0-9]+/[0-9]+))?"
_JOKER = r"(X[BR]): (.+)"
_UP = r"on the foundations as ([A2-9TJQK][CDHS])"
_ELSEWHERE = r"undeclared in .*|not seen yet|in the stock, .*|face down in .*|declared as .*"


def fields_of(line: str) -> list[tuple[str, str]]:
    """The fields of a board, by name, that a line of the screen shows; empty for any other line."""
    if joker := re.fullmatch(_JOKER, line):
        return _of_joker(joker[1], joker[2])
    found: list[tuple[str, str]] = []
    suits: list[re.Match[str]] = []
    for part in re.split(" {3,}", line.strip()):
        if stock := re.fullmatch(_STOCK, part):
            found.append(("stock", stock[1]))
            found += [("redeals", str(int(stock[2]) - 1))] if stock[2] and stock[2] != "1" else []
        elif waste := re.fullmatch(_WASTE, part):
            shown = waste[2].split()
            found.append(("waste", " ".join(["??"] * (int(waste[1]) - len(shown)) + shown)))
        elif suit := re.fullmatch(_SUIT, part):
            suits.append(suit)
        else:
            return []
    if not suits:
        return []
    if not any(suit[4] for suit in suits):  # complete runs that left are known by the columns
        found.append(("foundations", _tops(suits)))
    return [("position", "in play"), *found]


def _tops(suits: list[re.Match[str]]) -> str:
    """The field of the foundations; a base rank is noted beside the first of them."""
    base = suits[0][3]
    begin = f"{base}:" if base else ""
    ranks = [suit[2].partition("=")[2] or suit[2][0] for suit in suits]
    tops = ["0" if rank == "-" else begin + rank for rank in ranks]
    return " ".join(f"{suit[1]}-{top}" for suit, top in zip(suits, tops, strict=True))


def _of_joker(name: str, place: str) -> list[tuple[str, str]]:
    if place == "out of play":
        return [("removed", name)]
    if up := re.fullmatch(_UP, place):
        return [("jokers", f"{name}={up[1]}")]
    if place.startswith("open ace"):
        return [("jokers", f"{name}=A")]
    return [("jokers", "")] if re.fullmatch(_ELSEWHERE, place) else []
