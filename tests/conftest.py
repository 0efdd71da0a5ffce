"""Real repositories in temporary folders; the real home is out of reach."""

import gc
import os
import shutil
import signal
import struct
import subprocess
from functools import cache
from hashlib import sha1
from itertools import chain, count
from pathlib import Path

import pytest
from hypothesis import settings

from calmkb.hook import AGENT_MARKS
from calmkb.store.local.choices import KeepingChoice, save_keeping

# `make soak` looks at more: one run after another, thirty random examples find what a hundred do.
EXAMPLES = 200 if os.environ.get("CALMKB_SOAK") else 30
settings.register_profile("calmkb", deadline=None, max_examples=EXAMPLES)
settings.load_profile("calmkb")
# A thousand child processes would each compile calmkb again, for half a second.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# Behind `nohup` or `&` in a script an interrupt is ignored, and by every child process too.
signal.signal(signal.SIGINT, signal.default_int_handler)
gc.disable()  # while thousands of tests are collected, nothing of which is garbage
MEMORY = Path("/dev/shm")  # noqa: S108 - each run makes a folder of its own there
ROOM = 4 * 1024**3
_homes = count()


def _use_memory() -> None:
    """Put the folders of tests where a sync costs nothing: a commit waits for the disk often."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK) or "TMPDIR" in os.environ:
        return
    runs_programs = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    if runs_programs and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


_use_memory()


def pytest_xdist_auto_num_workers() -> int:
    """Use a worker more than there are cores: tests wait for browsers and children."""
    return (os.cpu_count() or 1) + 1


@cache
def _has_slow(file: Path) -> bool:
    return "mark.slow" in file.read_text(encoding="utf-8")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file without a slow test where those alone are asked for: all take ten seconds."""
    if config.option.markexpr != "slow" or not collection_path.match("test_*.py"):
        return None
    return not _has_slow(collection_path) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run what a browser looks at first: it takes longest, and one worker would end with it."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    if unsaid := [str(path) for path in slow if not _has_slow(path)]:
        raise pytest.UsageError(f"`make test-slow` would miss {unsaid}; write mark.slow there")
    items.sort(key=lambda item: "browser" not in item.path.stem and "site" not in item.path.parts)


def pytest_collection_finish() -> None:
    """Leave what is loaded by now out of each search for garbage, and search a tenth as often."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(7_000, 10, 10)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test a home, an identity, an environment and a current folder of its own.

    A test that forgets to choose its folder must not write to the project it is run in.
    """
    folder = tmp_path_factory.getbasetemp() / "homes" / str(next(_homes))
    folder.mkdir(parents=True)
    for name in list(os.environ):
        ours = name.startswith(("GIT_", "CALM", "CLAUDE")) or name == "REFLECTIONS_DIR"
        if ours or name in AGENT_MARKS:
            monkeypatch.delenv(name)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(folder / ".gitconfig"))
    (folder / ".gitconfig").write_text(
        "[user]\n\tname = Ada Reviewer\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"
        f"\ttemplateDir = {_template(folder.parent).as_posix()}\n"
    )
    return folder


def _template(homes: Path) -> Path:
    """Return what git puts into new repositories here: no samples of hooks, which take a third."""
    folder = homes / "template"
    if not folder.exists():
        (folder / "hooks").mkdir(parents=True)
        (folder / "info").mkdir()
        (folder / "info/exclude").touch()
    return folder


def git(folder: Path, *args: str) -> str:
    """Run git as a person would, hooks and all, and return what it prints."""
    done = subprocess.run(["git", *args], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


_made: dict[str, Path] = {}


def copied_repo(folder: Path, factory: pytest.TempPathFactory, name: str, text: str) -> Path:
    """Make a repository whose one commit holds the file `name`: three processes, once a run."""
    if name not in _made:
        made = factory.mktemp("made")
        git(made, "init", "-q", "-b", "main")
        (made / name).write_text(text)
        git(made, "add", ".")
        git(made, "commit", "-qm", "first")
        _made[name] = made
    shutil.copytree(_made[name], folder)
    if os.name == "nt":
        git(folder, "update-index", "-q", "--refresh")
    else:
        _refresh(folder / ".git/index", folder / name)
    return folder


def _refresh(index: Path, file: Path) -> None:
    """Enter what the system says of the index's one file, or it would look touched to git."""
    found, data = file.stat(), bytearray(index.read_bytes()[:-20])
    times = (divmod(one, 10**9) for one in (found.st_ctime_ns, found.st_mtime_ns))
    words = (*chain(*times), found.st_dev, found.st_ino)
    struct.pack_into(">6I", data, 12, *(word & 0xFFFFFFFF for word in words))
    index.write_bytes(data + sha1(data, usedforsecurity=False).digest())


@pytest.fixture
def repo(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with one commit."""
    return copied_repo(tmp_path / "repo", tmp_path_factory, "kept.txt", "kept\n")


@pytest.fixture
def keeps_no_sessions(home: Path) -> None:
    """Switch off that sessions are kept: each process in the background takes two seconds."""
    save_keeping(home / ".calm", KeepingChoice(on=False))
