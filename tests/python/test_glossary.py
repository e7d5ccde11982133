"""The glossary, the labels of theorems, and the language of docstrings and pages."""

import functools
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"
PAGES = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "seeds/README.md")),
    ROOT / "board" / "PROTOCOL.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page != GLOSSARY),
]


def modules(*packages):
    """The modules of some packages."""
    paths = [path for package in packages for path in sorted((ROOT / package).rglob("*.p*"))]
    return [path for path in paths if path.suffix in (".py", ".pyx", ".pxd", ".pxi")]


MODULES = modules("rules", "checker", "solver", "game", "board", "cli")


def rows():
    """The rows of the glossary: term, meaning, where it is used, source."""
    lines = GLOSSARY.read_text(encoding="utf-8").replace("\\*", "*").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return [row for row in cells if row[0] != "term"]


ROWS = rows()


def test_the_glossary_is_complete():
    terms = [row[0] for row in ROWS]
    assert len(terms) > 80
    assert len(set(map(str.lower, terms))) == len(terms), "a term is defined twice"
    assert all(len(row) == 4 and all(row) for row in ROWS), "each row has four cells"


def test_terms_are_used():
    texts = [path.read_text(encoding="utf-8").replace("\\*", "*") for path in (*PAGES, *MODULES)]
    unused = []
    for term, *_ in ROWS:
        words = r"[\s_-]+".join(map(re.escape, term.split()))  # in prose and in names, also in the plural
        pattern = re.compile(rf"(?<![a-z]){words}(?:s|es|d)?(?![a-z])", re.IGNORECASE)
        unused += [] if any(map(pattern.search, texts)) else [term]
    assert unused == [], "terms that no page and no module uses"


def test_places_exist():
    for row in ROWS:
        for path in re.findall(r"`([\w./]+)`", row[2]):
            assert (ROOT / path).exists() or path == "winnable", path
        for link in re.findall(r"\]\((.*?)(?:#.*?)?\)", row[2]):
            assert (GLOSSARY.parent / link).exists(), link


BANNED = {
    r"rooms?": "package, capacity", r"houses?": "project", r"doors?": "interface, test hook",
    r"telling": "regression", r"spoilt|spoils?": "mutant, damaged", r"wasteful": "extra-move card",
    r"walk-through": "tour", r"throws? away": "loses",
    r"cannot hurt": "safe", r"told of": "reported", r"nobody need": "", r"no more is said": "",
    r"whoever": "",
}  # fmt: skip
"""Metaphors and old names, with what is said today. The words of certificates stand in code marks."""

OLD_PHRASES = [
    "once too often", "no JSON", "no such rank", "the game asked for is", "no such legal move",
    "does not name its game", "no such game, and no such file", "expected one of FILE", "47 cards not seen",
    "failed at something", "That is too much", "is no move", "expected that deal", "First lines", "At first:",
    "loses the win;", "wrong at move",
]  # fmt: skip
"""Messages of earlier versions that were hard to understand."""

PLAIN = ["board", "cli", "docs", "tests", "seeds/README.md", "README.md", "ARCHITECTURE.md"]
PLAIN += ["CONTRIBUTING.md", "solver/analysis", "solver/batch", "solver/certificates", "solver/chessboard"]
PLAIN += ["solver/joker", "solver/klondike", "solver/player", "checker", "protocol"]
"""Where they are banned; packages are added here as they are rewritten."""

EXEMPT = {"tests/mutations", "tests/native", "docs/theory", "docs/certificates.md", "docs/glossary.md"}
"""The lemmas and conditions of certificates keep their names."""

OPENING = re.compile(r"(What|Whether|How|Who|Where|Why|Have|Those|The same|So many|Of)\b")
"""Questions and openings that need the docstring before them to be understood."""

PACKAGES = ["rules", "checker", "solver", "game", "board", "cli", "benchmarks", "tests", "src"]
PACKAGES += ["setup.py"]
"""Where no docstring begins with one of these words."""


def files_in(places, exempt):
    found = []
    for place in places:
        path = ROOT / place
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            name = file.relative_to(ROOT).as_posix()
            is_read = file.suffix in (".py", ".pyx", ".pxd", ".pxi", ".md")
            if is_read and not any(name.startswith(e) for e in exempt):
                found.append(name)
    return found


@functools.cache
def docstrings(path):
    """The docstrings of a module; of a Cython module all its strings in triple quotes."""
    place = r"(?:\A|:(?:  #[^\n]*)?\n)\s*r?" if path.suffix == ".py" else ""
    return re.findall(place + r'"""(.*?)"""', path.read_text(encoding="utf-8"), re.DOTALL)


def prose(path):
    """The prose of a page or module, without code."""
    if path.suffix == ".md":
        text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    else:
        text = "\n".join(docstrings(path))
    return re.sub(r"``[^`]*``|`[^`]*`", "", text)


def test_old_words_stay_away():
    banned = re.compile(rf"(?<![\w-])(?:{'|'.join(BANNED)})(?![\w-])", re.IGNORECASE)
    names = files_in(PLAIN, EXEMPT)
    found = [(name, match[0]) for name in names for match in banned.finditer(prose(ROOT / name))]
    assert found == [], "see BANNED for the words to use"


def test_old_messages_stay_away():
    folders = ("rules", "checker", "solver", "protocol", "board", "cli", "web", "docs")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    texts = {
        path.relative_to(ROOT).as_posix(): re.sub('""".*?"""', "", path.read_text("utf-8"), flags=re.DOTALL)
        for path in [*paths, ROOT / "README.md"]
        if path.suffix in (".py", ".js", ".html", ".md") and "theory" not in path.parts
    }
    assert len(texts) > 200
    assert [(name, old) for name, text in texts.items() for old in OLD_PHRASES if old in text] == []


def test_docstrings_open_with_a_noun_or_an_imperative():
    names = [name for name in files_in(PACKAGES, ()) if not name.endswith(".md")]
    openings = [(name, text.strip().partition("\n")[0]) for name in names for text in docstrings(ROOT / name)]
    assert [(name, line) for name, line in openings if OPENING.match(line)] == []


LABEL = re.compile(r"(?<![\w#.-])([BSJCK]\d{1,2})[a-m]?\b(?: to ([BSJCK]\d{1,2})[a-m]?\b)?")
CODE = [*modules("game", "board", "checker", "solver", "tests"), ROOT / "checker" / "second_checker.c"]


def labels_in(text):
    """The labels of a text; ``J2 to J7`` are six."""
    found = set()
    for first, last in LABEL.findall(text):
        numbers = range(int(first[1:]), int((last or first)[1:]) + 1)
        found |= {f"{first[0]}{number}" for number in numbers}
    return found


def test_theorems_and_code_refer_to_each_other():
    pages = [page.read_text(encoding="utf-8") for page in sorted((ROOT / "docs" / "theory").glob("*.md"))]
    heads = re.findall(r"^#+ Theorem ([BSJCK]\d+)\b", "\n".join(pages), re.MULTILINE)
    stated, used = set(heads), set()
    assert len(stated) == len(heads) > 40, "a label is stated twice"
    for path in CODE:
        labels = labels_in(path.read_text(encoding="utf-8"))
        assert labels <= stated, f"{path.relative_to(ROOT)}: {sorted(labels - stated)} on no page of theory"
        used |= labels
    assert used == stated, f"no module or test refers to {sorted(stated - used)}"
