"""The API asked at random by its own description: no fault of ours, no answer that it hides.

CALMKB_SCHEMA_EXAMPLES=200 asks each endpoint more.
"""

import os
from collections.abc import Iterator
from contextlib import suppress

import pytest

pytest.importorskip("fastapi", reason="the [runs] extra is not installed")

from hypothesis import HealthCheck, given, seed, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import booleans

from calmkb.wings.runs.http.app import make_app
from tests.wings.runs.support import make_kb
from tests.wings.runs.web import Web, serving

EXAMPLES = int(os.environ.get("CALMKB_SCHEMA_EXAMPLES", "8"))
# Any refusal of what is malformed will do: a text may be too long for the body's limit first (413).
REFUSED = {"checks": {"negative_data_rejection": {"expected-statuses": ["4xx", "5xx"]}}}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = tmp_path_factory.mktemp("schema")
    with serving(make_kb(folder), f"sqlite+aiosqlite:///{folder / 'runs.sqlite'}") as web:
        yield web


@pytest.fixture(scope="module")
def described(web: Web):
    import schemathesis  # here: each worker collects this file, and one of them runs it
    from schemathesis.config import SchemathesisConfig

    config = SchemathesisConfig.from_dict(REFUSED)
    return schemathesis.openapi.from_url(f"{web.base}/openapi.json", config=config)


@pytest.fixture
def known(web: Web) -> dict[str, str]:
    """Return the ids of a session and of a run that are there, by the names in paths."""
    begun = web.begin()
    list(web.follow(begun["runId"]))
    return {"session_id": begun["sessionId"], "run_id": begun["runId"]}


def operations() -> list[tuple[str, str]]:
    """Return each endpoint that is described: its path and method."""
    paths = make_app(None, None).openapi()["paths"]
    return [(path, method) for path, methods in paths.items() for method in methods]


@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize(("path", "method"), operations())
def test_the_api_keeps_its_word(described, known, path, method, mode) -> None:
    from schemathesis import GenerationMode
    from schemathesis.checks import positive_data_acceptance

    operation = described[path][method.upper()]
    given_ids = {name: known[name] for name in known if "{" + name + "}" in path}

    @seed(0)
    @settings(max_examples=EXAMPLES, database=None, suppress_health_check=list(HealthCheck))
    @given(operation.as_strategy(GenerationMode(mode)), booleans())
    def ask(case, there):
        if there and mode == "positive":
            case.path_parameters = {**(case.path_parameters or {}), **given_ids}
        # What is well formed may still name an agent that is not configured: 422 with its field.
        case.call_and_validate(timeout=30, excluded_checks=[positive_data_acceptance])

    with suppress(Unsatisfiable):  # some take nothing that could be wrong
        ask()
