"""Random command lines with their input files, valid and invalid, but none that takes long."""

from functools import cache
from types import SimpleNamespace

import click

from winnable.cli.main import cli
from winnable.rules import VARIANTS

from .damage import damage
from .samples import PLAYED

ODD = [
    "", "-1", "nan", "inf", "-inf", "1e400", "9" * 20, "9" * 5000, "½", "\u0663", "x" * 3000, "\udcff",
    "1 2", "a\nb",
]  # fmt: skip
OUTPUTS = [
    "new.html", "old.html", "missing/new.html", ".", "link.html", "dangling.html", "/dev/null", "/dev/full",
]  # fmt: skip
ODD_OUTPUTS = ["", "-", "new.html/", "n" * 300, "a\nb", "\udcff", "old.html/new"]
NAMES = ["deal.txt", "päge 1.txt", "fortress", "-x.txt", "\udcff.txt", "a\nb.txt", "[red].json"]
VALUES = {
    "--seed": ["0", "3", "18446744073709551615"], "--pysol": ["12", "ms5"], "--work": ["2k", "0"],
    "--max-memory": ["1", "0"], "--count": ["1", "2", "0"], "--before": ["1", "5", "1000"],
    "--ranks": ["5", "13", "1", "0"], "--suits": ["CDH", "CC", "x"], "--sizes": ["5,5,5", "0", "1,,2", "-3"],
    "--shard": ["1/2", "0/2", "x"], "--until": ["5%", "x"], "--check-every": ["1", "0"],
}  # fmt: skip
"""Values of options that have no list of their own."""

APART = {
    "--winnable",
    "--tier",
    "--difficulty",
    "--think",
    "--player",
    "--write",
    "--json",
    "--schema",
    "--fair",
    "--sees",
}
"""Options that are added where they do not take long, or where it is known what they write."""

COMMANDS = {
    "solve": (("deal", "deals", "line"), {"--work": 300, "--max-seconds": 0.2}, ("--html",)),
    "deal": (("deal", "deals", "line"), {}, ()),
    "verify": (("line",), {}, ()),
    "review": (("line",), {"--work": 20, "--max-seconds": 0.01}, ("--html",)),
    "hint": (("deal", "view", "line"), {"--max-seconds": 0.03, "--prove": "1k"}, ()),
    "replay": (("deal", "line"), {"--work": 300, "--max-seconds": 0.2}, ("-o", "--output")),
    "simulate": (("deal", "view", "line"), {"--visits": 2}, ("--html",)),
    "difficulty": (("deal", "line"), {"--work": 10, "--max-seconds": 0.1}, ()),
    "rate": (("deals", "deal"), {"--work": 100, "--workers": 1}, ()),
    "report": (("store",), {}, ()),
    "describe": ((), {}, ()),
    "bench": ((), {}, ()),
}
"""The kinds of files that commands read, limits that each of their lines has, and options for pages."""


def random_line(rng, samples):
    """A random command line on damaged ``samples``: its ``args``, the ``files`` it reads by name, the
    ``games`` it names, the contents of all files ``read``, its ``output`` file, and ``stdin``."""
    command = rng.choice(list(COMMANDS))
    kinds, limits, pages = COMMANDS[command]
    line = SimpleNamespace(args=[command], files={}, games=[], read=[], output=None, stdin=b"")
    game = rng.choice([*PLAYED, *PLAYED, "fortress"] if command == "simulate" else list(VARIANTS))
    game = OTHERS.get(command, take_deal)(rng, line, samples, kinds, game)
    if game:
        name_game(rng, line, game)
    if "simon" in game and command in ("solve", "hint"):
        limits = limits | {"--shorten": 0}
    if game in PLAYED and command == "hint":
        limits = limits | {"--visits": 5}
    for option, value in limits.items():
        odd = ["", "-1", "nan", "9x", "--json"]
        line.args += [option, rng.choice(odd) if rng.random() < 0.02 else str(value)]
    if command == "deal" and line.read and rng.random() < 0.15:  # for seeds a thousand deals would be tried
        line.args += rng.choice((["--winnable"], ["--tier", "win"], ["--difficulty", "easy"]))
        line.args += ["--work", "100", "--max-seconds", "0.1"]
    if command in ("hint", "simulate") and rng.random() < 0.08:
        line.args += ["--player", rng.choice(("rule", "search"))]
    if command == "review" and rng.random() < 0.1:
        line.args += [*rng.choice((["--fair"], ["--sees", "stock"], ["--sees", "all"])), "--visits", "1"]
    add_options(rng, line, command)
    if pages and rng.random() < 0.4:
        line.output = rng.choice([*OUTPUTS, *OUTPUTS, *ODD_OUTPUTS, *line.files])
        line.args += [rng.choice(pages), line.output]
    if rng.random() < 0.3:
        line.args.append("--json")
    if rng.random() < 0.05:
        line.args += rng.choice((["--bogus"], ["--color"], ["--json=1"], ["--"], ["--help"]))
    if rng.random() < 0.03:
        line.args.insert(1, rng.choice(ODD))
    if rng.random() < 0.02:
        line.args.append(rng.choice(line.args[1:] or [""]))
    return line


