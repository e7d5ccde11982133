"""The board as a process: authentication, refusals, and that it continues after every error."""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import time

import pytest
from tests.board.served import Served, free_port
from tests.board.talks import request
from tests.children import HANG, start, start_code
from tests.compiled import needs_kernels

from winnable import SCHEMA
from winnable.protocol.server import Engine
from winnable.rules import find_variant
from winnable.rules.cards import format_card
from winnable.rules.tables import hidden, missing_cards

pytest.importorskip("uvicorn", reason="the extra 'board' is not installed")
pytest.importorskip("starlette", reason="the extra 'board' is not installed")
websockets = pytest.importorskip("websockets", reason="the extra 'board' is not installed")
pytestmark = needs_kernels


HOSTS = ["127.0.0.1", "127.0.0.2"]  # to this machine alone, or at an address given by --host


@pytest.fixture
def board():
    return Served("--no-history").enter()


@pytest.fixture(scope="module", params=[HOSTS[0], pytest.param(HOSTS[1], marks=pytest.mark.full)])
def running(request):
    """A board for all tests that neither end it nor read its log; it must still work after each of them."""
    served = Served("--no-history", host=request.param).enter()
    served.child.outlive_its_test()
    yield served
    served.child.end()


def stopped(board):
    """Wait until the board has ended, which must happen at once; return its stderr."""
    _, err = board.child.interrupt()
    assert board.child.returncode == 0
    assert "Traceback" not in err
    return err.splitlines()


def test_a_page_that_has_left_is_parted_from_without_a_word():
    from starlette.websockets import WebSocketDisconnect

    from winnable.board.server import _part

    class Gone:
        async def close(self, code, reason):
            raise WebSocketDisconnect(1006)

    asyncio.run(_part(Gone()))


def test_the_address_opens_the_board_once_and_another_browser_has_its_own(board):
    path = board.address.removeprefix(f"http://{board.host}")
    status, _, page = board.get(path, Cookie=None)
    assert status == 401
    links = re.findall(rb'href="([^"]+)"', page)
    assert [board.get(link.decode(), Cookie=None)[0] for link in links] == [200, 200, 200]
    status, headers, page = board.get("/")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"<script>" not in page
    assert b"<style" not in page
    assert b" style=" not in page
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert board.still_answers()
    first, line, refused = board.cookie, board.child.stderr.readline(), board.child.stderr.readline()
    assert "for another browser: http://127.0.0.1:" in line
    assert refused == "winnable: refused: a wrong token\n"
    board.address = line.split()[-1]
    assert board.enter().cookie == first
    assert board.still_answers()
    stopped(board)


ODD_COOKIES = [
    'prefs={"theme":"dark"}', "cart[0]=1", "flag", "=nameless", "empty=", "a=b=c", "a b=c d", 'q="open', "{}",
    ",", "caf\u00e9=cr\u00e8me", "date=Wed, 21 Oct 2026 07:28:00 GMT", "$Version=1", "path=/", "expires=0",
    "secure", "x=\\042\\", "(name)=1", "@<>=1", ";", "winnable-board-1=other",
    *(f"{size}=" + "x" * size for size in (4_000, 10_000, 25_000)),  # twice, below the 64 KB of a request
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD_COOKIES, ids=lambda odd: odd[:12])
def test_cookies_of_other_programs_on_this_machine_lock_nobody_out(running, odd):
    """Browsers send the cookies of all ports of a machine, before and after that of the board."""
    own, name = running.cookie, running.cookie.partition("=")[0]
    for cookies in (f"{odd}; {own}", f"{own}; {odd}", f"{odd}; {own}; {odd}", f"{odd};{own};{odd};"):
        sent = cookies.encode().decode("latin-1")
        assert running.get("/", Cookie=sent)[0] == 200
        with running.open_socket(Cookie=sent) as page:
            assert page.hello["type"] == "hello"
    for cookies in (odd, f"{odd}; {name}", f"{odd}; {name}=x; {odd}", f"{odd}; x{own}", f"{odd}={own}"):
        assert running.get("/", Cookie=cookies.encode().decode("latin-1"))[0] == 401


