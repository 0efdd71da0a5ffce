"""An invented team's journal of half a year: the same on every day, for pictures of the site."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from calmkb.documents import record_path, render
from calmkb.model import Category, Entry, Evidence, Memory, Reflection, Rejection

START = datetime(2026, 4, 27, 8, 30, tzinfo=UTC)
WEEKS = 26
TODAY = START + timedelta(weeks=WEEKS, hours=1)
"""The Monday after the last session, on which a lead looks at the site."""
REVIEWER = "ada@example.org"
DONE = {
    "storefront": (
        "Moved the {} tests to the new fixture.",
        "Split the {} reducer into modules.",
        "Added {} behind a flag.",
    ),
    "ledger": (
        "Wrote the {} report.",
        "Moved all dates of the {} job to UTC.",
        "Upgraded the client for {}.",
    ),
    "atlas": (
        "Cached the tiles for {}.",
        "Drew {} in the dark style.",
        "Measured the first paint of {}.",
    ),
}
THINGS = {
    "storefront": ("checkout", "cart", "gift card", "address", "coupon", "search"),
    "ledger": ("nightly", "quarterly", "refund", "payout", "tax", "invoice"),
    "atlas": ("rivers", "borders", "labels", "roads", "coasts", "contours"),
}
NEXT = (
    "Tell the team about it.",
    "Delete the old one once the staging run has passed.",
    "Give it tests of its own.",
    "Ask the designers for a dark variant.",
)
AGENTS = ("claude-code", "claude-code", "claude-code", "codex")


@dataclass(frozen=True)
class Trap:
    """Friction in a project with a chance a session, and the memory that was made of it."""

    project: str
    said: tuple[str, ...]
    chance: float
    approved: int = 0
    memory: str = ""
    category: Category = "workflow"
    why: str = ""


TRAPS = (
    Trap(
        "storefront",
        (
            "`npm test` hung: the project uses pnpm, and the lock file was rewritten.",
            "`npm test` hung again: storefront uses pnpm, and the lock file was rewritten.",
            "Ran npm out of habit: the tests hung and npm rewrote the pnpm lock file.",
        ),
        0.55,
        9,
        "Use pnpm for every script in storefront; npm rewrites the lock file and hangs the tests.",
        "workflow",
        "Sessions lost ten minutes each time.",
    ),
    Trap(
        "ledger",
        (
            "Report totals were off by a day: the test machine runs in local time, not UTC.",
            "Totals of the report were off by a day, since the test machine runs in local time.",
        ),
        0.45,
        14,
        "Dates in ledger are UTC from the database to the page; convert only when showing them.",
        "decision",
        "Totals of a day were wrong wherever a machine kept local time.",
    ),
    Trap(
        "storefront",
        (
            "The end-to-end job needs the database container; nothing said so.",
            "The end-to-end job failed without the database container, which nothing names.",
        ),
        0.3,
    ),
    Trap(
        "atlas",
        (
            "The tile server caches errors for ten minutes, so a fixed style looks broken.",
            "A fixed style looked broken for ten minutes: the tile server caches errors.",
        ),
        0.35,
        18,
        "After fixing a style, clear the tile server's cache: it keeps errors for ten minutes.",
        "error",
        "A fixed style was taken for a broken one.",
    ),
    Trap(
        "storefront",
        (
            "A test that sleeps passes here and fails on the build machine.",
            "A sleeping test passed here and failed on the build machine.",
        ),
        0.22,
        20,
        "Wait for what a test needs to see; a test that sleeps fails on the build machine.",
        "preference",
    ),
    Trap(
        "ledger",
        ("The client's version 4 raises `PaymentError` where version 3 returned `None`.",),
        0.25,
        7,
        "The payment client raises `PaymentError` from version 4 on; it no longer returns `None`.",
        "error",
    ),
    Trap("ledger", ("The fixture for refunds has amounts in euros, the code in cents.",), 0.2),
    Trap("atlas", ("The style file has no dark variant, and the linter wants one.",), 0.18),
    Trap("atlas", ("Fonts are missing in the container, so labels were drawn as boxes.",), 0.15),
    Trap("storefront", ("The flag service needs a token that only the wiki names.",), 0.12),
)


def write_journal(folder: Path) -> None:
    """Write the team's records into the journal of the knowledge base in `folder`."""
    for record in records():
        path = folder / "journal" / record_path(record)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render(record), encoding="utf-8")


