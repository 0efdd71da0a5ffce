"""Reads `.case` files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
_HEAD = re.compile(r"^\[(case|cases|out)(?: (.+))?\]$", re.MULTILINE)
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\\\": "\\"}


@dataclass(frozen=True, slots=True)
class Case:
    """One case: the file's kind, its name, what goes in and what is to come out."""

    kind: str
    name: str
    given: str
    expected: str

    @property
    def is_known_to_fail(self) -> bool:
        """Whether the case is known to fail, until it is fixed."""
        return self.name.endswith("-xfail")

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"


def cases() -> list[Case]:
    """Return the cases of all files."""
    return [one for path in sorted(FOLDER.glob("*.case")) for one in read(path)]


def read(path: Path) -> Iterator[Case]:
    """Yield the cases of one file; ValueError on a part that is none."""
    text = re.sub(r"\A(?:#.*\n|\n)+", "", path.read_text("utf-8"))
    before, *parts = _HEAD.split(text)
    if before.strip():
        raise ValueError(f"{path.name}: {before.splitlines()[0]!r} is in no case")
    heads = [*zip(parts[::3], parts[1::3], parts[2::3], strict=True)]
    for number, (what, name, body) in enumerate(heads):
        if what == "cases":
            yield from _table(path, name, body)
        elif what == "case":
            end, _, expected = heads[number + 1]
            if end != "out":
                raise ValueError(f"{path.name}: the case {name!r} has no [out]")
            yield Case(path.stem, name, body.strip("\n"), expected.strip("\n"))


def _table(path: Path, name: str, body: str) -> Iterator[Case]:
    for line in filter(None, body.split("\n")):
        given, arrow, expected = line.rpartition(" =>")
        if not arrow:
            raise ValueError(f"{path.name}: {line!r} has no `=>`")
        title = f"{name}: {given}" if not name.endswith("-xfail") else f"{given}-xfail"
        yield Case(path.stem, title, _plain(given), _plain(expected.removeprefix(" ")))


def _plain(text: str) -> str:
    return re.sub(r"\\[nt\\]", lambda found: _ESCAPES[found[0]], text)
