"""The site of all payloads, built once however many files of tests look at it."""

import os
from functools import cache
from pathlib import Path

import pytest

from calmkb.model import Library
from tests.wings.site.conftest import Build, built_once
from tests.wings.site.payloads.lists import payloads, telling
from tests.wings.site.payloads.records import payload_library


@cache
def library() -> Library:
    """All payloads; with CALMKB_SOAK each of them is a session and more, which takes minutes."""
    return payload_library(payloads(), payloads() if os.environ.get("CALMKB_SOAK") else telling())


def payload_site(build_site: Build, factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built with the real MkDocs, strictly."""
    address = "https://example.org/team/kb/"
    return built_once("payloads", lambda: build_site(library(), site_url=address), factory)
