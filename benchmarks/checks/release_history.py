"""Make a repository of a project's releases on PyPI, one commit a release, for `run.py verify`.

    benchmarks/checks/release_history.py NAME FOLDER

Of the newest 70 releases every second that has an instruction file is taken. A folder that an
archive leaves out from one release on looks as if it were gone: such findings are to be left out.
"""

import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen

from packaging.version import InvalidVersion, Version

FILES = ("CLAUDE.md", "AGENTS.md")
NEWEST, TAKEN = 70, 35


def main(name: str, top: Path) -> None:
    """Commit the releases, the oldest first."""
    top.mkdir(parents=True)
    _git(top, "init", "-q")
    for version, archive in _archives(name):
        if _unpack(archive, top):
            _git(top, "add", "-Af")
            _git(top, "-c", "user.name=b", "-c", "user.email=b@b", "commit", "-qm", str(version))


def _archives(name: str) -> Iterator[tuple[Version, bytes]]:
    page = urlopen(f"https://pypi.org/simple/{name}/", timeout=60).read().decode()
    found: dict[Version, str] = {}
    for address in re.findall(r'href="(https://[^"#]+\.tar\.gz)', page):
        try:
            version = Version(address.rsplit("-", 1)[1].removesuffix(".tar.gz"))
        except InvalidVersion:
            continue
        if not version.is_prerelease:
            found[version] = address
    newest = sorted(found)[-NEWEST:]
    for version in newest[:: -max(1, len(newest) // TAKEN)][::-1]:
        yield version, urlopen(found[version], timeout=120).read()  # noqa: S310 - https, by the pattern


def _unpack(archive: bytes, top: Path) -> bool:
    """Replace the files of the repository; False where a release has no instruction file."""
    with tarfile.open(fileobj=BytesIO(archive)) as held, tempfile.TemporaryDirectory() as place:
        if not any(one.name.partition("/")[2] in FILES for one in held.getmembers()):
            return False
        held.extractall(place, filter="data")
        _git(top, "rm", "-rfq", "--ignore-unmatch", ".")
        [folder] = Path(place).iterdir()
        subprocess.run(["cp", "-a", f"{folder}/.", str(top)], check=True)
    return True


def _git(top: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=top, check=True, capture_output=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