def test_a_board_for_other_machines_prints_its_addresses_as_pictures_too():
    """Each code works for one browser; the address of this machine alone is useless elsewhere."""
    served = Served("--no-history", host="127.0.0.2")
    assert served.address.startswith("http://127.0.0.2:")
    drawn = [served.child.stderr.readline() for _ in range(15)]
    assert all(set(line.strip("\n")) <= set(" \u2580\u2584\u2588") for line in drawn)
    served.enter()
    assert served.still_answers()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", served.port), timeout=HANG)
    assert any("for another browser: http://127.0.0.2:" in line for line in stopped(served))


@pytest.mark.quick(1)
@pytest.mark.parametrize("host", ["0.0.0.0", "198.51.100.7", "my-phone", "::1"])
def test_an_address_that_is_none_of_this_machine_is_refused_in_one_line(host):
    child = start("board", "--no-browser", "--host", host)
    out, err = child.finish()
    assert (child.returncode, out) == (2, "")
    assert host in err.splitlines()[-1]
    assert "Traceback" not in err


STRANGERS = [
    ({"Host": "evil.example"}, 421), ({"Host": "evil.example:8431"}, 421),
    ({"Host": "127.0.0.1.evil.example"}, 421), ({"Host": "127.0.0.1@evil.example"}, 421),
    ({"Host": "[::1"}, 421), ({"Host": ""}, 421), ({"Origin": "http://evil.example"}, 403),
    ({"Origin": "null"}, 403), ({"Origin": "http://127.0.0.1:1"}, 403),
    ({"Sec_Fetch_Site": "cross-site"}, 403), ({"Cookie": None}, 401),
    ({"Cookie": "winnable-board-1=x"}, 401), ({"Cookie": '"=;;;='}, 401),
]  # fmt: skip


@pytest.mark.quick(1)
@pytest.mark.parametrize("host", HOSTS)
def test_whoever_is_not_the_page_is_refused(host):
    board = Served("--no-history", host=host).enter()
    for headers, status in STRANGERS:
        for method, path in (("GET", "/"), ("GET", "/history.json"), ("POST", "/history/forget")):
            sent = b'{"all": true}' if method == "POST" else None
            found, answered, body = board.request(method, path, sent, **headers)
            assert found == status, (headers, body)
            assert "content-security-policy" in answered
            assert status == 401 or body.count(b"\n") == 1
    assert board.still_answers()
    lines = stopped(board)
    assert sum("refused: " in line for line in lines) == 3 * len(STRANGERS)
    assert all(line.startswith("winnable: ") for line in lines if line.isascii())  # except QR codes


def test_sockets_of_strangers_are_refused(running):
    for headers, _ in STRANGERS:
        lines = ["GET /socket HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade"]
        lines += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
        usual = {"Host": running.host, "Cookie": running.cookie}
        lines += [f"{k.replace('_', '-')}: {v}" for k, v in (usual | headers).items() if v is not None]
        with running.raw() as connection:
            connection.sendall("\r\n".join([*lines, "", ""]).encode())
            assert connection.recv(100).split()[1] in (b"400", b"403"), headers
    assert running.still_answers()


PATHS = [
    "/static/../server.py", "/static/..%2fserver.py", "/static/%2e%2e/server.py", "/static/..%5cserver.py",
    "/static/%00.html", "/static//etc/passwd", "/static/index.html/../../server.py", "/../../etc/passwd",
    "/static/.hidden.js", "/static/server.py", "/history/../../x", "/static/" + "x" * 5000 + ".js",
]  # fmt: skip


def test_no_path_leads_out_of_the_folder(running):
    for path in PATHS:
        status, _, body = running.get(path)
        assert status in (400, 404), path
        assert b"import" not in body
        assert b"root:" not in body
    assert running.still_answers()


def test_a_length_that_is_none_or_of_a_hundred_megabytes_is_refused(running):
    hundred = 100_000_000
    for length in ("9" * 5000, "-1", "1e3", "\u00b2", "0x10", str(hundred)):
        answer = running.request("POST", "/history/forget", b"", Content_Length=length)
        assert answer[0] in ((413,) if length == str(hundred) else (400, 413))
    with running.raw() as connection:  # sent in pieces, without a length
        head = f"POST /history/forget HTTP/1.1\r\nHost: {running.host}\r\nCookie: {running.cookie}\r\n"
        connection.sendall((head + "Transfer-Encoding: chunked\r\n\r\n").encode())
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        sent = 0
        with contextlib.suppress(BrokenPipeError, ConnectionResetError, TimeoutError):
            while sent < hundred:
                connection.sendall(piece)
                sent += 0x10000
        assert sent < hundred
    with running.open_socket() as page:
        page.connection.send("x" * 2_000_000)
        with pytest.raises(websockets.exceptions.ConnectionClosed):
            page.drain()
    assert running.still_answers()


