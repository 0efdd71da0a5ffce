"""The checks of the poisoning benchmark see an attack where nothing stops it."""

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from poisoning import attacks, control  # noqa: E402
from poisoning.cases import marker  # noqa: E402


@pytest.mark.parametrize("text", attacks.ACTIVE)
def test_an_acting_text_is_seen_in_a_file_for_agents(text):
    assert control.acts_raw(text, marker())


@pytest.mark.parametrize("text", attacks.MARKUP)
def test_live_markup_is_seen_on_a_page(text):
    assert control.lives_raw(text, marker())


def test_harmless_text_is_not_taken_for_an_attack():
    assert not control.acts_raw("Use {m} for every script.", marker())
    assert not control.lives_raw("Use {m} for every script.", marker())
