"""Makes a knowledge base of N plausible entries: files, and one fast-import commit."""

import random
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from calmkb.documents import record_path, render
from calmkb.model import Entry, Memory, Record, Reflection

NOW = datetime(2026, 11, 1, 9, tzinfo=UTC)
A_DAY = 20
WEEK = 7 * A_DAY
PROJECTS = ("storefront", "ledger", "search-api", "mobile", "infra", "docs", "billing", "ingest")
VERBS = "moved fixed added removed split renamed traced measured cached rewrote pinned".split()
MODIFIERS = (
    "checkout fixture database lock retry feature queue login rate build release schema index "
    "token payment session log search nightly export billing invoice webhook cache audit image "
    "cursor tenant locale theme"
).split()
NOUNS = (
    "tests loader migration file policy flag consumer form limiter script check job refresh "
    "handler store shipper ranking report parser client worker pool router planner mapper "
    "renderer registry bundle adapter scheduler resolver header chart ledger proxy gateway"
).split()
THINGS = [f"{modifier} {noun}" for modifier in MODIFIERS for noun in NOUNS]
TROUBLES = (
    "hung because the container was not running,failed only on the second run,took ten minutes,"
    "was flaky under load,printed nothing at all,needed a variable that nothing named,"
    "broke after the upgrade,could not see the network,was skipped without a word"
).split(",")
STEPS = "delete,document,watch,measure,review,ask the team about,write a test for".split(",")


def entry(number: int, total: int) -> Entry:
    """Return entry `number` of `total`, the last of them from today."""
    dice = random.Random(number)
    day, within = divmod(total - 1 - number, A_DAY)
    rare = f"{dice.choice(PROJECTS)[:4]}{dice.randrange(total):x}"
    project = dice.choice(PROJECTS)
    things = [dice.choice(THINGS) for _ in range(6)]
    return Entry(
        id=f"{dice.getrandbits(32):08x}-{number >> 16:04x}-4000-8000-{number:012x}",
        created_at=NOW - timedelta(days=day, minutes=within * 20),
        summary=f"{dice.choice(VERBS).capitalize()} the {things[0]} for {rare}; "
        f"{dice.choice(VERBS)} the {things[1]} so that the {things[2]} works again.",
        project_name=project,
        working_directory=f"~/code/{project}",
        friction_points=tuple(
            f"The {thing} {dice.choice(TROUBLES)}; see `{dice.choice(VERBS)}_{rare}.py`."
            for thing in things[3:5]
        ),
        next_steps=(f"{dice.choice(STEPS).capitalize()} the {things[5]}.",),
        agent="claude-code",
        session_id=f"{dice.getrandbits(128):032x}",
    )


def records(total: int) -> list[Record]:
    """Return `total` entries, a reflection for each week but the last, and its memory."""
    entries = [entry(number, total) for number in range(total)]
    made: list[Record] = [*entries]
    for start in range(0, total - WEEK, WEEK):
        batch = entries[start : start + WEEK]
        identity = f"{random.Random(-start - 1).getrandbits(32):08x}-0000-4000-8000-{start:012x}"
        text = f"Start the {random.Random(start).choice(THINGS)} first: {batch[0].summary}"
        moment = batch[-1].created_at + timedelta(hours=1)
        made.append(Memory(id=identity, created_at=moment, text=text, category="workflow"))
        reflection = identity.replace("-0000-", "-0001-", 1)
        listed = tuple(item.id for item in batch)
        made.append(Reflection(id=reflection, created_at=moment, entries=listed))
    return made


def generate(folder: Path, total: int, change: Callable[[Entry], Entry] | None = None) -> None:
    """Fill the new folder with a knowledge base of `total` entries, each changed by `change`."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    files = {"calmkb.toml": b""}
    made = records(total)
    if change:
        made = [change(r) if isinstance(r, Entry) else r for r in made]
    files |= {f"journal/{record_path(r)}": render(r).encode() for r in made}
    for path, data in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    commit(folder, files)
    git(folder, "reset", "-q")  # enters the files in git's index


def commit(folder: Path, files: dict[str, bytes]) -> None:
    """Commit `files` on top of main by one fast-import."""
    tip = subprocess.run(["git", "rev-parse", "-q", "--verify", "main"], cwd=folder,
                         capture_output=True, text=True, check=False).stdout  # fmt: skip
    stream = [b"commit refs/heads/main\ncommitter bench <b@localhost> 1793523600 +0000\n"]
    stream += [b"data 4\nmore\n", f"from {tip}".encode() if tip else b""]
    for path, data in files.items():
        stream.append(f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n")
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=folder, input=b"".join(stream), check=True
    )


def git(folder: Path, *args: str) -> None:
    """Run git."""
    subprocess.run(["git", *args], cwd=folder, check=True)


if __name__ == "__main__":
    generate(Path(sys.argv[1]), int(sys.argv[2]))
