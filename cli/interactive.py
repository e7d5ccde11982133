"""Interactive game in the terminal, with commands from standard input."""

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice

import click

from ..game import evaluation
from ..game.export import save
from ..game.hidden_deals import HiddenDeals
from ..game.history import History, usual_path
from ..game.record import record_of
from ..game.session import CardNeeded, Opening, Session
from ..game.storage import StorageError
from ..game.tree import Node
from ..rules import has_unknown
from ..rules.cards import shown
from ..rules.formats.text import Deal, format_deal, format_table
from ..rules.move_text import count_moves
from ..rules.moves import is_move
from ..rules.tiers import score_text
from ..solver import Limits, Result, Verdict, solve
from ..solver.analysis.hint import hint, usual_proofs
from ..solver.analysis.review import mistake_text
from ..solver.player.player import Player, advise
from ..solver.unknown_cards import certainty, is_computed, solve_table
from .console import complain, failure, say
from .files import Output
from .moves import hint_text
from .player_advice import Asked, tell_advice, tell_table
from .progress import ProgressLine
from .terminal import board, fit

HELP = """A line is a move, such as 7S 10-f, or 7S f, 7S up or 7S 8H if that is unambiguous; or one of
  t, turn; d, draw   turn the stock
  u, undo; r, redo   take the last move back, or make it again
  a, auto            make all safe foundation moves
  v, verdict         can the game still be won?
  judge on, off      warn of each mistake when it is made, or do not; with hidden cards, say
                     when the game is won or lost for certain
  h, hint            the best next moves; with hidden cards, their chances
  mistakes           the mistakes so far
  show, moves        the table; the moves made
  save FILE          the moves, for hint --moves and review; save position FILE, save deal FILE
  reveal             end a game with hidden cards, and show them
  ?, help; q, quit
On a terminal Tab completes moves and commands, and the arrow keys bring earlier lines back."""
_WORDS = ("undo", "redo", "auto", "verdict", "hint", "mistakes", "show", "moves", "reveal", "help")
"""The commands without arguments, which are methods of `_Game`."""
_LETTERS = {word[0]: word for word in _WORDS[:5]} | {"?": "help", "q": "quit"}
_WORK = 10_000_000  # work for a verdict
_GLANCE = 2_000_000  # work for each search for a mistake after a move
_SETTLE = 5.0  # seconds for the proof that a game with hidden cards is won or lost for certain


def play(deal: Deal, is_hidden: bool, seconds: float, is_kept: bool = True) -> int:
    """Play ``deal`` in the terminal, with or without hidden cards. Each search takes at most ``seconds``.
    With ``is_kept`` the game is recorded in the history. Returns the exit status; raises ValueError for a
    deal that cannot be played in this way."""
    mode = "table" if has_unknown(deal.state) else "player" if is_hidden else "analysis"
    session = Session.begin(Opening(deal, mode))
    game = _Game(session, seconds)
    game.show()
    ask = _reader(game)
    try:
        while (line := ask()) is not None:
            if not game.answer(line):
                break
    finally:
        if is_kept:
            _keep(session)
    game.end()
    return 0


def _keep(session: Session) -> None:
    """Record the game in the history, if a move was made; report a failure."""
    played = record_of(session)
    if played is None:
        return
    try:
        history = History(usual_path())
        history.keep(played)
        history.close()
    except StorageError as error:
        complain(f"{error}; see --no-history")


