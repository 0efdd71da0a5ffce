"""Did the trouble come back? Planted in real sessions: it stops, or not, or in other words.

    python benchmarks/run.py helped_texts DATA

DATA holds pairs.jsonl (`a`, `b`, `label`, `files`), wrapups.jsonl and sessions_read.jsonl, and for
the second table sessions/*.jsonl (or sessions.tar.xz), which tell when each session was.

First: forty real sessions before the approval and forty since, and a trouble of several wordings by
people's labels planted in 14 of the earlier ones. The memory has the words of one. Second: the
history as it was; each proposal of a day becomes a memory that nobody reads, so few may look as if
they had an effect (a chance below 5 %), unless the work itself changed.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import numpy as np
from timeline.folder import read_folder
from timeline.sources import proposals, written

from calmkb.model import Entry, Evidence, Memory, SessionView
from calmkb.model.memories.backtest import Backtest, TroubleVerdict
from calmkb.reflect.memories.backtest import Met, backtest
from calmkb.reflect.memories.recurrence import troubles_met
from calmkb.reflect.statements.statements import statements_of

_SESSIONS, _DRAWS, _DAYS, _MET = 40, 5, 6, 14
_START = datetime(2026, 1, 1, tzinfo=UTC)
_VERDICTS: tuple[TroubleVerdict, ...] = ("not hit since", "hit again", "too early")
_LEVEL = 0.05
Words = Sequence[str]
CASES: dict[str, Callable[[Words, Words], tuple[Words, int]]] = {
    "as often since, in the same words": lambda same, _: (same, 13),
    "as often since, in other words": lambda _, other: (other, 13),
    "in 3 since, in other words": lambda _, other: (other, 3),
    "never again": lambda same, _: (same, 0),
}


def main() -> None:
    """Print both tables."""
    folders = [Path(word) for word in sys.argv[1:] if (Path(word) / "pairs.jsonl").is_file()]
    if not folders:
        print("No labelled pairs: name a folder that holds pairs.jsonl.")
        return
    troubles = _troubles(_rows(folders[0] / "pairs.jsonl"))
    written_up = [
        told
        for name in ("wrapups.jsonl", "sessions_read.jsonl")
        for row in _rows(folders[0] / name)
        if (told := _friction(row))
    ]
    print(f"{len(troubles)} troubles in several wordings, {_DRAWS} histories of each; "
          f"from 14 in {_SESSIONS} sessions. 95 % intervals over troubles.\n")  # fmt: skip
    print(f"| the trouble was met | {' | '.join(_VERDICTS)} | chance below 5 % |")
    print("|---|---|---|---|---|")
    for name, words in CASES.items():
        _planted(name, troubles, written_up, words)
    _as_it_was(folders[0])


def _planted(
    name: str,
    troubles: Sequence[Words],
    written_up: Sequence[Words],
    words: Callable[[Words, Words], tuple[Words, int]],
) -> None:
    tests: list[list[Backtest]] = []
    for draw in range(_DRAWS):
        rng = np.random.default_rng(draw)
        made = [_history(trouble, written_up, words, rng) for trouble in troubles]
        tests.append([_tested(sessions, [memory])[0] for sessions, memory in made])
    columns = list(zip(*tests, strict=True))
    cells = [_share([[one.verdict == v for one in column] for column in columns])
             for v in _VERDICTS]  # fmt: skip
    cells.append(_share([[_few(one) for one in column] for column in columns]))
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def _few(one: Backtest) -> bool:
    return one.chance is not None and one.chance < _LEVEL


def _share(rows: Sequence[Sequence[bool]]) -> str:
    """Return a share with its interval, drawn again by trouble."""
    means = np.array([np.mean(row) for row in rows])
    drawn = np.random.default_rng(0).integers(0, len(means), (1_000, len(means)))
    low, high = np.percentile(means[drawn].mean(axis=1), (2.5, 97.5))
    return f"{means.mean():.0%} ({low:.0%} to {high:.0%})"


def _history(
    trouble: Words, written_up: Sequence[Words], words: Callable[..., tuple[Words, int]], rng: Any
) -> tuple[list[SessionView], Memory]:
    """Return sessions of real friction with a trouble planted, and the memory of one wording."""
    sessions = _background(trouble, written_up, rng)
    memory = _plant(sessions, trouble, words, rng)
    return [_view(n, told) for n, told in enumerate(sessions)], memory


def _background(trouble: Words, written_up: Sequence[Words], rng: Any) -> list[list[str]]:
    others = [told for told in written_up if not set(trouble) & set(told)]
    return [list(others[n]) for n in rng.permutation(len(others))[: 2 * _SESSIONS]]


def _plant(
    sessions: list[list[str]],
    trouble: Words,
    words: Callable[..., tuple[Words, int]],
    rng: Any,
) -> Memory:
    """Add a trouble to sessions, and return the memory that the first wording made."""
    texts = list(rng.permutation(trouble))
    half = (len(texts) + 1) // 2
    same, other = texts[:half], texts[half:]
    early = sorted(rng.permutation(_SESSIONS)[:_MET].tolist())
    for place, n in enumerate(early):
        sessions[n].append(same[place % len(same)])
    later, times = words(same, other)
    for place, n in enumerate(rng.permutation(_SESSIONS)[:times].tolist()):
        sessions[_SESSIONS + n].append(later[place % len(later)])
    source = _view(early[0], sessions[early[0]]).entry
    quote = Evidence(quote=same[0], source=source.id, date="2026-01-01", project="project")
    return Memory(
        id="00000000-0000-4000-8000-000000000002",
        created_at=_START + timedelta(days=_SESSIONS - 0.5), text=same[0],
        category="workflow", scope="project", evidence=(quote,),
    )  # fmt: skip


def _view(number: int, told: Words) -> SessionView:
    entry = Entry(
        id=f"{number:08}-0000-4000-8000-000000000001", created_at=_START + timedelta(days=number),
        summary="Worked.", project_name="project", friction_points=tuple(told),
    )  # fmt: skip
    return SessionView(entry=entry)


def _tested(sessions: Sequence[SessionView], memories: Sequence[Memory]) -> list[Backtest]:
    """Return what is said of each memory, in their order."""
    met = troubles_met(memories, statements_of(sessions))
    known = {
        view.entry.id: Met(view.entry.created_at, view.entry.project_name, "") for view in sessions
    }
    return backtest(memories, met, known)


def _as_it_was(data: Path) -> None:
    """Print what is said of memories that nobody read."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = read_folder(data, Path(scratch))
        if not folder.sessions:
            return
        source = written(folder, Path(scratch) / "written")
    views = sorted(source.views, key=lambda view: view.entry.created_at)
    print(f"\nThe history as it was, {len(views)} sessions, memories that nobody read.\n")
    print(f"| approved | memories | {' | '.join(_VERDICTS)} | chance below 5 % |")
    print("|---|---|---|---|---|---|")
    for part in range(1, _DAYS + 1):
        last = views[len(views) * part // (_DAYS + 1)].entry.created_at
        memories = [
            Memory(id=str(uuid5(NAMESPACE_URL, one.id)), created_at=last, text=one.text,
                   category=one.category, scope="global", evidence=one.evidence)
            for one in proposals(source.past(f"{last:%Y-%m-%d}")).open
        ]  # fmt: skip
        tests = _tested(views, memories)
        said = Counter(one.verdict for one in tests)
        cells = " | ".join(str(said[verdict]) for verdict in _VERDICTS)
        few = sum(map(_few, tests))
        print(f"| {last:%Y-%m-%d} | {len(memories)} | {cells} | {few} |", flush=True)


def _troubles(pairs: Sequence[dict[str, Any]]) -> Sequence[Words]:
    """Return the wordings of each trouble: what pairs that are the same have in common."""
    group: dict[str, set[str]] = {}
    for pair in (one for one in pairs if one["label"] == "same"):
        joined = {pair["a"], pair["b"]} | group.get(pair["a"], set()) | group.get(pair["b"], set())
        group.update(dict.fromkeys(joined, joined))
    return sorted({tuple(sorted(texts)) for texts in group.values()})


def _friction(row: dict[str, Any]) -> Words:
    told = row.get("friction_points") or [one["text"] for one in row.get("friction", [])]
    return [str(text) for text in told]


def _rows(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main()
