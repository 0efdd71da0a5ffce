"""Proposals over time: what people keep, which later rules they hold, and simple baselines.

    python benchmarks/run.py timeline DATA...

The format of DATA, the tables and the labelling sheet are described in timeline/README.md.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from timeline.folder import Folder, folders_in, read_folder
from timeline.rules import rules_of
from timeline.score import Kept, verdict_of
from timeline.sheet import read_rule_sheet, read_sheet, write_rule_sheet, write_sheet
from timeline.sources import mined, written
from timeline.tables import (
    Key,
    print_foreign,
    print_kept,
    print_lessons,
    print_rules,
    print_sizes,
    print_speakers,
    print_sum,
    rule_hits,
)
from timeline.team import FIRST, Hits, Team


def main() -> None:
    """Print the tables of each team and their sums; write the sheets that are asked for."""
    words = [word for word in sys.argv[1:] if word not in ("timeline", "bench_timeline")]
    if not words:
        print("Name a folder of sessions: python benchmarks/run.py timeline DATA")
        return
    asked = _arguments(words)
    found = read_rule_sheet(asked.rules) if asked.rules else {}
    with tempfile.TemporaryDirectory() as name:
        paths = [one for path in asked.data for one in folders_in(path)]
        teams = [_team(asked, path, Path(name) / str(n)) for n, path in enumerate(paths)]
        kept_by, hits_by = zip(*(_report(asked, team, found) for team in teams), strict=True)
        if len(teams) > 1:
            print_sum(kept_by, hits_by)
        _write_sheets(asked, teams)


def _report(
    asked: argparse.Namespace, team: Team, found: Mapping[tuple[str, str], str]
) -> tuple[dict[Key, list[Kept]], dict[Key, list[Hits]]]:
    """Print the tables of one team; return what is summed over teams."""
    print_sizes(team)
    counts = print_kept(team, team.days(asked.days))
    if asked.foreign:
        texts = json.loads(asked.foreign.read_text(encoding="utf-8"))
        print_foreign(asked.foreign.stem, list(map(str, texts)), team.folder)
    hits = rule_hits(team, found, alike=bool(asked.repository))
    print_rules(hits)
    print_lessons(team)
    print_speakers(team)
    return counts, hits


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="run.py timeline", description=__doc__)
    parser.add_argument("data", type=Path, nargs="+", help="a folder of sessions, or of several")
    parser.add_argument("--repository", type=Path, help="read the rules from its git history")
    parser.add_argument("--days", type=int, default=3, help="days to look at beside the end")
    parser.add_argument("--labels", type=Path, action="append", default=[], help="a filled sheet")
    parser.add_argument("--sheet", type=Path, help="write the texts without a verdict here")
    parser.add_argument("--rules", type=Path, help="a filled sheet of rules")
    parser.add_argument("--rule-sheet", type=Path, help="write rules beside their nearest texts")
    parser.add_argument("--foreign", type=Path, help="another tool's JSON list, best first")
    return parser.parse_args(words)


def _team(asked: argparse.Namespace, path: Path, scratch: Path) -> Team:
    folder = _folder(asked, path, scratch)
    makers = {"wrap-ups": written, "transcripts": mined}
    sources = [make(folder, scratch / name) for name, make in makers.items()]
    return Team(path.name, folder, [one for one in sources if one.views])


def _folder(asked: argparse.Namespace, path: Path, scratch: Path) -> Folder:
    labels = [one for one in asked.labels if one.suffix == ".jsonl"]
    folder = read_folder(path, scratch, labels)
    for sheet in (one for one in asked.labels if one.suffix != ".jsonl"):
        folder.verdicts.update(read_sheet(sheet))
    return replace(folder, rules=rules_of(asked.repository)) if asked.repository else folder


def _write_sheets(asked: argparse.Namespace, teams: Sequence[Team]) -> None:
    if asked.sheet:
        new = [
            one
            for team in teams
            for listed in team.every_list(team.days(asked.days))
            for one in listed[:FIRST]
            if not verdict_of(one.text, team.folder.verdicts)
        ]
        print(f"\n{write_sheet(asked.sheet, new)} texts in {asked.sheet}")
    if asked.rule_sheet:
        near = {pair: cosine for team in teams for pair, cosine in team.near.items()}
        write_rule_sheet(asked.rule_sheet, near)


if __name__ == "__main__":
    main()
