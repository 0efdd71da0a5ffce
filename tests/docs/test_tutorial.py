"""The tutorial does what it says, to the line."""

from pathlib import Path

import pytest

pexpect = pytest.importorskip("pexpect", reason="no terminal to be had here")
from tests.docs.consoles import Person, differences, environment, steps  # noqa: E402
from tests.warm import programs_in  # noqa: E402

PAGE = (Path(__file__).parents[2] / "docs/tutorial.md").read_text("utf-8")
NOT_RUN = ("pip install ",)  # calmkb is here already, as it is being worked on


def test_every_command_of_the_tutorial_prints_what_is_shown(home, tmp_path):
    ada = Person(home, home, environment(home, programs_in(tmp_path / "bin")))
    found = [step for step in steps(PAGE) if not step.command.startswith(NOT_RUN)]
    assert len(found) > 20
    for step in found:
        printed = ada.run(step)
        assert differences(step, printed) == [], "\n".join((step.command, *printed))
