"""Ways in which files are damaged: by machines, by editors, and by people who write them."""

from winnable.rules import VARIANTS

CARDS = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
WORDS = [
    "XB", "XR", "XB=7", "XR=A", "??", "<??>", "<KH>", "10H", "1H", "ZZ", "f", "->", ":", "", "\u2663", "7♠",
    "-1", "0", "99999999999999999999999", "1e999", "NaN", "null", "true", "½", "\u0663", "\u202e", "\x1b[2J",
]  # fmt: skip
LINES = [
    *(f"# game: {name}" for name in VARIANTS), *(f"# {name} seed 5" for name in VARIANTS),
    "# game: chess", "# game:", "# seed: -1", "# seed: 18446744073709551616", "# pysol: 12",
    "# moves made: 3", "Foundations: C-0 D-3", "Foundations: XB=A", "Foundations: C-5:9", "Stock: 4D QS",
    "Stock: 24", "Waste: XB", "Removed: XR", "Ranks: 5", "Suits: CDH", "Exchange: turned",
    "Removal: exposed", "Moves:", ":", "{", "[]", "7S 10-f", "?? s-w", "1. KH 3-4; 5C 1-2",
    "Verdict: winnable", "# a comment", "\ufeff", "\x00",
]  # fmt: skip
KEYS = [b"variant", b"columns", b"seed", b"stock", b"waste", b"foundations", b"solution", b"ranks", b"pysol"]


def damage(rng, data, others):
    """``data`` after some random damages, often none; ``others`` are contents of other files."""
    for _ in range(rng.choice((0, 0, 0, 1, 1, 1, 2))):
        data = rng.choice(DAMAGES)(rng, data, others)
    return data


def flip(rng, data, _):
    """Change bytes."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 20)) if found else 0):
        found[rng.randrange(len(found))] = rng.randrange(256)
    return bytes(found)


def cut(rng, data, _):
    """Cut off the end or the beginning of the file."""
    place = rng.randrange(len(data) + 1)
    return rng.choice((data[:place], data[place:]))


def change_lines(rng, data, _):
    """Drop, double or swap lines."""
    lines = data.splitlines(keepends=True) or [b""]
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    change = rng.randrange(4)
    if change == 0:
        del lines[i]
    elif change == 1:
        lines.insert(i, lines[j])
    elif change == 2:
        lines[i], lines[j] = lines[j], lines[i]
    else:
        rng.shuffle(lines)
    return b"".join(lines)


def add_line(rng, data, _):
    """Add a line that belongs elsewhere."""
    lines = data.splitlines(keepends=True)
    lines.insert(rng.choice((0, rng.randrange(len(lines) + 1))), rng.choice(LINES).encode() + b"\n")
    return b"".join(lines)


def change_word(rng, data, _):
    """Replace a card or another word by another."""
    words = data.split(b" ")
    i = rng.randrange(len(words))
    new = rng.choice((rng.choice(CARDS), rng.choice(WORDS))).encode()
    words[i] = new + words[i][len(words[i].rstrip()) :] if rng.random() < 0.8 else words[i] + new
    return b" ".join(words)


def swap_cards(rng, data, _):
    """Swap two cards, or write one twice."""
    one, other = (card.encode() for card in rng.sample(CARDS, 2))
    new = data.replace(one, b"@@").replace(other, one)
    return new.replace(b"@@", rng.choice((one, other)))


def change_game(rng, data, _):
    """Name another game."""
    for name in sorted(VARIANTS, key=len, reverse=True):
        if name.encode() in data:
            return data.replace(name.encode(), rng.choice([*VARIANTS, "Fortress", "chess", ""]).encode(), 1)
    return data


def change_number(rng, data, _):
    """Replace a number by another one or by something else, also in JSON."""
    digits = [i for i, byte in enumerate(data) if chr(byte).isdigit() and byte < 128]
    if not digits:
        return data
    i = rng.choice(digits)
    new = rng.choice((b"9" * 30, b"-1", b"1.5", b"null", b'"x"', b"[]", b"{}", b"1e999", b"NaN", b"9" * 6000))
    return data[:i] + new + data[i + 1 :]


def change_key(rng, data, _):
    """Rename a key of JSON."""
    return data.replace(rng.choice(KEYS), rng.choice([*KEYS, b"no_key"]), 1)


def change_ends(rng, data, _):
    """Change line ends, add a byte order mark, or change the encoding."""
    text = data.decode("utf-8", "replace")
    ends = [data.replace(b"\n", end) for end in (b"\r\n", b"\r", "\u2028".encode(), b" ")]
    blanks = [data.replace(b" ", blank) for blank in (b"\t", "\u00a0".encode())]
    return rng.choice((*ends, *blanks, b"\xef\xbb\xbf" + data, text.encode("utf-16"), text.lower().encode()))


def make_long(rng, data, _):
    """Write a very long line, very many lines, or very deep JSON."""
    return rng.choice(
        (
            data + b"7S " * 20000, data.replace(b"\n", b" ") * 50, b"\n" * 20000 + data, data * 30,
            b"[" * 20000 + data, b'{"columns":' * 5000 + data, data + b"# " + b"x" * 100000,
        )
    )  # fmt: skip


def make_other(rng, data, others):
    """Replace the file by something else, or join two files."""
    other, noise = rng.choice(others), rng.randbytes(rng.choice((1, 50, 3000)))
    odd = (b"", b"\n", b"\x00" * 50, b"null", b"[]", b"{}", b"\xff\xfe")
    return rng.choice((*odd, noise, data + other, other))


DAMAGES = [
    flip, cut, change_lines, add_line, add_line, change_word, change_word, swap_cards, change_game,
    change_number, change_key, change_ends, make_long, make_other,
]  # fmt: skip
