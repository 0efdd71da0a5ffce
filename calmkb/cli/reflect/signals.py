"""`calmkb reflect --signals`: what hooks noticed, put before a person one at a time."""

import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import click

from calmkb.cli.base.common import warn_of_problems
from calmkb.cli.base.editor import edit_text
from calmkb.cli.base.text import clip, terminal_width, visible
from calmkb.cli.reflect.signals_json import apply_decisions, waiting_json
from calmkb.errors import CalmError
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.signals.files import Target
from calmkb.kb.signals.learning import Learning, Waiting, finish, keep, skip, waiting

_MANY = 10
_KEYS: dict[str, Target] = {"p": "project", "g": "global", "i": "improvements"}
_NAMES = {"project": "the project's CLAUDE.md", "global": "your global CLAUDE.md",
          "improvements": "the project's improvements"}  # fmt: skip


@dataclass
class _Tally:
    """How each learning was decided; what is not in it is left for another time."""

    added: list[str] = field(default_factory=list)
    skipped: int = 0

    def report(self, left: int) -> str:
        """Return the last words of a review."""
        added, skipped = len(self.added), self.skipped
        items = f"{added + skipped} item{'' if added + skipped == 1 else 's'}"
        lines = [f"Reflected on {items}: {added} added, {skipped} skipped."]
        counted = Counter(self.added)
        lines += [f"- {count} in {path}" for path, count in sorted(counted.items())]
        return "\n".join([*lines, f"{left} left for another time."] if left else lines)


class _Quit(Exception):  # noqa: N818 - a choice, not an error
    """The person stops here; what was approved is kept."""


def reflect_signals(
    kb: KnowledgeBase, *, as_json: bool, decisions: str | None, dry_run: bool, reviewer: str
) -> None:
    """Review captured signals at the terminal, or through JSON; `reviewer` is the person there."""
    found = waiting(kb, reviewer=reviewer)
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


def _nothing(found: Waiting) -> str:
    known = len(found.gathered.known)
    if known:
        return f"Nothing new to reflect on: {_all(known)} already known."
    return "Nothing to reflect on."


def _all(known: int) -> str:
    return "the one learning captured is" if known == 1 else f"all {known} learnings captured are"


def _review(found: Waiting) -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CalmError(
            "a review needs a terminal; without one: calmkb reflect --signals --json > FILE, fill "
            'in each "target", then: calmkb reflect --signals --apply FILE'
        )
    if known := len(found.gathered.known):
        click.echo(f"{known} already known, not asked again.")
    tally, items = _Tally(), found.gathered.open
    try:
        if len(items) >= _MANY and _first(found) == "a":
            skip(found, *items)
            tally.skipped = len(items)
        else:
            _one_by_one(found, tally)
    except _Quit:
        pass
    finish(found)
    click.echo("\n" + tally.report(len(items) - len(tally.added) - tally.skipped))


def _first(found: Waiting) -> str:
    """Ask how to go about many; return `a` to skip all, else `o` for one by one."""
    click.echo(f"{len(found.gathered.open)} learnings wait.")
    while True:
        key = _key("one by one (o), a summary first (u), skip all (a), quit (q)")
        if key == "q":
            raise _Quit
        if key in ("o", "a"):
            return key
        click.echo(_summary(found) if key == "u" else "choose o, u, a or q")


def _one_by_one(found: Waiting, tally: _Tally) -> None:
    project, items = "", found.gathered.open
    named = {learning.project for learning in items} != {found.here}
    for number, learning in enumerate(items, 1):
        if named and (number == 1 or learning.project != project):
            click.echo(f"\nProject: {_project(found, learning)}")
        project = learning.project
        click.echo("\n" + _card(found, learning, number))
        _decide(found, learning, tally)


def _decide(found: Waiting, learning: Learning, tally: _Tally) -> None:
    """Ask until the learning is written, skipped or left; a fault is told, and asked again."""
    text = learning.text
    offered = {key: target for key, target in _KEYS.items() if target in found.targets(learning)}
    while True:
        key = _key("/".join([*offered, "s", "e", "q", "?"]))
        if key == "q":
            raise _Quit
        if key == "s":
            skip(found, learning)
            tally.skipped += 1
            return
        try:
            if key == "e":
                text = _edited(text)
            elif key in offered:
                path = found.shown(keep(found, learning, offered[key], text))
                tally.added.append(path)
                click.echo(f"added to {visible(path)}")
                return
            else:
                click.echo(_help(found, learning, known=key in ("?", "h", "help", "")))
        except CalmError as error:
            click.echo(visible(str(error)))


def _key(choices: str) -> str:
    answer: str = click.prompt(choices, default="", show_default=False, prompt_suffix="> ")
    return answer.strip().lower()


def _edited(text: str) -> str:
    edited = " ".join(edit_text(text + "\n").split())
    if not edited:
        click.echo("an empty text was not taken")
        return text
    click.echo(f"  {visible(edited)}")
    return edited


def _help(found: Waiting, learning: Learning, *, known: bool) -> str:
    targets, best = found.targets(learning), found.suggested(learning)
    lines = [] if known else ["that is none of the choices"]
    for key, target in _KEYS.items():
        if target in targets:
            mark = "  (suggested)" if target == best else ""
            lines.append(
                f"  {key}  {_NAMES[target]}: {visible(found.shown(targets[target]))}{mark}"
            )
    lines += ["  s  skip: not asked again", "  e  edit the text first",
              "  q  quit: what was added stays, the rest is asked next time"]  # fmt: skip
    return "\n".join(lines)


def _card(found: Waiting, learning: Learning, number: int) -> str:
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


def _project(found: Waiting, learning: Learning) -> str:
    return visible(_path(found, learning.project)) if learning.project else "none"


def _path(found: Waiting, project: str) -> str:
    return found.shown(Path(project)) if Path(project).is_absolute() else project


def _summary(found: Waiting) -> str:
    """Return all learnings, a line each, under what they are about."""
    groups: dict[str, list[str]] = {}
    for number, learning in enumerate(found.gathered.open, 1):
        line = f"{number:3}. {clip(learning.text, terminal_width() - 6)}"
        groups.setdefault(learning.category, []).append(line)
    return "\n\n".join("\n".join([name, *lines]) for name, lines in sorted(groups.items()))
