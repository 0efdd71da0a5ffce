"""Memories that stand side by side and say the same, or the opposite."""

from collections.abc import Iterator, Sequence

from calmkb.documents.findings import Finding
from calmkb.model import GLOBAL_SCOPE, Memory
from calmkb.reflect.opposites.compare import opposed
from calmkb.reflect.proposals.verdicts import CONFLICT_SHARE
from calmkb.reflect.similarity.base import Method
from calmkb.reflect.similarity.join import gathered, join
from calmkb.store.journal import Stored


def alike(stored: Sequence[Stored], method: Method) -> Iterator[Finding]:
    """Yield a finding for the later of each two memories that are alike within one scope."""
    standing = _standing(stored)
    if len(standing) < 2:
        return
    vectors = method.vectors([memory.text for _, memory in standing])
    near = gathered(join(vectors, method.duplicate * CONFLICT_SHARE))
    pairs = zip(near.first.tolist(), near.second.tolist(), near.level.tolist(), strict=True)
    for one, other, share in sorted(pairs):
        (first, older), (path, newer) = standing[one], standing[other]
        if not _meet(older, newer):
            continue
        if opposed(older.text, newer.text):
            message = f"says the opposite of {first} (alike: {share:.2f}); retire one of them"
            yield Finding(path, 1, "conflict", f"{message}, or narrow its scope")
        elif share >= method.duplicate:
            message = f"says the same as {first} (alike: {share:.2f}); merge them into one"
            yield Finding(path, 1, "near-duplicate", message)


def _standing(stored: Sequence[Stored]) -> list[tuple[str, Memory]]:
    """Return path and memory, oldest first, of those that no other one supersedes."""
    all_of_them = [(s.path, s.record) for s in stored if isinstance(s.record, Memory)]
    replaced = {memory.supersedes for _, memory in all_of_them}
    kept = [pair for pair in all_of_them if pair[1].id not in replaced]
    return sorted(kept, key=lambda pair: (pair[1].created_at, pair[0]))


def _meet(one: Memory, other: Memory) -> bool:
    scopes = {one.scope.casefold(), other.scope.casefold()}
    return len(scopes) == 1 or GLOBAL_SCOPE in scopes
