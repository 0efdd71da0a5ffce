"""`calmkb session pending | resume`: work that was left to be continued."""

import json

import click

from calmkb.cli.base.common import kb_from, warn
from calmkb.kb.text import show_invisible


@click.command()
@click.option("--project", help="Only this project.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def pending(context: click.Context, project: str | None, as_json: bool) -> None:
    """Show what was left to be continued and not taken up since."""
    from calmkb.kb.journal.continuation import pending_sessions

    found = pending_sessions(kb_from(context), project=project)
    if as_json:
        rows = [
            {
                "id": entry.id,
                "created_at": entry.created_at.isoformat(),
                "project_name": entry.project_name,
                "summary": entry.summary,
                "next_steps": list(entry.next_steps),
            }
            for entry in found
        ]
        click.echo(json.dumps({"entries": rows, "count": len(rows)}, ensure_ascii=False))
    elif not found:
        click.echo("Nothing waits to be continued.")
    for entry in [] if as_json else found:
        first = show_invisible(" ".join(entry.summary.split()))
        click.echo(f"{entry.id[:8]}  {entry.created_at:%Y-%m-%d}  {entry.project_name}: {first}")
        for step in entry.next_steps:
            click.echo(f"          - {show_invisible(' '.join(step.split()))}")
    if found and not as_json:
        click.echo("\nTake one up with: calmkb session resume ID")


@click.command()
@click.argument("id")
@click.pass_context
def resume(context: click.Context, id: str) -> None:  # noqa: A002
    """Mark a session as taken up, and print its hand-over for the next agent."""
    from calmkb.kb.journal.continuation import resume_session

    done = resume_session(kb_from(context), id)
    warn(done.warning)
    entry = done.entry
    lines = [f"# Continue: {entry.project_name}", "", show_invisible(entry.summary)]
    if entry.friction_points:
        lines += ["", "## Friction", ""]
        lines += [f"- {show_invisible(item)}" for item in entry.friction_points]
    lines += ["", "## Next steps", "", *(f"- {show_invisible(item)}" for item in entry.next_steps)]
    lines += ["", f"Left on {entry.created_at:%Y-%m-%d %H:%M} UTC in {entry.working_directory}."]
    click.echo("\n".join(lines))
