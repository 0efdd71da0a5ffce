"""What an import is asked to take over, and what it did."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from calmkb.kb.journal.writing import Writer

BATCH, WRITTEN_BATCH = 200, 1
"""Entries a commit: a run that is stopped goes on from the last; what a model wrote was paid."""


@dataclass
class Imported:
    """What an import did: entries added, sessions known before, files left out and why.

    `elsewhere` counts sessions of other repositories, `outside` those before the day or of another
    project than asked for, `unknown` lines by kinds that this version does not know. `written`
    entries are a model's, for `dollars`; `unwritten` says why others are not, and how many.
    """

    added: int = 0
    known: int = 0
    outside: int = 0
    elsewhere: int = 0
    automated: int = 0
    forgotten: int = 0
    sub_agents: int = 0
    left_out: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    commits: int = 0
    written: int = 0
    dollars: float = 0.0
    unwritten: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What to take over: from whom, from where, how far back, which project.

    Without a project, the knowledge base of a repository takes that repository's sessions, unless
    `all_projects` are asked for. `automated` takes those too that a program ran.
    """

    source: str
    path: Path | None = None
    since: datetime | None = None
    project: str = ""
    dry_run: bool = False
    keep_logs: bool = False
    all_projects: bool = False
    automated: bool = False
    batch: int = BATCH
    files: tuple[Path, ...] = ()
    """These of the agent's sessions alone; else all."""
    most: int = 0
    """No more entries than this; 0 is all."""
    writer: Writer | None = None
    """Who writes the entries; else they are drafted without a model."""
