"""What was said in kept sessions, found by its meaning too, once vectors are there.

They are made in the background, a few hundred at a time, by one thread. Words never wait for them.
"""

import sqlite3
from collections.abc import Iterator
from itertools import islice

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.jobs import watched
from calmkb.kb.base.points import embedder
from calmkb.store.caches.vectors import Embed
from calmkb.store.local.choices import keeping, may_keep
from calmkb.wings.archive.kept.archive import Archive
from calmkb.wings.archive.kept.session_file import read_turns
from calmkb.wings.archive.turns.passages import (
    NAME,
    add_vectors,
    key_of,
    known_keys,
    nearest,
    passages_of,
    turns_of_keys,
)
from calmkb.wings.archive.verbs.place import archive_of, current_index

WEIGHT = 1.0  # what the nearest meaning adds, where the best words count 1
CANDIDATES = 100
_BATCH = 256
LOCK = ".vectors"  # the lock of who makes vectors, in the archive's folder


def near_turns(environment: Environment, db: sqlite3.Connection, query: str) -> dict[int, float]:
    """Return rows with what their meaning adds; none where there is no model, or no vector yet."""
    path = archive_of(environment).folder / NAME
    embed = embedder() if query.strip() and path.exists() else None
    if embed is None:
        return {}
    keys = nearest(path, embed([query])[0], CANDIDATES)
    return {row: WEIGHT * level for row, level in turns_of_keys(db, keys).items()}


def make_vectors(environment: Environment, begun: str | None = None) -> int:
    """Make the vectors that are missing, the newest sessions first; return how many.

    Nothing where there is no model, or where another process makes them. A kill costs one batch.
    `begun` is as for `keep`: a person's switch or removal ends it.
    """
    from filelock import FileLock, Timeout

    archive, embed = archive_of(environment), embedder()
    if not archive.folder.is_dir() or embed is None:
        return 0
    try:
        lock = FileLock(archive.folder / LOCK, timeout=0, mode=0o600)
        with lock, watched(environment, "vectors") as watch:
            watch.begins()
            choice = keeping(environment.own)
            return _make(environment, archive, choice.stamp if begun is None else begun, embed)
    except Timeout:
        return 0


def _make(environment: Environment, archive: Archive, begun: str, embed: Embed) -> int:
    if not may_keep(environment.own, begun):
        return 0
    path = archive.folder / NAME
    for other in archive.folder.glob("vectors*.bin"):
        if other.name != NAME:  # of a model that was before
            other.unlink(missing_ok=True)
    known = known_keys(path)
    with current_index(environment, archive) as db:
        total = db.execute("SELECT count(DISTINCT key) FROM passages").fetchone()[0]
        missing = _missing(db, archive, known)
        made = 0
        while batch := dict(islice(missing, _BATCH)):
            vectors = embed(list(batch.values()))
            if not may_keep(environment.own, begun):
                break
            add_vectors(path, list(batch), vectors)
            made += len(batch)
            environment.report("Making vectors", len(known), total)
    return made


def _missing(
    db: sqlite3.Connection, archive: Archive, known: set[int]
) -> Iterator[tuple[int, str]]:
    rows = db.execute("SELECT path FROM sessions ORDER BY ended DESC").fetchall()
    for (path,) in rows:
        for turn in read_turns(archive.folder / path):
            for passage in passages_of(turn):
                key = key_of(passage)
                if key not in known:
                    known.add(key)
                    yield key, passage
