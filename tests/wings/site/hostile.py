"""The sample knowledge base with a payload in every field that takes text."""

from dataclasses import replace

from calmkb.model import (
    DigestPreview,
    Evidence,
    FeedbackCounts,
    Library,
    PreviewedMemory,
    Problem,
    Rejection,
    Section,
)
from calmkb.model.memories.backtest import Backtest, Occurrence
from tests.wings.site import sample

HOSTILE = (
    "</title><script>alert(1)</script> <img src=x onerror=alert(1)> "
    "![p](https://evil.example/p.png) "
    "<iframe src=https://evil.example></iframe> [a](javascript:alert(1)) {: onclick=alert(1) } "
    "\"><svg/onload=alert(1)> {{ config }} --8<-- 'mkdocs.yml' \u202egnp.exe </title>"
)
FENCED = (
    f"# Broke out\n\n```\n</code></pre>{HOSTILE}\n```\n\n<!-- material/tags -->\n\n---\n{HOSTILE}"
)


def hostile_library() -> Library:
    entry = replace(
        sample.ENTRIES[0],
        summary=FENCED,
        project_name=HOSTILE[:900],
        friction_points=(FENCED, HOSTILE),
        next_steps=(FENCED,),
        agent=HOSTILE[:900],
        session_id=HOSTILE[:900],
        working_directory=HOSTILE[:900],
        sections=(Section(HOSTILE, FENCED),),
    )
    quote = Evidence(quote=FENCED, source=entry.id, date=HOSTILE, project=HOSTILE)
    memory = replace(
        sample.USE_PNPM,
        text=FENCED,
        why=FENCED,
        evidence=(quote, replace(quote, source="unknown")),
        scope=HOSTILE[:900],
        approved_by=HOSTILE[:900],
        supersedes=HOSTILE[:900],
        tags=(HOSTILE, '"><script>alert(1)</script>'),
        sections=(Section(HOSTILE, FENCED),),
    )
    reflection = replace(
        sample.FIRST_REFLECTION,
        entries=(entry.id, HOSTILE),
        reviewed_by=HOSTILE,
        accepted=(FENCED,),
        rejected=(Rejection(text=FENCED, evidence="0", reason=HOSTILE),),
        sections=(Section(HOSTILE, FENCED),),
    )
    other = replace(reflection, id=sample.made_id("other"), memories=())
    theme = replace(sample.THEMES[0], id=HOSTILE, statement=FENCED, evidence=(quote,))
    lone = replace(theme, id=HOSTILE + "2", sessions=1)
    view = replace(sample.view(sample.ENTRIES[0]), entry=entry)
    return Library(
        sessions=(view,),
        memories=(memory,),
        reflections=(reflection, other),
        themes=(theme, lone),
        problems=(Problem(HOSTILE, 1, FENCED),),
        improvements=(
            replace(
                sample.IMPROVEMENTS[0],
                title=HOSTILE,
                details=FENCED,
                action=FENCED,
                category=HOSTILE,
                reason=HOSTILE,
                project=HOSTILE,
            ),
        ),
        feedback={memory.id: FeedbackCounts(1, 1)},
        backtests={
            memory.id: Backtest(
                id=memory.id,
                text=HOSTILE,
                approved_at=memory.created_at,
                since=memory.created_at,
                sessions=9,
                sessions_since=3,
                met_since=(
                    Occurrence(
                        session=HOSTILE, session_id="", date=HOSTILE, quote=FENCED, chance=1
                    ),
                ),
            )
        },
        digests=(
            DigestPreview(
                project=HOSTILE,
                target=HOSTILE,
                file=HOSTILE,
                text=FENCED,
                tokens=3,
                memories=(PreviewedMemory(memory.id, 3),),
                left_out=(PreviewedMemory(memory.id, 3, HOSTILE),),
            ),
            DigestPreview(project=HOSTILE + "2", target="", file="", text=FENCED, tokens=3),
        ),
        figures=replace(sample.FIGURES, scopes={HOSTILE: 1}, helped={HOSTILE: 2}),
    )
