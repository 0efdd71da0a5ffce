"""Pages pressed on every core: Markdown to HTML, into the theme's mould, checked, written."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import yaml
from mkdocs.exceptions import PluginError

from calmkb.serve.site_markdown import Body, Dialect, body, can_travel
from calmkb.serve.site_mould import Mould, values_of
from calmkb.site.shell import Shell, parsed

MANY = 300
"""Fewer pages are made sooner than other processes are."""
_BATCH = 40
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Job:
    """A page to press: its text, its HTML if that is known, its mould and where it goes."""

    uri: str
    text: str
    html: str
    mould: str
    canonical: str | None
    path: str


@dataclass(frozen=True)
class Press:
    """What all pages are pressed with: dialect, moulds by name, the theme's frame, the folder."""

    dialect: Dialect
    moulds: dict[str, Mould]
    shell: Shell
    folder: Path

    def press(self, job: Job) -> Body | None:
        """Write the page; return its HTML where that had to be made.

        Raises PluginError where the page holds what no page from records may.
        """
        made = None if job.html else body(self.dialect, job.uri, job.text)
        values = values_of(meta_of(job.text), job.canonical, made.html if made else job.html)
        page = self.moulds[job.mould].fill(values)
        refuse_faults(self.shell, job.uri, page)
        path = self.folder / job.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8", errors="xmlcharrefreplace", newline="\n")
        return made


def press_all(press: Press, jobs: Callable[[], Iterable[Job]], count: int) -> Iterator[Body]:
    """Press `count` jobs, and yield the bodies that had to be made."""
    workers = min(os.cpu_count() or 1, 8)
    if count >= MANY and workers > 1 and can_travel(press.dialect):
        try:
            # Processes begun anew: a copy of one with threads may hang.
            with ProcessPoolExecutor(workers, get_context("spawn"), _begin, (press,)) as pool:
                for made in pool.map(_press, _batches(jobs())):
                    yield from made
            return
        except BrokenProcessPool:  # a script that cannot be begun twice, or one killed
            pass
    yield from filter(None, map(press.press, jobs()))


def refuse_faults(shell: Shell, uri: str, page: str) -> None:
    """Raise PluginError where the page holds what no page from records may."""
    if faults := shell.faults(parsed(page)):
        raise PluginError(
            f"{uri} holds what a page from records may not: {faults[0]}. "
            "Nothing was published; please report it with the record."
        )


def meta_of(text: str) -> dict[str, Any]:
    """Return the front matter of a staged page."""
    found: dict[str, Any] = yaml.load(text.split("---\n", 2)[1], _LOADER)  # noqa: S506 - a safe one
    return found


def _batches(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    rest = iter(jobs)
    while batch := list(islice(rest, _BATCH)):
        yield batch


_chosen: list[Press] = []


def _begin(press: Press) -> None:
    _chosen[:] = [press]


def _press(batch: list[Job]) -> list[Body]:
    return [made for job in batch if (made := _chosen[0].press(job))]
