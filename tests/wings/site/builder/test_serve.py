"""`calmkb site serve`: the address at once, then each build."""

import re
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import git
from tests.warm import stood_for, without_terminal
from tests.wings.site.conftest import scaffold


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A knowledge base with a session and the site's settings."""
    root = tmp_path / "kb"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    (root / "calmkb.toml").write_text("")
    scaffold(root)
    wrap_up(root, "The first.")
    return root


def wrap_up(root: Path, summary: str) -> None:
    said = without_terminal("wrapup", "--project", "shop", "--summary", summary, cwd=root)
    assert said.returncode == 0, said.stderr


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def serve(root: Path, address: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*stood_for(), "site", "serve", "--host", *address.replace(":", " --port ").split()],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        try:
            yield server
        finally:
            server.terminate()


def save(path: Path, text: str) -> None:
    """Change a file in one step: emptied and then written, it would be built twice."""
    ready = path.parents[1] / f"{path.name}.new"
    ready.write_text(text)
    ready.replace(path)


def until(server: subprocess.Popen[str], words: str) -> str:
    """Return the next line that begins with `words`."""
    assert server.stdout
    seen = []
    for line in server.stdout:
        if line.startswith(words):
            return line
        seen.append(line)
    raise AssertionError(f"no line begins with {words!r}: {seen}")


def test_it_prints_its_address_and_each_rebuild_and_stops_at_an_interrupt(base):
    address = f"127.0.0.1:{free_port()}"
    with serve(base, address) as server:
        assert until(server, "Building").strip() == f"Building the site for http://{address}/"
        assert until(server, "Serving").strip() == f"Serving http://{address}/ (Ctrl-C stops)"
        wrap_up(base, "The second.")
        assert re.fullmatch(r"Rebuilt: [\d,]+ files? changed\n", until(server, "Rebuilt"))
        with urllib.request.urlopen(f"http://{address}/", timeout=30) as answer:
            assert answer.status == 200
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=60) == 0


def test_an_address_that_is_taken_is_named_with_the_fix(base):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with serve(base, address) as server:
            line = until(server, "Error:")
            assert f"cannot serve on {address}" in line
            assert "try another --port" in line
            assert server.wait(timeout=60) == 1


def test_a_build_that_fails_says_why_in_a_line_and_the_next_one_works(base):
    settings = base / "mkdocs.yml"
    right = settings.read_text()
    with serve(base, f"127.0.0.1:{free_port()}") as server:
        until(server, "Serving")
        settings.write_text(right + "\nnav: 3\n")
        until(server, "Not rebuilt, the pages are those of before: ")
        settings.write_text(right)
        until(server, "Rebuilt")


def test_a_build_does_not_begin_the_next_one(base):
    with serve(base, f"127.0.0.1:{free_port()}") as server:
        until(server, "Serving")
        for number in range(2):
            save(base / "mkdocs.yml", (base / "mkdocs.yml").read_text() + f"\n# {number}\n")
            until(server, "Rebuilt")
        with pytest.raises(subprocess.TimeoutExpired):
            server.wait(timeout=4)
        server.send_signal(signal.SIGINT)
        assert server.stdout.read().count("Rebuilt") <= 1
