"""Kills each command at a random moment, alone or with all that it started, and runs it again."""

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.soak.commands import COMMANDS, Killed
from tests.soak.places import Place, check_own_work, make_place

_LOCK = re.compile(r"(/\S+\.lock)\b")


@dataclass
class Outcome:
    """What a series of trials of one command came to; each in `faults` is kept in its folder."""

    command: str
    tried: int = 0
    killed: int = 0
    landed: int = 0
    locks: int = 0
    faults: tuple[str, ...] = ()


def kill_all(rounds: int, seed: int) -> list[Outcome]:
    """Return the outcome of `rounds` kills of each command, two commands at a time."""
    with ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        jobs = [(name, rounds, seed) for name in COMMANDS]
        return list(pool.map(_series, jobs))


def _series(job: tuple[str, int, int]) -> Outcome:
    name, rounds, seed = job
    chance = random.Random(f"{name} {seed}")  # noqa: S311
    command, outcome = COMMANDS[name], Outcome(name)
    base = Path(tempfile.mkdtemp(prefix=f"calmkb-soak-{name.replace(' ', '-')}-"))
    origin = make_place(base / "origin")
    args = command.prepare(origin)
    took = _clean_run(origin, base, command, args)
    for number in range(rounds):
        folder = base / str(number)
        group = bool(number % 2)
        try:
            _trial(origin.copy(folder), command, args, chance.uniform(0, took), group, outcome)
            shutil.rmtree(folder, ignore_errors=True)  # what it started may still write there
        except (AssertionError, subprocess.TimeoutExpired) as error:
            outcome.faults += (f"{folder}: {error}",)
    if not outcome.faults:
        shutil.rmtree(base, ignore_errors=True)
    return outcome


def _clean_run(origin: Place, base: Path, command: Killed, args: list[str]) -> float:
    """Return the seconds that the command takes; its effect must be there once."""
    place = origin.copy(base / "clean")
    start = time.monotonic()
    code, said = place.calmkb(*_at(place, origin, args))
    took = time.monotonic() - start
    assert code == 0, said
    assert command.count(place) == 1, said
    shutil.rmtree(place.folder, ignore_errors=True)  # as above
    return took


def _at(place: Place, origin: Place, args: list[str]) -> list[str]:
    return [arg.replace(str(origin.folder), str(place.folder)) for arg in args]


def _trial(
    place: Place, command: Killed, args: list[str], after: float, group: bool, outcome: Outcome
) -> None:
    """Kill the command `after` seconds, then do as a person would: run it again."""
    origin = Place(place.folder.parent / "origin")
    _move_remote(place, origin)
    args, staged = _at(place, origin, args), place.git("diff", "--cached")
    killed = _kill(place.start(args), after, group)
    outcome.tried += 1
    outcome.killed += killed
    code, said = place.calmkb(*args)
    if code and (found := _LOCK.findall(said)):
        outcome.locks += 1
        for path in found:  # as the message says
            Path(path).unlink(missing_ok=True)
        code, said = place.calmkb(*args)
    count = command.count(place)
    acknowledged = (not killed) + (code == 0)
    outcome.landed += killed and bool(code)  # it had landed, and the repetition was refused
    wanted = command.wanted(acknowledged, killed)
    assert count in wanted, f"{count} times there, acknowledged {acknowledged} times: {said}"
    assert code in (0, 1), said
    if command.own_work:
        check_own_work(place, staged)


def _move_remote(place: Place, origin: Place) -> None:
    if (place.folder / "team.git").is_dir():
        for at in ("repo", "other"):
            place.git("remote", "set-url", "origin", str(place.folder / "team.git"), at=at)
    assert origin.folder != place.folder


def _kill(process: subprocess.Popen[str], after: float, group: bool) -> bool:
    """Return whether the process was killed before it answered: what it printed, it did."""
    try:
        output, _ = process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL) if group else process.kill()
        output, _ = process.communicate()
    if not group:
        wait_for_orphans(process.pid)
    return process.returncode != 0 and not output


def wait_for_orphans(group: int) -> None:
    """Wait until what a killed process had started has ended."""
    while True:
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return
        time.sleep(0.01)
