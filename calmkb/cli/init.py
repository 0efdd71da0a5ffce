"""`calmkb init`: a new knowledge base, after four questions."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from calmkb.cli.base.choices import confirm, prompt_for
from calmkb.cli.base.common import kb_from
from calmkb.cli.base.layout import hanging
from calmkb.cli.base.lazy import TableChoice
from calmkb.cli.base.person import no_person_at_terminal
from calmkb.cli.base.text import counted, from_home, visible
from calmkb.errors import CalmError

if TYPE_CHECKING:
    from calmkb.kb.base.environment import Environment
    from calmkb.kb.project.init import Scaffolded
    from calmkb.kb.project.places import InitRequest
    from calmkb.kb.project.scaffold import Scaffold

_NOT_SHARED = "no"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), required=False)
@click.option("--place", metavar="branch|here|beside[=PATH]",
              help="Where the journal lives; see the how-to page on that.")  # fmt: skip
@click.option(
    "--agent",
    "agents",
    multiple=True,
    type=TableChoice("calmkb.kb.project.agents:AGENTS"),
    help="Who reads what is learnt, repeatable; else those whose files are there.",
)
@click.option("--share", metavar="no|REMOTE", help="Push the journal to this remote, or address.")
@click.option("--site-name", default="", help="The name of the site; else that of the folder.")
@click.option("--checks", is_flag=True, help="Add a workflow that checks the journal.")
@click.option("--pages", is_flag=True, help="Add a workflow that puts the site on GitHub Pages.")
@click.option(
    "--weekly", is_flag=True, help="Add a workflow: each week an issue, and a pull request."
)
@click.option("--yes", is_flag=True, help="Ask nothing.")
@click.option("--undo", is_flag=True, help="Take digests and hooks out again; records stay.")
@click.pass_context
def init(
    context: click.Context,
    folder: Path | None,
    place: str | None,
    agents: tuple[str, ...],
    share: str | None,
    site_name: str,
    checks: bool,
    pages: bool,
    weekly: bool,
    yes: bool,
    undo: bool,
) -> None:
    """Begin a journal for this repository, or in FOLDER; existing files are not overwritten.

    Beside code it goes on a branch of its own, which the work tree never shows, unless you choose
    another place. A FOLDER outside any git repository becomes a repository of its own.
    """
    from calmkb.kb.project.scaffold import Scaffold

    if undo:
        _undo(context, yes=yes)
        return
    asks = not yes and not no_person_at_terminal()
    scaffold = Scaffold(site_name=site_name, checks=checks, pages=pages, weekly=weekly)
    if not ask_and_begin(folder, place, agents, share, scaffold, asks=asks):
        raise click.Abort
    click.echo("Next: calmkb wrapup")


def _undo(context: click.Context, *, yes: bool) -> None:
    """Take calmkb out of this repository, after it was shown; what stays is named."""
    from calmkb.kb.undo import plan_undo

    kb = kb_from(context, warns=False)
    steps = plan_undo(kb)
    click.echo(hanging("\n".join(from_home(step.words) for step in steps), column=8))
    if not yes:
        if reason := no_person_at_terminal():
            raise CalmError(f"{reason}; say --yes to take this out")
        confirm("Take this out?", abort=True)
    for step in steps:
        if step.act:
            step.act()
    if left := [step.words for step in plan_undo(kb) if step.act]:
        raise CalmError(f"this is still there: {visible('; '.join(left))}")
    click.echo("Done.")


def ask_and_begin(
    folder: Path | None = None,
    place: str | None = None,
    agents: tuple[str, ...] = (),
    share: str | None = None,
    scaffold: "Scaffold | None" = None,
    *,
    asks: bool = True,
) -> bool:
    """Begin a journal, asking for what is not given; return False where the person says no."""
    from calmkb.kb.base.environment import process_environment
    from calmkb.kb.project.agents import targets_of
    from calmkb.kb.project.places import InitRequest, begin, check_share, shown_plan
    from calmkb.kb.project.scaffold import Scaffold

    environment = process_environment()
    where, beside = _place(environment, folder, place, asks=asks)
    if asks and not agents:
        agents = _ask_agents(environment)
    scaffold = scaffold or Scaffold()
    site_name = scaffold.site_name
    if asks and not site_name:
        site_name = _ask_site_name(environment, beside or folder)
    targets = targets_of(environment, agents)
    scaffold = replace(scaffold, site_name=" ".join(site_name.split()), targets=targets)
    request = InitRequest(where, beside or (folder and environment.cwd / folder), scaffold)
    if share is None:
        share = _ask_share() if asks else _NOT_SHARED
    if share != _NOT_SHARED:
        check_share(environment, request, share)
    if asks:
        sent = [] if share == _NOT_SHARED else [f"push  it to {share}"]
        click.echo("\n" + "\n".join([*shown_plan(environment, request), *sent]))
        if not confirm("Write this?", default=True):
            return False
    done = begin(environment, request)
    report(request, done)
    if share != _NOT_SHARED:
        _share(environment, done, share)
    return True


def _place(
    environment: "Environment", folder: Path | None, place: str | None, *, asks: bool
) -> "tuple[str, Path | None]":
    """Return the place and the folder beside, if one is named."""
    from calmkb.kb.project.places import PLACES, usual_place

    if folder is not None:
        if place not in (None, "here"):
            raise CalmError(f"FOLDER is for --place here; with --place {place} leave it out")
        return "here", None
    if place is None:
        usual = usual_place(environment)
        place = _ask_place(environment, usual) if asks else usual
    name, _, path = place.partition("=")
    if name not in PLACES or (path and name != "beside"):
        raise CalmError(f"{place!r} is not a place; choose from: {', '.join(PLACES)}")
    return name, environment.cwd / Path(path).expanduser() if path else None


def _ask_place(environment: "Environment", usual: str) -> str:
    from calmkb.kb.project.places import PLACES, beside_folder

    try:
        beside = str(beside_folder(environment))
    except CalmError:  # in no repository there is nothing to be beside of
        return usual
    click.echo(
        "Where does the journal live?\n"
        "  branch  on a branch of its own: your files, index and pull requests never see it\n"
        "  here    in this folder, committed with what else is in it\n"
        f"  beside  in a repository of its own: {beside}"
    )
    answer: str = prompt_for("Where", type=click.Choice(list(PLACES)), default=usual)
    return answer


def _ask_agents(environment: "Environment") -> tuple[str, ...]:
    from calmkb.kb.project.agents import AGENTS, found_agents

    click.echo(f"Which agents read what is learnt? Of {', '.join(AGENTS)}; several with commas.")
    answer = prompt_for("Agents", default=",".join(found_agents(environment)) or "claude-code")
    chosen = tuple(word.strip() for word in answer.split(",") if word.strip())
    if unknown := [name for name in chosen if name not in AGENTS]:
        raise CalmError(f"{unknown[0]!r} is not an agent; choose from: {', '.join(AGENTS)}")
    return chosen


def _ask_site_name(environment: "Environment", folder: Path | None) -> str:
    from calmkb.kb.project.places import usual_site_name

    usual = usual_site_name(environment, folder and environment.cwd / folder)
    answer: str = prompt_for("Name of the site", default=usual)
    return answer


def _ask_share() -> str:
    click.echo("Share it? A remote to push it to, such as origin, or: no")
    answer: str = prompt_for("Share", default=_NOT_SHARED)
    return answer


def report(request: "InitRequest", done: "Scaffolded") -> None:
    """Print what was made, and where."""
    for path in done.made:
        click.echo(f"made  {from_home(path)}")
    for path in done.kept:
        click.echo(f"kept  {from_home(path)}")
    state = "and committed" if done.committed else "for you to review and commit"
    place, files = from_home(done.root), counted(len(done.made), "file")
    said = f"{files} made {state}" if done.made else "already there, nothing to add"
    click.echo(hanging(f"\nKnowledge base in {place}: {said}."))
    if (request.scaffold.checks or request.scaffold.pages) and not done.pinned:
        click.echo(
            "calmkb was not installed from its repository, so the step `Install calmkb` of the "
            "workflows fails until you enter an address and a commit there."
        )


def _share(environment: "Environment", done: "Scaffolded", remote: str) -> None:
    from calmkb.kb.base.knowledge_base import open_kb
    from calmkb.kb.base.points import share

    kb = open_kb(replace(environment, env={}), option=str(done.root))
    if name := share(kb, remote):
        click.echo(f"Shared with {name}.")
