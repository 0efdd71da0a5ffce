"""What the code that a memory names says by itself is left out of digests and proposals."""

import json

import pytest

from tests.cli.conftest import cli, project
from tests.wings.proof.verify.test_anchors import shop, write

__all__ = ["cli", "project", "shop"]
BODY = "def net(gross):\n    # the price without the tax, in cents\n    return gross\n"


@pytest.fixture
def explained(shop, cli):
    """Return a function that approves a text and gives the reason why a digest leaves it out."""
    write(shop, {"tax.py": BODY})

    def asked(text: str) -> str:
        added = cli("memory", "add", "--category", "workflow", "--scope", "shop", text)
        assert added.code == 0, added.err
        [target] = json.loads(cli("export", "--explain", "--json").out)["targets"]
        return next((one["reason"] for one in target["left_out"]), "")

    return asked


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Run `make lint` to check with ruff.", "Makefile: `make lint`"),
        ("Use `make test` to run pytest.", "Makefile: `make test`"),
        ("`tax.py:net` returns the price in cents.", "`tax.py:net`"),
    ],
)
def test_what_its_lines_say_is_plain(explained, text, place):
    assert explained(text) == f"plain from {place}"


@pytest.mark.parametrize(
    "text",
    [
        "Run `make lint` before a commit.",
        "Never run `make test`.",
        "`make test` needs Docker.",
        "Run `make lint` twice in a fresh clone.",
        "Prices are kept in cents.",
        "Wir führen `make lint` hier nie und nicht mit ruff aus.",
        "`make deploy` deploys.",
    ],
)
def test_what_says_more_than_its_lines_is_told(explained, text):
    assert explained(text) == ""


def test_what_another_project_says_is_not_looked_up_here(shop, cli):
    cli("memory", "add", "--category", "workflow", "--scope", "till", "Run `make lint`.")
    [target] = json.loads(cli("export", "--project", "till", "--explain", "--json").out)["targets"]
    assert [one["text"] for one in target["items"]] == ["Run `make lint`."]


def test_a_learning_that_is_plain_is_held_back_with_the_place(shop, cli):
    learnt = "Run `make lint` to check with ruff."
    assert cli("wrapup", "--summary", "Ran the linter.", "--learning", learnt).code == 0
    shown = cli("reflect", "--dry-run").out
    assert "already in Makefile: `make lint`" in shown


def test_the_explanation_counts_instructions_beside_those_of_people(shop, cli):
    write(shop, {"CLAUDE.md": "# Shop\n\nPrices are in cents.\n\n- Use pnpm.\n- Ask first.\n"})
    cli("memory", "add", "--category", "fact", "--scope", "shop", "Refunds take a day.")
    assert ", 1 instruction, 3 more lines by people\n" in cli("export", "--explain").out
    [target] = json.loads(cli("export", "--explain", "--json").out)["targets"]
    assert target["handwritten"] == 3
