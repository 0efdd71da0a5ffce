"""`calmkb reflect --signals`: captured signals, reviewed one at a time."""

import contextlib
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import click

from calmkb.cli.base.choices import QUIT, Choice, Quit, choose, help_text
from calmkb.cli.base.common import warn_of_problems
from calmkb.cli.base.editor import edit_text
from calmkb.cli.base.text import clip, counted, terminal_width, visible
from calmkb.cli.reflect.signals_json import apply_decisions, waiting_json
from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.signals.files import Target
from calmkb.kb.signals.learning import Learning, SignalReview, dismiss, finish, keep, open_review

_MANY = 10
_KEYS: dict[Target, str] = {"project": "p", "global": "g", "improvements": "i"}
_NAMES = {"project": "the project's CLAUDE.md", "global": "your global CLAUDE.md",
          "improvements": "the project's improvements"}  # fmt: skip


@dataclass
class _Tally:
    """How each learning was decided; what is not in it is left for another time."""

    added: list[str] = field(default_factory=list)
    skipped: int = 0

    def report(self, left: int) -> str:
        """Return the last lines of a review."""
        items = counted(len(self.added) + self.skipped, "item")
        lines = [f"Reflected on {items}: {len(self.added)} added, {self.skipped} skipped."]
        files = sorted(Counter(self.added).items())
        lines += [f"- {count} in {path}" for path, count in files]
        return "\n".join([*lines, f"{left} left for another time."] if left else lines)


def reflect_signals(
    kb: KnowledgeBase, *, as_json: bool, decisions: str | None, dry_run: bool, reviewer: str
) -> None:
    """Review captured signals at the terminal, or through JSON; `reviewer` is the person there."""
    found = open_review(kb, reviewer=reviewer)
    warn_of_problems(found.problems)
    if decisions:
        click.echo(apply_decisions(found, decisions, as_json=as_json))
    elif as_json:
        click.echo(waiting_json(found))
    elif not found.gathered.open:
        click.echo(_nothing(found))
        if not dry_run:
            finish(found)
    elif dry_run:
        click.echo(_summary(found))
    else:
        _review(found)


def _nothing(found: SignalReview) -> str:
    known = len(found.gathered.known)
    if known:
        return f"Nothing new to reflect on: {_all(known)} already known."
    return "Nothing to reflect on."


def _all(known: int) -> str:
    return "the one learning captured is" if known == 1 else f"all {known} learnings captured are"


def _review(found: SignalReview) -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CalmError(
            "a review needs a terminal; without one: calmkb reflect --signals --json > FILE, fill "
            'in each "target", then: calmkb reflect --signals --apply FILE'
        )
    if known := len(found.gathered.known):
        click.echo(f"{known} already known, not asked again.")
    tally, items = _Tally(), found.gathered.open
    with contextlib.suppress(Quit):
        if len(items) >= _MANY:
            _ask_how(found, tally)
        if not tally.skipped:
            _one_by_one(found, tally)
    finish(found)
    click.echo("\n" + tally.report(len(items) - len(tally.added) - tally.skipped))


def _ask_how(found: SignalReview, tally: _Tally) -> None:
    """Ask how to review many: one by one, a summary first, or skip all."""

    def show_summary(_: str) -> bool:
        click.echo(_summary(found))
        return False

    def skip_all(_: str) -> bool:
        dismiss(found, *found.gathered.open)
        tally.skipped = len(found.gathered.open)
        return True

    choices = (
        Choice("one", "one by one", lambda _: True),
        Choice("summary", "show a summary first", show_summary, key="u"),
        Choice("all", "skip all", skip_all),
        QUIT,
    )
    click.echo(f"{len(found.gathered.open)} learnings wait.\n{help_text(choices)}")
    choose(choices)


