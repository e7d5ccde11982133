"""Message handling of one WebSocket: requests of a page and their answers, as specified in PROTOCOL.md."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from .. import __version__
from ..game import export
from ..game.hidden_deals import HiddenDeals
from ..game.history import History
from ..game.places import Drop, check_place
from ..game.record import record_of
from ..game.session import CardNeeded, Opening, Session, SeveralMoves
from ..game.tree import Node
from ..protocol.server import FAILED, WRONG, Engine, RequestError, read_request
from ..rules import VARIANTS, find_variant
from ..solver import Limits
from ..solver.progress import Watch
from . import editor, serialize
from .analyst import Analyst, Tell
from .history_writer import HistoryWriter
from .new_game import Wanted, look_for, read_opening
from .page import session_page
from .search_control import SearchControl, Send

PROTOCOL = 2
LIMITS = Limits(seconds=60.0, megabytes=400.0)
MOST_SECONDS = 3600.0
MOST_MEGABYTES = 2000.0
_MOST_MOVES = 2000  # greatest number of moves in one message
_MOST_TEXT = 200_000  # greatest length of a table in characters
_LONGEST_THOUGHT = 120.0  # greatest number of seconds of a move that count as time of play
log = logging.getLogger("winnable.board")

REFUSED = -3
"""The code of an answer for the person: what was asked for cannot be had."""

_Message = dict[str, Any]


@dataclass
class Settings:
    """Settings of a board: search limits, the game of the command line, the history (None for none), and the
    analyst class that runs the searches of a page."""

    limits: Limits = LIMITS
    start: Opening | Wanted | None = None
    history: History | None = None
    hidden_deals: HiddenDeals = field(default_factory=HiddenDeals)
    analyst: Callable[[Tell], Analyst] = Analyst


class MalformedMessage(ValueError):  # noqa: N818 - it is the message that is wrong
    """Parameters that do not follow the protocol."""


class SocketSession:
    """One page and its game, for the event loop. ``send`` gets every outgoing message and may not block."""

    def __init__(self, settings: Settings, send: Send) -> None:
        self.settings = settings
        self.session: Session | None = None
        self.search_control = SearchControl(settings.limits, self._tell, settings.analyst)
        self.history_writer = HistoryWriter(settings.history)
        self._send = send
        self._errand: Watch | None = None
        self._opened = 0  # number of the latest request to open a game, or to cancel that
        self._moved_at: float | None = None
        self._engine: Engine | None = None
        self._requests: dict[str, Callable[[_Message], Awaitable[_Message]]] = {
            name.removeprefix("_on_"): getattr(self, name) for name in dir(self) if name.startswith("_on_")
        }

    # --- Begin and end --------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Say hello."""
        self._tell(
            {
                "type": "hello",
                "protocol": PROTOCOL,
                "version": __version__,
                "games": [serialize.variant_object(variant) for variant in VARIANTS.values()],
                "limits": self._limits_object(),
                "history": self.settings.history is not None,
                "start": self.settings.start is not None,
            }
        )

    async def close(self) -> None:
        """End all searches and save the game."""
        self._end_errand()
        self.keep()
        if self._engine is not None:
            await asyncio.to_thread(self._engine.close)
        await self.search_control.close()
        await self.history_writer.flush()

    def keep(self) -> None:
        """Save the game as it is now, if there is a history."""
        if self.session is not None and self.settings.history is not None:
            self.history_writer.keep(record_of(self.session))

    # --- Requests -------------------------------------------------------------------------------------------

    async def handle(self, message: object) -> None:
        """Handle a message and send its answer. Never raises: an exception of the program is answered with an
        error too, so that the page does not wait forever. Messages that are not requests of a page are
        requests of the engine."""
        number: int | str | None = None
        try:
            number, method, params = read_request(message)
            request = self._requests.get(method)
            if request is None:
                await self._ask_engine(message)
                return
            content: _Message = {"result": await self._result(request, params)}
        except RequestError as error:
            self.refuse(error)
            return
        except MalformedMessage as error:
            log.warning("refused: a message: %s", error)
            content = _error(WRONG, str(error))
        except ValueError as error:
            content = _error(REFUSED, " ".join(str(error).split())[:500])
        except KeyboardInterrupt:
            content = _error(REFUSED, "ended")
        except Exception as error:
            log.error("the board failed at a message: %s: %s", type(error).__name__, error)
            content = _error(FAILED, f"internal error of the board: {type(error).__name__}")
        self._send({"jsonrpc": "2.0", "id": number, **content})

    def refuse(self, error: RequestError) -> None:
        """Answer a message that cannot be read, or is no request."""
        log.warning("refused: a message: %s", error)
        self._send({"jsonrpc": "2.0", "id": error.number, **_error(error.code, str(error))})

    async def _result(self, request: Callable[[_Message], Awaitable[_Message]], params: _Message) -> _Message:
        """Handle a request and return its answer, or a question if a move matches several legal moves or
        turns up an unknown card."""
        try:
            return await request(params)
        except SeveralMoves as question:
            return {"type": "choose", "moves": question.moves}
        except CardNeeded as question:
            return {"type": "turned", "place": question.place, "cards": question.cards}

    def _tell(self, message: _Message) -> None:
        """Send a message that is not an answer; its type becomes its method."""
        params = {key: value for key, value in message.items() if key != "type"}
        self._send({"jsonrpc": "2.0", "method": message["type"], "params": params})

    async def _ask_engine(self, message: object) -> None:
        loop = asyncio.get_running_loop()
        if self._engine is None:
            self._engine = Engine(lambda answer: _send_later(loop, self._send, answer))
        if not await asyncio.to_thread(self._engine.handle, message):
            self._engine = None

    @property
    def _game(self) -> Session:
        if self.session is None:
            raise ValueError("no game is open")
        return self.session

    async def _on_ping(self, message: _Message) -> _Message:
        return {"type": "done"}

    # --- Opening --------------------------------------------------------------------------------------------

    async def _on_cancel(self, message: _Message) -> _Message:
        self._opened += 1
        self._end_errand()
        return {"type": "done"}

    async def _on_open(self, message: _Message) -> _Message:
        thinks = _flag(message, "think") if "think" in message else None
        number = self._opened = self._opened + 1
        self._end_errand()
        opening = await asyncio.to_thread(self._opening, message)
        if isinstance(opening, Wanted):
            opening = await self._look_for(opening)
        session, header = await asyncio.to_thread(self._begin, opening)
        if number != self._opened:  # another game was requested meanwhile
            raise KeyboardInterrupt
        self.keep()
        session.was_played |= "played" in message and _flag(message, "played")
        self.session = session
        self._spend()
        if thinks is not None:
            self.search_control.is_on = thinks
        self.search_control.think(session)
        return serialize.game_object(session) | {"saved": header, "note": opening.note}

    def _begin(self, opening: Opening) -> tuple[Session, _Message]:
        """The game of ``opening``, and the data that reopens it without its moves."""
        try:
            session = Session.begin(opening)
        except ValueError as error:
            raise ValueError(f"{error}. {opening.note}" if opening.note else str(error)) from None
        return session, export.header_object(session, self.settings.hidden_deals)

    def _opening(self, message: _Message) -> Opening | Wanted:
        source = message.get("from")
        if not isinstance(source, dict):
            raise MalformedMessage("from: expected an object")
        if source.get("start") is True:
            if self.settings.start is None:
                raise ValueError("the board was opened without a game")
            return self.settings.start
        if "game" in source:
            if self.settings.history is None:
                raise ValueError("the history is turned off")
            source = {"saved": self.settings.history.saved(source["game"])}
        return read_opening(message | {"from": source}, self.settings.hidden_deals)

    async def _look_for(self, wanted: Wanted) -> Opening:
        watch = self._errand = Watch()
        loop = asyncio.get_running_loop()

        def tell(tried: int) -> None:
            loop.call_soon_threadsafe(self._tell, {"type": "dealing", "tried": tried})

        try:
            return await asyncio.to_thread(look_for, wanted, watch, tell)
        finally:
            if self._errand is watch:
                self._errand = None

    def _end_errand(self) -> None:
        if self._errand is not None:
            self._errand.stop()
            self._errand = None

    async def _on_check(self, message: _Message) -> _Message:
        variant, text = find_variant(_text(message, "game", 40)), _text(message, "text", _MOST_TEXT)
        return {"type": "checked"} | await asyncio.to_thread(editor.check, variant, text)

    # --- Moves ----------------------------------------------------------------------------------------------

    async def _on_move(self, message: _Message) -> _Message:
        game = self._game
        asked = _text(message, "text", 100) if "text" in message else self._drop(message)
        before, main = game.here, {node.number for node in game.tree.main_line()}
        is_new = len(game.tree.nodes)
        top = node = game.play(before, asked, _optional_text(message, "turned"), message.get("aside") is True)
        if len(game.tree.nodes) > is_new:
            node.helped = self.search_control.hints
        while top.number not in main and top.parent is not None:
            top = top.parent
        self._tell_nodes([*game.tree.below(top)] if top is not node else [])
        return self._shown()

    def _drop(self, message: _Message) -> Drop:
        state, count = self._game.here.state, message.get("count", 0)
        if type(count) is not int or not 0 <= count <= 104:
            raise MalformedMessage("count: expected a number of cards")
        source, target = (check_place(state, message.get(key)) for key in ("source", "target"))
        return Drop(source, target, count, _optional_text(message, "rank"), _optional_text(message, "suit"))

    async def _on_auto(self, message: _Message) -> _Message:
        game, made = self._game, []
        while (move := game.safe_move(game.here)) is not None:
            try:
                made.append(game.play(game.here, move))
            except CardNeeded:
                break
        self._tell_nodes(made)
        return self._shown()

    async def _on_undo(self, message: _Message) -> _Message:
        if self._game.here.parent is None:
            raise ValueError("no move to undo")
        return self._show(self._game.here.parent)

    async def _on_redo(self, message: _Message) -> _Message:
        after = self._game.tree.following(self._game.here)
        if after is None:
            raise ValueError("no move to redo")
        return self._show(after)

    async def _on_restart(self, message: _Message) -> _Message:
        return self._show(self._game.tree.nodes[0])

    async def _on_goto(self, message: _Message) -> _Message:
        return self._show(self._game.tree.find(message.get("node")))

    async def _on_add(self, message: _Message) -> _Message:
        game = self._game
        node, moves = game.tree.find(message.get("node")), message.get("moves")
        if not isinstance(moves, list) or len(moves) > _MOST_MOVES:
            raise MalformedMessage(f"moves: expected a list of at most {_MOST_MOVES} moves")
        if not all(isinstance(move, str) and len(move) <= 100 for move in moves):
            raise MalformedMessage("moves: expected a list of moves")
        added = []
        for move in moves:
            node = game.add(node, move)
            node.helped |= not message.get("go")
            added.append(node)
        self._tell_nodes(added)
        if message.get("go"):
            game.show(node)
        return self._shown()

    async def _on_delete(self, message: _Message) -> _Message:
        game = self._game
        node = game.tree.find(message.get("node"))
        parent = node.parent
        self._tell({"type": "gone", "nodes": game.tree.remove(node)})
        self._tell_nodes(list(game.tree.below(parent)) if parent is not None else [])
        return self._shown()

    async def _on_promote(self, message: _Message) -> _Message:
        game = self._game
        self._tell_nodes(game.tree.promote(game.tree.find(message.get("node"))))
        return serialize.position_object(game)

    async def _on_finish(self, message: _Message) -> _Message:
        self._game.reveal()
        self.search_control.think(self._game)
        self.keep()
        header = export.header_object(self._game, self.settings.hidden_deals)
        return serialize.game_object(self._game) | {"saved": header}

    def _show(self, node: Node) -> _Message:
        self._game.show(node)
        return self._shown()

    def _shown(self) -> _Message:
        """The position shown, after starting its search."""
        game = self._game
        self._spend()
        self.search_control.think(game)
        if game.here.over == "won":
            self.keep()
        return serialize.position_object(game)

    def _spend(self) -> None:
        """Add the time since the last move to the time spent on the game, but at most `_LONGEST_THOUGHT`."""
        now = time.monotonic()
        if self.session is not None and self._moved_at is not None:
            self.session.seconds += min(_LONGEST_THOUGHT, now - self._moved_at)
        self._moved_at = now

    def _tell_nodes(self, nodes: list[Node]) -> None:
        if nodes:
            self._tell({"type": "nodes", "nodes": serialize.nodes_objects(self._game, nodes)})

    # --- Analysis -------------------------------------------------------------------------------------------

    async def _on_hints(self, message: _Message) -> _Message:
        self.search_control.hints = _flag(message, "on")
        self.search_control.think(self.session)
        return {"type": "done"}

    async def _on_think(self, message: _Message) -> _Message:
        self.search_control.is_on = _flag(message, "on")
        self.search_control.think(self.session)
        return {"type": "done"}

    async def _on_limits(self, message: _Message) -> _Message:
        limits = self.search_control.limits
        seconds = _number(message, "seconds", limits.seconds, MOST_SECONDS)
        megabytes = _number(message, "megabytes", limits.megabytes, MOST_MEGABYTES)
        self.search_control.limits = Limits(seconds=seconds, megabytes=megabytes)
        self.search_control.think(self.session)
        return {"type": "limits"} | self._limits_object()

    def _limits_object(self) -> _Message:
        limits = self.search_control.limits
        told = {"seconds": limits.seconds, "megabytes": limits.megabytes}
        return told | {"most_seconds": MOST_SECONDS, "most_megabytes": MOST_MEGABYTES}

    async def _on_line(self, message: _Message) -> _Message:
        game = self._game
        node = game.tree.find(message.get("node", game.here.number))
        return serialize.line_object(game, node, to_tier=message.get("goal") == "tier")

    async def _on_better(self, message: _Message) -> _Message:
        node = self._game.tree.find(message.get("node"))
        if node.parent is None:
            raise ValueError("no move led to the start")
        return serialize.line_object(self._game, node.parent)

    async def _on_fair(self, message: _Message) -> _Message:
        if _flag(message, "on"):
            self.search_control.review(self._game)
        else:
            self.search_control.think(self.session)
        return {"type": "done"}

    async def _on_why(self, message: _Message) -> _Message:
        node = self._game.tree.find(message.get("node", self._game.here.number))
        return await asyncio.to_thread(serialize.why_object, self._game, node)

    # --- Keeping --------------------------------------------------------------------------------------------

    async def _on_save(self, message: _Message) -> _Message:
        what, form = _text(message, "what", 20), message.get("form", "text")
        if what == "page":
            saved = export.file_of(self._game, what, "page", session_page(self._game))
        else:
            saved = export.save(self._game, what, form, self.settings.hidden_deals)
        return {"type": "saved"} | saved


def _send_later(loop: asyncio.AbstractEventLoop, send: Send, answer: _Message) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed, and no page is connected
        loop.call_soon_threadsafe(send, answer)


def _error(code: int, text: str) -> _Message:
    return {"error": {"code": code, "message": text}}


def _text(message: _Message, key: str, most: int) -> str:
    value = message.get(key)
    if not isinstance(value, str) or len(value) > most:
        raise MalformedMessage(f"{key}: expected a string of at most {most} characters")
    return value


def _optional_text(message: _Message, key: str) -> str | None:
    return None if message.get(key) is None else _text(message, key, 3)


def _number(message: _Message, key: str, usual: float | None, most: float) -> float | None:
    """The limit under ``key``, or ``usual`` if absent. Raises ValueError."""
    if key not in message:
        return usual
    value = message[key]
    if type(value) not in (int, float) or not 0 < value <= most:
        raise ValueError(f"{key}: expected a positive number up to {most:g}, got {value!r:.30}")
    return float(value)


def _flag(message: _Message, key: str) -> bool:
    value = message.get(key)
    if not isinstance(value, bool):
        raise MalformedMessage(f"{key}: expected true or false")
    return value
