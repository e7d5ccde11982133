"""A game on the board: its move tree, the search results of its positions, and the cards a player may see."""

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..rules import Variant, find_variant, has_unknown
from ..rules.cards import UNKNOWN, format_card, parse_card
from ..rules.formats.text import Deal
from ..rules.hidden_cards import STOCK, WASTE
from ..rules.layout import picture
from ..rules.moves import drawn_card, read_move
from ..rules.tables import (
    card_at,
    draws_unknown,
    filled,
    hidden,
    missing_cards,
    showing,
    turned_up,
    unknown_places,
)
from ..solver import Result
from ..solver.analysis.review import loss_of
from . import evaluation, places
from .tree import Node, Tree

if TYPE_CHECKING:
    from ..rules import answers

MODES = ("analysis", "player", "table")


class CardNeeded(Exception):  # noqa: N818 - it is no error, but a question
    """Raised if a move turns up an unknown card, one of ``cards``, at ``place`` (in the page's notation), so
    that the person has to say which."""

    def __init__(self, place: str, cards: list[str]) -> None:
        super().__init__(f"say which card is turned up: {place}")
        self.place = place
        self.cards = cards


class SeveralMoves(Exception):  # noqa: N818 - it is no error, but a question
    """Raised when a request matches several legal ``moves``, given in the page's JSON."""

    def __init__(self, moves: list[dict[str, Any]]) -> None:
        super().__init__("which move?")
        self.moves = moves


@dataclass(frozen=True)
class Opening:
    """A game to begin: its deal, its mode (see `MODES`), the moves made, as text, and the number of them that
    are shown as made, None for all.

    In mode ``table`` the state of the deal is a table. ``branches`` has all positions of a saved game: the
    index of the parent in that list (0 is the start), the move, and the card it turned up on a table.
    ``here`` is the index of the position shown, ``key`` the identity of the game, if it has one. ``helped``
    has the indices of the moves made with help; ``seconds`` and ``turned_back`` are as in `Session`. ``note``
    is a message for the person, such as a doubt about how the deal was read.
    """

    deal: Deal
    mode: str = "analysis"
    moves: tuple[str, ...] = ()
    at: int | None = None
    revealed: bool = False
    branches: tuple[tuple[int, str, str | None], ...] = ()
    here: int = 0
    key: str | None = None
    helped: frozenset[int] = frozenset()
    seconds: float = 0.0
    turned_back: int = 0
    note: str | None = None


