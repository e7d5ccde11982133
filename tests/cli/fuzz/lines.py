"""Random command lines with the files they read: sense and nonsense, but nothing that takes long."""

from dataclasses import dataclass, field

from winnable.rules import VARIANTS
from winnable.rules.formats import STYLES

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
LIMITS = {
    "--max-nodes": ["300", "0", "20"],
    "--max-seconds": ["0.02"],
    "--max-memory": ["1", "0"],
    "--work": ["2k", "0"],
}
CHOICES = {"--exchange": ["turned", "exposed"], "--removal": ["exposed"]}
SOURCES = {"--seed": ["0", "3", "18446744073709551615"], "--pysol": ["12", "ms5"]}
SIMON = {"--shorten": ["0", "10k"]}


@dataclass
class Line:
    """A command line, the files it reads by name, what it writes to, and its standard input."""

    args: list = field(default_factory=list)
    files: dict = field(default_factory=dict)
    games: list = field(default_factory=list)  # asked for, if any
    read: list = field(default_factory=list)  # contents of all that it reads
    output: str | None = None
    stdin: bytes = b""


def random_line(rng, samples):
    """A command line on damaged ``samples``."""
    line = Line()
    command = rng.choice(list(COMMANDS))
    line.args.append(command)
    COMMANDS[command](rng, line, samples)
    if rng.random() < 0.3:
        line.args.append("--json")
    if rng.random() < 0.05:
        line.args += rng.choice(
            (["--color", "always"], ["--bogus"], ["--color"], ["--json=1"], ["--"], ["--help"])
        )
    if rng.random() < 0.03:
        line.args.insert(1, rng.choice(ODD))
    if rng.random() < 0.02:
        line.args.append(rng.choice(line.args[1:] or [""]))
    return line


# --- Parts of a line ----------------------------------------------------------------------------------------


def take_file(rng, line, samples, kinds, game=None):
    """A damaged file, as an argument; the sample that it was."""
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


def name_game(rng, line, game):
    """The game, right or wrong, or left out, as the argument at the beginning."""
    chance = rng.random()
    if chance < 0.75:
        line.games.append(game)
    elif chance < 0.85:
        line.games.append(rng.choice(list(VARIANTS)))
    elif chance < 0.87:
        line.games.append(rng.choice([*ODD, "chess", "Fortress", "fortres", "./fortress"]))
    line.args[1:1] = line.games


def add_options(rng, line, table, chance=0.3, odd=0.04):
    """Options of a table, some with odd values."""
    for option, values in table.items():
        if rng.random() < chance:
            value = rng.choice(ODD) if rng.random() < odd else rng.choice(values)
            line.args += rng.choice(([option, value], [f"{option}={value}"]))


def add_flags(rng, line, *flags):
    """Some of ``flags``."""
    line.args += [flag for flag in flags if rng.random() < 0.15]


def bound(rng, line, **limits):
    """Limits that every line has, so that none takes long; an odd value is refused, and a second one too."""
    for name, value in limits.items():
        option = "--" + name.replace("_", "-")
        odd = ["", "-1", "nan", "9x", "--json"]
        line.args += [option, rng.choice(odd) if rng.random() < 0.02 else str(value)]


def add_output(rng, line, *options):
    """A file to be written, at a good or an odd place, or over what is read."""
    if not options or rng.random() < 0.6:
        return
    places = [*OUTPUTS, *OUTPUTS, *ODD_OUTPUTS, *line.files]
    line.output = rng.choice(places)
    line.args += [rng.choice(options), line.output]


def take_deal(rng, line, samples, kinds=("deal", "deals", "line"), games=None):
    """A game with a deal of a file, or of a seed."""
    game = rng.choice(games or list(VARIANTS))
    if rng.random() < 0.85:
        game = take_file(rng, line, samples, kinds, game).game
    else:
        option = rng.choice(["--seed", "--seed", "--pysol"])
        add_options(rng, line, {option: SOURCES[option]}, 1)
    name_game(rng, line, game)
    if rng.random() < 0.02:
        add_options(rng, line, SOURCES, 0.5)
    return game


# --- Commands -----------------------------------------------------------------------------------------------


def solve(rng, line, samples):
    """Decide deals."""
    game = take_deal(rng, line, samples)
    _moves(rng, line, samples, game)
    bound(rng, line, max_nodes=300, max_seconds=0.2)
    if "simon" in game or rng.random() < 0.05:
        bound(rng, line, shorten=0)
    add_flags(rng, line, "--quiet", "--shortest", "--bases")
    add_options(rng, line, CHOICES | {"--engine": ["auto", "compiled", "reference"]}, 0.04)
    add_output(rng, line, "--html")


def deal(rng, line, samples):
    """Write deals in other formats."""
    game = take_deal(rng, line, samples)
    _moves(rng, line, samples, game)
    add_options(rng, line, {"--format": list(STYLES)}, 0.4)
    short = {"--count": ["2", "0"], "--ranks": ["5", "13", "1", "0"], "--suits": ["CDH", "CC", "x"]}
    short["--sizes"] = ["5,5,5", "0", "1,,2", "-3"]
    add_options(rng, line, short | CHOICES, 0.02)
    if line.read and rng.random() < 0.15:  # of seeds a thousand would be tried
        bound(rng, line, max_nodes=100, max_seconds=0.1)
        line.args += rng.choice((["--winnable"], ["--tier", "win"], ["--difficulty", "easy"]))


def verify(rng, line, samples):
    """Replay lines."""
    game = _line(rng, line, samples)
    add_options(rng, line, CHOICES, 0.03)
    name_game(rng, line, game)