def _reader(game: "_Game") -> Callable[[], str | None]:
    """A function that reads a line of standard input, None at its end; on a terminal with line editing."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return lambda: line.strip() if (line := sys.stdin.readline()) else None
    with suppress(ImportError):
        import readline

        readline.set_completer_delims("")
        readline.set_completer(lambda text, number: next(islice(game.completions(text), number, None), None))
        readline.parse_and_bind("tab: complete")

    def ask() -> str | None:
        try:
            return input("> ").strip()
        except EOFError:
            return None

    return ask


class _Game:
    """A session and its commands."""

    def __init__(self, session: Session, seconds: float) -> None:
        self.session = session
        self.limits = Limits(seconds=seconds, megabytes=1000.0, work=_WORK)
        self.is_judging = not session.is_hidden
        self.redraws = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"

    def answer(self, line: str) -> bool:
        """Execute one line of input. Returns False if the game is to end; errors are reported, and the game
        continues."""
        line = _LETTERS.get(line, line)
        word, _, rest = line.partition(" ")
        if word in ("quit", "exit"):
            return False
        try:
            if word == "save":
                self.save(rest)
            elif word == "judge":
                self.judge(rest)
            elif word in _WORDS and not rest:
                getattr(self, word)()
            elif line and not line.startswith("#"):
                self.move(line)
        except KeyboardInterrupt:
            if not self.session.is_hidden:
                raise
            complain("interrupted")
        except CardNeeded as question:
            example = f"{line} ({question.cards[0]})"
            complain(f"which card is turned up? Write it after the move, as in {example}")
        except ValueError as error:
            complain(str(error))
        except click.ClickException as error:
            complain(error.format_message())
        except OSError as error:
            complain(failure(error))
        return True

    def move(self, text: str) -> None:
        """Make a move."""
        session = self.session
        text, _, card = text.removesuffix(")").partition("(")
        if not is_move(text):
            raise ValueError(f"unknown command or move {shown(text.strip())}; see help")
        self.report(session.play(session.here, text.strip(), card.strip() or None))

    def legal(self) -> list[str]:
        """The legal moves, as texts."""
        family, state = self.session.variant.family, self.session.looks(self.session.here)
        texts = [family.format_move(state, move) for move in family.legal_moves(state)]
        return [
            f"?? {text.partition(' ')[2]}" if self.session.is_hidden and text.endswith(" s-w") else text
            for text in texts
        ]

    def completions(self, text: str) -> Iterator[str]:
        """The moves and commands that begin with ``text``, which may name a card in small letters."""
        words = [*self.legal(), *_WORDS, "turn", "judge on", "judge off", "save", "quit"]
        return (word for word in words if word.lower().startswith(text.lower()))

    def report(self, node: Node) -> None:
        """Print the effects of a move, on a terminal below the table, and a warning if it is a mistake."""
        if self.redraws:
            self.show()
        say(fit(f"{node.ply}. {node.text}: {'; '.join([node.does, *node.effects])}"))
        if self.is_judging and self.session.is_hidden:
            self.settle(node)
        elif self.is_judging and (loss := self.loss(node)) is not None:
            say(fit(f"a mistake: it {loss}"))
        if node.over is not None:
            say("won" if node.over == "won" else "no move is left")

    def loss(self, node: Node) -> str | None:
        """The loss caused by the move to ``node`` and a better move, in words, if a short search finds them;
        else None."""
        assert node.parent is not None
        most = replace(self.limits, work=_GLANCE)
        for one in (node.parent, node):
            self.result(one, most)
        return self.mistake(node)

    def mistake(self, node: Node) -> str | None:
        """The known loss by the move to ``node``, and a move that avoids it; None if no loss is proved."""
        loss = self.session.loss(node)
        if loss is None or node.parent is None:
            return None
        before = self.result(node.parent)
        if not before.moves:
            return loss
        better = self.session.variant.family.format_move(node.parent.state, before.moves[0])
        return mistake_text(before, loss, better)

    def settle(self, node: Node) -> None:
        """Report that ``node`` is won or lost for certain, if that is proved soon and was not reported
        before."""
        session, found = self.session, self.certain(node)
        if found is not None and (node.parent is None or session.certain_of(node.parent) != found):
            say(fit(evaluation.certain_text(session.variant, node.state, found)))

    def certain(self, node: Node) -> str | None:
        """``won`` or ``lost`` if ``node``, with hidden cards, is that for certain and it is proved soon."""
        session = self.session
        if node.number not in session.certain and session.certain_of(node) is None:
            limits = replace(self.limits, work=None, seconds=min(self.limits.seconds or _SETTLE, _SETTLE))
            with ProgressLine(False) as line:
                session.certain[node.number] = certainty(session.table(node), limits, line.watch)
        return session.certain_of(node)

    def judge(self, word: str) -> None:
        """Turn warnings on or off: of mistakes or, with hidden cards, that the game is won or lost for
        certain."""
        if word not in ("on", "off"):
            raise ValueError(f"expected judge on or judge off, got judge {word}".rstrip())
        self.is_judging = word == "on"
        if self.is_judging and self.session.is_hidden:
            self.settle(self.session.here)

    def auto(self) -> None:
        """Make all safe foundation moves."""
        session = self.session
        while (move := session.safe_move(session.here)) is not None:
            self.report(session.play(session.here, move))

    def undo(self) -> None:
        """Take the last move back."""
        if self.session.here.parent is None:
            raise ValueError("no move to undo")
        self._show(self.session.here.parent)

    def redo(self) -> None:
        """Redo a move that was taken back."""
        after = self.session.tree.following(self.session.here)
        if after is None:
            raise ValueError("no move to redo")
        self._show(after)

    def _show(self, node: Node) -> None:
        self.session.tree.show(node)
        self.show()

    def show(self) -> None:
        """Print the table: on a terminal as a picture on a cleared screen, elsewhere in the text format."""
        session = self.session
        if self.redraws:
            click.clear()
            if session.deal.name:
                say(f"{session.variant.title}, {session.deal.name}\n")
            say(board(session.picture(session.here), session.variant.wing))
        elif session.is_hidden:
            say(format_table(session.table(session.here)))
        else:
            say(format_deal(session.deal_at(session.here)))

    def moves(self) -> None:
        """Print the moves made."""
        for node in self.session.tree.way(self.session.here)[1:]:
            say(f"{node.ply}. {node.text}")

    def result(self, node: Node, limits: Limits | None = None) -> Result:
        """The search result for ``node``; if it is not known, a search within ``limits`` is made."""
        session = self.session
        known = session.result_of(node)
        if known is None or not evaluation.is_final(known):
            with ProgressLine(False) as line:
                known = solve(session.variant, node.state, limits or self.limits, shorten=0, watch=line.watch)
            session.note(node.state, known)
        return known

    def verdict(self) -> None:
        """Print the result that can be reached."""
        session = self.session
        if session.is_hidden:
            limits = replace(self.limits, work=None)
            with ProgressLine(False) as line:
                found = solve_table(session.table(session.here), limits=limits, watch=line.watch)
            for sentence in found.sentences():
                say(fit(sentence))
            return
        result = self.result(session.here)
        say(fit(evaluation.text(session.variant, session.most, result)))

    def hint(self) -> None:
        """Print the best moves."""
        session = self.session
        deal = session.deal_at(session.here)
        if session.is_hidden:
            table = session.table(session.here)
            if is_computed(table):
                tell_table(deal, table, 5, self.limits.seconds, False)
            elif self.certain(session.here) == "lost":
                say(fit(evaluation.certain_text(session.variant, session.here.state, "lost")))
            elif advise(table, Player("rule")):
                tell_advice(
                    session.variant, table, Asked(deal, Player("search"), 5, None, False, self.limits.seconds)
                )
            else:
                say("no move is left")
            return
        with ProgressLine(False) as line:
            proofs = usual_proofs(session.variant, deal.state.choices)
            found = hint(session.variant, deal.state, limits=self.limits, proofs=proofs, watch=line.watch)
        session.note(deal.state, found.answer)
        for option in found.options:
            session.note(session.variant.family.apply(deal.state, option.move), option.after)
        say(fit(hint_text(session.variant, deal, found, 5)))

    def mistakes(self) -> None:
        """Print the mistakes so far."""
        session = self.session
        if session.is_hidden:
            raise ValueError("not available with hidden cards; see reveal")
        way = session.tree.way(session.here)
        for node in way:
            if self.result(node).verdict is Verdict.UNDECIDED:
                say(f"after move {node.ply}: undecided")
        found = [(node, mistake) for node in way if (mistake := self.mistake(node)) is not None]
        for node, mistake in found:
            say(fit(f"move {node.ply}, {node.text}: {mistake}"))
        if not found:
            say("no mistakes")

    def reveal(self) -> None:
        """End a game with hidden cards."""
        self.session.reveal()
        self.is_judging = True
        self.show()
        self.verdict()

    def help(self) -> None:
        """Print the commands and the notation of moves."""
        say(fit(HELP))

    def save(self, asked: str) -> None:
        """Write the file that ``asked`` names. Raises ValueError, OSError."""
        words = shlex.split(asked)
        what = words.pop(0) if len(words) == 2 else "moves"
        if len(words) != 1:
            raise ValueError("expected save FILE, save position FILE or save deal FILE")
        saved = save(self.session, what, "text", HiddenDeals())
        output = Output("save", words[0])
        with output:
            output.write(saved["content"])
        complain(f"{what} written to {words[0]}")

    def end(self) -> None:
        """Print the outcome of the game."""
        session = self.session
        here, variant = session.here, session.variant
        moves = count_moves(here.ply)
        if variant.scoring is not None:
            score = variant.scoring.score(here.state)
            say(f"{score_text(score, session.most)} after {moves}")
        else:
            say(f"{'won' if here.over == 'won' else 'not won'} after {moves}")
