"""What calmkb and its extras bring onto a disk, added up; exit 1 beyond the limits.

Run it where all extras are installed. A megabyte is a million bytes; files that pip compiled count.
"""

import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import calmkb

LIMITS = {"": 400, "semantic": 130, "all": 260}
"""Megabytes: of the base, and of what an extra adds to it."""
FORBIDDEN = re.compile(r"torch|triton|nvidia-")


def main() -> None:
    """Print a line for the base and for each extra; exit with what is wrong, if anything is."""
    base = closure("")
    faults = []
    for extra, limit in LIMITS.items():
        found = closure(extra)
        sizes = {name: size_of(name) for name in (found - base if extra else found)}
        total = sum(sizes.values()) / 1e6
        largest = ", ".join(
            f"{name} {size / 1e6:.0f}"
            for name, size in sorted(sizes.items(), key=lambda item: -item[1])[:6]
        )
        print(f"[{extra}]" if extra else "base", f"{total:.0f} of {limit} MB in {len(sizes)} "
              f"packages: {largest}")  # fmt: skip
        if total > limit:
            faults.append(f"{extra or 'base'} is {total - limit:.0f} MB over its limit")
        faults += [f"{name} is installed" for name in sorted(sizes) if FORBIDDEN.match(name)]
    if faults:
        sys.exit("; ".join(faults))


def closure(extra: str) -> set[str]:
    """Return the names of all that calmkb needs with an extra, itself among them."""
    seen: set[tuple[str, str]] = set()
    ahead = [("calmkb", ""), ("calmkb", extra)]
    while ahead:
        one = ahead.pop()
        if one not in seen:
            seen.add(one)
            ahead += needed(*one)
    return {name for name, _ in seen}


def needed(name: str, extra: str) -> Iterator[tuple[str, str]]:
    """Yield the packages that a package needs here, once for each of their extras."""
    try:
        lines = distribution(name).requires or ()
    except PackageNotFoundError:
        sys.exit(f"{name} is not installed; run: pip install -e '.[all]'")
    for line in lines:
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate({"extra": extra}):
            yield from ((canonicalize_name(wanted.name), more) for more in ("", *wanted.extras))


def size_of(name: str) -> int:
    """Return the bytes of a package's files; of calmkb those of its folder, in a checkout too."""
    if name == "calmkb":
        found = Path(calmkb.__file__).parent.rglob("*")
        # A checkout may hold what several versions of Python compiled; an installation has one.
        own = f".{sys.implementation.cache_tag}.pyc"
        files = {file for file in found if file.suffix != ".pyc" or file.name.endswith(own)}
    else:
        files = {Path(str(file.locate())).resolve() for file in distribution(name).files or ()}
    return sum(file.stat().st_size for file in files if file.is_file())


if __name__ == "__main__":
    main()
