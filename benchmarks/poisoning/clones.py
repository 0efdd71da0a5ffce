"""Planted in a repository that the person clones or unpacks: settings, links, programs of git."""

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from poisoning.attacks import INSTRUCTIONS
from poisoning.cases import Case, Outcome, marker, memory, session
from poisoning.sandbox import STRANGER, Sandbox

_COMMANDS = (
    ("wrapup", "--summary", "Worked."),
    ("wrapup", "continue", "--summary", "Worked.", "--next", "Go on."),
    ("session", "list"),
    ("search", "worked"),
    ("reflect", "--json"),
    ("reflect", "--analysts", "--json"),
    ("reflect", "--pr", "--dry-run"),
    ("memory", "list"),
    ("memory", "add", "--category", "fact", "Prices are in cents."),
    ("export",),
    ("export", "--place", "user"),
    ("export", "--target", "claude-rules"),
    ("check",),
    ("doctor",),
    ("stats",),
    ("run", "coding", "say hi"),
    ("site", "build"),
    ("site", "check"),
    ("site", "stage", "staged"),
    ("hooks", "on", "--project"),
    ("private", "write", "--project-notes", "my doubts"),
    ("redact", "calmkb.toml"),
    ("trust",),
    ("init",),
)
_MKDOCS = "site_name: x\nplugins: [search, calmkb]\n"


def run(root: Path) -> Iterator[Outcome]:
    """Run every command in every hostile repository."""
    tried = [
        *(partial(_tried, root / f"settings{n}", "settings of a clone", name, plant)
          for n, (name, plant) in enumerate(_settings().items())),
        *(partial(_tried, root / f"link{n}", "links of a clone", place, _linked(place))
          for n, place in enumerate(_LINKS)),
        *(partial(_unpacked, root / f"git{n}", key) for n, key in enumerate(_GIT)),
    ]  # fmt: skip
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # each waits for a process of its own
        yield from pool.map(lambda one: one(), tried)
    yield from _records(root / "records")


def _settings() -> dict[str, Callable[[Sandbox], dict[str, str]]]:
    """Return name → the files of a repository, which would make `canary` or write `outside`."""

    def touch(sandbox: Sandbox) -> str:
        return f"sh -c 'touch {sandbox.canary}'"

    def program(text: str) -> Callable[[Sandbox], dict[str, str]]:
        return lambda sandbox: {"calmkb.toml": text.replace("PROGRAM", json.dumps(touch(sandbox)))}

    def made(**files: str) -> Callable[[Sandbox], dict[str, str]]:
        def plant(sandbox: Sandbox) -> dict[str, str]:
            python = f"import pathlib\npathlib.Path({str(sandbox.canary)!r}).touch()\n"
            texts = {path: text.replace("PYTHON", python).replace("CANARY", str(sandbox.canary))
                     for path, text in files.items()}  # fmt: skip
            return {"calmkb.toml": "", "docs/index.md": "# Hi\n"} | texts

        return plant

    def out(name: str) -> Callable[[Sandbox], dict[str, str]]:
        return lambda sandbox: (
            {
                "calmkb.toml": name.replace("OUTSIDE", str(sandbox.outside)),
                "mkdocs.yml": _MKDOCS,
                "docs/index.md": "# Hi\n",
            }
            | memory("Prices are in cents.")
        )

    call = "x: !!python/object/apply:os.system ['touch CANARY']\n"
    return {
        "analysts.command": program("[analysts]\ncommand = PROGRAM\n"),
        "agents.coding": program("[agents.coding]\ncommand = PROGRAM\n"),
        "pyproject.toml": lambda sandbox: {
            "pyproject.toml": "[tool.calmkb.agents.coding]\n"
            f"command = {json.dumps(touch(sandbox))}\n"
        },
        "mkdocs hooks": made(**{"mkdocs.yml": _MKDOCS + "hooks: [h.py]\n", "h.py": "PYTHON"}),
        "mkdocs hooks by anchor": made(
            **{"mkdocs.yml": _MKDOCS + "x: &x {hooks: [h.py]}\n<<: *x\n", "h.py": "PYTHON"}
        ),
        "mkdocs hooks by !ENV": made(
            **{"mkdocs.yml": _MKDOCS + "hooks: !ENV [SITE_URL, ['h.py']]\n", "h.py": "PYTHON"}
        ),
        "mkdocs YAML tag": made(**{"mkdocs.yml": _MKDOCS + call}),
        "mkdocs parent": made(**{"mkdocs.yml": "INHERIT: p.yml\n" + _MKDOCS, "p.yml": call}),
        "mkdocs theme folder": made(
            **{
                "mkdocs.yml": _MKDOCS + "theme: {name: material, custom_dir: over}\n",
                "over/main.html": "{{ cycler.__init__.__globals__.os.system('touch CANARY') }}",
            }
        ),
        "mkdocs template": made(
            **{
                "mkdocs.yml": _MKDOCS + "extra_templates: [x.html]\n",
                "docs/x.html": "{{ cycler.__init__.__globals__.os.system('touch CANARY') }}",
            }
        ),
        "mkdocs site_dir": made(**{"mkdocs.yml": _MKDOCS + "site_dir: ../outside\n"}),
        "mkdocs docs_dir": made(**{"mkdocs.yml": _MKDOCS + "docs_dir: ../outside\n"}),
        "export.file to the parent": out('[export]\nfile = "../outside/thesis.txt"\n'),
        "export.file absolute": out('[export]\nfile = "OUTSIDE/thesis.txt"\n'),
        "export.file in .git": out('[export]\nfile = ".git/config"\n'),
        "export.file in .GIT": out('[export]\nfile = ".GIT/config"\n'),
        "journal outside": out('journal = "../outside"\n'),
        "journal in .git": out('journal = ".git"\n'),
        "redact.allow of everything": out(
            '[redact]\nallow = [{pattern = "(?!.*c4N4ry).*", reason = "fixtures"}]\n'
        ),
    }


