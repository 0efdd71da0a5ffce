"""Group commit: the holder of the write lock finishes what others left and imports the queue."""

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from calmkb.errors import GitFailedError, StoreError
from calmkb.store.commits.changes import Commit, PathChange
from calmkb.store.commits.fast_import import FastImport
from calmkb.store.commits.index_lock import (
    WAIT_SECONDS,
    IndexLock,
    LockBusyError,
    busy,
    drop_own_lock,
    lock_path,
    pause,
)
from calmkb.store.commits.intent import Intent, begin, drop_intent, read_intent, write_intent
from calmkb.store.commits.landed import (
    LostRaceError,
    check_unmoved,
    drop_ref_locks,
    has_landed,
    intent_path,
    landed_records,
    lock_named,
)
from calmkb.store.commits.recent import lost, note_recent, restored_notice, restoring
from calmkb.store.commits.signing import open_import
from calmkb.store.commits.spool import Outcome, Record, Spool
from calmkb.store.commits.worktree import (
    check_out,
    check_paths,
    check_unedited,
    finish_check_out,
    merged,
)
from calmkb.store.git.repository import Repository

_RACES, _PATIENCE = 50, 12
"""Tries to move a branch that others move, and those before git's index lock is held for longer."""
_HEAD_LEFT = "committed, but HEAD has left {}; the next calmkb command checks"