def review(rng, line, samples):
    """Mark the moves of games."""
    game = _line(rng, line, samples)
    name_game(rng, line, game)
    bound(rng, line, max_nodes=20, max_seconds=0.01)
    add_options(rng, line, CHOICES, 0.03)


def hint(rng, line, samples):
    """Say which move is best."""
    game = take_deal(rng, line, samples, ("deal", "view", "line"))
    _moves(rng, line, samples, game)
    bound(rng, line, max_seconds=0.03, visits=5) if game in PLAYED else bound(rng, line, max_seconds=0.03)
    bound(rng, line, prove=0.01)
    add_options(rng, line, CHOICES | SIMON | {"--count": ["1", "0"], "--player": ["rule", "search"]}, 0.04)
    add_flags(rng, line, "--all", *(["--think"] if rng.random() < 0.1 else []))


def replay(rng, line, samples):
    """Write pages."""
    if rng.random() < 0.5:
        game = _line(rng, line, samples)
        name_game(rng, line, game)
    else:
        game = take_deal(rng, line, samples, ("deal", "line"))
        _moves(rng, line, samples, game)
    bound(rng, line, max_nodes=300, max_seconds=0.2)
    add_options(rng, line, CHOICES, 0.03)
    add_output(rng, line, "-o", "--output")


def play(rng, line, samples):
    """Play games."""
    game = take_deal(rng, line, samples, ("deal", "view", "line"), [*PLAYED, *PLAYED, "fortress"])
    _moves(rng, line, samples, game)
    bound(rng, line, visits=2)
    add_options(rng, line, {"--player": ["rule", "rule", "search"], "--before": ["1", "5", "1000"]})
    add_output(rng, line, "--html")


def describe(rng, line, samples):
    """Print rules."""
    name_game(rng, line, rng.choice([*VARIANTS, *ODD]))
    add_flags(rng, line, "--dealer")


def rate(rng, line, samples):
    """Decide many deals."""
    game = rng.choice(list(VARIANTS))
    stores = [each for each in samples if each.kind == "store"]
    line.args.append("--deals")
    if rng.random() < 0.4:
        game = take_file(rng, line, samples, ("deals", "deal"), game).game
    else:
        odd = ["1-", "", "-", "5-3", "1,1", "0", "1-2-3", "9" * 30, "1-\u0663", "nan", "3,", str(2**63 - 1)]
        line.args.append(rng.choice(["1-3", "1-9,20-22", "7", rng.choice(odd)]))
    name_game(rng, line, game)
    bound(rng, line, max_nodes=100, workers=1)
    add_options(rng, line, CHOICES | {"--shard": ["1/2", "0/2", "x"], "--until": ["5%", "x"]}, 0.05)
    add_options(rng, line, {"--check-every": ["1", "0"]}, 0.05)
    add_flags(rng, line, "--shortest", *(["--retry-undecided"] if rng.random() < 0.2 else []))
    if rng.random() < 0.5:
        name = rng.choice(["new.sqlite", "old.html", "missing/new", ".", "", "store.sqlite", "store.sqlite"])
        if name == "store.sqlite":
            store = rng.choice([each for each in stores if each.game == game])
            line.files[name] = damage(rng, store.data, [each.data for each in stores])
        line.args += ["--out", name]
        line.output = name
    if rng.random() < 0.05:
        line.args.append("--paired")
        take_file(rng, line, samples, ("store",), game)


def report(rng, line, samples):
    """Show stores."""
    game = rng.choice(list(VARIANTS))
    for _ in range(rng.choice((1, 1, 1, 2))):
        take_file(rng, line, samples, ("store",), game)
    add_flags(rng, line, "--csv", "--jsonl")
    add_options(rng, line, {"--seeds": ["winnable", "hardest", "won", "x"], "--count": ["2", "0"]}, 0.2)
    if rng.random() < 0.03:
        line.output = rng.choice(["new.png", "old.html", "new.txt", "missing/new.png", *line.files])
        line.args += ["--plot", line.output]


def bench(rng, line, samples):
    """Compare and write signatures."""
    content = damage(rng, b"# states expanded\nchessboard 1\n", [each.data for each in samples])
    line.files["signature.txt"] = content
    add_flags(rng, line, *["--check"] * 4, *["--write"] * 3)
    place = rng.choice(["signature.txt", "signature.txt", "new.txt", *ODD_OUTPUTS, "missing/x"])
    line.args += ["--file", place]
    line.output = place if "--write" in line.args else None


def difficulty(rng, line, samples):
    """Tell how hard deals are."""
    take_deal(rng, line, samples, ("deal", "line"))
    bound(rng, line, max_nodes=rng.choice((0, 0, 0, 100)), max_seconds=0.1)
    add_options(rng, line, CHOICES, 0.03)


def _line(rng, line, samples):
    """A deal and a line of play on it, or both in one file."""
    game = rng.choice(list(VARIANTS))
    chance = rng.random()
    if chance < 0.4:
        game = take_file(rng, line, samples, ("deal",), game).game
        take_file(rng, line, samples, ("line",), game)
    else:
        game = take_file(rng, line, samples, ("line",), game).game
    if chance > 0.9:
        add_options(rng, line, SOURCES, 0.5)
    return game


def _moves(rng, line, samples, game):
    if rng.random() < 0.15:
        line.args.append("--moves")
        take_file(rng, line, samples, ("line",), game)


COMMANDS = {
    each.__name__: each
    for each in (solve, deal, verify, review, hint, replay, play, describe, rate, report, bench, difficulty)
}
