"""The signal store: what hooks noticed, one JSON object a line, safe from rivals and kills."""

import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from calmkb.errors import NotFoundError, RecordError, StoreError
from calmkb.model import Problem, Signal
from calmkb.store.signals.append import check_names, locked, unknown, with_ids
from calmkb.store.signals.clean import Clean, clean_fields, default_clean
from calmkb.store.signals.ids import (
    Counter,
    days_before,
    key_of,
    remember_removed,
    removed_keys,
    stamp,
)
from calmkb.store.signals.learnings import add_learning
from calmkb.store.signals.lines import (
    FIELDS,
    Line,
    encode,
    problems_of,
    read_lines,
    rewrite,
    row,
    signal_from,
)
from calmkb.store.signals.queries import Asked, counts, may_go
from calmkb.system.files import append_lines

KEPT_DAYS = 14
_FIXED = ("id", "version")


@dataclass(frozen=True)
class SignalStore:
    """`signals.jsonl` in `folder`. `clean` takes out what may not be kept, before any write.

    Everything that writes holds one lock. Raises StoreError where the disk refuses.
    """

    folder: Path
    clean: Clean | None = field(default=None, compare=False)

    @cached_property
    def path(self) -> Path:
        """The file itself: a link that a person put there stays one."""
        return Path(os.path.realpath(self.folder / "signals.jsonl"))

    def append(self, fields: Mapping[str, Any], *, now: datetime) -> Signal:
        """Keep one signal, and return it with its id, time and defaults.

        Raises RecordError on unknown or wrong fields and on an id that is there already.
        """
        return self.append_many([fields], now=now)[0]

    def append_many(
        self, many: Sequence[Mapping[str, Any]], *, now: datetime, new_only: bool = False
    ) -> list[Signal]:
        """Keep many signals in one write: all of them or none."""
        for fields in many:
            check_names(fields, FIELDS)
        cleaned = [clean_fields(fields, self._clean) for fields in many]
        with locked(self.folder):
            if new_only:
                there = {key_of(one.meta) for one in self._signals()}
                cleaned = unknown(cleaned, there | removed_keys(self._removed))
            signals = with_ids(cleaned, self._counter(), now)
            if signals:
                lines = b"".join(encode(row(one)) for one in signals)
                append_lines(self.path, lines, alone=True)
                self._prune(now)
        return signals

    def append_new(self, many: Sequence[Mapping[str, Any]], *, now: datetime) -> list[Signal]:
        """Keep those whose `meta.key` no signal of this store has or had, each once."""
        return self.append_many(many, now=now, new_only=True) if many else []

    def get(self, id_: str) -> Signal:
        """Return one signal; NotFoundError where there is none."""
        for line in read_lines(self.path):
            if line.signal and line.signal.id == id_:
                return line.signal
        raise self._missing(id_)

    def query(
        self,
        *,
        status: str | None = None,
        type: str | None = None,  # noqa: A002 - the field's name
        session: str | None = None,
        since: datetime | str | None = None,
        tags: Sequence[str] = (),
    ) -> list[Signal]:
        """Return the signals that fit all that is asked, oldest first."""
        start = stamp(since) if isinstance(since, datetime) else since or ""
        kept = Asked(status, type, session, start, frozenset(tags))
        return sorted(filter(kept.fits, self._signals()), key=lambda one: one.timestamp)

    def update(
        self, id_: str, changes: Mapping[str, Any], *, now: datetime | None = None
    ) -> Signal:
        """Change fields of one signal; `meta` is merged, and notes when where `now` is given.

        Raises NotFoundError, and RecordError on a field that is unknown, wrong or not to change.
        """
        open_fields = [name for name in FIELDS if name not in _FIXED]
        check_names(changes, open_fields)
        changed = clean_fields(changes, self._clean)
        with locked(self.folder):
            lines = read_lines(self.path)
            place = next(
                (n for n, one in enumerate(lines) if one.signal and one.signal.id == id_), None
            )
            if place is None:
                raise self._missing(id_)
            values = json.loads(lines[place].raw)
            meta = changed.get("meta", {})
            if isinstance(meta, Mapping):
                stamped = {"updated_at": stamp(now)} if now else {}
                changed["meta"] = {**values.get("meta", {}), **meta, **stamped}
            signal = signal_from({**values, **changed})
            raw = [line.raw for line in lines]
            raw[place] = encode({**values, **changed})
            rewrite(self.path, raw)
        return signal

    def stats(self) -> dict[str, Any]:
        """Return how many signals there are, in all and by status, type and category."""
        return counts(self._signals())

    def archive(self, *, days: int = KEPT_DAYS, status: str | None = None, now: datetime) -> int:
        """Remove signals at least `days` old, of one status if asked; return how many.

        What was promoted or confirmed is never removed, and neither is a line that is no signal.
        """
        limit = days_before(now.astimezone(UTC), days)
        with locked(self.folder):
            return self._remove(lambda line: may_go(line, limit, status))

    def forget(self, session_ids: Collection[str]) -> int:
        """Remove all signals of these sessions, decided ones too; return how many."""
        with locked(self.folder):
            return self._remove(
                lambda line: line.signal is not None and line.signal.session_id in session_ids
            )

    def promote(self, id_: str, target: str, content: str) -> str:
        """Note that a signal became `content` in `target`; return the learning's id.

        The learnings index gets its row first: killed between, the next call finds that row.
        """
        category = self.get(id_).category
        target, content = (" ".join(self._clean(text).split()) for text in (target, content))
        if not target or not content:
            raise RecordError("target and content must each hold at least one word")
        with locked(self.folder):
            learning = add_learning(self.folder, id_, category, content, target)
        self.update(
            id_, {"status": "promoted", "promoted_to": target, "meta": {"learning": learning}}
        )
        return learning

    def fit(self, text: str) -> str:
        """Return `text` as it may be kept: for those who cut it, as half a secret is unknown."""
        return self._clean(text)

    def problems(self) -> list[Problem]:
        """Return the lines that hold no signal; they are kept where they are."""
        return problems_of(self.path)

    @cached_property
    def _clean(self) -> Clean:
        return self.clean or default_clean()

    def _signals(self) -> list[Signal]:
        return [line.signal for line in read_lines(self.path) if line.signal]

    def _prune(self, now: datetime) -> None:
        counter = self._counter()
        if counter.pruning_is_due(now.astimezone(UTC)):
            with suppress(StoreError):  # what was asked for, the append, is done
                limit = days_before(now.astimezone(UTC), KEPT_DAYS)
                self._remove(lambda line: may_go(line, limit, None))
                counter.save()

    def _remove(self, goes: Callable[[Line], bool]) -> int:
        lines = read_lines(self.path)
        doomed = [line for line in lines if goes(line)]
        if doomed:
            remember_removed(self._removed, doomed)
            rewrite(self.path, [line.raw for line in lines if not goes(line)])
        return len(doomed)

    def _missing(self, id_: str) -> NotFoundError:
        return NotFoundError(f"no signal {id_!r} in {self.path}; list them: calmkb signal query")

    @property
    def _removed(self) -> Path:
        return self.folder / "signals.removed"

    def _counter(self) -> Counter:
        return Counter(self.folder / "signals.counter", self.path).load()
