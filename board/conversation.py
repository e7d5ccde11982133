"""What one page and the server say to each other about one game; PROTOCOL.md is the agreement."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from .. import __version__
from ..rules import CHOICES, VARIANTS, Variant
from ..rules.formats.pysol import GAMES as OF_PYSOL
from ..rules.words import effects, sentence
from ..solver import Limits, Result
from ..solver.analysis.difficulty import LEVELS
from ..solver.progress import Watch
from . import analysis, chances, judgement, saving
from .analyst import Analyst, Work
from .links import link_of
from .openings import Wanted, look_for, read_opening
from .page import WINGS
from .places import Drop, check_place
from .session import PLAYED, CardNeeded, Opening, Session, SeveralMoves
from .tree import Node

PROTOCOL = 1
MOST_SECONDS = 3600.0
MOST_MEGABYTES = 2000.0
_WAY = 500  # positions that are judged beside the one that is shown
_MOST_MOVES = 2000  # in one message
_KNOWN = 20_000  # positions of which something is remembered

LIMITS = Limits(seconds=60.0, megabytes=400.0)

Send = Callable[[dict[str, Any]], None]


@dataclass
class Settings:
    """What a board begins with: limits of a search, what the command line asked to open, whether games are
    kept."""

    limits: Limits = LIMITS
    start: Opening | Wanted | None = None
    history: Any = None


class MalformedMessage(ValueError):  # noqa: N818 - it is the message that is wrong
    """What came is no message of the protocol."""


def title_of(variant: Variant) -> str:
    """The name of a game for people: ``Simple Simon``."""
    return variant.name.replace("-", " ").title()


def game_object(variant: Variant) -> dict[str, Any]:
    """What a page is told of a game."""
    return {
        "game": variant.name,
        "title": title_of(variant),
        "summary": variant.summary,
        "rules": variant.family.__doc__,
        "legend": variant.family.LEGEND,
        "columns": len(variant.sizes),
        "wing": WINGS.get(variant.name),
        "scored": variant.scoring is not None,
        "places": variant.deck().places,
        "tiers": variant.tiers(),
        "modes": ["analysis", "player"] if variant.name in PLAYED else ["analysis"],
        "pysol": variant.name in OF_PYSOL,
        "jokers": variant.jokers,
        "decks": variant.copies,
        "choices": {name: list(values) for name, values in CHOICES.items()} if variant.jokers else {},
        "levels": list(LEVELS),
    }


class Conversation:
    """One page and its game. It lives on the loop; its analyst searches in a thread and calls back.

    ``send`` gets every message of the server, answers and streams, and may not block.
    """

    def __init__(self, settings: Settings, send: Send) -> None:
        self.settings = settings
        self.limits = settings.limits
        self.session: Session | None = None
        self.hints = False
        self.thinks = True
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._analyst = Analyst(self._tell_from_thread)
        self._task: analysis.Task | None = None
        self._marks: dict[str, Result] = {}
        self._errand: Watch | None = None
        self._requests: dict[str, Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]] = {
            name.removeprefix("_on_"): getattr(self, name) for name in dir(self) if name.startswith("_on_")
        }

    # --- Begin and end --------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Say hello."""
        self._send(
            {
                "type": "hello",
                "protocol": PROTOCOL,
                "version": __version__,
                "games": [game_object(variant) for variant in VARIANTS.values()],
                "limits": self._limits_object(),
                "history": self.settings.history is not None,
                "start": self.settings.start is not None,
            }
        )

    def end(self) -> None:
        """The page is gone: end all searches."""
        self._end_errand()
        self._analyst.stop()
        self._keep()

    async def close(self) -> None:
        """End all searches, and wait until their thread is gone."""
        self.end()
        await asyncio.to_thread(self._analyst.close)

    # --- Requests -------------------------------------------------------------------------------------------

    async def handle(self, message: object) -> None:
        """Do what a message asks and answer it. Nothing that it holds raises."""
        number = message.get("id") if isinstance(message, dict) else None
        if not isinstance(number, (int, str, type(None))) or (isinstance(number, str) and len(number) > 40):
            number = None
        try:
            answer = await self._answer(message)
        except MalformedMessage as error:
            answer = {"type": "error", "why": str(error)}
        except SeveralMoves as question:
            answer = {"type": "choose", "moves": question.moves}
        except CardNeeded as question:
            answer = {"type": "turned", "place": question.place, "cards": question.cards}
        except ValueError as error:
            answer = {"type": "refused", "why": " ".join(str(error).split())[:500]}
        except KeyboardInterrupt:
            answer = {"type": "refused", "why": "ended"}
        self._send(answer if number is None else answer | {"id": number})

    async def _answer(self, message: object) -> dict[str, Any]:
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise MalformedMessage("a message is an object with a type")
        request = self._requests.get(message["type"])
        if request is None:
            raise MalformedMessage(f"type {message['type']!r:.30}: there is no such message")
        return await request(message)

    @property
    def _game(self) -> Session:
        if self.session is None:
            raise ValueError("no game is open")
        return self.session

    async def _on_ping(self, message: dict[str, Any]) -> dict[str, Any]:
        return {"type": "done"}

    async def _on_cancel(self, message: dict[str, Any]) -> dict[str, Any]:
        self._end_errand()
        return {"type": "done"}

    async def _on_open(self, message: dict[str, Any]) -> dict[str, Any]:
        self._end_errand()
        source = message.get("from")
        if isinstance(source, dict) and source.get("start") is True:
            opening = self.settings.start
            if opening is None:
                raise ValueError("the command line named no game")
        else:
            opening = read_opening(message)
        if isinstance(opening, Wanted):
            opening = await self._look_for(opening)
        session = await asyncio.to_thread(Session.begin, opening)
        self._keep()
        self.session = session
        self._think()
        return self._game_object()

    async def _look_for(self, wanted: Wanted) -> Opening:
        watch = self._errand = Watch()
        loop = self._loop

        def tell(tried: int) -> None:
            loop.call_soon_threadsafe(self._send, {"type": "dealing", "tried": tried})

        try:
            return await asyncio.to_thread(look_for, wanted, watch, tell)
        finally:
            if self._errand is watch:
                self._errand = None

    def _end_errand(self) -> None:
        if self._errand is not None:
            self._errand.stop()
            self._errand = None

    async def _on_move(self, message: dict[str, Any]) -> dict[str, Any]:
        game = self._game
        turned = _optional_text(message, "turned")
        asked: str | Drop
        if "text" in message:
            asked = _text(message, "text", 100)
        else:
            state = game.here.state
            count = message.get("count", 0)
            if type(count) is not int or not 0 <= count <= 104:
                raise MalformedMessage("count: a number of cards is needed")
            asked = Drop(
                check_place(state, message.get("source")),
                check_place(state, message.get("target")),
                count,
                _optional_text(message, "rank"),
                _optional_text(message, "suit"),
            )
        before = len(game.tree.nodes)
        node = game.play(game.here, asked, turned)
        self._think()
        if len(game.tree.nodes) > before:
            self._send_nodes([node])
        return self.position_object()

    async def _on_undo(self, message: dict[str, Any]) -> dict[str, Any]:
        parent = self._game.here.parent
        if parent is None:
            raise ValueError("this is the start")
        return self._show(parent)

    async def _on_redo(self, message: dict[str, Any]) -> dict[str, Any]:
        after = self._game.tree.following(self._game.here)
        if after is None:
            raise ValueError("no move follows")
        return self._show(after)

    async def _on_restart(self, message: dict[str, Any]) -> dict[str, Any]:
        return self._show(self._game.tree.nodes[0])

    async def _on_goto(self, message: dict[str, Any]) -> dict[str, Any]:
        return self._show(self._game.tree.find(message.get("node")))

    async def _on_add(self, message: dict[str, Any]) -> dict[str, Any]:
        game = self._game
        node, moves = game.tree.find(message.get("node")), message.get("moves")
        if not isinstance(moves, list) or len(moves) > _MOST_MOVES:
            raise MalformedMessage(f"moves: a list of up to {_MOST_MOVES} moves is needed")
        added = []
        for move in moves:
            if not isinstance(move, str) or len(move) > 100:
                raise MalformedMessage("moves: a list of moves is needed")
            node = game.add(node, move)
            added.append(node)
        self._send_nodes(added)
        return self._show(node) if message.get("go") else self.position_object()

    async def _on_delete(self, message: dict[str, Any]) -> dict[str, Any]:
        game = self._game
        node = game.tree.find(message.get("node"))
        parent = node.parent
        gone = game.tree.remove(node)
        self._send({"type": "gone", "nodes": gone})
        if parent is not None:
            self._send_nodes(list(game.tree.below(parent)))
        self._think()
        return self.position_object()

    async def _on_promote(self, message: dict[str, Any]) -> dict[str, Any]:
        game = self._game
        self._send_nodes(game.tree.promote(game.tree.find(message.get("node"))))
        return self.position_object()

    async def _on_hints(self, message: dict[str, Any]) -> dict[str, Any]:
        self.hints = _flag(message, "on")
        self._think()
        return {"type": "done"}

    async def _on_think(self, message: dict[str, Any]) -> dict[str, Any]:
        self.thinks = _flag(message, "on")
        self._think()
        return {"type": "done"}

    async def _on_limits(self, message: dict[str, Any]) -> dict[str, Any]:
        found = {}
        for name, most in (("seconds", MOST_SECONDS), ("megabytes", MOST_MEGABYTES)):
            value = message.get(name, getattr(self.limits, name))
            if type(value) not in (int, float) or not 0 < value <= most:
                raise ValueError(f"{name} {value!r:.30}: a number up to {most:g} is needed")
            found[name] = float(value)
        self.limits = Limits(seconds=found["seconds"], megabytes=found["megabytes"])
        self._think()
        return {"type": "limits"} | self._limits_object()

    async def _on_finish(self, message: dict[str, Any]) -> dict[str, Any]:
        self._game.reveal()
        self._think()
        return self._game_object()

    async def _on_line(self, message: dict[str, Any]) -> dict[str, Any]:
        return self._line(self._game.tree.find(message.get("node", self._game.here.number)))

    async def _on_better(self, message: dict[str, Any]) -> dict[str, Any]:
        node = self._game.tree.find(message.get("node"))
        if node.parent is None:
            raise ValueError("no move led to the start")
        return self._line(node.parent)

    async def _on_save(self, message: dict[str, Any]) -> dict[str, Any]:
        form = message.get("form", "text")
        what = _text(message, "what", 20)
        saved = await asyncio.to_thread(saving.save, self._game, what, form)
        return {"type": "saved"} | saved

    def _limits_object(self) -> dict[str, Any]:
        return {
            "seconds": self.limits.seconds,
            "megabytes": self.limits.megabytes,
            "most_seconds": MOST_SECONDS,
            "most_megabytes": MOST_MEGABYTES,
        }

    # --- Positions ------------------------------------------------------------------------------------------

    def _show(self, node: Node) -> dict[str, Any]:
        self._game.tree.show(node)
        self._think()
        return self.position_object()

    def _game_object(self) -> dict[str, Any]:
        game = self._game
        deal = game.deal
        choices = {} if game.mode == "table" else game.variant.choices_of(deal.state)
        return {
            "type": "game",
            "game": game.variant.name,
            "title": title_of(game.variant),
            "name": game.name(),
            "mode": game.mode,
            "seed": None if deal.seed is None else str(deal.seed),
            "pysol": deal.pysol,
            "choices": choices,
            "revealed": game.revealed,
            "places": game.most,
            "nodes": [game.node_object(node) for node in game.tree.below(game.tree.nodes[0])],
            "position": self.position_object(),
            "link": link_of(game),
        }

    def position_object(self) -> dict[str, Any]:
        """The position that is shown."""
        game = self._game
        node = game.here
        moves = game.legal(node)
        after = game.tree.following(node)
        return {
            "type": "position",
            "node": node.number,
            "picture": game.picture(node),
            "moves": moves,
            "over": node.over,
            "undo": node.parent is not None,
            "redo": None if after is None else after.number,
            "auto": 0,
            "unknown": game.unknown(node),
            "link": link_of(game),
        }

    def _send_nodes(self, nodes: list[Node]) -> None:
        game = self._game
        if nodes:
            self._send({"type": "nodes", "nodes": [game.node_object(node) for node in nodes]})

    def _line(self, node: Node) -> dict[str, Any]:
        """A line from ``node`` that keeps what can be reached, with its pictures."""
        game = self._game
        if game.is_hidden:
            raise ValueError("there are cards that are not seen: no line is known")
        result = game.result_of(node)
        answer = {"type": "line", "node": node.number, "found": False}
        if result is None or not result.moves:
            why = (
                "nothing is known yet" if result is None else judgement.text(game.variant, game.most, result)
            )
            return answer | {"why": why, "shortest": False, "text": why, "steps": []}
        state = node.state
        steps: list[dict[str, Any]] = [{"picture": game.picture(node)}]
        for move in result.moves:
            told = {
                "move": game.variant.family.format_move(state, move),
                "does": sentence(game.variant, state, move),
                "effects": effects(game.variant, state, move),
            }
            state = game.variant.family.apply(state, move)
            steps.append(told | {"picture": game.picture(Node(-1, state))})
        text = judgement.text(game.variant, game.most, result)
        return answer | {"found": True, "shortest": result.shortest, "text": text, "steps": steps}

    # --- Thinking -------------------------------------------------------------------------------------------

    def _think(self) -> None:
        """End what is being searched; search for the position that is shown."""
        game = self.session
        self._marks = {}
        if game is None or not self.thinks:
            self._task = None
            self._analyst.stop()
            return
        if len(game.known) > _KNOWN:
            game.known = {state: game.known[state] for state in list(game.known) if game.tree.at(state)}
        node = game.here
        known_now = game.result_of(node)
        way = [] if game.is_hidden else self._open_positions(game)
        known = {state: game.known[state] for state in [node.state, *way] if state in game.known}
        if self.hints and not game.is_hidden:
            known = game.known.copy()
        self._task = analysis.Task(
            node.number,
            game.variant,
            node.state,
            self.limits,
            self.hints,
            game.is_hidden,
            tuple(way),
            known,
        )
        if not game.is_hidden:
            self._send(self._analysis_object("searching", known_now, None))
        self._analyst.ask(self._task)

    def _open_positions(self, game: Session) -> list[Any]:
        """The positions of the tree that nobody has judged, those that led here first."""
        way = game.tree.way(game.here)[-2::-1]
        others = [node for node in game.tree.nodes.values() if node not in way and node is not game.here]
        states = [node.state for node in [*way, *others] if game.result_of(node) is None]
        return list(dict.fromkeys(states))[:_WAY]

    def _tell_from_thread(self, task: analysis.Task, finding: analysis.Finding) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and nobody is there to be told
            self._loop.call_soon_threadsafe(self._take_in, task, finding)

    def _take_in(self, task: analysis.Task, finding: analysis.Finding) -> None:
        """Take in a finding of the thread and tell the page; one that is out of date is only remembered."""
        game = self.session
        if game is None or game.variant is not task.variant:
            return
        if isinstance(finding, analysis.Judged) and not task.is_hidden and not game.is_hidden:
            self._send_nodes(game.note(finding.state, finding.result))
        if task is not self._task:
            return
        if isinstance(finding, analysis.Judged) and finding.state == task.state:
            self.send_progress()
        elif isinstance(finding, analysis.Marked):
            self._send(self._marks_object(task, finding))
        elif isinstance(finding, analysis.Weighed):
            self._send(chances.found_object(game, task.node, finding.advice, self._analyst.now(), self.hints))
        elif isinstance(finding, analysis.Finished):
            self._finish(game)
        elif isinstance(finding, analysis.Failed):
            self._send({"type": "error", "why": f"the search failed: {finding.why}"})

    def _finish(self, game: Session) -> None:
        if game.is_hidden:
            self._send(chances.finished_object(game.here.number))
        else:
            self._send(self._analysis_object("done", game.result_of(game.here), self._analyst.now()))

    def send_progress(self) -> None:
        """Tell how far the search is, if there is one."""
        work, game = self._analyst.now(), self.session
        if game is None or game.is_hidden or work is None or work.task is not self._task:
            return
        state = "waiting" if work.began is None else "searching"
        self._send(self._analysis_object(state, game.result_of(game.here), work))

    def _analysis_object(self, state: str, result: Result | None, work: Work | None) -> dict[str, Any]:
        game = self._game
        progress = None if work is None else work.progress()
        told: dict[str, Any] = {
            "type": "analysis",
            "node": game.here.number,
            "state": state,
            "verdict": None,
            "text": "searching",
            "states": 0 if progress is None else progress.states,
            "seconds": 0.0 if work is None else round(work.seconds, 3),
            "megabytes": 0.0 if progress is None else round(progress.megabytes, 1),
            "stage": None if progress is None else progress.stage,
            "part": None,
        }
        told |= dict.fromkeys(("moves", "shortest", "lower_bound", "score", "tier", "score_bound"))
        told |= dict.fromkeys(("bound_tier", "exact", "reason"))
        if result is None:
            return told
        scoring = game.variant.scoring
        tier = None if scoring is None else scoring.tier_of(result.score_bound or 0, game.most)
        words = judgement.text(game.variant, game.most, result)
        return told | judgement.judged_object(result) | {"bound_tier": tier, "text": words}

    def _marks_object(self, task: analysis.Task, marked: analysis.Marked) -> dict[str, Any]:
        game = self._game
        here = game.result_of(game.here)
        best = here.moves[0] if here is not None and here.moves else None
        name = None if best is None else task.variant.family.format_move(task.state, best)
        marks: dict[str, Any] = {}
        for move in game.legal(game.here):
            after = marked.after.get(move["text"])
            marks[move["text"]] = {"keeps": judgement.keeps(here, after), "best": move["text"] == name}
            if after is not None:
                marks[move["text"]] |= judgement.judged_object(after)
        return {"type": "marks", "node": task.node, "done": marked.is_done, "marks": marks}

    def _keep(self) -> None:
        """Note the game in the history, if games are kept."""


def _text(message: dict[str, Any], key: str, most: int) -> str:
    value = message.get(key)
    if not isinstance(value, str) or len(value) > most:
        raise MalformedMessage(f"{key}: a string of at most {most} characters is needed")
    return value


def _optional_text(message: dict[str, Any], key: str) -> str | None:
    return None if message.get(key) is None else _text(message, key, 3)


def _flag(message: dict[str, Any], key: str) -> bool:
    value = message.get(key)
    if not isinstance(value, bool):
        raise MalformedMessage(f"{key}: true or false is needed")
    return value
