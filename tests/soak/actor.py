"""One machine of the team, in a process of its own: `actor.py FOLDER HOME DAYS SEED SECONDS`.

It writes, edits, retires and syncs on a clock that is `DAYS` off, and prints the id of each session
that was acknowledged.
"""

import random
import sys
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

from calmkb.errors import CalmError
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.kb.journal.wrapup import WrapUp, prepare, wrap_up
from calmkb.kb.memories.agent_proposals import store_memory
from calmkb.kb.memories.edit import Edits, edit_memory
from calmkb.kb.memories.files import locate
from calmkb.kb.memories.memories import list_memories, retire_memory
from calmkb.wings.sharing.verbs.sync import sync_kb

PERSON = "ada@example.org"


class Actor:
    """What one machine does; what is refused (a rebase is going on) is counted, never lost."""

    def __init__(self, kb: KnowledgeBase, chance: random.Random) -> None:
        self.kb, self.chance = kb, chance
        self.done: Counter[str] = Counter()
        self.acts = [self.wrap_up] * 6 + [self.add, self.edit, self.retire] + [self.sync] * 2

    def act(self) -> None:
        """Do one thing."""
        chosen = self.chance.choice(self.acts)
        try:
            chosen()
            self.done[chosen.__name__] += 1
        except CalmError as error:
            self.done["refused"] += 1
            print(f"refused {chosen.__name__}: {error}", file=sys.stderr)

    def wrap_up(self) -> None:
        said = WrapUp(
            summary=f"Work number {self.chance.random()}.",
            friction_points=("The cache was stale.",),
        )
        print(wrap_up(*prepare(self.kb, said)).entry.id, flush=True)

    def add(self) -> None:
        text = f"Rule {self.chance.random()}."
        store_memory(self.kb, text, category="fact", approved_by=PERSON)

    def edit(self) -> None:
        if found := list_memories(self.kb, limit=20):
            filed = locate(self.kb, self.chance.choice(found).id)
            edits = Edits(text=f"Not {self.chance.random()}.")
            edit_memory(self.kb, filed, edits, approved_by=PERSON)

    def retire(self) -> None:
        if len(found := list_memories(self.kb, limit=20)) > 5:
            retire_memory(self.kb, self.chance.choice(found).id, reason="no longer true")

    def sync(self) -> None:
        sync_kb(self.kb)


def main(folder: str, home: str, days: str, seed: str, seconds: str) -> None:
    """Act for so many seconds."""
    skew = timedelta(days=float(days))
    now = lambda: (datetime.now(UTC) + skew).replace(microsecond=0)  # noqa: E731
    environment = Environment(home=Path(home), cwd=Path(folder), user="ada", host="box", now=now)
    actor = Actor(open_kb(environment), random.Random(seed))  # noqa: S311
    end = time.monotonic() + float(seconds)
    while time.monotonic() < end:
        actor.act()
    print(dict(actor.done), file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
