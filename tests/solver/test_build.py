"""The build of the compiled modules: directives, contents of wheels, metadata."""

import importlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from web import tools

ROOT = Path(__file__).parents[2]
SOLVER = ROOT / "solver"
SOURCES = sorted(path for path in SOLVER.rglob("*.p*") if path.suffix in (".pyx", ".pxd", ".pxi"))


def test_there_are_sources():
    assert len(SOURCES) > 60


@pytest.mark.full
def test_cython_sees_what_each_family_depends_on():
    """Parts, headers of core, and the oracle: after an edit of such a file the searches must be translated
    again."""
    dependencies = pytest.importorskip("Cython.Build.Dependencies").create_dependency_tree()
    solver = ROOT / "src" / "winnable" / "solver"
    for path in sorted(solver.glob("*/replay.pxd")):
        unit = path.with_name(f"{path.parent.name}.pyx")
        found = {str(Path(name)) for name in dependencies.all_dependencies(str(unit))}
        parts = path.parent.glob("*.pxi")
        assert found >= {str(each) for each in (path, *parts, solver / "core" / "hash_set.pxd")}, unit


def test_directives_stand_in_setup_alone():
    for path in SOURCES:
        text = path.read_text()
        assert text.startswith('"""'), f"{path}: the docstring comes first"
        assert not re.search(r"^#\s*(cython|distutils)\s*:", text, re.MULTILINE), path
        assert "@cython.boundscheck" not in text, path
        assert "posix" not in text, f"{path}: Windows has no such module"


# What may stand at the left margin of a compiled source: no statement that runs at import, except for tables
# of Python that are no part of a search.
HARMLESS = re.compile(
    r"[\s)\]}#]|$|from |import |cimport |include |@|def |class |ctypedef "
    r"|cdef (extern|inline|class|packed|struct|enum)\b|cdef [^=(]+\("
    r"|(IMPLEMENTS|VALUES|METHODS|CHECKED)\b"
)


def test_searches_set_no_value_at_import():
    """A library without Python imports nothing: what a search needs is a constant of C, or set when it is
    opened. Nor do searches share variables, since two may run at once."""
    docstring = re.compile(r'"""(.*?)"""', re.DOTALL)
    found = []
    for path in SOURCES:
        text = docstring.sub(lambda match: "\n" * match[0].count("\n"), path.read_text())
        for number, line in enumerate(text.split("\n"), 1):
            if not HARMLESS.match(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line}")
    assert not found, "\n".join(found)
    for line in ("cdef uint64_t MOST = 1", "cdef int[2] FIRST = [1, 2]", "cdef Scores table", "TABLE[0] = 1"):
        assert not HARMLESS.match(line), line