def test_garbage_and_half_frames_end_nothing_but_themselves(running):
    with running.open_socket() as page:
        for frame in ("", "{", "[[[[", "\x00", "nul", "[" * 100_000, b"\xff\xfe"):
            page.connection.send(frame)
        assert page.ask("ping")["type"] == "done"
        assert sum(message["type"] == "error" for message in page.told) == 7
    heads = (b"GET / HTTP/9.9\r\n\r\n", b"GET /socket HTTP/1.1\r\n\r\n", b"GET /" + b"x" * 200_000)
    for garbage in (b"\x00\xff" * 50, b"\r\n" * 10, *heads):
        with running.raw() as connection:
            connection.sendall(garbage)
    page = running.open_socket()
    page.connection.socket.sendall(b"\x81\xff\x00")  # the head of a frame that is never completed
    page.connection.socket.close()
    page = running.open_socket()
    page.connection.socket.sendall(b"\xf7" * 64)  # an invalid kind of frame
    assert running.still_answers()


@pytest.mark.full
@pytest.mark.parametrize("wait", [0, 0.005, 0.01, 0.02, 0.05])
def test_an_interrupt_at_the_start_ends_it_silently(wait):
    """At any stage of the server's start."""
    child = start("board", "--no-browser", "--no-history", "--port", free_port())
    child.first_line()
    time.sleep(wait)
    assert child.interrupt()[1] == ""
    assert child.returncode == 0


HALF_OPEN = (b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", b"GET /socket HTTP/1.1\r\nUpgrade: websocket\r\n")


def test_clients_that_ask_for_nothing_hold_nobody_off(board):
    """More idle clients than the server can answer at once; an open socket stays open."""
    with board.open_socket() as page, contextlib.ExitStack() as stack:
        for number in range(230):
            connection = stack.enter_context(board.raw())
            with contextlib.suppress(OSError):
                connection.sendall(HALF_OPEN[number % len(HALF_OPEN)])
            if number % 50 == 49:
                assert board.get("/")[0] == 200
        assert board.still_answers()
        assert page.ask("ping")["type"] == "done"


@pytest.mark.full
def test_a_client_that_asks_for_nothing_is_parted_from(running):
    """Four at once, since the server waits five seconds; the last one has sent an incomplete request."""
    asked = f"GET /static/icon.svg HTTP/1.1\r\nHost: {running.host}\r\nCookie: {running.cookie}\r\n\r\n"
    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(running.raw()) for _ in range(len(HALF_OPEN) + 1)]
        for connection, head in zip(connections, (*HALF_OPEN, asked.encode()), strict=True):
            connection.sendall(head)
        assert connections[-1].recv(15) == b"HTTP/1.1 200 OK"
        connections[-1].sendall(b"GET / HTTP/1.1\r\nHo")
        assert all(map(is_closed, connections))
    assert running.still_answers()


def is_closed(connection):
    """Test if the connection is closed, by reading to its end."""
    with contextlib.suppress(ConnectionResetError):
        while connection.recv(10_000):
            pass
    return True


@pytest.mark.full
def test_the_twenty_first_game_is_refused(board):
    pages = [board.open_socket() for _ in range(20)]
    for page in pages:
        assert page.ask("open", game="fortress", **{"from": {"seed": 8}})["type"] == "game"
    for _ in range(30):
        with pytest.raises(websockets.exceptions.ConnectionClosed) as closed:
            board.open_socket()
        assert closed.value.rcvd.code == 4008
    for page in pages:
        page.connection.close()
    while True:  # until the server has noticed
        try:
            assert board.still_answers()
            break
        except websockets.exceptions.ConnectionClosed:
            time.sleep(0.05)
    assert "winnable: refused: 20 games are open already" in stopped(board)


