"""A memory may speak of a setting or of one test; what they are is kept and compared."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmkb.wings.proof.anchors.references import references, settings_named
from calmkb.wings.proof.anchors.settings import keys_ending, settings_in
from tests.cli.conftest import cli, project
from tests.wings.proof.verify.test_anchors import findings, write

__all__ = ["cli", "project"]
FILES = {
    "ruff.toml": '[lint]\nline-length = 100\nselect = ["E"]\n',
    "conf/app.yaml": "server:\n  port: 80\n",
    "package.json": '{"engines": {"node": ">=20"}, "scripts": {"lint": "eslint"}}',
    "setup.cfg": "[tool:pytest]\naddopts = -q\n",
}
SETTINGS = [
    ("ruff.toml", "lint.line-length", "line-length = 100", "line-length = 120"),
    ("conf/app.yaml", "server.port", "port: 80", "port: 8080"),
    ("package.json", "engines.node", ">=20", ">=22"),
    ("setup.cfg", "addopts", "addopts = -q", "addopts = -v"),
]
TEST = "class TestPay:\n    def test_refund(self):\n        assert refund(1)\n"


@pytest.mark.parametrize(("path", "key", "old", "new"), SETTINGS)
@pytest.mark.parametrize("words", ["Never raise `{1}` in `{0}`.", "Mind `{0}:{1}` here."])
def test_a_setting_that_changed_is_told(project, cli, path, key, old, new, words):
    write(project, FILES)
    text = words.format(path, key)
    added = cli("memory", "add", "--category", "fact", "--scope", "shop", text)
    assert added.code == 0, added.err
    write(project, {path: f"{FILES[path]}\n"})
    assert findings(cli) == [], "an edit beside it changes nothing"
    write(project, {path: FILES[path].replace(old, new)})
    assert [rule for rule, where, _ in findings(cli) if where == path] == ["changed-anchor"]
    write(project, {path: "{}" if path.endswith("json") else "\n"})
    assert [rule for rule, where, _ in findings(cli) if where == path] == ["gone-anchor"]


def test_one_test_is_an_anchor(project, cli):
    write(project, {"tests/test_pay.py": TEST})
    text = "Run `pytest tests/test_pay.py::TestPay::test_refund` after a change of prices."
    cli("memory", "add", "--category", "workflow", "--scope", "shop", text)
    write(project, {"tests/test_pay.py": TEST.replace("refund(1)", "refund(2)")})
    assert findings(cli) == [("changed-anchor", "tests/test_pay.py", 2)]
    write(project, {"tests/test_pay.py": "class TestPay:\n    pass\n"})
    assert findings(cli) == [("gone-anchor", "tests/test_pay.py", 1)]


def test_another_key_of_the_same_end_changes_nothing_later(project, cli):
    write(project, FILES)
    cli("memory", "add", "--category", "fact", "--scope", "shop", "Keep `port` in `conf/app.yaml`.")
    write(project, {"conf/app.yaml": FILES["conf/app.yaml"] + "proxy:\n  port: 90\n"})
    assert findings(cli) == []


def test_a_key_that_several_settings_end_in_is_none_of_them():
    known = settings_in("x.toml", "[a]\nport = 1\n[b]\nport = 2\n") or {}
    assert keys_ending(known, "port") == ["a.port", "b.port"]
    assert keys_ending(known, "a.port") == ["a.port"]


@pytest.mark.parametrize(
    "text",
    ["a: &a [x,x,x,x,x,x,x,x,x]\n"
     + "".join(f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefghi")),
     "a: &a\n  b: *a\n"],
)  # fmt: skip
def test_yaml_that_grows_without_end_is_left(text):
    assert settings_in("x.yaml", text) is None


@pytest.mark.parametrize("path", ["x.toml", "x.json", "x.yaml", "x.ini"])
@given(text=st.text(max_size=80))
def test_whatever_stands_in_a_file_of_settings_is_read_or_left(path, text):
    found = settings_in(path, text)
    assert found is None or all(isinstance(value, str) for value in found.values())


def test_a_setting_is_named_with_its_file_or_not_at_all():
    (one,) = settings_named("Keep `line-length` in the `ruff.toml` at 100.")
    assert one.shown == "ruff.toml:line-length"
    assert not list(settings_named("Put `refund` in `src/pay.ts`."))
    assert [one.shown for one in references("`ruff.toml:lint.line-length`")] == [
        "ruff.toml:lint.line-length"
    ]
