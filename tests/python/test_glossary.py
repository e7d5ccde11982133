"""The glossary, the labels of theorems, and the openings of docstrings."""

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


ENTRIES = [entry.replace("\n", " ") for entry in GLOSSARY.read_text(encoding="utf-8").split("\n- ")[1:]]
TERMS = [term for entry in ENTRIES for term in re.findall(r"\*\*(.+?)\*\*", entry)]


def test_no_term_is_defined_twice():
    assert TERMS
    assert len(set(map(str.lower, TERMS))) == len(TERMS)


def test_terms_are_used():
    texts = [path.read_text(encoding="utf-8") for path in (*PAGES, *MODULES)]
    unused = []
    for term in TERMS:
        words = r"[\s_-]+".join(map(re.escape, term.split()))  # in prose and in names, also in the plural
        pattern = re.compile(rf"(?<![a-z]){words}(?:s|es|d)?(?![a-z])", re.IGNORECASE)
        unused += [] if any(map(pattern.search, texts)) else [term]
    assert unused == [], "terms that no page and no module uses"


def test_links_of_terms_lead_to_pages():
    for entry in ENTRIES:
        for link in re.findall(r"\]\((.*?)(?:#.*?)?\)", entry):
            assert (GLOSSARY.parent / link).exists(), link


OPENING = re.compile(r"(What|Whether|How|Who|Where|Why|Have|Those|The same|So many|Of)\b")
"""Questions and openings that need the docstring before them to be understood."""

PACKAGES = ["rules", "checker", "solver", "game", "board", "cli", "gym", "benchmarks", "tests", "src"]
PACKAGES += ["setup.py"]
"""Where no docstring begins with one of these words."""


def modules_with_docstrings():
    """The modules in `PACKAGES`, as paths."""
    paths = [ROOT / place for place in PACKAGES]
    files = [file for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*")))]
    return [file for file in files if file.suffix in (".py", ".pyx", ".pxd", ".pxi")]


def docstrings(path):
    """The docstrings of a module; of a Cython module all its strings in triple quotes."""
    place = r"(?:\A|:(?:  #[^\n]*)?\n)\s*r?" if path.suffix == ".py" else ""
    return re.findall(place + r'"""(.*?)"""', path.read_text(encoding="utf-8"), re.DOTALL)


def test_docstrings_open_with_a_noun_or_an_imperative():
    openings = [
        (path.relative_to(ROOT).as_posix(), text.strip().partition("\n")[0])
        for path in modules_with_docstrings()
        for text in docstrings(path)
    ]
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
