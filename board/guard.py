"""Authentication of requests: only through an address that the server printed, for one browser.

The server listens only on 127.0.0.1, or at the address of this machine given with --host. Listening on
127.0.0.1 keeps out other machines, but not pages of other sites in a browser on this machine. So each request
is checked before any route is called:

- ``Host`` must be this machine. A foreign name rebound to its address is refused, although the browser
  regards it as the origin of the page.
- ``Origin``, if present, must be the same host and port; posts and sockets of other sites have another one.
- The cookie that `Keys` issued for a token is required, except for the address that takes the token and for
  static files.
- The body is limited to `MOST_BYTES`.
"""

import hmac
import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 1_000_000
HOSTS = ("127.0.0.1", "localhost")
COOKIE = "winnable-board-"  # beginning of the names of the cookies of boards
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self';"
    " base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}
log = logging.getLogger("winnable.board")


class Keys:
    """One-time tokens that open the board, and the cookie issued for one."""

    def __init__(self, port: int) -> None:
        self.name = f"{COOKIE}{port}"  # browsers share cookies among the ports of a machine
        self.cookie = secrets.token_urlsafe(32)
        self._token = secrets.token_urlsafe(24)
        self._lock = threading.Lock()

    @property
    def token(self) -> str:
        """The token that opens the board next."""
        return self._token

    def take(self, token: str) -> bool:
        """Use up ``token``. Returns True the first time it is used."""
        with self._lock:
            if not hmac.compare_digest(token.encode(), self._token.encode()):
                return False
            self._token = secrets.token_urlsafe(24)
            return True

    def fits(self, cookies: Mapping[str, str]) -> bool:
        """True if ``cookies``, by name, contain the cookie."""
        found = cookies.get(self.name, "")
        return hmac.compare_digest(found.encode(), self.cookie.encode())


class Guard:
    """ASGI middleware that forwards authenticated requests to ``app`` and refuses all others in one logged
    line. ``hosts`` are the names of this machine."""

    def __init__(
        self,
        app: ASGIApp,
        keys: Keys,
        closed: Callable[[], Any] | None = None,
        hosts: tuple[str, ...] = HOSTS,
    ) -> None:
        self.hosts = hosts
        self.app = app
        self.keys = keys
        self.closed = closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or socket."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        status, why = self._refusal(scope, headers)
        if status:
            log.warning("refused: %s", why)
            await self._refuse(scope, receive, send, status, why)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        await self.app(scope, _Limited(receive), _with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str]:
        """The status and the reason of a refusal; status 0 if the request is accepted."""
        host = headers.get("host", "")
        if not _is_here(host, self.hosts):
            return 421, f"Host {host!r:.60} is not this machine"
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return 403, f"Origin {origin!r:.60} is not the board"
        is_elsewhere = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        if is_elsewhere and headers.get("sec-fetch-mode") != "navigate":
            return 403, "the request comes from another site"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 20 or int(length) > MOST_BYTES:
            return 413, f"a body of {length:.20} bytes; {MOST_BYTES} are the most"
        path = scope["path"]
        is_open = scope["type"] == "http" and (path == "/open" or path.startswith("/static/"))
        if not is_open and not self.keys.fits(HTTPConnection(scope).cookies):
            return 401, f"{path!r:.60}: no cookie of this board"
        return 0, ""

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4001 if status == 401 else 1008})
            return
        page = self.closed() if status == 401 and self.closed is not None else None
        headers = {"connection": "close"} if status == 413 else None
        response = page or PlainTextResponse(why + "\n", status, headers)
        await response(scope, receive, _with_headers(send))


def _is_here(host: str, hosts: tuple[str, ...]) -> bool:
    try:
        parts = urlsplit(f"//{host}")
        return parts.hostname in hosts and parts.username is None and not parts.path and parts.port != 0
    except ValueError:
        return False


class TooMuch(Exception):  # noqa: N818
    """A request body larger than `MOST_BYTES`."""


class _Limited:
    """``receive`` of a request with a limit on the size of its body."""

    def __init__(self, receive: Receive) -> None:
        self.receive = receive
        self.bytes = 0

    async def __call__(self) -> Message:
        message = await self.receive()
        self.bytes += len(message.get("body", b""))
        if self.bytes > MOST_BYTES:
            log.warning("refused: expected a body of at most %s bytes", MOST_BYTES)
            raise TooMuch
        return message


def _with_headers(send: Send) -> Send:
    """``send`` with the headers of every answer added."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            message["headers"] = [*message.get("headers", ()), *extra]
        await send(message)

    return send_with_headers
