"""A knowledge base and a run journal in a folder, for tests of what stands on them."""

import os
from contextlib import asynccontextmanager
from pathlib import Path

from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.wings.runs.store.store import open_journal
from calmkb.wings.runs.verbs.running import KbRunner
from tests.conftest import git
from tests.trust.support import allow_everything


def make_kb(folder: Path, settings: str = ""):
    """Return a knowledge base in a repository of its own, with a home beside it."""
    project = folder / "shop"
    project.mkdir(exist_ok=True)
    git(project, "init", "-q", "-b", "main")
    (project / "calmkb.toml").write_text(settings)
    home = folder / "home"
    home.mkdir(exist_ok=True)
    kb = open_kb(Environment(home=home, cwd=project, env=dict(os.environ)))
    allow_everything(kb)
    return kb


@asynccontextmanager
async def running(kb, folder: Path, **more):
    """Yield a runner with its journal, and close both."""
    journal = await open_journal(f"sqlite:///{folder / 'runs.sqlite'}")
    runner = KbRunner(kb, journal, **more)
    try:
        yield runner, journal
    finally:
        await runner.close()
        await journal.close()


async def ended(journal, run_id):
    """Follow a run to its end."""
    async for _ in journal.follow(run_id):
        pass


async def done(runner, journal, session_id, task, config=None):
    """Carry a task out; return the run and its entries without heartbeats."""
    begun = await runner.start(session_id, task, config)
    await ended(journal, begun.id)
    entries = await journal.entries(begun.id)
    return await journal.get_run(begun.id), [e for e in entries if e.entry_type != "thinking"]
