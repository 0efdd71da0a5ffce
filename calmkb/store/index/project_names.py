"""Names of projects as people decided them, and what of the index is a project's."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from calmkb.model.checks import recorded_project
from calmkb.store.index.index import Index

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class ProjectFilter:
    """Rows of a project: of these names but not these repositories, and of those repositories.

    All in the form that is compared.
    """

    names: tuple[str, ...]
    but: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()

    def test(self) -> tuple[str, list[object]]:
        """Return the condition in SQL on the rows `r`, and its values."""
        but = f" AND r.repository NOT IN ({_marks(self.but)})" if self.but else ""
        test = f"r.project IN ({_marks(self.names)}){but}"
        if self.repositories:
            test = f"({test} OR r.repository IN ({_marks(self.repositories)}))"
        return test, [*self.names, *self.but, *self.repositories]


@dataclass(frozen=True)
class ProjectNames:
    """What names and repositories (in the form that is compared) are called by now.

    Of spellings that differ in case alone, the one that is asked for first is the name.
    """

    targets: Mapping[str, str] = field(default_factory=dict)
    spellings: dict[str, str] = field(default_factory=dict, compare=False)

    def name(self, recorded: str, repository: str = "", folder: str = "") -> str:
        """Return the name of a record's project, by its fields."""
        project = recorded_project(recorded, repository, folder)
        found = self.targets.get(repository.casefold()) if repository else None
        found = found or self.targets.get(project.casefold())
        return found or self.spellings.setdefault(project.casefold(), project)

    def rows_of(self, project: str) -> ProjectFilter:
        """Return what finds the rows of a project, by its name of today or one of before."""
        wanted = self.name(project).casefold()
        here = [old for old, name in self.targets.items() if name.casefold() == wanted]
        away = [old for old, name in self.targets.items() if name.casefold() != wanted]
        names = [wanted] if wanted not in away else []
        return ProjectFilter(
            names=tuple(dict.fromkeys([*names, *(old for old in here if not _is_repository(old))])),
            but=tuple(old for old in away if _is_repository(old)),
            repositories=tuple(old for old in here if _is_repository(old)),
        )


def project_names(index: Index) -> ProjectNames:
    """Return the names as they are by the records, the oldest decision first."""
    asked = "SELECT record FROM records WHERE kind = 'project' ORDER BY created, id, path"
    rows = [json.loads(text) for (text,) in index.db.execute(asked)]
    return ProjectNames(decided((row["name"], row["aliases"]) for row in rows))


def latest_decision(index: Index) -> datetime | None:
    """Return when a project was last renamed or merged: a later one must come after it."""
    found = index.db.execute("SELECT max(created) FROM records WHERE kind = 'project'").fetchone()
    return None if found[0] is None else _EPOCH + timedelta(microseconds=found[0])


def decided(decisions: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """Return what each name and repository is called, decision by decision.

    What was given a name that is given up later goes along; to give it back undoes both.
    """
    targets: dict[str, str] = {}
    for name, aliases in decisions:
        given_up = {alias.casefold() for alias in aliases}
        moved = {old for old, target in targets.items() if target.casefold() in given_up}
        targets |= dict.fromkeys(sorted(given_up | moved), name)
        targets = {old: target for old, target in targets.items() if old != target.casefold()}
    return targets


def _is_repository(name: str) -> bool:
    return "/" in name or name.startswith("root:")


def _marks(values: tuple[str, ...]) -> str:
    return ", ".join("?" * len(values))