def records() -> Iterator[Entry | Memory | Reflection]:
    """Yield the sessions, the memories that were made of them, and a review every other week."""
    chance = random.Random(26)  # noqa: S311 - the same journal each time
    sessions = [one for week in range(WEEKS) for one in _week(chance, week)]
    memories = [_memory(chance, trap, sessions) for trap in TRAPS if trap.approved]
    yield from sessions
    yield from memories
    for week in range(2, WEEKS - 1, 2):
        yield _reflection(chance, week, sessions, memories)


def _week(chance: random.Random, week: int) -> Iterator[Entry]:
    for _ in range(chance.randint(4, 9)):
        moment = START + timedelta(weeks=week, days=chance.randint(0, 4))
        moment += timedelta(minutes=chance.randint(0, 540))
        project = chance.choice(sorted(DONE))
        done = chance.choice(DONE[project]).format(chance.choice(THINGS[project]))
        yield Entry(
            id=_id(chance),
            created_at=moment,
            summary=done,
            project_name=project,
            working_directory=f"~/code/{project}",
            friction_points=tuple(_met(chance, project, week)),
            next_steps=(chance.choice(NEXT),) if chance.random() < 0.5 else (),
            agent=chance.choice(AGENTS),
            session_id=_id(chance),
        )


def _met(chance: random.Random, project: str, week: int) -> Iterator[str]:
    """Yield friction: a tenth as often once a memory was approved."""
    for trap in TRAPS:
        if trap.project == project:
            answered = trap.approved and week > trap.approved
            if chance.random() < (trap.chance / 10 if answered else trap.chance):
                yield chance.choice(trap.said)


def _memory(chance: random.Random, trap: Trap, sessions: list[Entry]) -> Memory:
    approved = START + timedelta(weeks=trap.approved, days=4, hours=9)
    met = [
        (entry, point)
        for entry in sessions
        for point in entry.friction_points
        if point in trap.said and entry.created_at < approved
    ]
    return Memory(
        id=_id(chance),
        created_at=approved,
        text=trap.memory,
        category=trap.category,
        importance=0.8,
        confidence="high" if len(met) > 5 else "medium",
        scope=trap.project,
        approved_by=REVIEWER,
        why=trap.why,
        tags=(trap.project,),
        sources=tuple(entry.id for entry, _ in met[-4:]),
        evidence=tuple(
            Evidence(
                quote=point,
                source=entry.id,
                date=f"{entry.created_at:%Y-%m-%d}",
                project=entry.project_name,
            )
            for entry, point in met[-4:]
        ),
    )


def _reflection(
    chance: random.Random, week: int, sessions: list[Entry], memories: list[Memory]
) -> Reflection:
    """Return the review at the end of a week, of what came since the one before."""
    end = START + timedelta(weeks=week, days=4, hours=10)
    begin = end - timedelta(weeks=2) if week > 2 else START
    kept = [one for one in memories if begin <= one.created_at < end]
    rejected = Rejection(
        text="Always run the tests twice.",
        evidence=f"{week:016x}",
        reason="It hides flaky tests instead of fixing them.",
    )
    return Reflection(
        id=_id(chance),
        created_at=end,
        entries=tuple(one.id for one in sessions if begin <= one.created_at < end),
        memories=tuple(one.id for one in kept),
        memories_created=len(kept),
        reviewed_by=REVIEWER,
        accepted=tuple(one.text for one in kept),
        rejected=(rejected,) if week % 8 == 2 else (),
    )


def _id(chance: random.Random) -> str:
    return str(UUID(int=chance.getrandbits(128), version=4))