@dataclass
class Session:
    """A game on the board; uses neither threads nor the network.

    In the modes ``player`` and ``table`` no output contains a card that is not known. On a table the unknown
    cards lie in any order; each is put in its place when it is turned up, and written cards stay known.
    ``known`` has search results by state, ``to_tier`` lines that reach only the tier, ``most_up`` results of
    lost positions with the most cards that can go up, ``certain`` by the number of a position if it is won or
    lost for certain with hidden cards. ``key`` identifies the game. ``was_played`` is true once a person has
    made a move, ``began`` is the time it was opened, ``seconds`` is the time spent on it, and ``turned_back``
    counts how often hidden cards that were turned up were taken back.
    """

    deal: Deal
    mode: str
    tree: Tree
    revealed: bool = False
    known: dict[Any, Result] = field(default_factory=dict)
    to_tier: dict[Any, Result] = field(default_factory=dict)
    most_up: dict[Any, Result] = field(default_factory=dict)
    certain: dict[int, str | None] = field(default_factory=dict)
    key: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    was_played: bool = False
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    seconds: float = 0.0
    turned_back: int = 0
    _told: set[int] = field(default_factory=set)  # cards of a table that the person has named
    _tables: dict[int, Any] = field(default_factory=dict)  # tables by the number of the position

    @classmethod
    def begin(cls, opening: Opening) -> "Session":
        """Create the game of ``opening`` with its moves made. Raises ValueError."""
        deal, variant = opening.deal, opening.deal.variant
        state: Any = deal.state
        if opening.mode not in MODES:
            raise ValueError(f"mode: expected one of {', '.join(MODES)}, got {opening.mode!r:.20}")
        is_table = has_unknown(state)
        if is_table:
            state = filled(state)
        if opening.mode == "player":
            if variant.hiding is None:
                raise ValueError(f"{variant.name} has no hidden cards")
            hidden(state)
        if (opening.mode == "table") != is_table:
            raise ValueError(
                "mode table: expected a position with unknown cards, and for these no other mode"
            )
        if is_table:
            _check_one_at_a_time(deal.state)
        session = cls(deal, opening.mode, Tree(variant, state), opening.revealed)
        session.key = opening.key or session.key
        session.seconds, session.turned_back = opening.seconds, opening.turned_back
        if opening.branches:
            session._grow(opening.branches, opening.here, opening.helped)
            return session
        line = [(number, *_move_and_card(text)) for number, text in enumerate(opening.moves)]
        session._grow(line, len(line))
        shown = len(line) if opening.at is None else min(opening.at, len(line))
        session.tree.show(session.tree.way(session.here)[shown])
        return session

    def _grow(
        self, branches: Iterable[tuple[int, str, str | None]], here: int, helped: frozenset[int] = frozenset()
    ) -> None:
        """Add the positions of a saved game and show one. Raises ValueError for an illegal move."""
        nodes = [self.here]
        for before, text, turned in branches:
            try:
                nodes.append(self.add(nodes[before], text, turned))
            except (ValueError, CardNeeded) as error:
                raise ValueError(f"move {nodes[before].ply + 1} ({text:.30}): {error}") from None
            nodes[-1].helped = len(nodes) - 1 in helped
        self.tree.show(nodes[here])

    # --- What is seen ---------------------------------------------------------------------------------------

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.tree.variant

    @property
    def here(self) -> Node:
        """The position that is shown."""
        return self.tree.here

    @property
    def is_hidden(self) -> bool:
        """True if some cards are hidden from the person."""
        return self.mode != "analysis"

    @property
    def most(self) -> int:
        """The number of foundation places of its deck."""
        return int(self.tree.nodes[0].state.deck.places)

    @property
    def goal(self) -> int:
        """The number of cards of the game; a complete win has all of them up."""
        return self.most * self.variant.copies

    def looks(self, node: Node) -> Any:
        """The state of ``node``; the hidden cards are replaced by the same cards in ascending order."""
        return filled(self.table(node)) if self.is_hidden else node.state

    def table(self, node: Node) -> Any:
        """The state of ``node`` with `cards.UNKNOWN` in the places of cards that the person does not know."""
        if self.mode != "table":
            return hidden(node.state) if self.is_hidden else node.state
        way = self.tree.way(node)
        for before, after in zip([None, *way], way, strict=False):
            if after.number in self._tables:
                continue
            if before is None:
                self._tables[after.number] = self.deal.state
            else:
                table = showing(self._tables[before.number], before.state, after.move)
                self._tables[after.number] = self.variant.family.apply(table, after.move)
        return self._tables[node.number]

    def unknown(self, node: Node) -> int:
        """The number of cards unknown to the player."""
        return len(missing_cards(self.table(node))) if self.is_hidden else 0

    def certain_of(self, node: Node) -> str | None:
        """Certainty of ``node`` with hidden cards: ``won``, ``lost`` or None. Positions after a lost
        one are lost."""
        if any(self.certain.get(before.number) == "lost" for before in self.tree.way(node)):
            return "lost"
        return self.certain.get(node.number)

    def picture(self, node: Node) -> "answers.Picture":
        """The picture of ``node``; hidden cards are ``<??>``."""
        table = self.table(node)
        if self.mode == "player":  # the stock lies face down, also if it is known
            table = replace(table, stock=(UNKNOWN,) * len(table.stock))
        return picture(self.variant, table, as_seen=self.is_hidden)

    def legal(self, node: Node) -> list[dict[str, Any]]:
        """All legal moves of ``node`` in the page's JSON."""
        state = self.looks(node)
        return self._moves_object(node, state, self.variant.family.legal_moves(state))

    def _moves_object(self, node: Node, state: Any, moves: Iterable[Any]) -> list[dict[str, Any]]:
        table = self.table(node)
        return [places.move_object(self.variant, state, move, table) for move in moves]

    def safe_move(self, node: Node) -> str | None:
        """The text of a safe foundation move of ``node``, None if none is known; see `Family.safe_move`."""
        state = self.looks(node)
        move = self.variant.family.safe_move(state)
        return None if move is None else self.variant.family.format_move(state, move)

    def name(self) -> str:
        """The name of the deal."""
        return self.deal.name or "own deal"

    # --- Moves ----------------------------------------------------------------------------------------------

    def play(
        self, node: Node, asked: str | places.Drop, turned: str | None = None, aside: bool = False
    ) -> Node:
        """Make the move ``asked`` for from ``node``, show its node and return it. It becomes the main line,
        unless it is tried ``aside``; ``turned`` is the card that it turns up, on a table. Raises ValueError
        with the reason if it is refused, SeveralMoves or CardNeeded if the request is ambiguous."""
        child = self.add(node, asked, turned)
        self.tree.show(child)
        if not aside:
            self.tree.promote(child)
        self.was_played = True
        return child

    def show(self, node: Node) -> None:
        """Show ``node``, and note if that takes back a card that was turned up."""
        self.turned_back += self.unknown(node) > self.unknown(self.here)
        self.tree.show(node)

    def add(self, node: Node, asked: str | places.Drop, turned: str | None = None) -> Node:
        """Add the position after the move ``asked`` for, as `play` does, without showing it."""
        move = self.read(node, asked, turned)
        child = self.tree.add(node, move)
        if self.mode == "table" and (found := turned_up(self.table(node), move)):
            child.turned = format_card(card_at(node.state, found[0]))
        return child

    def read(self, node: Node, asked: str | places.Drop, turned: str | None = None) -> Any:
        """The move ``asked`` for in ``node``; on a table the card that it turns up is put in its place.
        Raises like `play`."""
        state = self.looks(node)
        if isinstance(asked, places.Drop):
            moves = places.fitting(self.variant, state, asked)
            if len(moves) > 1:
                raise SeveralMoves(self._moves_object(node, state, moves))
            move = moves[0]
        else:
            move, named = self._read_text(node, state, asked)
            turned = turned or named
        self.variant.family.apply(state, move)  # checked first, so that a refusal reveals no hidden card
        if self.mode == "table":
            self._turn_up(node, move, turned)
        return move

    def _read_text(self, node: Node, state: Any, text: str) -> tuple[Any, str | None]:
        """The move named by ``text``, and the card it says is turned from the stock."""
        drawn = drawn_card(text) if self.is_hidden else None
        if drawn is None:
            return read_move(self.variant, state, text), None
        card = None if drawn == "??" else parse_card(drawn)
        family, table = self.variant.family, self.table(node)
        legal = family.legal_moves(state)
        move = next((move for move in legal if draws_unknown(table, move)), None)
        if move is None:
            names = (family.format_move(state, each) for each in legal)
            known = next((name for name in names if drawn_card(name)), text)
            return read_move(self.variant, state, text if card is not None else known), None
        if card is not None and self.mode == "player" and family.with_card(node.state, move).card != card:
            raise ValueError("the next card of the stock is a different one")
        return move, None if card is None else format_card(card)

    def _turn_up(self, node: Node, move: Any, turned: str | None) -> None:
        """Put the card that ``move`` turns up in its place in the tree. Raises CardNeeded, or ValueError."""
        found = turned_up(self.table(node), move)
        if not found:
            return
        there = card_at(node.state, found[0])
        free = [card for card in missing_cards(self.table(node)) if card not in self._told]
        if there not in self._told:
            if turned is None and len(free) > 1:
                where = {STOCK: "p0", WASTE: "p1"}.get(found[0][0], f"c{found[0][0]}")
                raise CardNeeded(where, [format_card(card) for card in free])
            card = free[0] if turned is None else parse_card(turned)
            if card not in free:
                raise ValueError(f"card {format_card(card)} is not an unseen card")
            self._told.add(card)
            self.tree.exchange(there, card)
        elif turned is not None and parse_card(turned) != there:
            raise ValueError(f"{format_card(there)} was turned up there earlier")

    # --- What is known --------------------------------------------------------------------------------------

    def note(self, state: Any, result: Result) -> list[Node]:
        """Record a search result for ``state``; return the nodes affected."""
        before = self.known.get(state)
        if before is not None and evaluation.is_final(before) and not evaluation.is_better(before, result):
            return []
        self.known[state] = result
        at_once = self.tree.at(state)
        changed = {node.number: node for node in at_once}
        for node in at_once:
            changed |= {number: self.tree.nodes[number] for number in node.children}
            if node.parent is not None:
                above = self.known.get(node.parent.state)
                more = evaluation.before_move(self.variant, above, node.move, result)
                if more is not None:
                    changed |= {other.number: other for other in self.note(node.parent.state, more)}
        return list(changed.values())

    def result_of(self, node: Node) -> Result | None:
        """The result for ``node``, its own or derived from its parent's."""
        own = self.known.get(node.state)
        if own is not None or self.is_hidden:
            return own
        before = None if node.parent is None else self.known.get(node.parent.state)
        found = evaluation.after_move(self.variant, before, node.move, node.state)
        if found is not None:
            self.known[node.state] = found
        return found

    def tier_line(self, node: Node) -> Result | None:
        """The shortest line known that reaches the best tier reachable from ``node``, where that is not the
        full score; its own or derived from its parent's."""
        own = self.to_tier.get(node.state)
        if own is not None or node.parent is None:
            return own
        before = self.to_tier.get(node.parent.state)
        if before is None or not before.moves or before.moves[0] != node.move:
            return None
        here, there = self.result_of(node), self.result_of(node.parent)
        if here is None or there is None or here.tier != there.tier or len(before.moves) == 1:
            return None
        bound = None if before.lower_bound is None else max(0, before.lower_bound - 1)
        own = self.to_tier[node.state] = replace(before, moves=before.moves[1:], lower_bound=bound)
        return own

    def note_tier_line(self, state: Any, line: Result) -> None:
        """Record a line that reaches only the tier."""
        before = self.to_tier.get(state)
        if before is None or evaluation.is_better(before, line):
            self.to_tier[state] = line

    def keeps(self, node: Node) -> bool | None:
        """True if the move to ``node`` kept the best result, False if it lost it; None if unknown."""
        if node.parent is None:
            return None
        return evaluation.keeps(self.result_of(node.parent), self.result_of(node))

    def loss(self, node: Node) -> str | None:
        """The loss caused by the move to ``node`` in words; None if no loss is proved."""
        if node.parent is None or self.keeps(node) is not False:
            return None
        before, after = self.result_of(node.parent), self.result_of(node)
        assert before is not None
        assert after is not None
        return loss_of(self.variant, self.most, before, after)

    def mistakes(self) -> list[Node]:
        """The moves of the main line with a proved loss."""
        return [node for node in self.tree.main_line() if self.loss(node) is not None]

    def reveal(self) -> None:
        """Reveal all cards: the player's game is over. Raises ValueError for any other game."""
        if self.mode != "player":
            raise ValueError("no hidden cards to reveal")
        self.mode, self.revealed = "analysis", True

    def deal_at(self, node: Node) -> Deal:
        """The position of ``node`` as a deal with its number."""
        return self.deal._replace(state=node.state, made=self.deal.made + node.ply)


def _move_and_card(text: str) -> tuple[str, str | None]:
    """A move and, if one follows in parentheses, the card it turns up: ``7S 2-5 (4D)``."""
    match = re.fullmatch(r"(.*\S)\s*\((\w+)\)", text)
    return (match[1], match[2]) if match else (text, None)


def _check_one_at_a_time(table: Any) -> None:
    """Raise ValueError for a table where one draw might turn several unknown cards."""
    draws = int(getattr(table.choices, "draw", None) or 1) if find_variant(table.variant).choosing else 1
    beside = [pile for pile, _ in unknown_places(table) if pile < 0]
    if draws > 1 and len(beside) > 1:
        raise ValueError(f"a draw turns {draws} cards: write the whole stock, as far as it has been seen")
