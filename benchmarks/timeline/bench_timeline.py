"""Proposals over time: what was kept, and which of people's later rules they held.

    python benchmarks/run.py timeline DATA [--repository PATH] [--days N] [--foreign FILE]
        [--labels FILE] [--sheet FILE] [--rules FILE] [--rule-sheet FILE]

DATA holds sessions/*.jsonl (or sessions.tar.xz) and what there is of wrapups.jsonl,
sessions_read.jsonl, rules.jsonl (rule, date, seen) and *proposals_judged.jsonl (text, verdict).
Up to day T only sessions that ended before it are read; T runs over N days that divide the sessions
evenly, and the end. A row gives the first 10 and 20 proposals by their verdicts. A second table
gives the rules that people wrote down, for which a session of an earlier day gives reason, and how
many were open proposals on the day that they were written; then those that any session gives reason
for, at the end. With a repository the rules are read from the git history of its instruction files,
and similarity alone says which are supported. --sheet writes the proposals that nobody judged yet,
without their rank; filled in, it is read again by --labels. --rule-sheet and --rules are the same
for rules. With pairs.jsonl (a, b, label) a third table tells how many lessons that several
sessions told are evidence of one proposal. --foreign scores another tool's JSON list of texts,
best first.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from calmkb.model import Proposal
from timeline.folder import Folder, Rule, read_folder
from timeline.lessons import lessons_found
from timeline.rules import rules_of
from timeline.score import (
    ABOUT_IT,
    is_proposed,
    kept,
    nearest,
    share,
    supported,
    verdict_of,
)
from timeline.sheet import read_rule_sheet, read_sheet, write_rule_sheet, write_sheet
from timeline.sources import Source, mined, written
from timeline.speakers import not_a_persons

SIZES = (10, 20)
END = "9999"
"""A day after all days."""


def main() -> None:
    """Print a table for each source; write the sheets that are asked for."""
    asked = _arguments()
    if asked is None:
        return
    with tempfile.TemporaryDirectory() as name:
        folder = _read(asked, Path(name))
        makers = {"written": written, "mined": mined}
        sources = [make(folder, Path(name) / word) for word, make in makers.items()]
        _report(asked, folder, [one for one in sources if one.statements])


def _arguments() -> argparse.Namespace | None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--repository", type=Path)
    parser.add_argument("--days", type=int, default=3)
    parser.add_argument("--labels", type=Path, action="append", default=[])
    parser.add_argument("--rules", type=Path)
    for name in ("--foreign", "--sheet", "--rule-sheet"):
        parser.add_argument(name, type=Path)
    words = [word for word in sys.argv[1:] if word not in ("timeline", "bench_timeline")]
    if not words:
        print("Names a data folder: python benchmarks/run.py timeline DATA")
        return None
    return parser.parse_args(words)


def _read(asked: argparse.Namespace, scratch: Path) -> Folder:
    labels = [path for path in asked.labels if path.suffix == ".jsonl"]
    folder = read_folder(asked.data, scratch, labels)
    for path in (path for path in asked.labels if path.suffix != ".jsonl"):
        folder.verdicts.update(read_sheet(path))
    return replace(folder, rules=rules_of(asked.repository)) if asked.repository else folder


def _report(asked: argparse.Namespace, folder: Folder, sources: Sequence[Source]) -> None:
    top: dict[str, Proposal] = {}
    print("| source | open | kept @10 | or after an edit | kept @20 | or after an edit "
          "| unjudged of 20 | words @10 |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|")
    for source in sources:
        for day in (*_days(folder, asked.days), END):
            proposals = source.proposals(day)
            top |= {one.text: one for one in proposals[: SIZES[-1]]}
            texts = [one.text for one in proposals]
            name = f"{source.name}, before {'the end' if day == END else day}"
            _row(name, texts, folder.verdicts)
    if asked.foreign:
        texts = [str(text) for text in json.loads(asked.foreign.read_text(encoding="utf-8"))]
        _row(asked.foreign.stem, texts, folder.verdicts)
    _report_rules(asked, folder, sources)
    if folder.pairs:
        _report_lessons(folder, sources[0])
    _report_speakers(folder, sources)
    if asked.sheet:
        known = {text: verdict_of(text, folder.verdicts) for text in top}
        print(f"\n{write_sheet(asked.sheet, list(top.values()), known)} texts in {asked.sheet}")


def _report_rules(asked: argparse.Namespace, folder: Folder, sources: Sequence[Source]) -> None:
    """Print how many of the rules that sessions support were proposed."""
    found = read_rule_sheet(asked.rules) if asked.rules else {}
    rows: dict[str, list[tuple[float, str]]] = {}
    print("\n| source | rules met before people wrote them, proposed by then | met at any time, "
          "proposed at the end |")  # fmt: skip
    print("|---|---|---|")
    for source in sources:
        if not folder.rules:
            continue
        columns = []
        for before in (True, False):
            near = _nearest(folder, source, before=before, by_similarity=bool(asked.repository))
            held = [is_proposed(rule, best, found) for rule, best in near.items()]
            columns.append(share(sum(held), len(held)))
            rows |= {rule.text: [*rows.get(rule.text, []), *best] for rule, best in near.items()}
        print(f"| {source.name} | {' | '.join(columns)} |", flush=True)
    if asked.rule_sheet:
        write_rule_sheet(asked.rule_sheet, rows)


def _report_lessons(folder: Folder, source: Source) -> None:
    made = source.all_proposals()
    all_of = lessons_found(folder.pairs, [*made.open, *made.held])
    print("\n| source | lessons of several sessions found as one | pairs together that are one |")
    print("|---|---|---|")
    print(f"| {source.name} | {share(all_of.found, all_of.lessons)} "
          f"| {share(all_of.same, all_of.together)} |", flush=True)  # fmt: skip


def _report_speakers(folder: Folder, sources: Sequence[Source]) -> None:
    """Print how many proposals, held ones too, are called a person's, and how many wrongly."""
    print("\n| source | proposals called a person's | which no person typed |\n|---|---|---|")
    for source in sources:
        made = source.all_proposals()
        claimed, wrong = not_a_persons([*made.open, *made.held], folder.sessions)
        print(f"| {source.name} | {claimed} of {len(made.open) + len(made.held)} | {wrong} |")


