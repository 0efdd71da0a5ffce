"""The review's queue on past days: is what it shows still so?

    python benchmarks/run.py queue DATA REPOSITORY [--sheet FILE] [--labels FILE]

Each week the wrap-ups of the 14 days before wait in a clone of the repository as it was that day.
The sheet holds the first ten proposals of each week; write `invalid` in its first column where one
names what is gone, is contradicted by a later session, or stands in the instruction files already.
"""

import argparse
import csv
import itertools
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.journal.wrapup import WrapUp, prepare, wrap_up
from calmkb.kb.reflect.reflection import pending
from calmkb.model import Proposal
from timeline.folder import Folder, Session, read_folder
from timeline.score import share

WAITS, WEEK, SHOWN = timedelta(days=14), timedelta(days=7), 10
Row = tuple[str, str, Proposal]


def main() -> None:
    """Print how many of the proposals shown are no longer so, with a 95 % Wilson interval."""
    words = [word for word in sys.argv[1:] if word not in ("queue", "bench_queue")]
    if len(words) < 2:
        print("Name data and a repository: python benchmarks/run.py queue DATA REPOSITORY")
        return
    parser = argparse.ArgumentParser(prog="run.py queue")
    parser.add_argument("data", type=Path)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--sheet", type=Path, help="write the proposals here")
    parser.add_argument("--labels", type=Path, help="a filled sheet")
    asked = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name:
        rows = list(_weeks(asked.data, asked.repository.resolve(), Path(name)))
    if asked.sheet:
        with asked.sheet.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(
                ("", day, commit, one.text, one.outdated) for day, commit, one in rows
            )
    if asked.labels:
        with asked.labels.open(encoding="utf-8", newline="") as file:
            wrong = {(day, text) for verdict, day, _, text, _ in csv.reader(file) if verdict}
        shown = [(day, one.text) for day, _, one in rows]
        print(f"shown and not so: {share(sum(one in wrong for one in shown), len(shown))}")


def _weeks(data: Path, repository: Path, scratch: Path) -> Iterator[Row]:
    folder = read_folder(data, scratch / "data")
    sessions = [one for one in folder.sessions if one.path.name in folder.written]
    ends = [one.ended for one in sessions]
    day, number = min(ends) + WEEK, 0
    while day < max(ends) + WAITS:
        some = sorted((s for s in sessions if day - WAITS <= s.ended < day), key=lambda s: s.ended)
        place = scratch / str(number) / "project"
        commit = _clone(repository, place, day) if some else ""
        if commit:
            found = _queue(folder, some, place, day)
            said = sum(bool(one.outdated or one.contradicts) for one in found)
            print(f"{day:%Y-%m-%d}: {len(some)} sessions, {len(found)} shown, {said} with a remark")
            yield from ((f"{day:%Y-%m-%d}", commit[:12], one) for one in found)
        day, number = day + WEEK, number + 1


def _clone(repository: Path, place: Path, day: datetime) -> str:
    """Clone the repository as it was on a day; return the commit, "" where it was none yet."""
    place.parent.mkdir(parents=True)
    _git(place.parent, "clone", "-q", "--shared", str(repository), str(place))
    commit = _git(place, "rev-list", "-1", f"--before={day.isoformat()}", "--first-parent", "HEAD")
    if commit:
        _git(place, "checkout", "-q", "-B", "main", commit)
    for name, value in (("user.name", "Timeline"), ("user.email", "timeline@example.org")):
        _git(place, "config", name, value)
    return commit


def _queue(
    folder: Folder, sessions: list[Session], place: Path, day: datetime
) -> tuple[Proposal, ...]:
    """Return what a review on a day shows of sessions that ended before it."""
    (place / "calmkb.toml").write_text("", encoding="utf-8")
    home = place.parent / "home"
    home.mkdir()
    ids = (str(uuid5(NAMESPACE_URL, str(number))) for number in itertools.count())
    now = [day]
    around = Environment(
        home=home, cwd=place, user="timeline", new_id=ids.__next__, now=lambda: now[0]
    )
    for session in sessions:
        now[0] = session.ended
        wrap_up(*prepare(open_kb(around), _wrap_up(folder, session, place)))
    now[0] = day
    return pending(open_kb(around)).proposals.open[:SHOWN]


def _wrap_up(folder: Folder, session: Session, place: Path) -> WrapUp:
    return WrapUp(
        **folder.written[session.path.name], project_name=place.name, agent="claude-code",
        working_directory=str(place), session_id=session.path.stem, ended_at=session.ended,
    )  # fmt: skip


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, check=True, stdout=subprocess.PIPE)
    return done.stdout.decode().strip()
