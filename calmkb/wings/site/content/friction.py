"""Themes of friction for the pages: when they came up, where, and which memory answers them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache

from calmkb.model import Entry, Memory, Theme
from calmkb.model.words import counted
from calmkb.wings.site.content.addresses import day_of, theme_uri
from calmkb.wings.site.content.catalogue import Catalogue
from calmkb.wings.site.content.theme_states import STATES, State, quiet_of, recent_weight, state_of

_STEPS = (10, 20, 50, 100, 200, 500, 1_000)
RECURRING = 2  # sessions from which on a theme recurs, and has a page of its own
_WORTH_A_SEARCH = 20
"""Characters of a quote that are looked for inside a friction point, where it is not all of it."""

Strength = tuple[str, str, int]
"""A theme's id and statement, and in how many of some sessions it came up."""


@dataclass(frozen=True, slots=True)
class ThemeRow:
    """A theme in a list: its page, what answers it, its first and its last day."""

    theme: Theme
    uri: str
    memory: Memory | None
    state: State
    first: date | None
    last: date | None


@dataclass(frozen=True)
class Friction:
    """The themes of a catalogue; each view is made once, when asked for."""

    catalogue: Catalogue

    @cached_property
    def recurring(self) -> tuple[Theme, ...]:
        """The themes of two sessions or more, those of most first."""
        return tuple(one for one in self.catalogue.themes if one.sessions >= RECURRING)

    @cached_property
    def ranked(self) -> tuple[Theme, ...]:
        """The recurring themes as a person should look at them: by state, then recent weight."""
        today = self.catalogue.today

        def rank(theme: Theme) -> tuple[int, float]:
            state = self.state(theme)
            place = STATES.index("open" if state == "new" else state)
            return place, -recent_weight(self.days[theme.id], today)

        return tuple(sorted(self.recurring, key=rank))

    def state(self, theme: Theme) -> State:
        """Return whether a trouble is new, open, not hit since, answered or came back."""
        return state_of(self.met(theme), self.approved(theme), self.catalogue.today, self._held)

    def quiet(self, theme: Theme) -> str:
        """Return how long a trouble was not hit, in words that few sessions change; else ""."""
        today = self.catalogue.today
        if today is None or self.state(theme) != "not hit since":
            return ""
        days, sessions = quiet_of(self.met(theme), today, self._held)
        return f"{counted(days // 7, 'week')} and {_about(sessions)}"

    def met(self, theme: Theme) -> tuple[date, ...]:
        """Return the days on which a trouble was met; after a memory those of its backtest."""
        memory, days = self.catalogue.memory_by_id.get(theme.memory_id), self.days[theme.id]
        if memory is None or memory.id not in self.catalogue.source.backtests:
            return days
        before = (day for day in days if day <= day_of(memory.created_at))
        return (*before, *back_days(self.catalogue, memory))

    @cached_property
    def _held(self) -> list[date]:
        return sorted(day_of(view.entry.created_at) for view in self.catalogue.sessions)

    @cached_property
    def days(self) -> dict[str, tuple[date, ...]]:
        """Theme id -> the days of the sessions that it came up in, oldest first."""
        return {theme.id: days_of(theme) for theme in self.catalogue.themes}

    @cached_property
    def lone(self) -> tuple[Theme, ...]:
        """What came up in one session."""
        return tuple(one for one in self.catalogue.themes if one.sessions < RECURRING)

    @cached_property
    def answered_by(self) -> dict[str, list[Strength]]:
        """Memory id -> the recurring themes that it answers."""
        found: defaultdict[str, list[Strength]] = defaultdict(list)
        for theme in self.recurring:
            if theme.memory_id:
                found[theme.memory_id].append((theme.id, theme.statement, theme.sessions))
        return dict(found)

    def rows(self, themes: Iterable[Theme]) -> list[ThemeRow]:
        """Return themes as a list shows them."""
        known = self.catalogue.memory_by_id
        return [
            ThemeRow(
                one,
                theme_uri(one.id),
                known.get(one.memory_id),
                self.state(one),
                min(self.days[one.id], default=None),
                max(self.days[one.id], default=None),
            )
            for one in themes
        ]

    def named(self, strengths: Iterable[Strength]) -> list[Theme]:
        """Return the recurring themes of strengths, in their order."""
        return [self._by_id[name] for name, _, _ in strengths]

    def approved(self, theme: Theme) -> date | None:
        """Return the day on which the memory that answers a theme was approved."""
        memory = self.catalogue.memory_by_id.get(theme.memory_id)
        return day_of(memory.created_at) if memory else None

    def by_project(self) -> dict[str, list[Strength]]:
        """Return project -> the recurring themes of its sessions, those of most first."""
        found: defaultdict[str, Counter[int]] = defaultdict(Counter)
        known = self.catalogue.entry_by_id
        for place, theme in enumerate(self.recurring):
            for source in dict.fromkeys(one.source for one in theme.evidence):
                if view := known.get(source):
                    found[view.entry.project_name][place] += 1
        return {
            name: [(self.recurring[n].id, self.recurring[n].statement, often)
                   for n, often in counts.most_common()]
            for name, counts in found.items()
        }  # fmt: skip

    def of_points(self, entry: Entry) -> list[tuple[str, str, str, str] | None]:
        """Return for each friction point its recurring theme, or None.

        As id, title, about how many sessions, and the id of the memory that answers it. The number
        is rounded above ten: the pages of a theme's sessions are not made again with each new one.
        """
        quotes = self._quotes.get(entry.id)
        if not quotes:
            return []
        names = [_theme_of(" ".join(point.split()), quotes) for point in entry.friction_points]
        return [self._mention(name) for name in names]

    def _mention(self, name: str) -> tuple[str, str, str, str] | None:
        theme = self._by_id.get(name)
        if theme is None:
            return None
        answered = theme.memory_id if theme.memory_id in self.catalogue.memory_by_id else ""
        return theme.id, theme.statement, _about(theme.sessions), answered

    @cached_property
    def _by_id(self) -> dict[str, Theme]:
        return {theme.id: theme for theme in self.recurring}

    @cached_property
    def _quotes(self) -> dict[str, dict[str, str]]:
        """Entry id -> what recurring themes quote of it -> their ids."""
        found: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for theme in self.recurring:
            for one in theme.evidence:
                found[one.source].setdefault(one.quote, theme.id)
        return dict(found)


