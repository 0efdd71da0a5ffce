"""`calmkb completion`: what a shell runs to complete commands and options."""

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")
_PROGRAM, _VARIABLE = "calmkb", "_CALMKB_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script of a shell; add it to what your shell reads at its start.

    \b
    bash   echo 'eval "$(calmkb completion bash)"' >> ~/.bashrc
    zsh    echo 'eval "$(calmkb completion zsh)"' >> ~/.zshrc
    fish   calmkb completion fish > ~/.config/fish/completions/calmkb.fish
    """
    made = get_completion_class(shell)
    assert made is not None  # noqa: S101 - Click knows the three
    click.echo(made(context.find_root().command, {}, _PROGRAM, _VARIABLE).source())