def take_file(rng, line, samples, kinds, game=None):
    """Add a damaged file as an argument; return the sample that it came from."""
    fitting = [each for each in samples if each.kind in kinds and game in (None, each.game)]
    sample = rng.choice(fitting if fitting and rng.random() < 0.95 else samples)
    others = [each.data for each in samples if len(each.data) < 20000]
    content = damage(rng, sample.data, others)
    line.read.append(content)
    if not line.stdin and rng.random() < 0.15 and sample.kind != "store":
        line.stdin = content
        line.args.append("-")
        return sample
    name = rng.choice(NAMES) if rng.random() < 0.2 else f"file-{len(line.files)}.txt"
    line.files[name] = content
    line.args.append(f"./{name}" if rng.random() < 0.3 else name)
    return sample


def take_deal(rng, line, samples, kinds, game):
    """Add a deal by file or number, with a line of play or moves; return its game."""
    is_line = kinds == ("line",) or (line.args == ["replay"] and rng.random() < 0.5)
    chance = rng.random()
    if is_line and chance < 0.4:
        game = take_file(rng, line, samples, ("deal",), game).game
    if chance > 0.85:
        option = rng.choice(["--seed", "--seed", "--pysol"])
        line.args += [option, rng.choice(VALUES[option])]
    if is_line or chance < 0.85:
        game = take_file(rng, line, samples, ("line",) if is_line else kinds, game).game
    if not is_line and rng.random() < 0.15:
        line.args.append("--moves")
        take_file(rng, line, samples, ("line",), game)
    return game


def name_game(rng, line, game):
    """Add the name of the game, right, wrong or missing, as the first argument."""
    chance = rng.random()
    if chance < 0.75:
        line.games.append(game)
    elif chance < 0.85:
        line.games.append(rng.choice(list(VARIANTS)))
    elif chance < 0.87:
        line.games.append(rng.choice([*ODD, "chess", "Fortress", "fortres", "./fortress"]))
    line.args[1:1] = line.games


@cache
def options_of(command):
    """The options of a command with their values; None for a flag."""
    found = []
    for option in cli.get_command(click.Context(cli), command).params:
        name = max(option.opts, key=len)
        values = getattr(option.type, "choices", VALUES.get(name))
        if isinstance(option, click.Option) and name not in APART and (option.is_flag or values):
            found.append((name, None if option.is_flag else list(values)))
    return found


def add_options(rng, line, command):
    """Add some options of a command, some with odd values."""
    for option, values in options_of(command):
        if values is None:
            line.args += [option] if rng.random() < 0.1 else []
        elif rng.random() < 0.03:
            value = rng.choice(ODD) if rng.random() < 0.04 else rng.choice(values)
            line.args += rng.choice(([option, value], [f"{option}={value}"]))


def describe(rng, line, samples, kinds, game):
    """Choose the argument of ``winnable describe``: a game, right or wrong."""
    return rng.choice([*VARIANTS, *ODD])


def rate(rng, line, samples, kinds, game):
    """Add arguments of ``winnable rate``: deals, a store to write, and perhaps one to compare with."""
    stores = [each for each in samples if each.kind == "store"]
    line.args.append("--deals")
    if rng.random() < 0.4:
        game = take_file(rng, line, samples, kinds, game).game
    else:
        odd = ["1-", "", "-", "5-3", "1,1", "0", "1-2-3", "9" * 30, "1-\u0663", "nan", "3,", str(2**63 - 1)]
        line.args.append(rng.choice(["1-3", "1-9,20-22", "7", rng.choice(odd)]))
    if rng.random() < 0.5:
        name = rng.choice(["new.sqlite", "old.html", "missing/new", ".", "", "store.sqlite", "store.sqlite"])
        if name == "store.sqlite":
            store = rng.choice([each for each in stores if each.game == game])
            line.files[name] = damage(rng, store.data, [each.data for each in stores])
        line.args += ["--output", name]
        line.output = name
    if rng.random() < 0.05:
        line.args.append("--paired")
        take_file(rng, line, samples, ("store",), game)
    return game


def report(rng, line, samples, kinds, game):
    """Add arguments of ``winnable report``: damaged stores, and perhaps a picture to write."""
    for _ in range(rng.choice((1, 1, 1, 2))):
        take_file(rng, line, samples, kinds, game)
    if rng.random() < 0.03:
        line.output = rng.choice(["new.png", "old.html", "new.txt", "missing/new.png", *line.files])
        line.args += ["--plot", line.output]
    return ""


def bench(rng, line, samples, kinds, game):
    """Add arguments of ``winnable bench``: a damaged signature file to check, or one to write."""
    content = damage(rng, b"# states expanded\nchessboard 1\n", [each.data for each in samples])
    line.files["signature.txt"] = content
    flag = rng.choice(["--check", "--check", "--write", ""])
    place = rng.choice(["signature.txt", "signature.txt", "new.txt", *ODD_OUTPUTS, "missing/x"])
    line.args += [*filter(None, [flag]), "--file", place]
    line.output = place if flag == "--write" else None
    return ""


OTHERS = {"describe": describe, "rate": rate, "report": report, "bench": bench}
