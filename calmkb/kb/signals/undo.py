"""The last decisions on captured signals, taken back where nobody has changed the file since."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.kb.signals.files import Target
from calmkb.kb.signals.learning import Learning, SignalReview, dismiss, keep, plan
from calmkb.store.local.reviews import place_of
from calmkb.store.local.state_files import load, records_of, save
from calmkb.store.signals.learnings import drop_learning
from calmkb.system.files import write_atomically

_NAME = "-signals"
_KEPT = 50
"""Decisions that can be taken back."""


@dataclass(frozen=True, slots=True)
class SignalAct:
    """One decision: its signals and, where a line was added, the file, as it was and is now.

    `before` is None where there was no file; `after` is a hash. An act without `path` dismissed.
    """

    text: str
    signals: tuple[str, ...]
    path: str = ""
    before: str | None = None
    after: str = ""
    improvement: bool = False


def keep_undoable(review: SignalReview, learning: Learning, target: Target, text: str) -> Path:
    """Add a learning to its target, as `keep` does, and note how to take that back."""
    made = plan(review, learning, target, text)
    before = made.path.read_bytes().decode() if made.path.exists() else None
    path = keep(review, learning, target, text)
    act = SignalAct(
        made.line,
        tuple(one.id for one in learning.signals),
        str(path),
        before,
        _hash(path),
        improvement=made.record is not None,
    )
    _save(review, [*saved_acts(review), act])
    return path


def dismiss_undoable(review: SignalReview, learnings: Sequence[Learning]) -> None:
    """Dismiss learnings, and note how to take that back."""
    dismiss(review, *learnings)
    made = [SignalAct(one.text, tuple(each.id for each in one.signals)) for one in learnings]
    _save(review, [*saved_acts(review), *made])


def undo_last(review: SignalReview) -> SignalAct:
    """Take the last decision back and return it; its signals are captured again.

    Raises CalmError where there is none, and where the file has changed since: nothing is done.
    """
    acts = saved_acts(review)
    if not acts:
        raise CalmError("there is nothing to undo")
    *rest, act = acts
    if act.improvement:
        _save(review, rest)
        raise CalmError("an improvement is a record of its own; see: calmkb improvements list")
    if act.path:
        _put_back(act)
    now, store = review.kb.environment.now(), review.store
    known = {one.id: one for one in store.query()}
    for name in act.signals:
        if name in known:
            drop_learning(store.folder, str(known[name].meta.get("learning", "")))
            changes = {"status": "captured", "promoted_to": ""}
            store.update(name, changes | {"meta": {"learning": "", "writing": ""}}, now=now)
    _save(review, rest)
    return act


def saved_acts(review: SignalReview) -> list[SignalAct]:
    """Return the decisions that can be taken back, the last one last."""
    return records_of(SignalAct, load(_place(review)))


def _put_back(act: SignalAct) -> None:
    path = Path(act.path)
    if not path.is_file() or _hash(path) != act.after:
        raise CalmError(f"{path} was changed since; take the line out by hand: {act.text}")
    if act.before is None:
        path.unlink()
    else:
        write_atomically(path, act.before.encode())


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _save(review: SignalReview, acts: Sequence[SignalAct]) -> None:
    save(_place(review), acts[-_KEPT:], durable=False)


def _place(review: SignalReview) -> Path:
    return place_of(review.kb.environment.state, review.kb.root, _NAME)
