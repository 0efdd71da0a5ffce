"""A knowledge base of an invented team, large enough to look at."""

import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from calmkb.model import (
    DigestPreview,
    Entry,
    Evidence,
    FeedbackCounts,
    Improvement,
    Library,
    Memory,
    PreviewedMemory,
    Problem,
    Reflection,
    Rejection,
    Section,
    SessionView,
    Statistics,
    Theme,
)
from calmkb.model.memories.backtest import Backtest, Occurrence

START = datetime(2026, 9, 24, 8, 12, 5, tzinfo=UTC)
PNPM = "`npm test` hung: the project uses pnpm, and the lock file was rewritten."
DATABASE = "The end-to-end job needs the database container; nothing said so."
TIMEZONE = "Report totals were off by a day: the test machine runs in local time, not UTC."


def made_id(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"calmkb-sample/{name}"))


def entry(number: int, project: str, summary: str, friction: tuple[str, ...] = (), **more) -> Entry:
    return Entry(
        id=made_id(f"entry-{number}"),
        created_at=START + timedelta(days=2 * number, hours=number % 7, minutes=13 * number),
        project_name=project,
        summary=summary,
        friction_points=friction,
        working_directory=f"~/code/{project}",
        agent=more.pop("agent", "claude-code"),
        session_id=made_id(f"session-{number}"),
        **more,
    )


ENTRIES = (
    entry(
        0,
        "storefront",
        "Moved the checkout tests to the new fixture; the suite is green again. The old fixture "
        "stays until the staging run has passed, since two nightly jobs still import it.",
        (PNPM, DATABASE),
        next_steps=("Delete the old fixture once the staging run has passed.",),
    ),
    entry(1, "ledger", "Wrote the nightly reconciliation report.", (TIMEZONE,), agent="codex"),
    entry(
        2,
        "storefront",
        "Split the cart reducer into three modules, without a change in behaviour.",
        (PNPM,),
        next_steps=("Give the discount module its own tests.", "Tell the team about the split."),
    ),
    entry(
        3,
        "ledger",
        "Upgraded the payment client to version 4.\n\nWhat changed:\n\n- `charge()` now takes the "
        "currency by name\n- retries are ours to make:\n\n```python\nfor wait in backoff():\n"
        '    client.charge(amount, currency="EUR")\n```\n\nSee https://example.org/client/v4 '
        "for the whole list.",
        ("The client's version 4 raises `PaymentError` where version 3 returned `None`.",),
    ),
    entry(4, "atlas", "Set up the map tiles cache; first paint went from 2.4 s to 0.9 s."),
    entry(
        5,
        "storefront",
        "Fixed the flaky address-form test: it waited for an animation that no longer exists.",
        (DATABASE, "A test that sleeps passes here and fails on the build machine."),
    ),
    entry(6, "ledger", "Moved all dates in reports to UTC.", (TIMEZONE,), agent="codex"),
    entry(
        7,
        "atlas",
        "Tried vector tiles; stopped half way, since the style file has no dark variant.",
        ("The tile server caches errors for ten minutes, so a fixed style looks broken.",),
        needs_continuation=True,
        next_steps=("Ask the designers for a dark style.", "Clear the cache in the dev script."),
    ),
    entry(8, "storefront", "Added gift cards to the checkout, behind a flag.", (PNPM,)),
    entry(
        9,
        "ledger",
        "Closed the quarter's books with the new report; sums agree with the bank to the cent.",
        sections=(Section("Decisions", "Amounts are kept in **cents**, as whole numbers."),),
    ),
    entry(10, "storefront", "Turned the gift-card flag on for the staff shop.", (DATABASE,)),
    entry(
        11,
        "atlas",
        "Wrote a script that clears the tile cache, and a line about it in the handbook.",
        ("The tile server caches errors for ten minutes, so a fixed style looks broken.",),
        next_steps=("Try vector tiles again.",),
    ),
)


def quoted(number: int, quote: str) -> Evidence:
    source = ENTRIES[number]
    return Evidence(
        quote=quote,
        source=source.id,
        date=f"{source.created_at:%Y-%m-%d}",
        project=source.project_name,
    )