def test_wheels_have_no_sources():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    assert settings["include-package-data"] is False
    endings = {Path(name).suffix for names in settings["package-data"].values() for name in names}
    assert not endings & {".pyx", ".pxd", ".c"}


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ([], ""),
        (["winnable/solver/core/bits.pxd"], "sources: .pxd"),
        (["winnable/solver/simon/simon.abi3.so"], "expected winnable/solver/core/border, compiled, and no"),
    ],
)
def test_a_wheel_has_the_module_alone(more, problem, tmp_path):
    module = f"{settings_of_the_build().BORDER.replace('.', '/')}.abi3.so"
    with zipfile.ZipFile(tmp_path / "winnable-1.whl", "w") as wheel:
        for name in (module, "winnable/__init__.py", *more):
            wheel.writestr(name, "")
    command = [sys.executable, str(ROOT / ".ci" / "check_wheels.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, problem in done.stderr) == (int(bool(problem)), True)


def test_metadata_needs_no_translation(tmp_path):
    """Two of the three calls that pip makes only request metadata."""
    pytest.importorskip("setuptools")
    broken = tmp_path / "Cython"
    broken.mkdir()
    (broken / "__init__.py").write_text("raise ImportError('Cython was imported')\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "setup.py", "-q", "egg_info", "--egg-base", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.glob("*.egg-info/PKG-INFO"))


@pytest.mark.parametrize(
    ("version", "is_gcc"),
    [("gcc 14.2.0\nCopyright (C) 2024 Free Software Foundation, Inc.", True), ("Apple clang 21.0.0", False)],
)
def test_only_gcc_is_given_the_names_of_its_passes(version, is_gcc):
    settings = settings_of_the_build()
    assert settings.is_gcc([sys.executable, "-c", f"print({version!r})"]) == is_gcc
    flags = settings.known([*settings.COMPILE, *settings.WELL], is_gcc)
    assert {"-O2", "-DNDEBUG"} <= {*flags}
    assert ("-fsplit-loops" in flags) == is_gcc


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_compilers_know_all_flags_that_they_get(compiler, tmp_path):
    if shutil.which(compiler) is None:
        pytest.skip(f"needs {compiler}")
    settings = settings_of_the_build()
    is_gcc = settings.is_gcc([compiler])
    (tmp_path / "empty.c").write_text("")
    for passes in (settings.QUICKLY, settings.WELL):
        flags = settings.known([*settings.COMPILE, *passes, *settings.UNITS], is_gcc)
        command = [compiler, "-Werror", *flags, "-c", "empty.c"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


def settings_of_the_build():
    """The module setup.py, which has the flags of compilers."""
    pytest.importorskip("setuptools")
    return importlib.import_module("setup")


NO_LINKS = """
import pathlib, runpy, sys
def refuse(*_, **__):
    raise OSError
pathlib.Path.symlink_to = refuse
sys.argv = ["setup.py", "-q", "egg_info"]
runpy.run_path("setup.py", run_name="__main__")
"""


def without_links(folder):
    """A checkout in ``folder`` with files in place of symbolic links, as git writes them on Windows."""
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    package = folder / "src" / "winnable"
    package.mkdir(parents=True)
    for path in (ROOT / "src" / "winnable").iterdir():
        if path.is_dir() and path.name != "__pycache__":
            (package / path.name).write_text(f"../../{path.name}")
            (folder / path.name).mkdir()
            shutil.copy(ROOT / path.name / "__init__.py", folder / path.name)
        elif path.is_file():
            shutil.copy(path, package)
    return package


@pytest.mark.skipif(os.name == "nt", reason="makes junctions there")
def test_a_checkout_without_symbolic_links_gets_them(tmp_path):
    pytest.importorskip("setuptools")
    package = without_links(tmp_path)
    command = [sys.executable, "setup.py", "-q", "egg_info"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (package / "rules" / "__init__.py").is_file()
    sources = (tmp_path / "src" / "winnable.egg-info" / "SOURCES.txt").read_text()
    assert "src/winnable/solver/__init__.py" in sources


@pytest.mark.skipif(os.name == "nt", reason="makes junctions there")
def test_where_links_are_refused_one_line_says_what_to_do(tmp_path):
    pytest.importorskip("setuptools")
    package = without_links(tmp_path)
    done = subprocess.run([sys.executable, "-c", NO_LINKS], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.endswith("got a file: git config core.symlinks true, then git checkout -- src")
    assert (package / "rules").read_text() == "../../rules"


def requirements_of_a_build():
    """The requirements of a build of the package in pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]


def test_the_requirements_of_a_build_are_the_same_everywhere():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert requirements_of_a_build() == tools.requirements()[:-1]
    tested = settings["project"]["optional-dependencies"]["test"]
    assert {each.lower() for each in requirements_of_a_build()} <= {*tested}
    texts = [ROOT / "web" / "build.py", *ROOT.glob(".ci/*"), *ROOT.glob(".github/workflows/*")]
    named = [
        path.name
        for path in texts
        if re.search(r"(?i)(cython|setuptools)['\": ]*[=<>~]*\d", path.read_text())
    ]
    assert not named, "pyproject.toml alone states versions"


@pytest.mark.parametrize(
    ("requirement", "is_met"),
    [
        ("cython>=3.1.4", False),
        ("cython>=3.0.12", True),
        ("cython>=3", True),
        ("cython==3.0.9", True),
        ("zz>=1", False),
    ],
)
def test_the_page_is_built_by_a_new_enough_cython(requirement, is_met, tmp_path, monkeypatch):
    metadata = tmp_path / "cython-3.0.12.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text("Name: cython\nVersion: 3.0.12\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert tools.is_met(requirement) == is_met
