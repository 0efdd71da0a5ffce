"""Did it help, with real texts: troubles that stop, come back, or come back in other words.

    python benchmarks/run.py helped_texts DATA

DATA holds pairs.jsonl (`a`, `b`, `label`, `files`), wrapups.jsonl and sessions_read.jsonl, and for
the second table sessions/*.jsonl (or sessions.tar.xz), which tell when each session was.

First: forty real sessions before the approval and forty since, and a trouble of several wordings by
people's labels planted in 14 of the earlier ones. The memory has the words of one. Second: the
history as it was; each proposal of a day becomes a memory that nobody reads, so no verdict is right
but "too early to say", unless the work itself changed.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import numpy as np
from hindsight.folder import read_folder
from hindsight.replay import written

from calmkb.model import Entry, Evidence, Helping, Memory, SessionView
from calmkb.reflect.memories import pooled
from calmkb.reflect.memories.effectiveness import helped
from calmkb.reflect.memories.recurrence import troubles_met
from calmkb.reflect.memories.rewording import reworded_at_most, unless_reworded
from calmkb.reflect.similarity.methods import TFIDF
from calmkb.reflect.statements.statements import statements_of

_SESSIONS, _DRAWS, _DAYS, _MET = 40, 5, 6, 14
_START = datetime(2026, 1, 1, tzinfo=UTC)
_VERDICTS = ("helped", "too early to say", "came back more often")
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
    print(f"| the trouble was met | {' | '.join(_VERDICTS)} | all of a draw together |")
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
    verdicts: list[list[str]] = []
    together: Counter[str] = Counter()
    for draw in range(_DRAWS):
        rng = np.random.default_rng(draw)
        made = [_history(trouble, written_up, words, rng) for trouble in troubles]
        found = [_judged(sessions, [memory])[0][memory.id].verdict for sessions, memory in made]
        verdicts.append(found)
        together.update(_all_together(troubles, written_up, words, rng))
    cells = (_share([[one == v for one in column] for column in zip(*verdicts, strict=True)])
             for v in _VERDICTS)  # fmt: skip
    several = ", ".join(f"{together[v]} {v}" for v in _VERDICTS if together[v])
    print(f"| {name} | {' | '.join(cells)} | {several} |", flush=True)


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
    sessions = _background([trouble], written_up, rng)
    memory = _plant(sessions, trouble, words, rng, 0)
    return [_view(n, told) for n, told in enumerate(sessions)], memory


def _all_together(
    troubles: Sequence[Words], written_up: Sequence[Words], words: Callable[..., Any], rng: Any
) -> Iterator[str]:
    """Yield the verdict on groups of five memories that met their troubles in 3 sessions each."""
    for first in range(0, len(troubles) - 4, 5):
        group = troubles[first : first + 5]
        sessions = _background(group, written_up, rng)
        known = [_plant(sessions, t, words, rng, n, share=5) for n, t in enumerate(group)]
        found = _judged([_view(n, told) for n, told in enumerate(sessions)], known)[1]
        yield found.verdict if found else _VERDICTS[1]


def _background(group: Sequence[Words], written_up: Sequence[Words], rng: Any) -> list[list[str]]:
    own = {text for trouble in group for text in trouble}
    others = [told for told in written_up if not own & set(told)]
    return [list(others[n]) for n in rng.permutation(len(others))[: 2 * _SESSIONS]]


def _plant(
    sessions: list[list[str]],
    trouble: Words,
    words: Callable[..., tuple[Words, int]],
    rng: Any,
    number: int,
    share: int = 1,
) -> Memory:
    """Add a trouble to sessions, and return the memory that the first wording made."""
    texts = list(rng.permutation(trouble))
    half = (len(texts) + 1) // 2
    same, other = texts[:half], texts[half:]
    early = sorted(rng.permutation(_SESSIONS)[: -(-_MET // share)].tolist())
    for place, n in enumerate(early):
        sessions[n].append(same[place % len(same)])
    later, times = words(same, other)
    for place, n in enumerate(rng.permutation(_SESSIONS)[: -(-times // share)].tolist()):
        sessions[_SESSIONS + n].append(later[place % len(later)])
    source = _view(early[0], sessions[early[0]]).entry
    quote = Evidence(quote=same[0], source=source.id, date="2026-01-01", project="project")
    return Memory(
        id=f"{number:08}-0000-4000-8000-000000000002",
        created_at=_START + timedelta(days=_SESSIONS - 0.5), text=same[0],
        category="workflow", scope="project", evidence=(quote,),
    )  # fmt: skip


def _view(number: int, told: Words) -> SessionView:
    entry = Entry(
        id=f"{number:08}-0000-4000-8000-000000000001", created_at=_START + timedelta(days=number),
        summary="Worked.", project_name="project", friction_points=tuple(told),
    )  # fmt: skip
    return SessionView(entry=entry)


def _judged(
    sessions: Sequence[SessionView], memories: Sequence[Memory]
) -> tuple[dict[str, Helping], Helping | None]:
    """Return what is said of each memory, and of all together."""
    statements = statements_of(sessions)
    met = troubles_met(memories, statements)
    times = {view.entry.id: view.entry.created_at for view in sessions}
    each = unless_reworded(helped(memories, sessions, met), memories, statements, times, met, TFIDF)
    return each, pooled.together(
        pooled.counted(memories, sessions, met),
        lambda: reworded_at_most(memories, statements, times, met, TFIDF),
    )


def _as_it_was(data: Path) -> None:
    """Print what is said of memories that nobody read."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = read_folder(data, Path(scratch))
        if not folder.sessions:
            return
        source = written(folder, Path(scratch) / "written")
    views = sorted(source.views, key=lambda view: view.entry.created_at)
    print(f"\nThe history as it was, {len(views)} sessions, memories that nobody read.\n")
    print(f"| approved | memories | {' | '.join(_VERDICTS)} | together |")
    print("|---|---|---|---|---|---|")
    for part in range(1, _DAYS + 1):
        last = views[len(views) * part // (_DAYS + 1)].entry.created_at
        memories = [
            Memory(id=str(uuid5(NAMESPACE_URL, one.id)), created_at=last, text=one.text,
                   category=one.category, scope="global", evidence=one.evidence)
            for one in source.proposals(f"{last:%Y-%m-%d}")
        ]  # fmt: skip
        each, whole = _judged(views, memories)
        said = Counter(one.verdict for one in each.values())
        cells = " | ".join(str(said[verdict]) for verdict in _VERDICTS)
        words = whole.words if whole else "-"
        print(f"| {last:%Y-%m-%d} | {len(memories)} | {cells} | {words} |", flush=True)


def _troubles(pairs: Sequence[dict[str, Any]]) -> list[Words]:
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