def _about(sessions: int) -> str:
    """Return `7 sessions`, `10 sessions or more`, `50 sessions or more`."""
    least = max((step for step in _STEPS if step <= sessions), default=0)
    return f"{least:,} sessions or more" if least else counted(sessions, "session")


def back_days(catalogue: Catalogue, memory: Memory) -> tuple[date, ...]:
    """Return the days on which a memory's trouble surely came back: what its own page says."""
    test = catalogue.source.backtests.get(memory.id)
    since = test.met_since if test else ()
    return tuple(sorted(day for one in since if (day := read_day(one.date))))


def days_of(theme: Theme) -> tuple[date, ...]:
    """Return the day of each session that a theme came up in, oldest first."""
    dates: dict[str, str] = {}
    for place, one in enumerate(theme.evidence):
        dates.setdefault(one.source or str(place), one.date)
    return tuple(sorted(day for text in dates.values() if (day := read_day(text))))


@lru_cache(maxsize=1 << 14)
def read_day(text: str) -> date | None:
    """Return the day that `text` names as YYYY-MM-DD, if it does."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _theme_of(point: str, quotes: Mapping[str, str]) -> str:
    """Return the theme that quotes a point, or a part of it: a draft may add words."""
    if theme := quotes.get(point):
        return theme
    low = point.casefold()
    longer = ((quote, theme) for quote, theme in quotes.items() if len(quote) >= _WORTH_A_SEARCH)
    return next((theme for quote, theme in longer if quote.casefold() in low), "")
