"""Rule options that players may agree on, the layout of the games that have them, and lists of what a part of
the program implements."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from .cards import shown

SIZES = (1, 2, 3, 4, 5, 6, 7)


def _redeals(draw: str, passes: str) -> dict[str, tuple[str, ...]]:
    """Return the values of the rule options of a Klondike whose usual ones are ``draw`` and ``passes``."""
    draws, limits = map(str, range(1, 8)), ("unlimited", *map(str, range(1, 6)))
    return {
        "draw": (draw, *(other for other in draws if other != draw)),
        "passes": (passes, *(other for other in limits if other != passes)),
        "worrying_back": ("yes", "no"),
        "spaces": ("kings", "any"),
    }


CHOICES_OF: dict[str, dict[str, tuple[str, ...]]] = {
    "joker": {"exchange": ("turned", "exposed"), "removal": ("undeclared", "exposed")},
    "klondike": _redeals("3", "unlimited"),
    "klondike-draw-one": _redeals("1", "unlimited"),
    "klondike-vegas": _redeals("3", "3"),
    "klondike-vegas-one": _redeals("1", "1"),
}
"""The rules that players may agree on, by game, each with its values, the usual one first."""

FIXED = {"klondike-one-pass": {"draw": "1", "passes": "1", "worrying_back": "no", "spaces": "kings"}}
"""The values of the rule options in games that leave no choice of them, though others of their family do."""


class Words(NamedTuple):
    """A rule option in words: ``help`` on the command line, ``title`` on the page, and what the page calls
    its ``values``, where that is not the value itself."""

    help: str
    title: str
    values: Mapping[str, str] = {}


OPTIONS: dict[str, Words] = {
    "exchange": Words(
        "when a waste card is exchanged for its joker: when it is turned, or whenever it is exposed.",
        "A card in the waste changes places with its joker",
        {"turned": "when it is turned", "exposed": "whenever it is on top"},
    ),
    "removal": Words(
        "which jokers may be put out of play: undeclared ones, or any exposed one.",
        "Jokers may be put out of play",
        {"undeclared": "while undeclared", "exposed": "declared ones too, on top of a column"},
    ),
    "draw": Words("number of cards turned by a draw.", "Cards that a draw turns"),
    "passes": Words("number of passes through the stock.", "Passes through the stock"),
    "worrying_back": Words(
        "whether cards may return from the foundations.", "Cards may come back from the foundations"
    ),
    "spaces": Words(
        "which cards may go to an empty column; with any, deals are decided by the slow reference engine.",
        "Cards that may go to an empty column",
        {"kings": "kings", "any": "any card (slow)"},
    ),
}
"""All rule options in words, by name."""

CHOICES: dict[str, tuple[str, ...]] = {}
"""The rules that players may agree on in some game, each with its values."""
for _choices in CHOICES_OF.values():
    for _name, _values in _choices.items():
        CHOICES[_name] = tuple(dict.fromkeys((*CHOICES.get(_name, ()), *_values)))


def usual_rules(variant: str) -> dict[str, str]:
    """Return the values of the rule options that a game has if nothing else was agreed on, by name."""
    if variant in FIXED:
        return FIXED[variant]
    return {name: values[0] for name, values in CHOICES_OF.get(variant, {}).items()}


class AgreedRules:
    """Base of the ``Choices`` of families, which are dataclasses. Raises ValueError for a value that no game
    allows. None, if it is the default of a field, stands for the usual value of the game."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            is_default = value is None and getattr(type(self), name) is None
            if not is_default and value not in CHOICES[name]:
                raise ValueError(f"{name} {shown(value)}: expected {' or '.join(CHOICES[name])}")

    def changed(self, variant: str) -> dict[str, str]:
        """Return the rule options that have a value, and not the usual one of ``variant``, by name."""
        usual = {name: (None, values[0]) for name, values in CHOICES_OF.get(variant, {}).items()}
        return {name: getattr(self, name) for name in usual if getattr(self, name) not in usual[name]}


Implemented = Mapping[str, Mapping[str, Collection[str]]]
"""Games by name, each with its rule options and the values that a part of the program implements."""


def not_implemented(by: Implemented, game: str, choices: object = None) -> str:
    """Return the game or the value of a rule option that the list ``by`` lacks, in words: ``klondike``, or
    ``klondike with draw 8``; "" if it has ``game`` and all values of ``choices``.

    ``choices`` has the values as attributes, or is a mapping of them by name; one that is None or missing is
    the usual value. An option that the list does not name is not implemented, whatever its value.
    """
    if game not in by:
        return game
    rules = usual_rules(game)
    if choices is not None:
        given = choices if isinstance(choices, Mapping) else vars(choices)
        rules = rules | {name: value for name, value in given.items() if value is not None}
    for name, value in rules.items():
        if value not in by[game].get(name, ()):
            return f"{game} with {name.replace('_', ' ')} {value}"
    return ""