@pytest.mark.full
def test_a_page_that_never_reads_does_not_hold_the_others_up(board):
    silent = board.open_socket(is_reading=False)
    for number in range(300):
        opening = request(number, "open", game="simon-jester", **{"from": {"seed": 1}})
        silent.connection.send(json.dumps(opening))
    assert board.still_answers()
    with open(f"/proc/{board.child.pid}/status") as status:
        kilobytes = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    assert kilobytes < 1_500_000


def test_closing_a_page_ends_its_search(board):
    page = board.open_socket()
    page.ask("limits", seconds=3600, megabytes=2000)
    page.ask("open", game="simon-jester", **{"from": {"seed": 6}})
    while page.receive()["type"] != "analysis":
        pass
    page.connection.close()
    assert board.still_answers()
    wait_until_idle(board.child.pid)


def wait_until_idle(pid):
    """Wait until a process uses no processor time, which must happen."""

    def ticks():
        with open(f"/proc/{pid}/stat") as stat:
            return sum(map(int, stat.read().rpartition(")")[2].split()[11:13]))

    ends = time.monotonic() + HANG
    while time.monotonic() < ends:
        before = ticks()
        time.sleep(0.5)
        if ticks() - before <= 2:
            return
    raise AssertionError("it searches on")


@pytest.mark.quick("2")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_its_searches_at_once(board, number):
    with board.open_socket() as page:
        page.ask("limits", seconds=3600, megabytes=2000)
        page.ask("open", game="simon-jester", **{"from": {"seed": 6}})
        board.child.send_signal(number)
        with pytest.raises(websockets.exceptions.ConnectionClosed):
            page.drain()
    _, err = board.child.finish()
    assert board.child.returncode == 0
    assert "Traceback" not in err


NAMELESS = {
    "": -32700, "{": -32700, "hello": -32700, '{"id": 1': -32700, "NaN": -32700, "[" * 5000: -32700,
    "{}{}": -32700, "null": -32600, "7": -32600, "[]": -32600, '[{"id": 1, "method": "hello"}]': -32600,
    "{}": -32600, '{"method": "hello"}': -32600, '{"id": null, "method": "hello"}': -32600,
    '{"id": [1], "method": "x"}': -32600, '{"id": true, "method": "x"}': -32600,
    '{"id": 1.5, "method": "x"}': -32600,
}  # fmt: skip
NAMED = {
    '"jsonrpc": "2.0"': -32600, '"method": 7': -32600, '"method": "ping", "jsonrpc": "1.0"': -32600,
    '"method": "dance"': -32601, '"method": "_on_ping"': -32601, '"method": ""': -32601,
    '"method": "hello", "params": []': -32602, '"method": "ping", "params": 7': -32602,
    '"method": "legal", "params": {}': -32602, '"method": "hints", "params": {}': -32602,
}  # fmt: skip
"""Messages with the codes of JSON-RPC for what is wrong with them; of NAMED the id, 1, can be read."""


@pytest.mark.parametrize("kind", ["text", "binary"])
def test_what_is_no_request_has_the_code_of_the_specification(running, kind):
    """In text frames and binary ones, as from the engine; the socket stays open."""
    told = []
    engine = Engine(told.append)
    with running.open_socket() as page:
        named = {f'{{"id": 1, {rest}}}': code for rest, code in NAMED.items()}
        for text, code in (NAMELESS | named).items():
            page.connection.send(text.encode() if kind == "binary" else text)
            page.receive()
            answer = page.wire[-1]
            number = 1 if text in named else None
            assert (answer["error"]["code"], answer["id"], answer["jsonrpc"]) == (code, number, "2.0"), text
            if '"ping"' not in text and '"hints"' not in text:  # which are methods of the page
                engine.handle(text.encode())
                assert told.pop() == answer | {"schema": SCHEMA}
        page.connection.send("\ufeff" + json.dumps(request(9, "ping")))
        assert page.receive()["type"] == "done"
        page.connection.send(b"\xff")
        page.receive()
        assert page.wire[-1]["error"]["code"] == -32700


@pytest.mark.parametrize("frame", ["x" * 1_000_001, b"x" * 1_000_001])
def test_a_frame_that_is_too_long_closes_the_socket(running, frame):
    with running.open_socket() as page:
        page.connection.send(frame)
        with pytest.raises(websockets.ConnectionClosed) as closed:
            page.drain()
        assert closed.value.rcvd.code == 1009
    assert running.still_answers()


