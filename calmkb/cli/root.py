"""The `calmkb` command: a table of subcommands, each loaded when it is called."""

import click

import calmkb as package
from calmkb.cli.base.lazy import LazyGroup

# The summaries are here so that --help need not import the commands.
COMMANDS = {
    "start": ("calmkb.wings.start.commands.start:start",
              "Look at what your sessions teach, then choose."),
    "init": ("calmkb.cli.init:init", "Begin a journal for a repository, or in a folder."),
    "wrapup": ("calmkb.cli.journal.wrapup:wrapup", "Commit this session as a journal entry."),
    "reflect": ("calmkb.cli.reflect.reflect:reflect",
                "Review what was learned, and keep what is true."),
    "export": ("calmkb.cli.export:export", "Write approved memories where agents read them."),
    "search": ("calmkb.cli.journal.search:search", "Search records and every kept turn."),
    "show": ("calmkb.cli.journal.show:show", "Show anything that has an id, in full."),
    "why": ("calmkb.wings.archive.commands.why:why", "Ask which session decided a line, and why."),
    "next": ("calmkb.cli.journal.next_steps:next_", "List what is left to do; finish, resume."),
    "site": ("calmkb.wings.site.commands.site:site", "Build or serve the site; print a week."),
    "memory": ("calmkb.cli.memory.memory:memory", "List, find, add, edit and retire memories."),
    "sync": ("calmkb.wings.sharing.commands.sync:sync",
             "Rebase onto and push to the team's remote."),
    "check": ("calmkb.cli.checks.check:check", "Validate the journal; verify, and enforce."),
    "agents": ("calmkb.cli.clients.agents:agents", "Show and set what agents are connected to."),
    "session": ("calmkb.cli.journal.session:session", "List sessions; write those that ended."),
    "improvements": ("calmkb.cli.improvements:improvements", "Manage project improvements."),
    "import": ("calmkb.cli.journal.history_import:importing", "Import the history of agents."),
    "stats": ("calmkb.cli.checks.stats:stats", "Show statistics."),
    "backtest": ("calmkb.wings.proof.commands.backtest:backtest",
                 "Count what memories would have saved, by the sessions since."),
    "project": ("calmkb.cli.project:project", "List, rename and merge projects."),
    "private": ("calmkb.wings.private.commands:private", "Read and write the private journal."),
    "verify": ("calmkb.wings.proof.commands.verify:verify",
               "Check what instruction files say of the code."),
    "enforce": ("calmkb.wings.proof.commands.verify:enforce",
                "Hold a commit or a branch against enforced memories."),
    "redact": ("calmkb.cli.checks.redact:redact", "Show what the secret filter makes of a text."),
    "run": ("calmkb.wings.runs.commands.runs:runs",
            "Give an agent a task; chat, list and serve runs."),
    "completion": ("calmkb.cli.completion:completion",
                   "Print what completes commands in your shell."),
    "help": ("calmkb.cli.root:help_", "Show the help of a command, or with --all every command."),
    "signal": ("calmkb.cli.clients.signal:signal", "Add, query and update captured signals."),
    "hook": ("calmkb.cli.clients.hook:hook", "Handle a hook event (called by the client)."),
    "statusline": ("calmkb.cli.clients.hook:statusline",
                  "Print pending counts for a status line."),
}  # fmt: skip

FIRST = {
    "The loop": ("start", "init", "wrapup", "reflect", "export"),
    "Read": ("search", "show", "why", "next", "site"),
    "Keep it true": ("memory", "sync", "check", "agents"),
}
MORE = {
    "Records": ("session", "improvements", "import", "stats", "backtest", "project", "private"),
    "Checks": ("verify", "enforce", "redact"),
    "More": ("run", "completion", "help"),
    "Called by programs": ("signal", "hook", "statusline"),
}

# Settings, hooks and people's fingers know these; nothing that calmkb prints names them.
RENAMED = {
    "digest": "site week",
    **{name: f"agents {name}" for name in ("hooks", "mcp", "plugin", "recall", "keep", "trust")},
    "doctor": "agents doctor",
    "uninit": "init --undo",
    "runs": "run",
    "chat": "run chat",
    "serve": "run serve",
}

_ALL = "calmkb.all"


class _Root(LazyGroup):
    """The first screen has the commands of every day; `--all` has them all, and the options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them: four groups on a screen of 24 lines."""
        if ctx.meta.get(_ALL):
            super().format_options(ctx, formatter)
            return
        formatter.write_paragraph()
        self._format(FIRST, formatter)
        formatter.write_paragraph()
        formatter.write(
            "Options: --kb FOLDER, --version, --help. All commands: calmkb help --all\n"
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List all commands."""
        formatter.write_paragraph()
        self._format(FIRST | MORE, formatter)

    def _format(self, groups: dict[str, tuple[str, ...]], formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.table))
        for heading, names in groups.items():
            formatter.write_heading(heading)
            for name in filter(self.table.__contains__, names):
                formatter.write(f"  {name:{width}}  {self.table[name][1]}\n")


def _print_all(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        context.meta[_ALL] = True
        click.echo(context.get_help())
        context.exit()


@click.group(
    cls=_Root,
    table=COMMANDS,
    renamed=RENAMED,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package.__version__, prog_name="calmkb")
@click.option(
    "--kb",
    metavar="FOLDER",
    help="The knowledge base; else CALMKB_KB, the nearest folder up with a calmkb.toml or "
    "[tool.calmkb], the journal of the repository here, or ~/.calm/kb.",
)
@click.option("--all", is_flag=True, is_eager=True, expose_value=False, callback=_print_all,
              help="Show every command, and the options.")  # fmt: skip
@click.help_option("-h", "--help", is_eager=False)  # so that --all may follow it
def calmkb(kb: str | None) -> None:
    """Keep what coding-agent sessions teach as reviewed Markdown in git."""


@click.command("help")
@click.argument("names", nargs=-1, metavar="[COMMAND]...")
@click.option("--all", "everything", is_flag=True, help="List every command, and the options.")
def help_(names: tuple[str, ...], everything: bool) -> None:
    """Show the help of a command, or with --all every command."""
    calmkb.main(["--all"] if everything else [*names, "--help"], "calmkb", standalone_mode=False)