@dataclass(slots=True)
class GroupCommit:
    """One turn with the lock; `own` is the ticket of its writer, who needs no answer on disk."""

    repository: Repository
    spool: Spool
    own: str = ""
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    notice: str = ""
    """A message on what was put back, or nothing."""
    restored: set[str] = field(default_factory=set)
    """Paths that were put back: one that is removed again was removed on purpose."""

    def serve(self) -> dict[str, Outcome]:
        """Import all that waits for the checked-out branch; return the outcome of each ticket.

        Raises StoreError on a detached HEAD and where the spool cannot be used. A record that is
        refused does not stop the others.
        """
        branch = self.repository.branch()
        self.finish_intent()
        # What a killed process removed and is yet to take out of the work tree is not lost.
        if not intent_path(self.repository).exists():
            self.put_back(branch)
        self._import_all(branch)
        return self.outcomes

    def land(self) -> None:
        """Import what waits, without a look at what a race lost: the next write tells of that."""
        branch = self.repository.branch()
        self.finish_intent()
        self._import_all(branch)

    def _import_all(self, branch: str) -> None:
        """Import all that waits; repeated records after those that they may repeat."""
        records = self.spool.take(branch)
        self._import(branch, [each for each in records if not each.change.repeated])
        for record in (each for each in records if each.change.repeated):
            self._import(branch, [record])

    def put_back(self, branch: str) -> None:
        """Spool again what a person's git took out of HEAD in the moment it was committed."""
        if found := lost(self.repository, branch, self.repository.tip(branch)):
            self.restored |= found.keys()
            self.notice = restored_notice(found, branch)
            self.spool.put(branch, self.repository.identity(), restoring(found))

    def finish_intent(self) -> tuple[PathChange, ...]:
        """Bring what a killed process committed into work tree and index, and answer its writers.

        Returns the paths that still cannot be brought in. Raises StoreError where git refuses.
        """
        drop_own_lock(lock_path(self.repository))
        intent = read_intent(intent_path(self.repository))
        if intent is None or self.repository.attached_branch() is None:
            return intent.unfinished if intent else ()
        drop_ref_locks(self.repository, intent)
        landed = has_landed(self.repository, intent)
        if not landed and self.repository.tip(intent.branch) == intent.base:
            return intent.unfinished  # its git may still run and land it: keep the commits' ids
        left = merged((*intent.unfinished, *intent.paths)) if landed else intent.unfinished
        warning = finish_check_out(self.repository, left)
        held = filter(self.spool.holds, intent.commits if landed else ())
        answers: dict[str, Outcome] = {t: Commit(intent.commits[t], warning) for t in held}
        self._close(answers, left if warning else ())
        return left if warning else ()

    def _import(self, branch: str, records: Sequence[Record]) -> None:
        good = [record for record in records if self._is_sound(record)]
        if not good:
            return
        try:
            self._import_until_won(branch, good)
        except StoreError as error:
            left = [record for record in good if record.ticket not in self.outcomes]
            if isinstance(error, LockBusyError):  # it would be busy for each of them
                self._deliver(dict.fromkeys((record.ticket for record in left), error))
            elif len(left) == 1:
                self._deliver({left[0].ticket: error})
            else:  # one of them may be to blame: each on its own
                for record in left:
                    self._import(branch, [record])

    def _is_sound(self, record: Record) -> bool:
        try:
            check_paths(self.repository, record.change)
            check_unedited(self.repository, record.change)
        except StoreError as error:
            self._deliver({record.ticket: error})
            return False
        return True

    def _import_until_won(self, branch: str, records: Sequence[Record]) -> None:
        until = time.monotonic() + WAIT_SECONDS
        for attempt in range(_RACES):
            try:
                # Git is up before we look at the tip: the shorter the race, the likelier it is won.
                hurry = attempt > 0 or len(records) > 1
                with open_import(self.repository, branch, hurry=hurry) as run:
                    self._import_once(run, branch, records, first=attempt >= _PATIENCE)
                return
            except LostRaceError as error:
                if error.lock and (attempt + 1 == _RACES or time.monotonic() > until):
                    raise busy(error.lock) from error
                pause(attempt)
        raise StoreError(f"{branch} of {self.repository.top} kept moving; try again in a moment")

    def _import_once(
        self, run: FastImport, branch: str, records: Sequence[Record], *, first: bool
    ) -> None:
        """Commit those of `records` that are not in history yet, the lock taken last, or `first`.

        Raises LostRaceError where somebody else was quicker, StoreError where git refuses.
        """
        tip = self.repository.tip(branch)  # first: what an orphaned git lands later is seen
        unfinished = self.finish_intent()
        lock = IndexLock(self.repository)
        with contextlib.ExitStack() as held:
            held.callback(lock.new.unlink, missing_ok=True)
            if at_once := first and not intent_path(self.repository).exists():
                held.enter_context(lock)
                tip = self.repository.tip(branch)
            left = self._not_landed(tip, records)
            if not left:
                return
            intent = begin(self.repository, run, Intent(branch, tip, unfinished=unfinished), left)
            lock.prepare(merged((*intent.unfinished, *intent.paths)))
            write_intent(intent_path(self.repository), intent)
            with self._forgotten_unless_landed(intent):
                check_unmoved(lock, branch, tip)  # a race that is lost need not stop their git
                if not at_once:
                    if not lock.take():
                        raise LostRaceError(f"{lock.path} is held", lock.path)
                    held.push(lock)
                    check_unmoved(lock, branch, tip)
                run.finish()
            self._check_out(intent, left, lock, held)

    def _not_landed(self, tip: str | None, records: Sequence[Record]) -> list[Record]:
        """Answer the writers of what a killed holder took and history has; return the others."""
        doubtful = [each for each in records if each.doubtful and each.ticket not in self.outcomes]
        for ticket, commit in landed_records(self.repository, tip, doubtful) if tip else ():
            self._deliver({ticket: commit})
        return [record for record in records if record.ticket not in self.outcomes]

    @contextlib.contextmanager
    def _forgotten_unless_landed(self, intent: Intent) -> Iterator[None]:
        try:
            yield
        except GitFailedError as error:
            if has_landed(self.repository, intent):  # git may be killed once it has done its work
                return
            self._close({}, intent.unfinished)
            if self.repository.tip(intent.branch) == intent.base and ".lock'" not in error.stderr:
                raise
            raise LostRaceError(str(error), lock_named(self.repository, error.stderr)) from error
        except StoreError:
            self._close({}, intent.unfinished)
            raise

    def _check_out(
        self, intent: Intent, records: Sequence[Record], lock: IndexLock, held: contextlib.ExitStack
    ) -> None:
        if self.repository.attached_branch() != intent.branch:
            # A rebase that began in this moment may drop the commits: the next call looks.
            warning = _HEAD_LEFT.format(intent.branch)
            self._tell({t: Commit(id_, warning) for t, id_ in intent.commits.items()})
            return
        files = {path: data for each in records for path, data in each.change.files.items()}
        warning = check_out(self.repository, merged(intent.paths), files, lock, held.close)
        fresh = [change for change in intent.paths if change.path not in self.restored]
        note_recent(self.repository, intent.branch, intent.base, intent.tip, fresh)
        left = merged((*intent.unfinished, *intent.paths)) if warning else intent.unfinished
        self._close({t: Commit(id_, warning) for t, id_ in intent.commits.items()}, left)

    def _close(self, outcomes: dict[str, Outcome], left: tuple[PathChange, ...]) -> None:
        """Answer, then forget the intent but for the paths that are `left`."""
        if not self._deliver(outcomes):
            return  # the intent is how an unanswered writer learns its commit
        path = intent_path(self.repository)
        if left:
            with contextlib.suppress(StoreError):  # the whole intent says it, too
                write_intent(path, Intent(unfinished=left))
        else:
            drop_intent(path)

    def _deliver(self, outcomes: dict[str, Outcome]) -> bool:
        """Answer and forget; return False where the disk took no answer."""
        if not self._tell(outcomes):
            return False
        for ticket in outcomes:
            self.spool.forget(ticket)
        return True

    def _tell(self, outcomes: dict[str, Outcome]) -> bool:
        self.outcomes |= outcomes
        try:
            for ticket, outcome in outcomes.items():
                if ticket != self.own:
                    self.spool.answer(ticket, outcome)
        except StoreError:
            return False
        return True
