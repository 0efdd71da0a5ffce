"""Simple ways to list what is worth remembering, to compare calmkb with."""

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import numpy as np
from sklearn.cluster import AgglomerativeClustering
from sklearn.feature_extraction.text import TfidfVectorizer

from calmkb.capture.formats.cleaning import sentences
from calmkb.capture.formats.table import read_transcript
from calmkb.model import Evidence
from calmkb.reflect.statements.statements import Statement
from timeline.folder import Session
from timeline.past import Listed, Past, Ranker

SEED = 1
DISTANCE = 0.7
"""Cosine distance up to which clusters are joined; chosen before the first run, never tuned."""
CORRECTION = re.compile(
    r"(?i)\b(?:no|nope|not|wrong|don't|instead|actually|never|always|stop|undo|revert)\b"
)
SHORT = 300
"""Characters of a prompt that may be a correction; a longer one is a task or a paste."""
SHELLS = ("Bash", "PowerShell", "shell")


def chance(past: Past) -> list[Listed]:
    """Return what was told in an order drawn at random, by a seed."""
    told = past.told
    random.Random(SEED).shuffle(told)
    return [_listed([one]) for one in told]


def newest(past: Past) -> list[Listed]:
    """Return what was told, newest first."""
    return [_listed([one]) for one in reversed(past.told)]


def newest_learnings(past: Past) -> list[Listed]:
    """Return the learnings of wrap-ups alone, newest first."""
    return [_listed([one]) for one in reversed(past.told) if one.learning]


def clusters(past: Past) -> list[Listed]:
    """Return the middle text of each cluster, those of most sessions first, then the newest."""
    told = past.told
    if len(told) < 2:
        return newest(past)
    rows = TfidfVectorizer().fit_transform([one.text for one in told])
    cosines = (rows @ rows.T).toarray()
    maker = AgglomerativeClustering(
        n_clusters=None, distance_threshold=DISTANCE, metric="precomputed", linkage="average"
    )
    labels = maker.fit_predict(1 - cosines)
    found = []
    for label in sorted(set(labels)):
        (members,) = np.nonzero(labels == label)
        middle = members[cosines[np.ix_(members, members)].sum(axis=0).argmax()]
        found.append(_listed([told[middle], *(told[one] for one in members if one != middle)]))
    return _most_sessions_first(found)


def corrections(past: Past) -> list[Listed]:
    """Return the sentence of each short prompt that has a word of correction, newest first."""
    found = [one for session in _by_end(past.sessions) for one in _corrections(session)]
    return list({one.text: one for one in reversed(found)}.values())


def fail_then_pass(past: Past) -> list[Listed]:
    """Return each command that failed and later passed in a session, most sessions first."""
    found: dict[str, list[Evidence]] = defaultdict(list)
    for session in _by_end(past.sessions):
        for command, evidence in _fixed(session):
            found[command].append(evidence)
    return _most_sessions_first(
        Listed(quotes[-1].quote, tuple(reversed(quotes))) for quotes in found.values()
    )


BASELINES: dict[str, dict[str, Ranker]] = {
    "wrap-ups": {
        "chance": chance,
        "newest": newest,
        "newest learnings": newest_learnings,
        "TF-IDF clusters": clusters,
    },
    "transcripts": {
        "chance": chance,
        "newest": newest,
        "TF-IDF clusters": clusters,
        "correction words": corrections,
        "fail then pass": fail_then_pass,
    },
}


def _listed(statements: Sequence[Statement]) -> Listed:
    quotes = (Evidence(quote=s.text, source=s.entry_id, date=s.date) for s in statements)
    return Listed(statements[0].text, tuple(quotes))


def _most_sessions_first(found: Iterable[Listed]) -> list[Listed]:
    newest_first = sorted(found, key=lambda one: max(e.date for e in one.evidence), reverse=True)
    return sorted(newest_first, key=lambda one: -len({e.source for e in one.evidence}))


def _by_end(sessions: Iterable[Session]) -> list[Session]:
    return sorted(sessions, key=lambda one: (one.ended, one.path.name))


@cache
def _corrections(session: Session) -> tuple[Listed, ...]:
    return tuple(
        Listed(said, (Evidence(quote=turn.text, source=session.path.name, date=session.day),))
        for turn in read_transcript(session.path).turns
        if turn.role == "person" and len(turn.text) <= SHORT
        for said in [one for one in sentences(turn.text) if CORRECTION.search(one)][:1]
    )


@cache
def _fixed(session: Session) -> tuple[tuple[str, Evidence], ...]:
    found = {}
    for command, error in _passed_after(session):
        quote = f"`{command}` failed, then passed: {error}"
        found[command] = Evidence(quote=quote, source=session.path.name, date=session.day)
    return tuple(found.items())


def _passed_after(session: Session) -> Iterator[tuple[str, str]]:
    """Yield each command that passed after it had failed, and the last line of its error."""
    commands, failed = {}, {}
    for turn in read_transcript(session.path).turns:
        if turn.kind == "call" and turn.tool in SHELLS:
            commands[turn.tool_use_id] = " ".join(turn.text.split())[:SHORT]
        elif turn.kind == "result" and (command := commands.get(turn.tool_use_id)):
            if turn.failed:
                failed[command] = turn.text.strip().rpartition("\n")[2][:SHORT]
            elif command in failed:
                yield command, failed.pop(command)
