"""From captured signals to the learnings that a person is asked about, oldest first."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from calmkb.model import Confidence, Signal
from calmkb.reflect.proposals.verdicts import KnownText, judge
from calmkb.reflect.signals.classify import (
    Scope,
    Side,
    agent_category,
    given_category,
    project_category,
    scope_of,
    side_of,
)
from calmkb.reflect.signals.known import commands_in, plain_command
from calmkb.reflect.signals.merge import merged
from calmkb.reflect.similarity.methods import TFIDF, Method
from calmkb.reflect.statements.wording import confidence_of

_JOINING = re.compile(r"\A(?:and|but|also)\b,?\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """One thing to decide on: the words of the most specific signal, and all signals that say it.

    `signals` are oldest first, `project` is the folder it was met in, `also` how others said it,
    `against` a known statement it contradicts. The id changes with the text and the signals.
    """

    id: str
    text: str
    lead: Signal
    signals: tuple[Signal, ...]
    project: str
    scope: Scope
    side: Side
    category: str
    confidence: Confidence
    sessions: int
    also: tuple[str, ...] = ()
    against: str = ""


@dataclass(frozen=True, slots=True)
class ProjectSignal:
    """A signal and the project it was met in; nothing where that is not known."""

    signal: Signal
    project: str = ""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a person is asked about, and what not, because it is known."""

    open: tuple[Learning, ...] = ()
    known: tuple[Learning, ...] = ()


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Similarity of a method: the same theme, the same thing said."""

    theme: float
    duplicate: float
    method: Method = TFIDF


def gather(
    met: Sequence[ProjectSignal], known: Callable[[str], Sequence[str]], thresholds: Thresholds, *,
    clean: Callable[[str], str] = str.strip, here: str = "",
) -> Gathered:  # fmt: skip
    """Return the learnings in captured signals, those of one project together, oldest first.

    `known(project)` gives the statements that hold in a project, `clean` makes a text fit to be
    written, `here` is the current project: it comes first, and takes what occurred in several.
    """
    captured = [one for one in met if one.signal.type != "summary"]
    ordered = sorted(captured, key=lambda one: (one.signal.timestamp, one.signal.id))
    groups = merged(
        [one.signal for one in ordered], thresholds.theme, thresholds.duplicate, thresholds.method
    )
    made = [_learning([ordered[row] for row in rows], clean, here) for rows in groups]
    projects = sorted({one.project for one in made}, key=lambda p: (p != here, p))
    found: list[Learning] = []
    left: list[Learning] = []
    for project in projects:
        own = [one for one in made if one.project == project]
        for one, is_known in _with_known(own, list(known(project)), thresholds):
            (left if is_known else found).append(one)
    return Gathered(_by_age(found, projects), _by_age(left, projects))


def _by_age(items: Sequence[Learning], projects: Sequence[str]) -> tuple[Learning, ...]:
    def age(one: Learning) -> tuple[int, str, str]:
        return (projects.index(one.project), one.signals[0].timestamp, one.signals[0].id)

    return tuple(sorted(items, key=age))


def _learning(rows: Sequence[ProjectSignal], clean: Callable[[str], str], here: str) -> Learning:
    """Return the learning of signals that say one thing, the most specific one first."""
    lead = rows[0].signal
    places = list(dict.fromkeys(one.project for one in rows if one.project))
    signals = tuple(sorted((one.signal for one in rows), key=lambda s: (s.timestamp, s.id)))
    command = lead.type == "command"
    text = clean(f"`{plain_command(lead.content)}`" if command else _alone(lead.content))
    given = next((name for s in signals if (name := given_category(s.category))), "")
    side = side_of(lead.type, given)
    sessions = len({signal.session_id for signal in signals})
    category = project_category(text) if side == "project" else agent_category(text, lead.type)
    others = dict.fromkeys(clean(one.signal.content) for one in rows[1:])
    return Learning(
        id=_id(text, signals), text=text, lead=lead, signals=signals,
        project=here if here in places or not places else places[0],
        scope=scope_of(text, lead.type, projects=len(places)), side=side,
        category=given or category, confidence=confidence_of(sessions), sessions=sessions,
        also=tuple(words for words in others if words not in (text, text.strip("`"))),
    )  # fmt: skip


def _alone(text: str) -> str:
    """Return a sentence without the word that joined it to the one before."""
    rest = _JOINING.sub("", text)
    return rest[:1].upper() + rest[1:] if rest and rest != text else text


def _id(text: str, signals: Sequence[Signal]) -> str:
    bound = "\0".join([text, *(signal.id for signal in signals)])
    return "L-" + hashlib.sha256(bound.encode()).hexdigest()[:10]


def _with_known(
    items: Sequence[Learning], known: Sequence[str], thresholds: Thresholds
) -> list[tuple[Learning, bool]]:
    """Return each learning with whether it is known; one that contradicts says what."""
    texts = [one.text for one in items]
    standing = [KnownText(f"{number:06}", text) for number, text in enumerate(dict.fromkeys(known))]
    verdicts = judge(texts, standing, thresholds.method, duplicate=thresholds.duplicate)
    commands, known_texts = commands_in(known), {_same(text) for text in known}
    judged = []
    for one, verdict in zip(items, verdicts, strict=True):
        if not one.text:  # the filter left nothing of it
            judged.append((one, True))
            continue
        if one.lead.type == "command":
            judged.append((one, plain_command(one.text) in commands))
            continue
        is_known = verdict.kind == "duplicate" or _same(one.text) in known_texts
        against = verdict.text if verdict.kind == "conflict" else ""
        judged.append((replace(one, against=against), is_known))
    return judged


def _same(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")
