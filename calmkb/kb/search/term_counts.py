"""Term counts of statements kept beside the index, so that only new texts are counted."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.join import Watch
from calmkb.reflect.similarity.terms import SETTINGS
from calmkb.reflect.similarity.tfidf import Tfidf
from calmkb.reflect.similarity.weights import Counting, Counts, count
from calmkb.store.caches.arrays import read_arrays, write_arrays
from calmkb.store.index.schema import index_path

_FEW = 100
_SHARE = 50
"""Up to this many new texts, or this share of those kept, are not written."""

_AT_ONCE = 10_000


def with_kept_counts(kb: KnowledgeBase, method: Method, watch: Watch | None = None) -> Method:
    """Return `method` with the counts kept from earlier calls, if it counts terms."""
    if not isinstance(method, Tfidf):
        return method
    return replace(method, counting=counting_of(kb, watch))


def with_counts(kb: KnowledgeBase, method: Method, texts: Sequence[str]) -> Method:
    """Return `method` with the counts of `texts` in memory, for several uses.

    Other texts are counted when they are asked for.
    """
    if not isinstance(method, Tfidf):
        return method
    distinct = list(dict.fromkeys(texts))
    known = {text: row for row, text in enumerate(distinct)}
    counts = counting_of(kb)(distinct)

    def counting(asked: Sequence[str]) -> Counts:
        new = list(dict.fromkeys(text for text in asked if text not in known))
        places = known | {text: row for row, text in enumerate(new, len(known))}
        whole = counts.joined(count(new)) if new else counts
        return whole.of([places[text] for text in asked])

    return replace(method, counting=counting)


def counting_of(kb: KnowledgeBase, watch: Watch | None = None) -> Counting:
    """Return a `count` that keeps what it counted; where nothing can be kept, the plain one."""
    index = index_path(kb.journal)
    if index is None:
        return count
    named = Path(index)
    place = named.with_name(named.name.replace("index-", "statements-")).with_suffix(".counts")

    def kept(texts: Sequence[str]) -> Counts:
        return _counted(place, texts, watch)

    return kept


def _counted(place: Path, texts: Sequence[str], watch: Watch | None = None) -> Counts:
    """Return the counts of `texts`, those that `place` does not hold counted now."""
    names = [_digest(text) for text in texts]
    known, counts = _read(place)
    new = {name: text for name, text in zip(names, texts, strict=True) if name not in known}
    if not new:
        return counts.of([known[name] for name in names])
    missing = list(new.values())
    for start in range(0, len(missing), _AT_ONCE):
        counts = counts.joined(count(missing[start : start + _AT_ONCE]))
        if watch:
            watch(min(start + _AT_ONCE, len(missing)), len(missing))
    known = known | {name: row for row, name in enumerate(new, len(known))}
    rows = [known[name] for name in names]
    if len(new) > max(_FEW, len(known) // _SHARE):
        _write(place, names, counts, known)
    return counts.of(rows)


def _read(place: Path) -> tuple[dict[bytes, int], Counts]:
    from scipy.sparse import csr_matrix

    kept = read_arrays(place, SETTINGS)
    if kept is None:
        return {}, count([])
    shape = (len(kept["names"]), len(kept["terms"]))
    # Built around the mapped arrays: the checks of the constructor would read them all.
    table = csr_matrix(shape, dtype=kept["numbers"].dtype)
    table.data, table.indices, table.indptr = kept["numbers"], kept["columns"], kept["starts"]
    return dict(zip(_names(kept["names"]), range(shape[0]), strict=True)), Counts(
        kept["terms"], table
    )


def _names(packed: Any) -> list[bytes]:
    whole = packed.tobytes()
    return [whole[start : start + 16] for start in range(0, len(whole), 16)]


def _write(place: Path, names: Sequence[bytes], counts: Counts, known: dict[bytes, int]) -> None:
    """Keep what was asked for, each text once, and forget the others."""
    import numpy

    wanted = list(dict.fromkeys(names))
    table = counts.of([known[name] for name in wanted]).table
    arrays = {
        "names": numpy.frombuffer(b"".join(wanted), dtype="S16"),
        "terms": counts.terms.astype("<u8"),
        "starts": table.indptr.astype("<i8"),
        "columns": table.indices.astype("<i4"),
        "numbers": table.data.astype("<u2"),
    }
    write_arrays(place, SETTINGS, arrays)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=16).digest()