def test_no_frame_of_a_players_game_holds_a_card_that_is_not_turned(running):
    state = find_variant("joker").deal(4)
    with running.open_socket() as page:
        position = page.ask("open", game="joker", mode="player", **{"from": {"seed": 4}})["position"]
        page.ask("hints", on=True)
        for _ in range(25):
            told = len(page.told)
            if not position["moves"]:
                break
            text = position["moves"][-1]["text"]
            position = page.ask("move", text=text)
            variant = find_variant("joker")
            named = text.replace("??", format_card(state.stock[0]) if state.stock else "??")
            state = variant.family.apply(state, variant.family.parse_move(state, named))
            unseen = {format_card(card) for card in missing_cards(hidden(state))} - {"XB", "XR"}
            for message in page.told[told:]:
                words = json.dumps(message | {"jokers": []})
                if message["type"] == "position":
                    words = json.dumps(message | {"picture": message["picture"] | {"jokers": []}})
                assert not [card for card in unseen if f'"{card}' in words or f" {card}" in words], message
        saved = [page.ask("save", what=what, form="json") for what in ("position", "deal", "moves", "game")]
        key = json.loads(saved[-1]["content"])["key"]  # random letters, which may look like a card
        words = json.dumps(saved).replace(key, "")
        assert not [card for card in unseen if card in words]


def test_history_over_http(tmp_path):
    board = Served(env=os.environ | {"XDG_DATA_HOME": str(tmp_path)}).enter()
    assert board.get("/history.json")[2] == b'{"kept":true,"games":[],"totals":[]}'
    with board.open_socket() as page:
        page.ask("open", game="fortress", **{"from": {"seed": 8}})
        page.ask("move", text="AH 9-f")
        page.ask("open", game="fortress", **{"from": {"seed": 9}})
        found = json.loads(board.get("/history.json")[2])
        assert [game["name"] for game in found["games"]] == ["seed 8"]
        assert found["totals"][0]["played"] == 1
        for wrong in (b"", b"[]", b"{}", b'{"game": "1"}', b'{"all": 1}'):
            assert board.request("POST", "/history/forget", wrong)[0] == 400
        assert board.request("POST", "/history/forget", b'{"game": 99999999999999999999}')[0] == 404
        assert board.get("/history/forget")[0] == 405
        assert board.request("POST", "/history/forget", b'{"all": true}')[2] == b'{"forgotten":1}'
    board.child.interrupt()
    assert (tmp_path / "winnable" / "history.sqlite").exists()


def test_a_history_that_is_none_is_refused_and_left(tmp_path):
    path = tmp_path / "winnable" / "history.sqlite"
    path.parent.mkdir()
    path.write_bytes(b"my diary\n" * 100)
    child = start("board", "--no-browser", env=os.environ | {"XDG_DATA_HOME": str(tmp_path)})
    out, err = child.finish()
    assert (child.returncode, out, err.count("\n")) == (2, "", 1)
    assert "history.sqlite" in err
    assert "--no-history" in err
    assert path.read_bytes() == b"my diary\n" * 100


def test_a_port_that_is_taken_is_refused(running):
    child = start("board", "--no-browser", "--no-history", "--host", running.name, "--port", running.port)
    assert child.finish()[1] == f"winnable: --port {running.port}: already in use\n"
    assert child.returncode == 2
    assert free_port() != running.port


@pytest.mark.full
def test_the_command_line_opens_a_game():
    board = Served("joker", "--seed", "4", "--hidden", "--no-history").enter()
    with board.open_socket() as page:
        assert page.hello["start"]
        game = page.ask("open", **{"from": {"start": True}})
        assert (game["game"], game["name"], game["mode"]) == ("joker", "seed 4", "player")


@pytest.mark.full
def test_without_the_extra_it_is_said_how_to_get_it():
    code = "import sys\nsys.modules['uvicorn'] = None\n"
    code += "from winnable.cli.main import run\nsys.exit(run(['board']))"
    child = start_code(code)
    out, err = child.finish()
    assert (child.returncode, out) == (2, "")
    assert err == "winnable: the board requires more packages: pip install 'winnable[board]'\n"
