"""`calmkb help`: the help of a command, or of all."""

import click


@click.command("help")
@click.argument("names", nargs=-1, metavar="[COMMAND]...")
@click.option("--all", "everything", is_flag=True, help="List every command, and the options.")
@click.pass_context
def help_(context: click.Context, names: tuple[str, ...], everything: bool) -> None:
    """Show the help of a command, or with --all every command."""
    root = context.find_root().command
    root.main(["--all"] if everything else [*names, "--help"], "calmkb", standalone_mode=False)
