"""Prints the tables: of one team, and the sums of several."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from timeline.folder import Folder
from timeline.lessons import lessons_found
from timeline.past import Listed
from timeline.score import Kept, kept, share
from timeline.sources import END, proposals
from timeline.speakers import not_a_persons
from timeline.team import FIRST, Hits, Team

SIZES = (10, FIRST)
Key = tuple[str, str]
"""A source and a method."""


def print_sizes(team: Team) -> None:
    """Print how much data there is: every figure depends on it."""
    folder = team.folder
    print(f"\n### {team.name}\n")
    print(f"{len(folder.sessions)} sessions, {len(folder.written)} wrap-ups, "
          f"{len(folder.rules)} rules, {len(folder.verdicts)} verdicts, "
          f"{len(folder.pairs)} pairs; 95 % Wilson intervals in brackets.")  # fmt: skip


def print_kept(team: Team, days: Sequence[str]) -> dict[Key, list[Kept]]:
    """Print the verdicts on what each method lists first; return those at the end."""
    _head("source", "method", "sessions before", "listed", *_kept_columns(), "words @10")
    last = {}
    for source in team.sources:
        for day in days:
            for method, listed in team.lists(source, day).items():
                texts = [one.text for one in listed]
                last[source.name, method] = counts = kept_at(texts, team.folder)
                words = sum(len(text.split()) for text in texts[: SIZES[0]])
                _row(source.name, method, "the end" if day == END else day, len(texts),
                     *_kept_cells(counts), words)  # fmt: skip
    return last


def print_foreign(name: str, texts: Sequence[str], folder: Folder) -> None:
    """Print the verdicts on another tool's list as one more row."""
    words = sum(len(text.split()) for text in texts[: SIZES[0]])
    _row("foreign", name, "the end", len(texts), *_kept_cells(kept_at(texts, folder)), words)


def kept_at(texts: Sequence[str], folder: Folder) -> list[Kept]:
    """Count the verdicts on the first texts, for each size."""
    return [kept(texts[:size], folder.verdicts) for size in SIZES]


def rule_hits(
    team: Team, found: Mapping[tuple[str, str], str], *, alike: bool
) -> dict[Key, list[Hits]]:
    """Return which rules each method listed, by the day that people wrote them and at the end."""
    hits: dict[Key, list[Hits]] = defaultdict(list)
    for source in team.sources:
        for before in (True, False):
            of_source = team.rule_hits(source, found, before=before, alike=alike)
            for method, of_rules in of_source.items():
                hits[source.name, method].append(of_rules)
    return hits


def print_rules(hits: Mapping[Key, Sequence[Hits]]) -> None:
    """Print how many of people's rules each method listed."""
    met, end = "met before people wrote them, listed by then", "met at any time, listed at the end"
    _head("source", "method", f"{met}: first {FIRST}", "all", f"{end}: first {FIRST}", "all")
    for key, both in hits.items():
        cells = [
            share(sum(rule[place] for rule in rules), len(rules))
            for rules in both
            for place in (0, 1)
        ]
        _row(*key, *cells)


def print_lessons(team: Team) -> None:
    """Print how many lessons that several sessions reported became one text."""
    if not team.folder.pairs:
        return
    lessons, pairs = "lessons of several sessions listed as one", "pairs together that are one"
    _head("source", "method", lessons, pairs)
    for source in team.sources:
        made = proposals(source.past())
        held = [Listed(one.text, one.evidence) for one in (*made.open, *made.held)]
        joining = {**team.lists(source), "calmkb": held}
        for method in ("calmkb", "TF-IDF clusters"):
            found = lessons_found(team.folder.pairs, joining[method])
            if found.lessons:
                _row(source.name, method, share(found.found, found.lessons),
                     share(found.same, found.together))  # fmt: skip


def print_speakers(team: Team) -> None:
    """Print how many of calmkb's proposals are called a person's, and how many wrongly."""
    _head("source", "calmkb's proposals called a person's", "which no person typed")
    for source in team.sources:
        made = proposals(source.past())
        every = [*made.open, *made.held]
        claimed, wrong = not_a_persons(every, team.folder.sessions)
        _row(source.name, f"{claimed} of {len(every)}", wrong)


def print_sum(
    kept_by: Iterable[Mapping[Key, Sequence[Kept]]], hits_by: Iterable[Mapping[Key, Sequence[Hits]]]
) -> None:
    """Print the sums over teams, at the end."""
    total: dict[Key, list[Kept]] = {}
    for key, counts in (item for one in kept_by for item in one.items()):
        known = total.get(key, [Kept() for _ in counts])
        total[key] = [one + other for one, other in zip(known, counts, strict=True)]
    rules: dict[Key, list[Hits]] = {}
    for key, both in (item for one in hits_by for item in one.items()):
        before = rules.get(key, [[] for _ in both])
        rules[key] = [[*one, *other] for one, other in zip(before, both, strict=True)]
    print("\n### All teams, at the end")
    _head("source", "method", *_kept_columns())
    for key, counts in total.items():
        _row(*key, *_kept_cells(counts))
    print_rules(rules)


def _kept_columns() -> list[str]:
    columns = [name for size in SIZES for name in (f"kept @{size}", "or after an edit")]
    return [*columns, f"unjudged of {FIRST}"]


def _kept_cells(counts: Sequence[Kept]) -> list[str]:
    cells = []
    for one in counts:
        cells += [share(one.keep, one.judged), share(one.keep + one.edit, one.judged)]
    return [*cells, str(counts[-1].unlabelled)]


def _head(*columns: object) -> None:
    print(f"\n| {' | '.join(map(str, columns))} |\n|{'---|' * len(columns)}", flush=True)


def _row(*cells: object) -> None:
    print(f"| {' | '.join(map(str, cells))} |", flush=True)
