"""Help pages that fit narrow terminals, with options in groups and only those that apply to a game."""

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

import click

from . import terminal

if TYPE_CHECKING:
    from ..rules import Variant

WORDS = "winnable.words"
"""Key of `click.Context.meta` with the words after the name of a command."""

ALL_GAMES = ("",)
"""The value of `WORDS` for a page with the options of all games."""

_VERBATIM = "\b"  # click's mark of a paragraph whose lines are not wrapped


class Formatter(click.HelpFormatter):
    """Formatter of help pages. A command in an example that is too long is continued after a backslash."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        if width is None:
            there = max(terminal.LEAST, terminal.page_width())
            width = min(there, max_width or terminal.USUAL) - 2
        super().__init__(indent_increment, width, max_width)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write terms and their meanings side by side, or below each other on a very narrow page."""
        super().write_dl(rows, col_max if self.width >= 50 else self.width // 2, col_spacing)

    def write_text(self, text: str) -> None:
        """Write ``text``, wrapped except for lines of examples that fit."""
        paragraphs = text.split("\n\n")
        room = self.width - self.current_indent
        super().write_text("\n\n".join(_fitted(each, room) for each in paragraphs))


_DEAL = ("seed", "pysol", "by", "moves_path", "deals", "count", "ranks", "suits", "sizes", "hidden")
_LIMITS = ("max_seconds", "max_memory", "work", "shorten", "prove")
_PLAYER = ("player", "visits", "sees", "think_seconds", "think", "samples", "before", "optima")
_PROOFS = ("certificate_path", "certificates", "plain")
_OUTPUT = ("as_json", "style", "output", "html_path", "quiet", "show", "show_all", "color", "help")


def _applies(name: str, game: "Variant") -> bool:
    """Test if the option called ``name`` is about something that ``game`` has."""
    from ..rules import CHOICES
    from ..solver.engine import find_searches

    if name in CHOICES:
        return name in game.choices
    if name in ("shorten", "score"):
        searches = find_searches(game)
        return searches is not None and (searches.OPTIMIZES if name == "shorten" else searches.SCORES_LOST)
    has = {
        "bases": game.free_base,
        "pysol": game.pysol,
        "tier": game.scored,
        "prove": not game.scored,
        "fewest_passes": "passes" in game.choices,
        "notation": "draw" in game.choices,
    }
    return has.get(name, game.hiding is not None or name not in (*_PLAYER, "hidden"))


def write_options(command: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Write the options of ``command`` in groups, without those that do not apply to the game on the command
    line."""
    from ..rules import CHOICES
    from .arguments import find_game

    words = ctx.meta.get(WORDS, ())
    is_all = words == ALL_GAMES
    game = find_game(tuple(word for word in words if not word.startswith("-")))[0]
    params = [param for param in command.get_params(ctx) if isinstance(param, click.Option)]
    rows: dict[str, list[tuple[str, str]]] = {}
    for param in params:  # several parameters may have the same name
        name = "help" if "--help" in param.opts else param.name or ""
        applies = _applies(name, game) if game is not None else is_all or name not in CHOICES
        if applies and (row := param.get_help_record(ctx)) is not None:
            rows.setdefault(name, []).append(row)
    groups = {"Deal": _DEAL, "Limits": _LIMITS, "Player": _PLAYER, "Rules": CHOICES, "Certificates": _PROOFS}
    sections = {
        title: [row for name in members for row in rows.pop(name, ())]
        for title, members in (groups | {"Output": _OUTPUT}).items()
    }
    for title, lines in ({"Options": [*chain(*rows.values())]} | sections).items():
        if lines:
            with formatter.section(title):
                formatter.write_dl(lines)
    if game is None and not is_all and not {param.name for param in params}.isdisjoint(CHOICES):
        formatter.write_paragraph()
        formatter.write_text(f"{ctx.command_path} GAME --help has the options of that game, with its rules.")


def _fitted(paragraph: str, width: int) -> str:
    if not paragraph.startswith(_VERBATIM):
        return paragraph
    return "\n".join(_continued(line, width) for line in paragraph.split("\n"))


def _continued(line: str, width: int) -> str:
    """A shell command, divided into several lines if it is longer than ``width``."""
    if len(line) <= width:
        return line
    import textwrap

    margin = " " * (len(line) - len(line.lstrip()))
    parts = textwrap.wrap(
        line.strip(),
        max(1, width - len(margin) - 2),
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return " \\\n".join(margin + part for part in parts)
