"""The `calmkb` command: a table of subcommands, each loaded when it is called."""

import click

import calmkb as package
from calmkb.cli.base.lazy import LazyGroup

# name: (module, attribute, what it does), so that --help need not import them.
COMMANDS = {
    "wrapup": ("calmkb.cli.journal.wrapup", "wrapup", "Commit this session as a journal entry."),
    "session": ("calmkb.cli.journal.session", "session", "List and show sessions."),
    "search": ("calmkb.cli.journal.search", "search", "Find records by their words."),
    "show": ("calmkb.cli.journal.show", "show", "Show records whole."),
    "reflect": (
        "calmkb.cli.reflect.reflect",
        "reflect",
        "Review what sessions taught; keep what is true.",
    ),
    "export": ("calmkb.cli.export", "export", "Write approved memories where agents read them."),
    "site": ("calmkb.cli.site", "site", "Build or serve the browsable site."),
    "check": (
        "calmkb.cli.checks.check",
        "check",
        "Report what a person should fix in the records.",
    ),
    "doctor": ("calmkb.cli.checks.doctor", "doctor", "Report what is wrong on this machine."),
    "trust": ("calmkb.cli.trust", "trust", "Review what a repository asks to run or to say."),
    "redact": (
        "calmkb.cli.checks.redact",
        "redact",
        "Show what the secret filter makes of a text.",
    ),
    "sync": ("calmkb.cli.journal.sync", "sync", "Share what is here with the team's remote."),
    "import": (
        "calmkb.cli.journal.history_import",
        "importing",
        "Take over the history of agents.",
    ),
    "memory": (
        "calmkb.cli.memory.memory",
        "memory",
        "List, find, add, change and retire memories.",
    ),
    "improvements": (
        "calmkb.cli.improvements",
        "improvements",
        "Manage project improvements.",
    ),
    "stats": ("calmkb.cli.checks.stats", "stats", "Count what is here and the outcome of it."),
    "private": ("calmkb.cli.private", "private", "Read and write the private journal."),
    "mcp": ("calmkb.cli.clients.mcp", "mcp", "Serve the knowledge base to agents over MCP."),
    "run": ("calmkb.cli.runs.run", "run", "Let an agent do a task, and follow it."),
    "serve": ("calmkb.cli.runs.serve", "serve", "Serve the run journal over HTTP."),
    "chat": ("calmkb.cli.runs.chat", "chat", "Talk with an agent that remembers."),
    "hooks": ("calmkb.cli.clients.hooks", "hooks", "Switch the capture in Claude Code on and off."),
    "plugin": ("calmkb.cli.clients.plugin", "plugin", "Find the Claude Code plugin."),
    "signal": ("calmkb.cli.clients.signal", "signal", "Keep, find and settle what hooks noticed."),
    "hook": (
        "calmkb.cli.clients.hook",
        "hook",
        "Take what a client says of an event; for its settings.",
    ),
    "statusline": (
        "calmkb.cli.clients.statusline",
        "statusline",
        "Say what waits, for a status line.",
    ),
    "init": ("calmkb.cli.init", "init", "Make a folder a knowledge base."),
}


@click.group(
    cls=LazyGroup, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(package.__version__, prog_name="calmkb")
@click.option(
    "--kb",
    metavar="FOLDER",
    help="The knowledge base; else CALMKB_KB, the nearest folder up with a calmkb.toml or "
    "[tool.calmkb], or ~/.calm/kb.",
)
def calmkb(kb: str | None) -> None:
    """Keep what coding-agent sessions teach as reviewed Markdown in git.

    \b
    The loop: calmkb wrapup      after a session
              calmkb reflect     once a week
              calmkb export      so that the next session knows
              calmkb site serve  to read it all
    """
