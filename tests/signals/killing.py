"""Kills a process at every step it takes with a signal store, and looks what is left.

Run as a program: it forks, and must have no threads when it does. A step is an audit event: a file
opened, renamed, removed, a folder made; or a write, a sync or a cut, which raise none.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from calmkb.kb.signals.queue import absorb_queue
from calmkb.store.signals.store import SignalStore
from tests.signals.samples import NOW, failure, fields
from tests.store.killing import at_event, die

OLD = NOW - timedelta(days=30)


def prepare(folder: Path) -> None:
    store = plain(folder)
    store.append(fields("settled", status="confirmed"), now=OLD)
    store.append(fields("first", category="Commands"), now=OLD)
    with store.path.open("ab") as file:
        file.write(b"torn {")
    queue = folder / "queue"
    queue.mkdir()
    for n in range(2):
        (queue / f"PostToolUseFailure-1-{n}.json").write_text(json.dumps(failure(f"toolu_{n}")))


def plain(folder: Path) -> SignalStore:
    return SignalStore(folder, clean=lambda text: text)


def append(store: SignalStore) -> None:
    """Append at a new day, which prunes."""
    store.append_many([fields("new"), fields("newer")], now=NOW)


def update(store: SignalStore) -> None:
    store.update("SIG-20261021-0002", {"content": "changed"})


def promote(store: SignalStore) -> None:
    store.promote("SIG-20261021-0002", "CLAUDE.md", "learnt")


def absorb(store: SignalStore) -> None:
    absorb_queue(store, OLD)


FAILED = "Bash failed: TypeError: cart.total is not a function"
# What may stand in the store after the kill, and what must after the same call once more.
WORK: dict[str, tuple[Callable[[SignalStore], None], list[list[str]]]] = {
    "append": (append, [["first"], ["first", "new", "newer"], ["new", "newer"]]),
    "update": (update, [["first"], ["changed"]]),
    "promote": (promote, [["first"]]),
    "absorb": (absorb, [["first"], ["first", FAILED, FAILED]]),
}


def check(folder: Path, name: str, work: Callable[[SignalStore], None]) -> None:
    store = plain(folder)
    may = WORK[name][1]
    settled, *rest = [one.content for one in store.query()]
    assert settled == "settled", settled
    assert rest in may, rest
    assert len({one.id for one in store.query()}) == len(rest) + 1
    torn = store.path.read_bytes().split(b"\n").count(b"torn {")
    assert torn == 1, store.path.read_bytes()
    if name != "append":  # to append again is to keep it twice, as it should be
        # In a process too: what it loads may start threads, and threads do not survive a fork.
        assert not killed_at(lambda: None, lambda: work(plain(folder)))
        store = plain(folder)
        assert [one.content for one in store.query()][1:] == may[-1], name
    if name == "promote":
        rows = (
            (folder / "learnings" / "LEARNINGS.md")
            .read_text()
            .count("learnt (promoted to CLAUDE.md)")
        )
        assert rows == 1, rows
    if name == "absorb":
        assert not list((folder / "queue").glob("*.json"))
    last = store.append(fields("last"), now=NOW)
    assert store.get(last.id).content == "last"


def at_step(number: int) -> Callable[[], None]:
    """Return a hook that kills before the `number`th step, writes and syncs among them."""
    hook = at_event(number)

    def told(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def audited(*args: Any) -> Any:
            sys.audit(f"os.{name}")
            return call(*args)

        return audited

    def install() -> None:
        for name in ("write", "fsync", "ftruncate", "lseek"):
            setattr(os, name, told(name, getattr(os, name)))
        hook()

    return install


def killed_at(hook: Callable[[], None], work: Callable[[], None]) -> bool:
    """Run `work` in a process of its own, under `hook`; return whether it was killed."""
    child = os.fork()
    if not child:
        code = 70
        try:
            hook()
            work()
            code = 0
        finally:
            os._exit(code)
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, status
    return os.WIFSIGNALED(status)


def torn_write(folder: Path) -> None:
    """Die in the middle of a write: half of the line is on disk."""
    whole = os.write

    def half(handle: int, data: bytes) -> int:
        if b"new" in data:
            whole(handle, data[: len(data) // 2])
            die()
        return whole(handle, data)

    os.write = half
    append(plain(folder))


def main(work: Path, name: str) -> int:
    """Kill at each step until the work gets through; return how many steps that were."""
    do = WORK[name][0]
    origin = work / "origin"
    prepare(origin)
    number, killed = 0, True
    while killed:
        folder = work / "copy"
        shutil.copytree(origin, folder)
        killed = killed_at(at_step(number), lambda folder=folder: do(plain(folder)))
        try:
            check(folder, name, do)
        except BaseException:
            print(f"killed at {number} of {name}:", file=sys.stderr)
            raise
        shutil.rmtree(folder)
        number += 1
    return number


def main_torn(work: Path) -> int:
    """Tear the write of two signals, and append once more."""
    folder = work / "torn"
    prepare(folder)
    assert killed_at(lambda: None, lambda: torn_write(folder))
    store = plain(folder)
    assert store.append(fields("after"), now=NOW).content == "after"
    found = [one.content for one in store.query()]
    assert found in (["settled", "after"], ["settled", "new", "after"]), found
    assert len({one.id for one in store.query()}) == len(found)
    return 1


if __name__ == "__main__":
    if sys.argv[2] == "torn":
        print(main_torn(Path(sys.argv[1])))
    else:
        print(main(Path(sys.argv[1]), sys.argv[2]))
