"""The rules that players may agree on, and the layout of the games that leave such a choice."""

from .cards import shown

SIZES = (1, 2, 3, 4, 5, 6, 7)


def _redeals(draw: str, passes: str) -> dict[str, tuple[str, ...]]:
    """The choices of a Klondike in which usually ``draw`` cards are drawn, in so many ``passes``."""
    draws, limits = map(str, range(1, 8)), ("unlimited", *map(str, range(1, 6)))
    return {
        "draw": (draw, *(other for other in draws if other != draw)),
        "passes": (passes, *(other for other in limits if other != passes)),
        "worrying_back": ("yes", "no"),
    }


CHOICES_OF: dict[str, dict[str, tuple[str, ...]]] = {
    "joker": {"exchange": ("turned", "exposed"), "removal": ("undeclared", "exposed")},
    "klondike": _redeals("3", "unlimited"),
    "klondike-draw-one": _redeals("1", "unlimited"),
    "klondike-vegas": _redeals("3", "3"),
    "klondike-vegas-one": _redeals("1", "1"),
}
"""The rules that players may agree on, by game, each with its values, the usual one first."""

STATED = ("exchange",)
"""The choices that files of a game that has them always state: the usual value was another in version 1."""

CHOICES = CHOICES_OF["joker"] | CHOICES_OF["klondike"]
"""The rules that players may agree on in some game, each with its values."""


class AgreedRules:
    """Base of the ``Choices`` of families, which are dataclasses. Raises ValueError for a value that no game
    has; None stands for the usual one where it is the default."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            is_default = value is None and getattr(type(self), name) is None
            if not is_default and value not in CHOICES[name]:
                raise ValueError(f"{name} {shown(value)}: expected {' or '.join(CHOICES[name])}")

    def changed(self, variant: str) -> dict[str, str]:
        """The choices that are not the usual ones of the variant, by name."""
        usual = CHOICES_OF.get(variant, {}).items()
        return {name: value for name, values in usual if (value := getattr(self, name)) != values[0]}
