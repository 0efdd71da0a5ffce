"""Kept sessions: how fast they are kept and indexed, how large, and whether answers are found.

Give a folder of Claude Code's transcripts, and a file of questions, one JSON object a line: `q`,
`answer`, and `where`, a list of `file` and `line` where it can be read. Questions are split in two
by the session that answers them: weights were chosen on the first half alone, but for what a
session's further hits count and how long a hit is printed, which were chosen on all. "Half printed"
counts answers half of whose own words (of four letters or more, in no question) are printed of
their session, in the 6,000 characters of a search and in all turns that it found.
"""

import hashlib
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from click import unstyle

from calmkb.cli.journal.moments import session_lines
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase, open_kb
from calmkb.model.sessions.kept import MomentsWanted, SessionFound
from calmkb.wings.archive.kept.session_file import read_turns
from calmkb.wings.archive.kept.turn_lines import line_of
from calmkb.wings.archive.verbs.keep import keep
from calmkb.wings.archive.verbs.meaning import make_vectors
from calmkb.wings.archive.verbs.moments import find_moments
from calmkb.wings.archive.verbs.place import archive_of, current_index
from calmkb.wings.semantic import minilm

PLANTED = 200
_ROOM = 5_250
_WORD = re.compile(r"[a-z_][\w./-]{3,}")


def main() -> None:
    """Print the figures; nothing where no folder is given."""
    given = [path for word in sys.argv[1:] if (path := Path(word)).exists()]
    sessions = given[0] if given else Path(os.environ.get("CALMKB_SESSIONS", ""))
    if not given and not os.environ.get("CALMKB_SESSIONS"):
        print("skipped: no data; give a folder of transcripts, and questions, as arguments")
        return
    with tempfile.TemporaryDirectory() as folder:
        home = Path(os.environ.get("CALMKB_BENCH_HOME") or folder)
        home.mkdir(exist_ok=True)
        environment = Environment(home=home, cwd=home, env={})
        files = sorted(sessions.glob("*.jsonl"))
        print("| what | figure |\n|---|---|")
        _keep(environment, files)
        kb = open_kb(environment)
        _plant(kb)
        if len(given) > 1:
            questions = [json.loads(line) for line in given[1].read_text().splitlines()]
            _ask(kb, questions, meaning=False, name="words")
            if minilm.available():
                make_vectors(replace(environment, report=_count))
                _ask(kb, questions, meaning=True, name="words and meaning")


def _count(step: str, done: int, total: int) -> None:
    if done % 1024 == 0:
        print(f"{step}: {done} of {total}", file=sys.stderr)


def _keep(environment: Environment, files: list[Path]) -> None:
    size = sum(path.stat().st_size for path in files) / 1e6
    begun = time.process_time()
    done = keep(environment, files)
    seconds = time.process_time() - begun
    print(f"| kept and filtered, {size:.0f} MB, {done.new} sessions | {size / seconds:.1f} MB/s |")
    archive = archive_of(environment)
    (archive.folder / "turns.sqlite").unlink()
    begun = time.process_time()
    with current_index(environment, archive):
        pass
    seconds = time.process_time() - begun
    print(f"| index rebuilt from the archive | {size / seconds:.1f} MB/s of transcript |")
    text = sum(len(line_of(turn)) for path in archive.files() for turn in read_turns(path)) / 1e6
    index = (archive.folder / "turns.sqlite").stat().st_size / 1e6
    kept = sum(path.stat().st_size for path in archive.files()) / 1e6
    print(f"| archive | {kept:.1f} MB, {kept / size:.0%} of the transcripts |")
    print(f"| index | {index:.1f} MB, {index / size:.0%} of the transcripts, "
          f"{index / text:.0%} of the text kept |")  # fmt: skip


def _plant(kb: KnowledgeBase) -> None:
    """Look for rows of words that are in a session, as they are there."""
    found = asked = 0
    for path in archive_of(kb.environment).files():
        for number, turn in enumerate(read_turns(path)):
            words = turn.text.split()
            place = int(hashlib.md5(f"{path.name}{number}".encode()).hexdigest(), 16)  # noqa: S324
            if asked == PLANTED or place % 199 or len(words) < 12:
                continue
            at = place % (len(words) - 8)
            phrase = " ".join(words[at : at + 8]).replace('"', " ")
            if sum(map(str.isalnum, phrase)) < 20:
                continue
            asked += 1
            sessions = find_moments(kb, MomentsWanted(query=f'"{phrase}"', all_projects=True))
            lines = {turn.text for one in sessions for m in one.moments for turn in m.turns}
            found += any(" ".join(phrase.split()) in _plain(text) for text in lines)
    print(f"| phrases of turns found | {found} of {asked} |")


def _plain(text: str) -> str:
    return " ".join(text.replace('"', " ").split())


def _ask(kb: KnowledgeBase, questions: list[dict[str, Any]], *, meaning: bool, name: str) -> None:
    rows: list[tuple[int, ...]] = []
    elapsed, spent = [], []
    for asked in questions:
        begun, worked = time.perf_counter(), time.process_time()
        found = find_moments(
            kb, MomentsWanted(query=asked["q"], all_projects=True), meaning=meaning
        )
        elapsed.append(time.perf_counter() - begun)
        spent.append(time.process_time() - worked)
        wanted = {(Path(one["file"]).stem, one["line"]) for one in asked["where"]}
        half = int(hashlib.md5(asked["where"][0]["file"].encode()).hexdigest(), 16) % 2  # noqa: S324
        rows.append((
            half,
            bool(wanted & set(_shown(found))),
            bool(wanted & {place for one in found for place in _shown([one], 1)}),
            bool({name for name, _ in wanted} & {one.session.name for one in found}),
            *(_is_printed(found, asked, room) for room in (_ROOM, 10**6)),
        ))  # fmt: skip
    late, costly = (sorted(some)[int(len(some) * 0.95)] * 1000 for some in (elapsed, spent))
    for half, label in ((0, "chosen on"), (1, "kept aside")):
        own = [row for row in rows if row[0] == half]
        sums = [sum(row[column] for row in own) for column in range(1, 6)]
        print(f"| {name}, {label}, {len(own)} questions: answer shown in five sessions; in their "
              f"best moments; session found | {sums[0]}; {sums[1]}; {sums[2]} |")  # fmt: skip
        print(f"| half printed in 6,000 characters; in all turns | {sums[3]}; {sums[4]} |")
    print(f"| {name}, p95 | {late:.0f} ms, of which the processor {costly:.0f} |")


def _is_printed(found: Sequence[SessionFound], asked: dict[str, Any], room: int) -> bool:
    """Return whether half of an answer's own words are printed of the session that holds it."""
    names = {Path(one["file"]).stem[:8] for one in asked["where"]}
    parts = unstyle(session_lines(found, asked["q"], room)).split("\n\n")
    own = [set(_WORD.findall(part.lower())) for part in parts if part[:8] in names]
    wanted = {*_WORD.findall(asked.get("answer", "").lower())} - {
        *_WORD.findall(asked["q"].lower())
    }
    return bool(wanted) and any(2 * len(wanted & words) >= len(wanted) for words in own)


def _shown(found: "list[SessionFound] | tuple[SessionFound, ...]", most: int = 9) -> Iterator[Any]:
    for one in found:
        for moment in one.moments[:most]:
            yield from ((one.session.name, turn.line) for turn in moment.turns)


if __name__ == "__main__":
    main()
