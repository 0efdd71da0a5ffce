"""Reviewers' comments on code become entries, one a pull request, that must prove themselves."""

import hashlib
from collections.abc import Iterator, Sequence, Set
from itertools import groupby
from pathlib import Path

from calmkb.capture.mining.lessons import lessons
from calmkb.capture.mining.prompt_features import Prompt
from calmkb.capture.mining.prompts import own_sentences
from calmkb.kb.base.projects import Project
from calmkb.kb.imports.request import REVIEWS
from calmkb.kb.imports.session_projects import SessionProjects
from calmkb.kb.journal.wrapup import WrapUp
from calmkb.model import ITEMS_LIMIT
from calmkb.model.sessions.said import CORRECTED, labelled
from calmkb.reflect.statements.mined import why_held
from calmkb.wings.sharing.requests.comments import Comment, read_reviews


def review_entries(
    path: Path, projects: SessionProjects, known: Set[str], here: str
) -> Iterator[tuple[WrapUp, str]]:
    """Yield an entry for each pull request whose reviewers taught something, and its repository.

    `known` are friction points in the journal: a pull request that was imported before
    brings what is new in it. Comments that do not say their repository are of the folder `here`'s.
    Raises TranscriptError where the file cannot be read.
    """
    comments = sorted(read_reviews(path), key=_request)
    for (repository, number), rows in groupby(comments, key=_request):
        thread = list(rows)
        points = [one for one in dict.fromkeys(_points(thread)) if one not in known]
        if points:
            project = projects.project([] if repository else [here], repository)
            yield _entry(project, number, thread, points[:ITEMS_LIMIT]), repository


def _request(comment: Comment) -> tuple[str, int]:
    return comment.repository, comment.number


def _points(comments: Sequence[Comment]) -> Iterator[str]:
    """Yield what the comments teach in their own words, marked as a draft marks a person's."""
    for comment in comments:
        for sentence in own_sentences(comment.text):
            words = " ".join(sentence.split()).replace("\u201c", '"').replace("\u201d", '"')
            if not why_held(words, CORRECTED, 1) or lessons(Prompt(words)):
                yield labelled(CORRECTED, f"\u201c{words}\u201d")


def _entry(
    project: Project, number: int, comments: Sequence[Comment], points: Sequence[str]
) -> WrapUp:
    people = ", ".join(dict.fromkeys(one.author for one in comments))
    mark = hashlib.sha256("\0".join(points).encode(errors="replace")).hexdigest()[:12]
    return WrapUp(
        summary=f"Review of pull request {number} by {people}.",
        friction_points=tuple(points),
        said=(CORRECTED,) * len(points),
        project_name=project.name,
        repository=project.repository,
        agent=REVIEWS,
        session_id=f"{project.name}#{number}-{mark}",
        ended_at=max(one.at for one in comments),
    )
