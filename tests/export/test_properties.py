"""What holds for whatever memories, budgets and files there are."""

import re
from dataclasses import replace

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from calmkb.config import Config
from calmkb.errors import ExportError
from calmkb.export.base import Output
from calmkb.export.block import replace_block
from calmkb.export.choice import SelectionRequest, choose
from calmkb.export.safe_text import clip, one_line
from calmkb.export.targets.cursor import without_leading_star
from calmkb.export.targets.rules import joined
from calmkb.export.targets.table import EXPORTERS
from calmkb.kb.base.environment import Environment
from calmkb.kb.base.knowledge_base import KnowledgeBase
from calmkb.kb.export.digests import DigestRequest, digest_for, open_source
from calmkb.redact.invisible import join_visible
from tests.export.support import NASTY_TEXTS, memories, rule

TARGETS = sorted(EXPORTERS)


@pytest.fixture(scope="module")
def nowhere(tmp_path_factory):
    """Return a knowledge base in an empty folder: the tests here bring their memories along."""
    folder = tmp_path_factory.mktemp("empty")
    return KnowledgeBase(folder, Config(), Environment(home=folder / "home", cwd=folder))


@settings(max_examples=60)
@given(st.sampled_from(TARGETS), memories(), st.integers(1, 700))
def test_what_is_chosen_fits_and_nothing_better_is_left_out_or_lost(nowhere, target, known, budget):
    asked = DigestRequest(nowhere.root, "shop", budget, {})
    made = digest_for(open_source(nowhere, known), EXPORTERS[target], asked)
    assert made.tokens <= budget
    chosen, out = made.selection.items, made.selection.left_out
    ids = [one.memory.id for one in chosen] + [one.item.memory.id for one in out]
    assert sorted(ids) == sorted(memory.id for memory in known)
    for left in (one.item for one in out if one.room):
        assert not any(left.worth > one.worth and left.tokens <= one.tokens for one in chosen)
    assert all(one.reason for one in out)


def test_many_small_files_cost_room_but_never_all_of_it(nowhere):
    known = [rule(number, paths=(f"src/{number}/*.py",)) for number in range(1, 300)]
    made = digest_for(
        open_source(nowhere, known),
        EXPORTERS["cursor"],
        DigestRequest(nowhere.root, "shop", 1500, {}),
    )
    assert 1400 < made.tokens <= 1500
    assert len(made.selection.items) > 20
    assert "more approved memories are a search away" in made.outputs[0].body


@settings(max_examples=60)
@given(st.sampled_from(TARGETS), memories(), NASTY_TEXTS)
def test_exported_twice_is_exported_once_and_a_persons_bytes_stay(target, known, theirs):
    assume("calmkb:" not in theirs and "<<<<" not in theirs)
    files: dict[str, str] = {}
    outputs = EXPORTERS[target].render(choose(known, SelectionRequest("shop", None)))
    for output in (*outputs, *outputs):
        if output.whole or output.merge:
            continue
        before = files.get(output.path, "" if output.owned else theirs)
        files[output.path] = put(before, output)
        if output.path in files and not output.owned:
            assert files[output.path].startswith(theirs)
    assert all(put(files[o.path], o) == files[o.path] for o in outputs if not (o.whole or o.merge))
    for output in outputs:
        if not (output.whole or output.merge):
            gone = replace_block(
                files[output.path], "", place="f", front="" if output.owned else None
            )
            assert output.owned or gone.rstrip("\n\r").endswith(theirs.rstrip("\n\r"))


@pytest.mark.parametrize("path", ["\u200b/etc", ".\u200b./x", "\u200b~/x", "\u200b"])
@pytest.mark.parametrize("target", TARGETS)
def test_a_path_that_leads_out_once_stripped_is_shown_instead(target, path):
    memory = replace(rule(1, "Use pnpm."), paths=(path,))
    (item,) = choose([memory], SelectionRequest("shop", None)).items
    (shown,) = item.memory.paths
    assert "‹U+200B›" in shown
    assert EXPORTERS[target].render(choose([memory], SelectionRequest("shop", None)))


def test_a_path_of_nothing_visible_is_shown_as_far_as_a_path_may_be_long():
    memory = replace(rule(1, "Use pnpm."), paths=("\u200b" * 900 + "/etc", "\u200b\x85/etc"))
    (item,) = choose([memory], SelectionRequest("shop", None)).items
    assert all(one.startswith("‹U+200B›") for one in item.memory.paths)


def put(text: str, output: Output) -> str:
    front = output.front if output.owned else None
    return replace_block(text, output.body, place="f", front=front)


PIECES = st.sampled_from(
    ["# Mine", "", "text", "\r", "- a", "é", "<!-- x -->", " ", "=======", "Head\n=======",
     "\ufeff", "> quoted", "```", "|||||||", ">>>>>>> x", "---", "\t", "\x0c", "\u2028"]
)  # fmt: skip
TEXTS = st.lists(PIECES).map("\n".join)


@given(
    st.sampled_from(["", "\ufeff"]), TEXTS, TEXTS, st.sampled_from(["one", "a\n\nb"]), st.booleans()
)
def test_bytes_above_and_below_the_block_stay(mark, above, below, body, windows):
    above, below = mark + above, below.removeprefix("\ufeff")
    if windows:
        above, below = above.replace("\n", "\r\n"), below.replace("\n", "\r\n")
    first = replace_block(above, body, place="f") + below
    second = replace_block(first, "other\nwords", place="f")
    assert second.startswith(above) and second.endswith(below)
    assert replace_block(second, "other\nwords", place="f") == second
    assert replace_block(second, body, place="f").replace("\r", "") == first.replace("\r", "")


