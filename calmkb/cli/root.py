"""The `calmkb` command: a table of subcommands, each loaded when it is called."""

import click

import calmkb as package
from calmkb.cli.base.lazy import LazyGroup

# The summaries are here so that --help need not import the commands.
COMMANDS = {
    "start": ("calmkb.cli.start.start:start", "Look at what your sessions teach, then choose."),
    "wrapup": ("calmkb.cli.journal.wrapup:wrapup", "Commit this session as a journal entry."),
    "session": ("calmkb.cli.journal.session:session", "List and show sessions."),
    "search": ("calmkb.cli.journal.search:search", "Search records and every kept turn."),
    "next": ("calmkb.cli.journal.next_steps:next_", "List what sessions left to do; mark it done."),
    "keep": ("calmkb.cli.journal.keep:keep", "Copy sessions before clients delete them."),
    "show": ("calmkb.cli.journal.show:show", "Show full records, and kept sessions."),
    "why": ("calmkb.cli.journal.why:why", "Ask which session decided a line, and why."),
    "reflect": ("calmkb.cli.reflect.reflect:reflect",
               "Review proposed learnings and keep what is true."),
    "export": ("calmkb.cli.export:export", "Write approved memories where agents read them."),
    "digest": ("calmkb.cli.journal.digest:digest", "Print a week, to paste into a chat or issue."),
    "site": ("calmkb.cli.site:site", "Build or serve the browsable site."),
    "check": ("calmkb.cli.checks.check:check", "Validate the journal."),
    "verify": ("calmkb.cli.checks.verify:verify",
               "Check what instruction files say of the code."),
    "enforce": ("calmkb.cli.checks.enforce:enforce",
                "Hold a commit or a branch against enforced memories."),
    "doctor": ("calmkb.cli.checks.doctor:doctor", "Diagnose this machine and suggest fixes."),
    "trust": ("calmkb.cli.trust:trust", "Review what a repository asks to run or to say."),
    "redact": ("calmkb.cli.checks.redact:redact", "Show what the secret filter makes of a text."),
    "sync": ("calmkb.cli.journal.sync:sync", "Rebase onto and push to the team's remote."),
    "import": ("calmkb.cli.journal.history_import:importing", "Import the history of agents."),
    "project": ("calmkb.cli.project:project", "List, rename and merge projects."),
    "memory": ("calmkb.cli.memory.memory:memory", "List, find, add, edit and retire memories."),
    "backtest": ("calmkb.cli.memory.backtest:backtest",
                 "Count what memories would have saved, by the sessions since."),
    "recall": ("calmkb.cli.memory.recall:recall",
               "Give agents the memories that a prompt is about, two at most."),
    "improvements": ("calmkb.cli.improvements:improvements", "Manage project improvements."),
    "stats": ("calmkb.cli.checks.stats:stats", "Show statistics."),
    "private": ("calmkb.cli.private:private", "Read and write the private journal."),
    "mcp": ("calmkb.cli.clients.mcp:mcp", "Run the MCP server."),
    "run": ("calmkb.cli.runs.run:run", "Give an agent a task and follow it."),
    "runs": ("calmkb.cli.runs.runs:runs", "List, cancel and export runs of agents."),
    "serve": ("calmkb.cli.runs.serve:serve", "Serve the run journal over HTTP."),
    "chat": ("calmkb.cli.runs.chat:chat", "Talk with an agent that remembers."),
    "hooks": ("calmkb.cli.clients.hooks:hooks", "Turn capture in Claude Code on and off."),
    "plugin": ("calmkb.cli.clients.plugin:plugin", "Find the Claude Code plugin."),
    "signal": ("calmkb.cli.clients.signal:signal", "Add, query and update captured signals."),
    "hook": ("calmkb.cli.clients.hook:hook", "Handle a hook event (called by the client)."),
    "statusline": ("calmkb.cli.clients.statusline:statusline",
                  "Print pending counts for a status line."),
    "completion": ("calmkb.cli.completion:completion",
                   "Print what completes commands and ids in your shell."),
    "init": ("calmkb.cli.init:init", "Begin a journal for a repository, or in a folder."),
}  # fmt: skip

# Commands that programs call (`hook`, `statusline`, `signal`) are in no section.
SECTIONS = {
    "Every day": (
        "start",
        "wrapup",
        "reflect",
        "export",
        "session",
        "search",
        "show",
        "why",
        "next",
    ),
    "What is remembered": (
        "memory",
        "backtest",
        "recall",
        "improvements",
        "private",
        "digest",
        "site",
        "stats",
    ),
    "Checks": ("check", "verify", "enforce", "doctor", "redact", "trust"),
    "Agents": ("hooks", "mcp", "plugin", "keep", "import", "run", "runs", "serve", "chat"),
    "The journal": ("init", "sync", "project", "completion"),
}


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package.__version__, prog_name="calmkb")
@click.option(
    "--kb",
    metavar="FOLDER",
    help="The knowledge base; else CALMKB_KB, the nearest folder up with a calmkb.toml or "
    "[tool.calmkb], the journal of the repository here, or ~/.calm/kb.",
)
def calmkb(kb: str | None) -> None:
    """Keep what coding-agent sessions teach as reviewed Markdown in git.

    Begin with `calmkb start`; then wrapup after a session, reflect once a week, export for the next
    session, and `calmkb site serve` to read it all.
    """
