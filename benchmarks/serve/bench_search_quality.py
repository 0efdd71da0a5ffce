"""Search quality on LoCoMo (questions on long conversations), against plain FTS5 with porter.

Give the data as an argument or in CALMKB_LOCOMO: a JSON list of conversations with questions and
the turns that answer them. Each turn becomes a session entry of a knowledge base of its
conversation, a few seconds after the turn before it, and is found by `calmkb search`'s own code.
"""

import json
import math
import os
import re
import sqlite3
import sys
import tempfile
import uuid
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from calmkb.documents import record_path, render
from calmkb.kb.base.environment import process_environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.search.search import search
from calmkb.model import Entry
from calmkb.store.caches.vectors import Embed
from calmkb.wings.semantic import minilm

DEPTH = 10
Ranker = Callable[[str], list[str]]
"""From a question to the ids of the turns that should answer it, best first."""


def main() -> None:
    """Print recall and nDCG at 10, over all questions and without the unanswerable ones."""
    given = [word for word in sys.argv[1:] if word.endswith(".json")]
    path = Path((given or [os.environ.get("CALMKB_LOCOMO", "")])[0])
    if not path.is_file():
        print("skipped: no data; give LoCoMo's JSON as an argument or in CALMKB_LOCOMO")
        return
    found: dict[str, list[tuple[bool, float, float]]] = defaultdict(list)
    for conversation in json.loads(path.read_text()):
        turns = turns_of(conversation["conversation"])
        with tempfile.TemporaryDirectory() as folder:
            rankers = {"FTS5 porter": plain(turns), "calmkb search": ours(turns, Path(folder))}
            if minilm.available():
                rankers["with MiniLM"] = ours(turns, Path(folder), minilm.embed)
            for name, rank in rankers.items():
                found[name] += [
                    judge(rank, asked) for asked in conversation["qa"] if asked["evidence"]
                ]
    print("| search | R@10 | nDCG@10 | R@10, answerable | nDCG@10, answerable |")
    print("|---|---|---|---|---|")
    for name, rows in found.items():
        answerable = [row for row in rows if row[0]]
        print(f"| {name} | {mean(rows, 1)} | {mean(rows, 2)} | {mean(answerable, 1)} | "
              f"{mean(answerable, 2)} |")  # fmt: skip
    goal = " (missed)" if float(mean(found["calmkb search"], 1)) < 0.73 else ""
    print(f"\n{len(found['FTS5 porter'])} questions; goal without a model: .73 / .54{goal}")


def turns_of(conversation: dict[str, Any]) -> list[tuple[str, datetime, str]]:
    """Return each turn's id, time and words, in order."""
    names = [name for name in conversation if re.fullmatch(r"session_\d+", name)]
    turns = []
    for name in sorted(names, key=lambda name: int(name[8:])):
        spoken = conversation[f"{name}_date_time"].upper()
        start = datetime.strptime(spoken, "%I:%M %p ON %d %B, %Y").replace(tzinfo=UTC)
        for number, turn in enumerate(conversation[name]):
            words = f"{turn['speaker']}: {turn['text']} {turn.get('blip_caption', '')}".strip()
            turns.append((turn["dia_id"], start + timedelta(seconds=number), words))
    return turns


def plain(turns: list[tuple[str, datetime, str]]) -> Ranker:
    """Return FTS5 with its porter stemmer, any word of the question."""
    db = sqlite3.connect(":memory:")
    db.execute("CREATE VIRTUAL TABLE turns USING fts5(id UNINDEXED, words, tokenize='porter')")
    db.executemany("INSERT INTO turns VALUES (?, ?)", [(key, words) for key, _, words in turns])

    def rank(question: str) -> list[str]:
        asked = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        rows = db.execute("SELECT id FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT ?",
                          (asked, DEPTH))  # fmt: skip
        return [row[0] for row in rows]

    return rank


def ours(turns: list[tuple[str, datetime, str]], root: Path, embed: Embed | None = None) -> Ranker:
    """Return calmkb's search over a knowledge base with an entry for each turn."""
    (root / ".git").mkdir(exist_ok=True)  # a place for the index is all that search needs of git
    ids = {}
    for key, moment, words in turns:
        identity = str(uuid.uuid5(uuid.NAMESPACE_URL, key))
        ids[identity] = key
        entry = Entry(id=identity, created_at=moment, summary=words, project_name="talk")
        path = root / "journal" / record_path(entry)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render(entry))
    kb = open_kb(process_environment(), option=str(root))

    def rank(question: str) -> list[str]:
        while (found := search(kb, question, limit=DEPTH, embed=embed)).vectors_missing:
            pass  # each search builds a few
        return [ids[hit.id] for hit in found.hits]

    return rank


def judge(rank: Ranker, asked: dict[str, Any]) -> tuple[bool, float, float]:
    """Return whether a question has an answer, and its recall and nDCG."""
    wanted = set(asked["evidence"])
    hits = [key in wanted for key in rank(asked["question"])]
    gain = sum(1 / math.log2(place + 2) for place, hit in enumerate(hits) if hit)
    best = sum(1 / math.log2(place + 2) for place in range(min(DEPTH, len(wanted))))
    return asked["category"] != 5, sum(hits) / len(wanted), gain / best


def mean(rows: list[tuple[bool, float, float]], column: int) -> str:
    """Return the mean of a column to three places."""
    return f"{sum(row[column] for row in rows) / len(rows):.3f}"


if __name__ == "__main__":
    main()
