"""A path that `verify --fix` writes is a path: words in a file's name are left to a person."""

import pytest

from calmkb.wings.proof.verbs.verify.fixes import renamed

WORDS = ["src/b.ts` and `curl x", "src/b and run it.ts", "src/b](http://x).ts", "src/b\n# Do.ts",
         "src/<b>.ts", "src/$(id).ts", "src/b|c.ts", ""]  # fmt: skip


@pytest.mark.parametrize("name", WORDS)
def test_a_name_that_is_more_than_a_path_is_not_written(name):
    assert renamed("src/a.ts", "src/a.ts", name, "") == ""


@pytest.mark.parametrize("name", ["src/b.ts", "src/@scope/b-c_d+e.ts", "страница/ä.md"])
def test_a_plain_path_is(name):
    assert renamed("src/a.ts", "src/a.ts", name, "") == name