USE_PNPM = Memory(
    id=made_id("memory-pnpm"),
    created_at=START + timedelta(days=9),
    text="Use pnpm for every script in storefront; npm rewrites the lock file and hangs the tests.",
    category="workflow",
    importance=0.8,
    confidence="high",
    scope="storefront",
    approved_by="reviewer@example.org",
    why="Three sessions in two weeks lost time to it.",
    evidence=(quoted(0, PNPM), quoted(2, PNPM)),
    sources=(ENTRIES[0].id, ENTRIES[2].id, ENTRIES[5].id),
    tags=("pnpm",),
)
IN_UTC = Memory(
    id=made_id("memory-utc"),
    created_at=START + timedelta(days=15),
    text="Dates in ledger are UTC from the database to the page; convert only when showing them.",
    category="decision",
    importance=0.7,
    confidence="high",
    scope="ledger",
    origin="agent",
    approved_by="reviewer@example.org",
    why="Totals of a day were wrong wherever a machine kept local time.",
    evidence=(quoted(1, TIMEZONE), quoted(6, TIMEZONE)),
    sources=(ENTRIES[1].id, ENTRIES[6].id),
)
PAYMENT = Memory(
    id=made_id("memory-payment"),
    created_at=START + timedelta(days=15, minutes=4),
    text="The payment client raises `PaymentError` from version 4 on; it no longer returns `None`.",
    category="error",
    importance=0.6,
    confidence="medium",
    scope="ledger",
    origin="tool",
    evidence=(quoted(3, ENTRIES[3].friction_points[0]),),
    sources=(ENTRIES[3].id, made_id("somewhere-else")),
)
CENTS = Memory(
    id=made_id("memory-cents"),
    created_at=START + timedelta(days=21),
    text="Amounts are whole cents.",
    category="fact",
    scope="ledger",
    sources=(ENTRIES[9].id,),
)
SHORT = Memory(
    id=made_id("memory-short"),
    created_at=START + timedelta(days=21, minutes=3),
    text="Wrap-ups are short: what was done, friction, what comes next.",
    category="preference",
    confidence="medium",
    approved_by="reviewer@example.org",
)

FIRST_REFLECTION = Reflection(
    id=made_id("reflection-1"),
    created_at=START + timedelta(days=9, minutes=20),
    entries=tuple(one.id for one in ENTRIES[:4]),
    memories=(USE_PNPM.id,),
    memories_created=1,
    reviewed_by="reviewer@example.org",
    accepted=(USE_PNPM.text,),
    rejected=(
        Rejection(
            text="Always run the tests twice.",
            evidence="0123456789abcdef",
            reason="It hides flaky tests instead of fixing them.",
        ),
    ),
)
SECOND_REFLECTION = Reflection(
    id=made_id("reflection-2"),
    created_at=START + timedelta(days=15, minutes=20),
    entries=(*(one.id for one in ENTRIES[4:8]), made_id("entry-of-another-clone")),
    memories=(IN_UTC.id, PAYMENT.id),
    memories_created=2,
    reviewed_by="reviewer@example.org",
)

THEMES = (
    Theme(
        id="pnpm",
        statement=PNPM,
        evidence=(
            quoted(0, PNPM),
            quoted(2, PNPM),
            quoted(8, "Lost ten minutes: I ran npm out of habit and it rewrote `pnpm-lock.yaml`."),
        ),
        sessions=3,
        memory_id=USE_PNPM.id,
    ),
    Theme(
        id="database",
        statement=DATABASE,
        evidence=(quoted(0, DATABASE), quoted(5, DATABASE), quoted(10, DATABASE)),
        sessions=3,
    ),
    Theme(
        id="utc",
        statement=TIMEZONE,
        evidence=(quoted(1, TIMEZONE), quoted(6, TIMEZONE)),
        sessions=2,
        memory_id=IN_UTC.id,
    ),
    Theme(
        id="tiles",
        statement=ENTRIES[7].friction_points[0],
        evidence=(
            quoted(7, ENTRIES[7].friction_points[0]),
            quoted(11, ENTRIES[11].friction_points[0]),
        ),
        sessions=2,
    ),
    Theme(
        id="sleep",
        statement=ENTRIES[5].friction_points[1],
        evidence=(quoted(5, ENTRIES[5].friction_points[1]),),
        sessions=1,
    ),
)


