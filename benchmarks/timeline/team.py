"""One team's data, and what every method lists from it on a day."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from timeline.folder import Folder, Rule
from timeline.past import Listed
from timeline.score import is_near, is_proposed, nearest, supported
from timeline.sources import END, Source

FIRST = 20
"""How many of a list a person reads."""
Hits = list[tuple[bool, bool]]
"""For each rule: whether one of the first of a list says it, and whether any of the list does."""


@dataclass
class Team:
    """A folder of data with its sources; what methods list is kept, as it is asked for often."""

    name: str
    folder: Folder
    sources: Sequence[Source]
    _lists: dict[tuple[str, str], dict[str, list[Listed]]] = field(default_factory=dict)
    near: dict[tuple[str, str], float] = field(default_factory=dict)
    """Pairs of a rule and a text that is among the nearest of a list, with their cosines."""

    def lists(self, source: Source, day: str = END) -> dict[str, list[Listed]]:
        """Return what each method lists of the sessions before a day, best first."""
        key = (source.name, day)
        if key not in self._lists:
            past = source.past(day)
            self._lists[key] = {name: rank(past) for name, rank in source.rankers.items()}
        return self._lists[key]

    def every_list(self, days: Sequence[str]) -> Iterator[list[Listed]]:
        """Yield what each method lists from each source on each day."""
        for source in self.sources:
            for day in days:
                yield from self.lists(source, day).values()

    def days(self, count: int) -> list[str]:
        """Return days that divide the sessions evenly, each once, and the end."""
        days = sorted(one.day for one in self.folder.sessions)
        between = {days[len(days) * place // (count + 1)] for place in range(1, count + 1) if days}
        return [*sorted(between), END]

    def rule_hits(
        self, source: Source, found: Mapping[tuple[str, str], str], *, before: bool, alike: bool
    ) -> dict[str, Hits]:
        """Return which rules each method lists: by the day that people wrote them, or at the end.

        `found` are verdicts on a rule and a text. With `alike`, a rule counts as met where a
        statement resembles it; else where somebody noted the session.
        """
        hits: dict[str, Hits] = {name: [] for name in source.rankers}
        for rule, day in self._rules(source, before=before, alike=alike):
            lists = {
                (name, size): [one.text for one in listed[:size]]
                for name, listed in self.lists(source, day).items()
                for size in (FIRST, None)
            }
            near = nearest(rule, lists, source.method)
            self.near |= {(rule.text, text): cosine for best in near.values()
                          for cosine, text in best}  # fmt: skip
            for name, of_rules in hits.items():
                first, whole = (is_proposed(rule, near[name, size], found)
                                for size in (FIRST, None))  # fmt: skip
                of_rules.append((first, whole))
        return hits

    def _rules(self, source: Source, *, before: bool, alike: bool) -> Iterator[tuple[Rule, str]]:
        rules = self.folder.rules
        for rule in rules if alike else supported(rules, source.names, before=before):
            day = rule.day if before else END
            told = {"": [one.text for one in source.past(day).statements]} if alike else {}
            if not alike or is_near(nearest(rule, told, source.method)[""]):
                yield rule, day
