"""The move tree of a game and its current position."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ..rules import Variant
from ..rules.move_text import effects, sentence

MOST_NODES = 20_000


@dataclass
class Node:
    """A position. ``move`` led to it from ``parent``, both None at the start; ``children`` are the numbers of
    the next positions, the main line first; ``last`` is the child shown last. ``over`` is ``won``, or
    ``stuck`` without legal moves. ``turned`` is the card that the move turned up on a table with unknown
    cards, ``helped`` is true if the move was made with help: hints, or a line that was shown."""

    number: int
    state: Any
    parent: "Node | None" = None
    move: Any = None
    text: str = ""
    does: str = ""
    effects: list[str] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    last: int | None = None
    ply: int = 0
    over: str | None = None
    turned: str | None = None
    helped: bool = False


class Tree:
    """The positions of a game by number; 0 is the start, ``here`` the one shown."""

    def __init__(self, variant: Variant, state: Any) -> None:
        self.variant = variant
        self.nodes: dict[int, Node] = {}
        self._by_state: dict[Any, list[Node]] = {}
        self._next = 0
        self.here = self._take_in(Node(0, state))

    def find(self, number: object) -> Node:
        """The node of that number. Raises ValueError."""
        node = self.nodes.get(number) if type(number) is int else None
        if node is None:
            raise ValueError(f"no such position: {number!r:.20}")
        return node

    def add(self, node: Node, move: Any) -> Node:
        """The child of ``node`` after ``move``, created if missing. Raises ValueError for an illegal move,
        and if the tree is full."""
        after = self.variant.family.apply(node.state, move)
        for number in node.children:
            child = self.nodes[number]
            if child.move == move and child.state == after:
                return child
        if len(self.nodes) >= MOST_NODES:
            raise ValueError(f"expected at most {MOST_NODES} positions")
        named = self.variant.family.with_card(node.state, move)
        words = sentence(self.variant, node.state, move), effects(self.variant, node.state, move)
        child = Node(self._next, after, node, named, str(named), *words, ply=node.ply + 1)
        node.children.append(child.number)
        return self._take_in(child)

    def _take_in(self, node: Node) -> Node:
        self._next += 1
        self.nodes[node.number] = node
        self._by_state.setdefault(node.state, []).append(node)
        if self.variant.family.is_won(node.state):
            node.over = "won"
        elif not self.variant.family.legal_moves(node.state):
            node.over = "stuck"
        return node

    def at(self, state: Any) -> list[Node]:
        """The nodes whose position is ``state``."""
        return self._by_state.get(state, [])

    def exchange(self, card: int, other: int) -> None:
        """Swap two unseen cards in every position."""
        if card == other:
            return
        names = {card: other, other: card}
        self._by_state = {}
        for node in self.nodes.values():
            columns = tuple(tuple(names.get(c, c) for c in column) for column in node.state.columns)
            stock, waste = (
                tuple(names.get(c, c) for c in pile) for pile in (node.state.stock, node.state.waste)
            )
            node.state = replace(node.state, columns=columns, stock=stock, waste=waste)
            self._by_state.setdefault(node.state, []).append(node)

    def show(self, node: Node) -> None:
        """Make ``node`` the current one; redo from its ancestors then leads to it."""
        self.here = node
        while node.parent is not None:
            node.parent.last = node.number
            node = node.parent

    def following(self, node: Node) -> Node | None:
        """The node that redo leads to from ``node``."""
        number = node.last if node.last in node.children else next(iter(node.children), None)
        return None if number is None else self.nodes[number]

    def line(self, node: Node) -> list[Node]:
        """The positions from the start to ``node``, followed by those that redo leads to."""
        line = self.way(node)
        while (after := self.following(line[-1])) is not None:
            line.append(after)
        return line

    def remove(self, node: Node) -> list[int]:
        """Delete ``node`` and its descendants; return their numbers. Raises ValueError for the start."""
        parent = node.parent
        if parent is None:
            raise ValueError("the start cannot be removed")
        gone = [below.number for below in self.below(node)]
        parent.children.remove(node.number)
        for number in gone:
            node = self.nodes.pop(number)
            self._by_state[node.state].remove(node)
        if self.here.number in gone:
            self.show(parent)
        return gone

    def promote(self, node: Node) -> list[Node]:
        """Make the way to ``node`` the main line; return the nodes that moved."""
        changed = []
        for step in self.way(node)[1:]:
            siblings = step.parent.children if step.parent else []
            if siblings[0] != step.number:
                siblings.remove(step.number)
                siblings.insert(0, step.number)
                changed += [below for number in siblings for below in self.below(self.nodes[number])]
        return changed

    def below(self, node: Node) -> Iterator[Node]:
        """``node`` and its descendants, parents first."""
        waiting = [node]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += [self.nodes[number] for number in reversed(node.children)]

    def way(self, node: Node) -> list[Node]:
        """The nodes from the start to ``node``."""
        way = [node]
        while way[-1].parent is not None:
            way.append(way[-1].parent)
        return way[::-1]

    def main_line(self) -> list[Node]:
        """The nodes of the main line, from the start."""
        line = [self.nodes[0]]
        while line[-1].children:
            line.append(self.nodes[line[-1].children[0]])
        return line