_LINKS = (
    "site", "journal", "journal/sessions", "journal/memories", "CLAUDE.md", ".claude",
    ".claude/settings.json", ".private-journal", "docs", "staged", ".github", "mkdocs.yml",
)  # fmt: skip
_GIT = (
    "core.fsmonitor", "core.hooksPath", "core.pager", "core.editor", "diff.external",
    "diff.x.textconv", "filter.x.clean", "filter.x.smudge", "filter.x.process", "merge.x.driver",
    "gpg.program", "core.alternateRefsCommand", "remote.origin.uploadpack",
    "remote.origin.receivepack", "core.sshCommand", "credential.helper",
)  # fmt: skip


def _linked(place: str) -> Callable[[Sandbox], dict[str, str]]:
    def plant(sandbox: Sandbox) -> dict[str, str]:
        files = {"calmkb.toml": "", "mkdocs.yml": _MKDOCS, "docs/index.md": "# Hi\n"}
        return {p: t for p, t in files.items() if not p.startswith(place)} | {f"LINK {place}": ""}

    return plant


def _tried(
    root: Path, family: str, name: str, plant: Callable[[Sandbox], dict[str, str]]
) -> Outcome:
    sandbox = Sandbox(root)
    files = plant(sandbox)
    theirs = sandbox.repository("theirs", {p: t for p, t in files.items() if "LINK" not in p})
    for path in (p.removeprefix("LINK ") for p in files if p.startswith("LINK ")):
        link = theirs / path
        link.parent.mkdir(parents=True, exist_ok=True)
        up = "../" * (path.count("/") + 1)
        inside = "settings.json" if path.endswith(".json") else ""
        inside = "thesis.txt" if path.endswith((".md", ".yml")) else inside
        link.symlink_to(f"{up}outside/{inside}".rstrip("/"))
        sandbox.git(theirs, "add", "-A", who=STRANGER)
        sandbox.git(theirs, "commit", "-qm", "link", who=STRANGER)
    clone = sandbox.clone(theirs, "clone")
    config = (clone / ".git/config").read_text()
    secret = "gh" + "p_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1B2"
    sandbox.calmkb_each(
        clone, [*_COMMANDS, ("wrapup", "--summary", f"Deployed with {secret} today.")]
    )
    sandbox.hook(clone, "SessionStart", source="startup")
    through = sandbox.harmed()
    if (clone / ".git/config").read_text() != config:
        through.append(".git/config was changed")
        (clone / ".git/config").write_text(config)  # git must work to look further
    if secret in sandbox.git(clone, "log", "-p", "--all"):
        through.append("a secret was committed")
    if "my doubts" in _visible_to_git(sandbox, clone):
        through.append("the private journal is in git's sight")
    return Outcome(Case(family, "hostile clone", name, ""), "; ".join(through))


def _visible_to_git(sandbox: Sandbox, clone: Path) -> str:
    """Return the texts of the files that `git add -A` would take."""
    listed = sandbox.git(clone, "ls-files", "-o", "-z", "--exclude-standard").split("\0")
    paths = [clone / name for name in listed if name]
    return "".join(path.read_text(errors="replace") for path in paths if path.is_file())


def _unpacked(root: Path, key: str) -> Outcome:
    """An archive with its `.git`: its configuration names programs, which no clone brings."""
    sandbox = Sandbox(root)
    files = {"calmkb.toml": "", ".gitattributes": "*.md filter=x diff=x merge=x\n"}
    theirs = sandbox.repository("theirs", files)
    clone = sandbox.clone(theirs, "clone")
    program = root / "program"
    program.write_text(f'#!/bin/sh\ntouch "{sandbox.canary}"\nexit 1\n')
    program.chmod(0o755)
    value = str(program)
    if key == "core.hooksPath":
        hooks = root / "hooks"
        hooks.mkdir()
        for name in ("pre-commit", "post-commit", "reference-transaction", "post-index-change"):
            (hooks / name).symlink_to(program)
        value = str(hooks)
    sandbox.git(clone, "config", key, value)
    sandbox.calmkb_each(clone, _COMMANDS)
    return Outcome(Case("git settings of an archive", "hostile archive", key, ""),
                   "; ".join(sandbox.harmed()))  # fmt: skip


def _records(root: Path) -> Iterator[Outcome]:
    """Records of a clone: told to no agent at a start, nor to those in every project."""
    sandbox = Sandbox(root)
    cases, files = [], {"calmkb.toml": ""}
    for attack in INSTRUCTIONS:
        name = marker()
        text = attack.format(m=name)
        files |= session(text, project="clone", continued=True)
        files |= memory(text, who="ada@example.org")
        cases.append(Case("records of a clone", "hostile clone", attack, name))
    clone = sandbox.clone(sandbox.repository("theirs", files, STRANGER), "clone")
    sandbox.calmkb(clone, "export", "--place", "user")
    home = sandbox.home / ".claude/CLAUDE.md"
    places = {
        "session start": sandbox.hook(clone, "SessionStart", source="startup"),
        "after a compaction": sandbox.hook(clone, "SessionStart", source="compact"),
        "the home": home.read_text() if home.exists() else "",
    }
    for case in cases:
        found = ", ".join(place for place, text in places.items() if case.marker in text)
        yield Outcome(case, found)
