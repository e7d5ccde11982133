"""The board as a user starts it, and plain sockets that connect to it."""

import contextlib
import http.client
import json
import socket
from urllib.parse import urlsplit

from tests.board.talks import plain, request
from tests.children import HANG, start


class Served:
    """A running board; ``cookie`` is the one that its address was exchanged for."""

    def __init__(self, *args, env=None, port=None, host="127.0.0.1"):
        more = () if host == "127.0.0.1" else ("--host", host)
        self.child = start("board", "--no-browser", "--port", port or free_port(), *more, *args, env=env)
        self.address = self.child.first_line().strip()
        self.host = urlsplit(self.address).netloc
        self.name, self.port = host, int(self.host.rpartition(":")[2])
        self.cookie = None

    def enter(self):
        """Exchange the token for the cookie."""
        status, headers, _ = self.get(self.address.removeprefix(f"http://{self.host}"))
        assert (status, headers["location"]) == (303, "/")
        assert "HttpOnly" in headers["set-cookie"]
        assert "SameSite=strict" in headers["set-cookie"]
        self.cookie = headers["set-cookie"].split(";")[0]
        return self

    def request(self, method, path, body=None, **headers):
        """The status, the headers and the body of a response; request headers that are None are left out."""
        connection = http.client.HTTPConnection(self.name, self.port, timeout=HANG)
        told = {"Host": self.host, "Cookie": self.cookie} | headers
        sent = {name.replace("_", "-"): value for name, value in told.items() if value is not None}
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in sent.items():
            connection.putheader(name, value)
        if body is not None and "Content-Length" not in sent and "Transfer-Encoding" not in sent:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders()
        if body is not None:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # refused before it was read
                connection.send(body)
        answer = connection.getresponse()
        found = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        connection.close()
        return found

    def get(self, path, **headers):
        """The answer to a GET."""
        return self.request("GET", path, **headers)

    def open_socket(self, is_reading=True, **headers):
        """A WebSocket whose first message was read. Unless ``is_reading`` it reads only on request."""
        from websockets.sync.client import connect

        sent = {"Cookie": self.cookie} | headers
        options = {"max_size": None, "max_queue": None if is_reading else 16}
        page = Page(connect(f"ws://{self.host}/socket", additional_headers=sent, **options).__enter__())
        page.hello = page.receive()
        return page

    def raw(self):
        """A plain connection."""
        return socket.create_connection((self.name, self.port), timeout=HANG)

    def still_answers(self):
        """Open a game and make a move; returns True if that works."""
        with self.open_socket() as page:
            assert page.ask("open", game="fortress", **{"from": {"seed": 8}})["type"] == "game"
            return page.ask("move", text="AH 9-f")["type"] == "position"


class Page:
    """The client's side of a socket."""

    def __init__(self, connection):
        self.connection = connection
        self.told, self.wire = [], []
        self.number = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def receive(self):
        """The next message."""
        self.wire.append(json.loads(self.connection.recv(timeout=HANG)))
        message = plain(self.wire[-1])
        self.told.append(message)
        return message

    def drain(self):
        """Read until the socket is closed."""
        while True:
            self.receive()

    def ask(self, kind, **fields):
        """Send a message and return its answer."""
        self.number += 1
        self.connection.send(json.dumps(request(self.number, kind, **fields)))
        while (message := self.receive()).get("id") != self.number:
            pass
        return message


def free_port():
    """A port on which no program listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
