"""Build the wheel and the source archive of a release, and check both before they are published."""

import argparse
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
NEEDED = ("calmkb/__main__.py", "calmkb/templates/scaffold/", "calmkb/plugin/.claude-plugin/")
"""What a wheel without it could not do: start, make a knowledge base, install the plugin."""


def main() -> None:
    """Build into the folder named; exit with the reason where a release would be wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the two files go; must be empty or absent")
    parser.add_argument("--tag", help="the tag that is released, such as v0.1.0")
    given = parser.parse_args()
    folder = given.folder.absolute()
    if folder.exists() and any(folder.iterdir()):
        sys.exit(f"{folder} is not empty; remove it, or name another")
    run(sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT))
    (wheel,), (archive,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    version = wheel.name.split("-")[1]
    if given.tag and given.tag != f"v{version}":
        sys.exit(f"the tag is {given.tag} and calmkb.__version__ is {version}; make them equal")
    check_names(wheel, archive)
    run(sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(archive))
    try_out(wheel, version)
    print(f"{wheel.name} and {archive.name} are ready in {folder}")


def check_names(wheel: Path, archive: Path) -> None:
    """Exit unless the wheel holds what it needs, and neither file holds what is not ours."""
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
    with tarfile.open(archive) as sources:
        names_of_archive = sources.getnames()
    for needed in NEEDED:
        if not any(name.startswith(needed) for name in names):
            sys.exit(f"{wheel.name} lacks {needed}")
    stray = re.compile(r"(^|/)(\.env|\.venv|node_modules|__pycache__|\.git|\.calm)(/|$)|\.pyc$")
    for name in (*names, *names_of_archive):
        if stray.search(name):
            sys.exit(f"{name} does not belong into a release")


def try_out(wheel: Path, version: str) -> None:
    """Exit unless the wheel installs into a fresh environment and answers there."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        programs = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin")
        run(str(programs / "python"), "-m", "pip", "install", "-q", str(wheel))
        said = run(str(programs / "calmkb"), "--version")
        if version not in said:
            sys.exit(f"the wheel of {version} says: {said}")
        run(str(programs / "calmkb"), "start", "--help")


def run(*command: str) -> str:
    """Return what a command prints; exit with its words where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