def view(one: Entry) -> SessionView:
    for reflection in (FIRST_REFLECTION, SECOND_REFLECTION):
        if one.id in reflection.entries:
            return SessionView(entry=one, reflected_at=reflection.created_at, memories_created=1)
    return SessionView(entry=one)


IMPROVEMENTS = (
    Improvement(
        id=made_id("improvement-0"),
        created_at=START + timedelta(days=20),
        title="The database container is named nowhere",
        details=DATABASE,
        category="Documentation",
        impact="high",
        action="Say so beside the command.",
        confidence="high",
        reason="3 sessions",
        project="storefront",
    ),
    Improvement(
        id=made_id("improvement-1"),
        created_at=START + timedelta(days=21),
        title="Test machines run in local time",
        details="Test machines run in local time",
        state="applied",
    ),
)
FIGURES = Statistics(
    entries=len(ENTRIES), unreflected=1, unreflected_since=START, projects=2, friction_points=9,
    friction_per_session=1.5, themes=3, recurring=2, unanswered=1,
    memories={"fact": 2, "error": 0}, scopes={"global": 5},
    standing=None, digest_tokens=None, reflections=2, accepted=4, merged=1, rejected=1,
    acceptance_rate=5 / 6, review_hours=30.0, improvements={"pending": 1, "applied": 1},
    feedback={"helpful": 2, "harmful": 0}, helped={"too early": 5},
)  # fmt: skip
FEEDBACK = {USE_PNPM.id: FeedbackCounts(helpful=2), IN_UTC.id: FeedbackCounts(harmful=1)}


def again(number: int) -> Occurrence:
    one = ENTRIES[number]
    return Occurrence(
        session=one.id, session_id="", date=f"{one.created_at:%Y-%m-%d}", quote=PNPM, chance=1.0
    )


BACKTESTS = {
    USE_PNPM.id: Backtest(
        id=USE_PNPM.id, text=USE_PNPM.text, approved_at=USE_PNPM.created_at, since=START,
        sessions=11, sessions_since=5, met=(again(0), again(2)), met_since=(again(8),),
    ),
    IN_UTC.id: Backtest(
        id=IN_UTC.id, text=IN_UTC.text, approved_at=IN_UTC.created_at, since=START,
        sessions=26, sessions_since=14, met=(again(1), again(6)),
    ),
}  # fmt: skip
TOLD = (
    DigestPreview(
        project="storefront",
        target="claude-md",
        file="CLAUDE.md",
        text=f"## Commands\n\n- {USE_PNPM.text}\n\n## Preferences\n\n- {SHORT.text}",
        tokens=58,
        budget=60,
        memories=(PreviewedMemory(USE_PNPM.id, 27), PreviewedMemory(SHORT.id, 20)),
        left_out=(
            PreviewedMemory(CENTS.id, 9, "no room: worth 0.20 for 9 tokens", crowded_out=True),
        ),
        elsewhere=2,
    ),
    DigestPreview(
        project="ledger",
        target="claude-md",
        file="CLAUDE.md",
        text=f"## Conventions\n\n- {IN_UTC.text}",
        tokens=30,
        memories=(PreviewedMemory(IN_UTC.id, 28),),
        left_out=(PreviewedMemory(PAYMENT.id, 21, "a person has written it: CLAUDE.md"),),
    ),
)
CHANGED = ("src/cart/reducer.ts", "src/checkout/fixture.ts")
LIBRARY = Library(
    sessions=tuple(
        view(replace(one, files=CHANGED) if one in (ENTRIES[0], ENTRIES[2]) else one)
        for one in reversed(ENTRIES)
    ),
    memories=(SHORT, CENTS, PAYMENT, IN_UTC, USE_PNPM),
    reflections=(SECOND_REFLECTION, FIRST_REFLECTION),
    themes=THEMES,
    improvements=IMPROVEMENTS,
    figures=FIGURES,
    feedback=FEEDBACK,
    backtests=BACKTESTS,
    anchors={USE_PNPM.id: (("package.json", "held"), ("script test", "changed"))},
    digests=TOLD,
    problems=(
        Problem("journal/sessions/2026/10/02/notes.md", 3, "`created_at` is missing; add a time."),
    ),
)