def test_a_block_keeps_its_line_ends_in_a_file_that_has_both_kinds():
    first = replace_block("", "a\n\nb", place="f") + "# Mine\r\n" * 7
    second = replace_block(first, "other\nwords", place="f")
    assert replace_block(second, "other\nwords", place="f") == second


@given(TEXTS, TEXTS, st.integers(0, 2000), st.text(max_size=5))
def test_a_block_that_was_touched_is_refused_or_kept_in_place(above, body, at, typed):
    first = replace_block(above, body.strip() or "x", place="f")
    touched = first[: at % len(first)] + typed + first[at % len(first) :]
    try:
        after = replace_block(touched, "new", place="f")
    except ExportError as error:
        assert re.search(r"delete|leave one|move your lines|resolve", str(error))
        return
    old, new = (re.split(r"(?m)^<!-- calmkb:(?:begin.*|end) -->", t) for t in (touched, after))
    assert (old[0], old[-1]) == (new[0], new[-1]) or len(old) != 3


@given(NASTY_TEXTS)
@example("@docs/x.md\\")  # which escapes the end of the span it is put in
def test_safe_text_stays_safe_when_it_is_made_safe_again_or_cut(text):
    line = one_line(text)
    assert one_line(line) == line
    assert not re.search(r"\n|<!--|!`|!\{|```!|\A```|\A~~~|<system", line)
    for limit in (1, 7, 20, 60):
        cut = clip(line, limit)
        assert not re.search(r"<!--|!`|!\{|```!|\A```", cut)
        assert one_line(cut) == cut


@settings(max_examples=150)
@given(st.sampled_from(["claude-rules", "cursor", "copilot", "skill"]), memories(), NASTY_TEXTS)
def test_front_matter_says_to_yaml_what_was_meant(target, known, project):
    known = [rule(number, paths=memory.paths) for number, memory in enumerate(known, 1)]
    chosen = choose(known, SelectionRequest(" ".join(project.split()), None))
    sets = {item.memory.paths for item in chosen.items if item.memory.paths}
    told = set()
    for output in EXPORTERS[target].render(chosen):
        if not output.front:
            continue
        lines = output.front.split("\n")
        assert (lines[0], lines[-2:], lines.count("---")) == ("---", ["---", ""], 2)
        said = yaml.safe_load("\n".join(lines[1:-2]))
        told.add(meant(target, said))
    assert {one for one in told if one} == {one for one in map(expected(target), sets) if one}


def meant(target, said):
    if target == "claude-rules":
        assert set(said) == {"paths"}
        return tuple(said["paths"])
    if target == "copilot":
        assert set(said) == {"applyTo"}
        return said["applyTo"]
    if target == "cursor":
        assert set(said) == {"description", "globs", "alwaysApply"}
        assert said["description"].startswith("What this project has learnt")
        assert said["alwaysApply"] is (not said["globs"])
        return said["globs"] or ""
    assert (set(said), said["name"]) == ({"name", "description"}, "calmkb-memories")
    assert said["description"].endswith("behaves unexpectedly.")
    assert len(said["description"]) < 1536
    return ""


def expected(target):
    def of(paths):
        if target == "cursor":
            return ",".join(one for p in paths for one in without_leading_star(joined((p,))))
        return {"claude-rules": paths, "copilot": joined(paths), "skill": ""}[target]

    return of


@pytest.mark.parametrize(
    ("glob", "others"),
    [
        ("*.py", ("?*.py",)),
        ("**/*.py", ("?*/**/*.py", "?*.py")),
        ("**", ("?*/**", "?*")),
        ("*", ("?*",)),
        ("*test.py", ("?*test.py", "test.py")),
        ("**/test_*", ("?*/**/test_*", "test_*")),
        ("src/*", ("src/*",)),
    ],
)
def test_a_glob_without_a_leading_star_matches_the_same(glob, others, tmp_path):
    assert without_leading_star(glob) == others
    for name in ("a.py", "test.py", "x/a.py", "x/y/test_a.py", "src/b", "test_b", "x/mytest.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    def found(pattern):
        pattern = f"{pattern}/*" if pattern.endswith("**") else pattern
        return {p for p in tmp_path.glob(pattern) if p.is_file()}

    assert found(glob) == set().union(*map(found, others))


def test_a_path_is_never_two_globs():
    assert joined(("a,b.md", "*.{ts,tsx}", "x{,")) == "a?b.md,*.{ts,tsx},x{?"


@settings(max_examples=40)
@given(st.sampled_from(TARGETS), memories())
def test_nothing_that_is_written_holds_an_invisible_character(nowhere, target, known):
    made = digest_for(
        open_source(nowhere, known),
        EXPORTERS[target],
        DigestRequest(nowhere.root, "shop", None, {}),
    )
    written = [f"{one.path}\n{one.front}\n{one.body}" for one in made.outputs]
    assert [join_visible(text) for text in written] == written


@pytest.mark.parametrize("target", TARGETS)
def test_a_secret_that_an_invisible_character_parts_is_in_no_export(nowhere, target):
    head, tail = "gh" + "p_aB3dE5fG7hJ9", "kL1mN2pQ4rS6tU8vW0xYz1B2"
    known = [rule(1, f"Use {head}\u200b{tail} here", paths=(f"src/{head}\u200b{tail}/*.py",))]
    made = digest_for(
        open_source(nowhere, known),
        EXPORTERS[target],
        DigestRequest(nowhere.root, "shop", None, {}),
    )
    written = "".join(f"{one.path}{one.front}{one.body}" for one in made.outputs)
    assert ("redacted:github" in written, tail in written) == (True, False)
