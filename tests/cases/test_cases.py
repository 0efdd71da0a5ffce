"""Every case of every file; `python -m tests.cases` prints how many of each kind hold."""

import shutil

import pytest

from tests.cases.reader import Case, cases
from tests.cases.verdicts import VERDICTS


def marked(case: Case):
    known = [pytest.mark.xfail(strict=True)] if case.is_known_to_fail else []
    needs = [pytest.mark.skipif(not shutil.which("grep"), reason="needs grep")]
    return pytest.param(case, id=str(case), marks=known + needs * (case.kind == "enforce"))


@pytest.mark.parametrize("case", [marked(one) for one in cases()])
def test_what_goes_in_comes_out_as_it_is_written(case):
    assert VERDICTS[case.kind](case.given) == case.expected


@pytest.mark.parametrize("kind", list(VERDICTS))
def test_each_kind_has_a_case_that_it_hits_and_one_that_it_spares(kind):
    assert len({case.expected for case in cases() if case.kind == kind}) > 1
