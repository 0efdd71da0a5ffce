"""The site of all payloads, built once however many files of tests look at it."""

import os
from functools import cache
from pathlib import Path

from calmkb.model import Library
from tests.site.conftest import Build
from tests.site.payloads.lists import payloads, telling
from tests.site.payloads.records import payload_library

_built: list[Path] = []


@cache
def library() -> Library:
    """All payloads; with CALMKB_SOAK each of them is a session and more, which takes minutes."""
    return payload_library(payloads(), payloads() if os.environ.get("CALMKB_SOAK") else telling())


def payload_site(build_site: Build) -> Path:
    """Return the folder of the site, built with the real MkDocs, strictly."""
    if not _built:
        _built.append(build_site(library(), site_url="https://example.org/team/kb/"))
    return _built[0]