def _days(folder: Folder, count: int) -> list[str]:
    days = sorted(one.day for one in folder.sessions)
    return [days[len(days) * place // (count + 1)] for place in range(1, count + 1)] if days else []


def _nearest(
    folder: Folder, source: Source, *, before: bool, by_similarity: bool
) -> dict[Rule, list[tuple[float, str]]]:
    """Return the rules that the source supports, each with the proposals most like it."""
    rules = supported(folder.rules, source.sessions, before=before)
    found = {}
    open_on = cache(source.proposals)
    for rule in folder.rules if by_similarity else rules:
        day = rule.day if before else END
        told = [one.text for one in source.statements if one.date < day]
        if by_similarity and not _is_near(nearest([rule], told, source.method)[0]):
            continue
        texts = [one.text for one in open_on(day)]
        found[rule] = nearest([rule], texts, source.method)[0]
    return found


def _is_near(best: Sequence[tuple[float, str]]) -> bool:
    return bool(best) and best[0][0] >= ABOUT_IT


def _row(name: str, texts: Sequence[str], verdicts: Mapping[str, str]) -> None:
    columns = []
    for size in SIZES:
        some = kept(texts[:size], verdicts)
        columns += [share(some.keep, some.judged), share(some.keep + some.edit, some.judged)]
    words = sum(len(text.split()) for text in texts[: SIZES[0]])
    print(f"| {name} | {len(texts)} | {' | '.join(columns)} | {some.unlabelled} | {words} |",
          flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