def _one_by_one(found: SignalReview, tally: _Tally) -> None:
    project, items = "", found.gathered.open
    named = {learning.project for learning in items} != {found.here}
    for number, learning in enumerate(items, 1):
        if named and (number == 1 or learning.project != project):
            click.echo(f"\nProject: {_project(found, learning)}")
        project = learning.project
        click.echo("\n" + _card(found, learning, number))
        choose(_Decision(found, learning, tally, learning.text).choices())


@dataclass
class _Decision:
    """The question about one learning; `text` is the learning's as edited so far."""

    found: SignalReview
    learning: Learning
    tally: _Tally
    text: str

    def choices(self) -> list[Choice]:
        """Return where the learning can go, and what else can be done."""
        return [
            *(self._target(target) for target in _KEYS if target in self._targets()),
            Choice("skip", "skip: not asked again", self._skip),
            Choice("edit", "edit the text first", self._edit),
            QUIT,
        ]

    def _targets(self) -> dict[Target, Path]:
        return self.found.targets(self.learning)

    def _target(self, target: Target) -> Choice:
        mark = "  (suggested)" if target == self.found.suggested(self.learning) else ""
        path = self.found.shown(self._targets()[target])
        text = f"{_NAMES[target]}: {path}{mark}"
        return Choice(target, text, lambda _: self._add(target), key=_KEYS[target])

    def _add(self, target: Target) -> bool:
        path = self.found.shown(keep(self.found, self.learning, target, self.text))
        self.tally.added.append(path)
        click.echo(f"added to {visible(path)}")
        return True

    def _skip(self, _: str) -> bool:
        dismiss(self.found, self.learning)
        self.tally.skipped += 1
        return True

    def _edit(self, _: str) -> bool:
        edited = " ".join(edit_text(self.text + "\n").split())
        if edited:
            self.text = edited
        click.echo(f"  {visible(edited)}" if edited else "an empty text was not taken")
        return False


def _card(found: SignalReview, learning: Learning, number: int) -> str:
    """Return all that a person needs to decide on one learning."""
    count, lead = len(found.gathered.open), learning.lead
    kind = lead.type.replace("_", " ")
    head = f"Learning {number} of {count} — {kind} ({learning.confidence} confidence)"
    lines = [click.style(head, bold=True), f"  {visible(learning.text)}"]
    lines += [f"  also: {clip(words, terminal_width() - 8)}" for words in learning.also]
    if lead.context:
        lines.append(f"  context: {clip(lead.context, 2 * terminal_width())}")
    lines.append(f"  source: {visible(_source(learning))}")
    best = found.suggested(learning)
    about = f"{learning.category}, {learning.scope}; suggested: {_NAMES[best]}"
    lines.append(click.style(f"  {about}", dim=True))
    if learning.against:
        contradicted = f"  ! contradicts what is known: {clip(learning.against, 120)}"
        lines.append(click.style(contradicted, fg="yellow"))
    return "\n".join(lines)


def _source(learning: Learning) -> str:
    lead = learning.lead
    turn = lead.source.get("turn")
    parts = [str(lead.source.get("hook") or "captured")]
    parts += [f"turn {turn}"] if turn else []
    parts += [lead.timestamp[:10], f"session {lead.session_id[:8]}" if lead.session_id else ""]
    parts += [f"{learning.sessions} sessions"] if learning.sessions > 1 else []
    return ", ".join(part for part in parts if part)


def _project(found: SignalReview, learning: Learning) -> str:
    return visible(_path(found, learning.project)) if learning.project else "none"


def _path(found: SignalReview, project: str) -> str:
    return found.shown(Path(project)) if Path(project).is_absolute() else project


def _summary(found: SignalReview) -> str:
    """Return all learnings, a line each, under what they are about."""
    groups: dict[str, list[str]] = {}
    for number, learning in enumerate(found.gathered.open, 1):
        line = f"{number:3}. {clip(learning.text, terminal_width() - 6)}"
        groups.setdefault(learning.category, []).append(line)
    return "\n\n".join("\n".join([name, *lines]) for name, lines in sorted(groups.items()))
